// The nearest point of a triangle in doubles, where these suffice. Nearly all closest-point queries end with this computation.
#pragma once
#include <graze/shapes/triangle.hpp>
#include <optional>

namespace graze {

struct PlainClosest {
  double distance;  ///< relative error at most 1e-15
  Vec3 on_triangle;
};
/// Closest points of one point and successive triangles. Returns nothing where doubles cannot decide: near or on the triangle, at the borders of the regions of
/// its corners, edges and face, for triangles without area, at extreme sizes. Triangles that share the nearest corner or edge give the same bits; the result
/// for the last such corner or edge is cached.
class PlainPoint {
 public:
  explicit PlainPoint(const Vec3& p) : p_(p) {}
  std::optional<PlainClosest> operator()(const Triangle& triangle);

 private:
  std::optional<PlainClosest> at_corner(const Vec3& a, double reach);
  std::optional<PlainClosest> at_edge(const Vec3& u, const Vec3& v, double reach);

  Vec3 p_, a_, b_;
  PlainClosest last_;
  int corners_ = 0;  ///< what `last_` is for: 0 nothing, 1 a corner, 2 an edge
};
inline std::optional<PlainClosest> plain_closest(const Vec3& point, const Triangle& triangle) { return PlainPoint(point)(triangle); }

}  // namespace graze
