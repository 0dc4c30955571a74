// The nearest point of a triangle in doubles, where they reach: what nearly all closest-point queries end with.
#pragma once
#include <graze/shapes/triangle.hpp>
#include <optional>

namespace graze {

struct PlainClosest {
  double distance;  ///< within 1e-15 of the truth, relatively
  Vec3 on_triangle;
};
/// Nothing where doubles cannot tell: near or on the triangle, at the borders of its corners', edges' and face's regions, without area, at extreme sizes. Triangles that share the nearest corner or edge give
/// the same bits.
std::optional<PlainClosest> plain_closest(const Vec3& point, const Triangle& triangle);

}  // namespace graze
