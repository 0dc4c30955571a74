// The intersection of two triangles, rounded to doubles: for pictures, and for lengths and areas in reports. No decision depends on it.
#pragma once
#include <array>
#include <graze/query.hpp>

namespace graze::contact {

/// The common points of two triangles: a point, a segment, or the corners of a convex polygon in order.
struct CommonPoints {
  int count = 0;  ///< 1, 2, or at least 3
  std::array<Vec3, 6> points{};
  int edge_a = -1;  ///< for a segment: the edge of A (k: opposite to corner k) that contains it, or -1
  int edge_b = -1;
  bool no_area = false;  ///< a triangle has no area: one common point represents all
};

/// Requires that the triangles intersect. Exact signs determine the kind (while products of three lengths neither overflow nor underflow); coordinates are
/// rounded. A triangle without area contributes one point, since the adjacent triangles contain its edges. O(1).
CommonPoints common_points(const Triangle& a, const Triangle& b);

/// Area of the polygon; 0 below three corners.
double area(const CommonPoints& c);
/// Length of the segment; 0 for anything else.
double length(const CommonPoints& c);

}  // namespace graze::contact
