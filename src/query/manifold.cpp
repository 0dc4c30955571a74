// Contact manifolds of any two shapes: the patches of their touching convex pieces.
#include <graze/query/manifold.hpp>

#include <utility>

#include "parts/convex_of_shape.hpp"
#include "platform/fp_environment.hpp"
#include "query/touches.hpp"

namespace graze {
namespace {

Manifold manifold_of(Touch& t, ManifoldPoints points) {
  if (points == ManifoldPoints::four) reduce_patch(t.patch);
  Manifold m;
  m.normal = t.contact.normal;
  m.triangle_a = t.contact.triangle_a;
  m.triangle_b = t.contact.triangle_b;
  m.points.reserve(t.patch.size());
  for (const PatchPoint& p : t.patch) m.points.push_back({p.point, p.depth});
  return m;
}

}  // namespace

std::vector<Manifold> manifold(ShapeRef a, ShapeRef b, ManifoldPoints points) {
  const DefaultFloatEnvironment guard;
  std::vector<Manifold> out;
  if (has_convex_set(a) && has_convex_set(b)) {
    const ConvexSet ca = convex_set_of(a), cb = convex_set_of(b);
    if (auto t = touch_of(ca, cb, TouchDetail::patch)) out.push_back(manifold_of(*t, points));
    return out;
  }
  const PartList pa(a, Polygons::whole), pb(b, Polygons::whole);
  for (Touch& t : all_touches(pa, pb, TouchDetail::patch)) out.push_back(manifold_of(t, points));
  if (out.empty())  // one shape lies inside the other, a solid, without touching its surface
    for (const Contact& c : contacts(a, b)) out.push_back({c.normal, {{c.point, c.depth}}, c.triangle_a, c.triangle_b});
  return out;
}

}  // namespace graze
