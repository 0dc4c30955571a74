// Distance and closest points of two shapes.
#pragma once
#include <cstdint>
#include <graze/shapes.hpp>
#include <optional>

namespace graze {

/// A distance and a pair of closest points.
struct Closest {
  /// Length, >= 0; 0 exactly when the sets intersect. Saturates at the largest double; infinite only when a set is empty.
  double distance = 0;
  Vec3 on_a{0, 0, 0};  ///< witness on A; equal to on_b when the sets intersect
  Vec3 on_b{0, 0, 0};
  /// For meshes: the triangle that contains the witness, the lowest one at the minimum. For two meshes see closest().
  std::optional<std::uint32_t> triangle_a, triangle_b;
};

/// Returns the distance of two shapes and a pair of closest points.
///
/// The distance has a relative error of at most 1e-15, or is within one denormal; see docs/accuracy.md for the witnesses and for
/// curved shapes. Exchanging the operands exchanges the result.
///
/// Between two meshes that do not touch, of all pairs of triangles at the least distance the result names the one with the lowest triangle of the
/// leading mesh, then the lowest of the other. Two meshes that touch take little longer than intersects(): the result names one pair that touches, always the
/// same for the same two Mesh values and poses (another tree, by Build::fast or refit(), may name another). A Solid leads before a Mesh or HeightField, a Mesh
/// before a HeightField. Of two of one kind the one with fewer triangles leads, else the one whose placed corners, triangle by triangle, have the lower
/// coordinates. The triangle of the other mesh need not be the lowest that attains the minimum.
[[nodiscard]] Closest closest(ShapeRef a, ShapeRef b);

}  // namespace graze
