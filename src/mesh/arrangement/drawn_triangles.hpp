// Triangles of a surface near a box, drawn by numbers that are always the same.
#pragma once
#include <cstdint>
#include <optional>

#include "mesh/queries/leaf.hpp"
#include "mesh/queries/mesh_view.hpp"

namespace graze {

/// Draws triangles of leaves that the box overlaps, any of them, and the same as often as it happens: for tests that may decide anywhere.
class DrawnTriangles {
 public:
  DrawnTriangles(const MeshView& view, const Box3& box) : view_(view), box_(local_box(leaf::placed_tree(view), box)) {}
  /// Nothing where the way down the tree ends before a leaf.
  std::optional<Triangle> next();

 private:
  MeshView view_;
  QueryBox box_;
  std::uint32_t drawn_ = 0;
};

}  // namespace graze
