// What placing does to the coordinates of shapes with many points.
#pragma once
#include <graze/pose.hpp>

#include "math/box3.hpp"

namespace graze {

class HeightField;
class Mesh;

/// Returns the largest magnitude of a coordinate of a vertex, used by triangles or not; 0 without vertices. O(1). Implemented with the mesh's data.
double largest_coordinate(const Mesh& mesh);
double largest_coordinate(const HeightField& field);

/// Returns a box that contains every placed point of a finite box; infinite where coordinates might overflow. O(1), but not the smallest one.
Box3 placed_box(const Box3& local, const Pose& pose);

}  // namespace graze
