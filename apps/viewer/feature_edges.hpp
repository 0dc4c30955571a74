// Edges of a model that a person would draw: borders, creases, and edges of more than two faces. For drawing only.
#pragma once
#include <graze/mesh.hpp>
#include <vector>
#include "viewer/picture.hpp"

namespace graze::view {

/// Edges that one triangle has alone, or whose triangles' planes differ by more than 25 degrees, whichever way round the triangles are. Connected pieces of
/// them that look like the grain of a rough surface are left out: those shorter than the model that nowhere exceed 40 degrees, and those shorter than a quarter
/// of it without a closed line. Vertices of equal coordinates count as one, triangles without area as absent. Relative to `origin`. Linear time and memory in
/// the number of triangles.
std::vector<FeatureLine> feature_lines(const Mesh& mesh, const Vec3& origin);

}  // namespace graze::view
