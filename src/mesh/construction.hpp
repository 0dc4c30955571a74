// The steps that building a Mesh and taking over a stored one have in common.
#pragma once
#include <string>

#include "mesh/kernels/construct_kernels.hpp"
#include "mesh/mesh_impl.hpp"

namespace graze {

/// The largest magnitude of a coordinate. It is not finite if one of them is not: as integers, magnitudes are in order, and infinity and NaN come last.
double largest_magnitude(const LargeArray<Vec3>& vertices);

/// The defects of the arrays, one a line: all of them, or the first of each kind. "" if there is none. `largest_coordinate` must be set.
std::string defects(const MeshImpl& m, bool first_only);

/// The vertices in the coordinates of a tree.
LargeArray<TreeVertex> local_vertices(const LargeArray<Vec3>& vertices, const LocalFrame& frame);

}  // namespace graze
