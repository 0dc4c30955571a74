// The vector type of the public interface: a GLM type, so that callers need not convert.
#pragma once
#include <array>
#include <cstdint>
#include <glm/ext/vector_double3.hpp>
#include <glm/vec3.hpp>

namespace graze {

/// A point, direction or displacement: three doubles without padding, whatever GLM_FORCE_* macros the including program sets.
/// Only GLM_FORCE_SIZE_T_LENGTH is refused.
using Vec3 = glm::vec<3, double, glm::packed_highp>;
static_assert(sizeof(glm::length_t) == sizeof(int), "graze is built with GLM's lengths as int; GLM_FORCE_SIZE_T_LENGTH makes all of GLM's vectors other types");
static_assert(sizeof(Vec3) == 3 * sizeof(double), "graze needs GLM vectors without padding");

}  // namespace graze
