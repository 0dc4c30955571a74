// The mesh of a height field, with its tree, made piece by piece: the tree's upper part at once, each tile of 32 x 32 cells when a traversal enters it.
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "mesh/mesh_impl.hpp"

namespace graze {

/// Vertex (i, j) is at (x[i], y[j], z + heights[j * x.size() + i]); NaN is a hole.
struct FieldGrid {
  std::vector<double> x, y;
  double z;
  std::span<const double> heights;
  std::shared_ptr<const void> owner;  ///< of the heights
};

/// The mesh of a grid, to which no vertex or triangle belongs but those of a height field (see graze/shapes/height_field.hpp). Requires heights that are NaN or
/// whose sum with z is finite, at least two rows and columns, and no more than 2^32 - 1 heights and triangles.
std::shared_ptr<const MeshImpl> mesh_of_field(FieldGrid&& grid);

}  // namespace graze
