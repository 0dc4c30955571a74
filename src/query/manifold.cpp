// Contact manifolds of any two shapes: the patches of their touching convex pieces.
#include <graze/query/manifold.hpp>

#include <cstddef>
#include <utility>

#include "parts/convex_of_shape.hpp"
#include "platform/fp_environment.hpp"
#include "query/touches.hpp"

namespace graze {
namespace {

Manifold manifold_of(const Contact& contact, ContactPatch& patch, ManifoldPoints points) {
  if (points == ManifoldPoints::four) reduce_patch(patch);
  Manifold m;
  m.normal = contact.normal;
  m.triangle_a = contact.triangle_a;
  m.triangle_b = contact.triangle_b;
  m.points.reserve(static_cast<std::size_t>(patch.count));
  for (const PatchPoint& p : patch) m.points.push_back({p.point, p.depth});
  return m;
}

}  // namespace

std::vector<Manifold> manifold(ShapeRef a, ShapeRef b, ManifoldPoints points) {
  const DefaultFloatEnvironment guard;
  std::vector<Manifold> out;
  if (has_convex_set(a) && has_convex_set(b)) {
    Contact contact;
    ContactPatch patch;
    if (find_contact(a, b, contact, patch)) out.push_back(manifold_of(contact, patch, points));
    return out;
  }
  const PartList pa(a, Polygons::whole), pb(b, Polygons::whole);
  ContactPatch patch;
  for (const Touch& t : all_touches(pa, pb, TouchDetail::patch)) {
    patch.count = 0;
    for (const PatchPoint& p : t.patch) patch.add(p);
    out.push_back(manifold_of(t.contact, patch, points));
  }
  if (out.empty())  // one shape lies inside the other, a solid, without touching its surface
    for (const Contact& c : contacts(a, b)) out.push_back({c.normal, {{c.point, c.depth}}, c.triangle_a, c.triangle_b});
  return out;
}

}  // namespace graze
