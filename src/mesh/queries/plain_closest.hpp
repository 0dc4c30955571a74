// The nearest point of a triangle in doubles, where they reach: what nearly all closest-point queries end with.
#pragma once
#include <graze/shapes/triangle.hpp>
#include <optional>

namespace graze {

struct PlainClosest {
  double distance;  ///< within 1e-15 of the truth, relatively
  Vec3 on_triangle;
};
/// A point against one triangle after the other. Nothing where doubles cannot tell: near or on the triangle, at the borders of its corners', edges' and face's
/// regions, without area, at extreme sizes. Triangles that share the nearest corner or edge give the same bits; what was found for the last such corner or edge
/// is remembered.
class PlainPoint {
 public:
  explicit PlainPoint(const Vec3& p) : p_(p) {}
  std::optional<PlainClosest> operator()(const Triangle& triangle);

 private:
  std::optional<PlainClosest> at_corner(const Vec3& a, double reach);
  std::optional<PlainClosest> at_edge(const Vec3& u, const Vec3& v, double reach);

  Vec3 p_, a_, b_;
  PlainClosest last_;
  int corners_ = 0;  ///< of what `last_` is about: 0 nothing, 1 a corner, 2 an edge
};
inline std::optional<PlainClosest> plain_closest(const Vec3& point, const Triangle& triangle) { return PlainPoint(point)(triangle); }

}  // namespace graze
