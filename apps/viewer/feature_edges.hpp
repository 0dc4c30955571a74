// Edges of a model that a person would draw: borders, creases, and edges of more than two faces. For drawing only.
#pragma once
#include <graze/mesh.hpp>
#include <vector>
#include "viewer/picture.hpp"

namespace graze::view {

/// Edges of a single triangle, and edges between triangles whose planes differ by more than 25 degrees, whatever their orientation. Omits connected pieces that
/// look like the texture of a rough surface: those shorter than the model without an angle above 40 degrees, and those shorter than a quarter of it without a
/// closed line. Vertices of equal coordinates count as one; triangles without area are ignored. Relative to `origin`. Linear time and memory in the number of
/// triangles.
std::vector<FeatureLine> feature_lines(const Mesh& mesh, const Vec3& origin);

}  // namespace graze::view
