// Vectors at the border of the library are GLM's, so that nobody has to convert.
#pragma once
#include <array>
#include <cstdint>
#include <glm/ext/vector_double3.hpp>
#include <glm/vec3.hpp>

namespace graze {

/// A point, direction or displacement: three doubles, unaligned, whatever GLM_FORCE_* macros the including program sets.
using Vec3 = glm::vec<3, double, glm::packed_highp>;
static_assert(sizeof(Vec3) == 3 * sizeof(double), "graze needs GLM vectors without padding");

}  // namespace graze
