// Curved shapes of any kind: bounds, depth of points, moving, order.
#include "convex/curved/curved.hpp"

#include <algorithm>
#include <type_traits>
#include <variant>

#include "convex/sets/convex_set_bounds.hpp"
#include "convex/sets/order.hpp"
#include "math/vec3.hpp"

namespace graze {

double depth_in(const Curved& solid, const Vec3& p) {
  return solid.visit([&](const auto& kind) { return kind.depth(p); });
}

std::optional<NearestPlace> nearest_place(const Curved& solid, const Vec3& p) {
  if (solid.moves()) return std::nullopt;
  return solid.visit([&](const auto& kind) -> std::optional<NearestPlace> {
    const V3<double> q = v3(minus(p, kind.ends().a));
    const std::optional<V3<double>> at = kind.nearest(q);
    if (!at) return std::nullopt;
    const V3<double> x = q - *at;
    return NearestPlace{*at, x, dot(x, q) - kind.height(x), taxicab(q) + kind.size()};
  });
}

Certain within_exactly(const Curved& a, const ConvexSet& b, double extra) {
  if (a.convex() || a.moves()) return Certain::unknown;
  return a.visit([&](const auto& kind) { return kind.within_exactly(b, extra); });
}

std::optional<BoundingVolume> bounding_volume(const Curved& c) {
  if (c.convex()) return bounding_volume(*c.convex());
  return c.visit([](const auto& kind) { return kind.bounding_volume(); });
}

Box3 bounds(const Curved& c) {
  if (c.convex()) return bounds(*c.convex());
  ConvexSet set = c.visit([](const auto& kind) { return kind.bounding_set(); });
  if (c.moves()) set.add_segment(c.motion, c.motion_from, c.motion_to);
  Box3 box = bounds(set);
  // `within` may report contact for shapes that are apart by 2^-43 of the extent. The box is enlarged so that it never separates such shapes.
  double extent = 0;
  for (int i = 0; i < 3; ++i) extent = std::max(extent, box.hi[i] - box.lo[i]);
  for (int i = 0; i < 3; ++i) {
    box.lo[i] -= extent * 0x1p-42;
    box.hi[i] += extent * 0x1p-42;
  }
  return box;
}

ConvexSet moved(const ConvexSet& c, const Vec3& v) {
  ConvexSet r = c;
  r.add_segment(v, 1, 1);
  return r;
}

Curved moved(const Curved& c, const Vec3& v) {
  Curved r = c;
  std::visit(
      [&]<class S>(S& s) {
        if constexpr (std::is_same_v<S, ConvexSet>)
          s.add_segment(v, 1, 1);
        else
          s.translate(v);
      },
      r.shape);
  return r;
}

Curved displaced(const Curved& c, const Vec3& v) {
  if (c.convex()) return moved(c, v);
  GRAZE_EXPECTS(!c.moves());
  Curved r = c;
  r.motion = v;
  r.motion_from = r.motion_to = 1;
  return r;
}

int order_of(const Curved& a, const Curved& b) {
  if (a.shape.index() != b.shape.index()) return a.shape.index() < b.shape.index() ? -1 : 1;
  if (a.convex()) return order_of(*a.convex(), *b.convex());
  if (const int c = a.visit([&]<class K>(const K& kind) { return order_of(kind, *std::get_if<K>(&b.shape)); })) return c;
  if (const int c = order_of(a.motion, b.motion)) return c;
  if (const int c = order_of(a.motion_from, b.motion_from)) return c;
  return order_of(a.motion_to, b.motion_to);
}

}  // namespace graze
