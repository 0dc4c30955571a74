// The common points of two triangles, for pictures and measures.
#pragma once
#include <array>
#include <graze/shapes.hpp>

namespace graze {

/// A point, a segment, or the corners of a convex polygon in order.
struct CommonPoints {
  int count = 0;  ///< 0: none; 1, 2, or at least 3
  std::array<Vec3, 6> points{};
  int edge_a = -1;  ///< for a segment: the edge of A (k: opposite to corner k) that contains it, or -1
  int edge_b = -1;
  bool no_area = false;  ///< a triangle has no area: one common point represents all, since the adjacent triangles contain its edges

  [[nodiscard]] double length() const;  ///< of a segment, rounded; 0 for anything else
  [[nodiscard]] double area() const;    ///< of a polygon, rounded; 0 for anything else
};

/// Returns the common points of two triangles. How many there are and on which corners and edges they lie is exact. Points that are corners are those corners;
/// coordinates of others are rounded. O(1).
[[nodiscard]] CommonPoints common_points(const Triangle& a, const Triangle& b);

}  // namespace graze
