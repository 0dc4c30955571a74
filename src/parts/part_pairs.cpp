// Tests and distances between pairs of parts. A solid is tested by its surface, and by whether that surface encloses a point of the other part. Results are
// converted to the public types.
#include "parts/part_pairs.hpp"

#include <cstdint>
#include <utility>

#include "math/limits.hpp"
#include "mesh/queries/convex_queries.hpp"
#include "mesh/queries/solid_queries.hpp"
#include "mesh/queries/surface_queries.hpp"

namespace graze {
namespace {

Closest public_form(const ConvexClosest& c) { return {c.distance, c.on_a, c.on_b, {}, {}}; }

Closest nothing() {
  Closest c;
  c.distance = kInfinity;
  return c;
}

Closest common(const Vec3& p) { return {0, p, p, {}, {}}; }

Vec3 some_point(const ConvexSet& c) {
  Vec3 p = c.base(0);
  for (std::uint32_t k = 0; k < c.segments; ++k)
    for (int i = 0; i < 3; ++i) p[i] += c.lo[k] * c.segment[k][i];
  return p;
}

}  // namespace

int order_of(const MeshView& a, const MeshView& b) {
  const std::size_t n = a.mesh->triangles.size();
  if (n != b.mesh->triangles.size()) return n < b.mesh->triangles.size() ? -1 : 1;
  a.mesh->complete();
  b.mesh->complete();
  for (std::uint32_t i = 0; i < n; ++i) {
    const Triangle s = a.triangle(i), t = b.triangle(i);
    for (int k = 0; k < 3; ++k)
      if (const int o = order_of(s.points[k], t.points[k])) return o;
  }
  return 0;
}

Closest flipped(Closest c) {
  std::swap(c.on_a, c.on_b);
  std::swap(c.triangle_a, c.triangle_b);
  return c;
}

namespace {

/// within() and closest_of() of the surface of a solid together with its seams.
template <class B>
bool surface_within(const SolidView& a, const B& b, double distance) {
  if (within(a.surface, b, distance)) return true;
  const auto seams = a.surface.placed_seams();
  return seams && within(*seams, b, distance);
}
template <class B>
Closest closest_of_surface(const SolidView& a, const B& b) {
  const Closest c = closest_of(a.surface, b);
  const auto seams = a.surface.placed_seams();
  if (!seams || c.distance == 0) return c;
  Closest of_seam = closest_of(*seams, b);
  if (!(of_seam.distance < c.distance)) return c;
  of_seam.triangle_a = seams->mesh->user_of(*of_seam.triangle_a);
  return of_seam;
}

bool surfaces_within(const SolidView& a, const SolidView& b, double distance) {
  if (surface_within(a, b.surface, distance)) return true;
  const auto seams = b.surface.placed_seams();
  return seams && surface_within(a, *seams, distance);
}
Closest closest_of_surfaces(const SolidView& a, const SolidView& b) {
  const Closest c = closest_of_surface(a, b.surface);
  const auto seams = b.surface.placed_seams();
  if (!seams || c.distance == 0) return c;
  Closest of_seam = closest_of_surface(a, *seams);
  if (!(of_seam.distance < c.distance)) return c;
  of_seam.triangle_b = seams->mesh->user_of(*of_seam.triangle_b);
  return of_seam;
}

}  // namespace

// A surface that does not meet a bounded, connected part encloses all of it or nothing, so any point of the part decides.
bool within(const SolidView& a, const ConvexSet& b, double distance) {
  if (distance == 0 && b.is_point()) return solid_contains(a.surface, b.base(0));
  return surface_within(a, b, distance) || solid_encloses(a.surface, b);
}
bool within(const SolidView& a, const Curved& b, double distance) { return surface_within(a, b, distance) || solid_encloses(a.surface, b.inner_set()); }
bool within(const SolidView& a, const MeshView& b, double distance) { return surface_within(a, b, distance) || enclosed_vertex(a.surface, b); }
bool within(const SolidView& a, const SolidView& b, double distance) {
  return surfaces_within(a, b, distance) || enclosed_vertex(a.surface, b.surface) || enclosed_vertex(b.surface, a.surface);
}

Closest closest_of(const ConvexSet& a, const ConvexSet& b, PairHint* hint) { return public_form(closest(a, b, hint)); }
Closest closest_of(const Curved& a, const ConvexSet& b) { return public_form(closest(a, b)); }
Closest closest_of(const Curved& a, const Curved& b) { return public_form(closest(a, b)); }

Closest public_form(const SurfaceClosest& c) {
  Closest r = public_form(c.closest);
  r.triangle_a = c.triangle_a;
  return r;
}

Closest closest_of(const MeshView& a, const ConvexSet& b, double bound) {
  const auto c = closest(a, b, bound);
  return c ? public_form(*c) : nothing();
}

Closest closest_of(const MeshView& a, const Curved& b) {
  const auto c = closest(a, b);
  return c ? public_form(*c) : nothing();
}

Closest closest_of(const MeshView& a, const MeshView& b) {
  const auto c = closest(a, b);
  if (!c) return nothing();
  Closest r = public_form(*c);
  r.triangle_b = c->triangle_b;
  return r;
}

Closest closest_of(const SolidView& a, const ConvexSet& b) {
  const Closest c = closest_of_surface(a, b);
  return c.distance > 0 && solid_encloses(a.surface, b) ? common(some_point(b)) : c;
}
double with_sign(double distance, const Vec3& p, const SolidView& solid) { return distance > 0 && solid_contains(solid.surface, p) ? -distance : distance; }
double signed_distance(const Vec3& p, const SolidView& solid) { return with_sign(closest_of_surface(solid, convex_point(p)).distance, p, solid); }

Closest closest_of(const SolidView& a, const Curved& b) {
  const Closest c = closest_of_surface(a, b);
  return c.distance > 0 && solid_encloses(a.surface, b.inner_set()) ? common(some_point(b.inner_set())) : c;
}
Closest closest_of(const SolidView& a, const MeshView& b) {
  const Closest c = closest_of_surface(a, b);
  if (c.distance > 0)
    if (const auto p = enclosed_vertex(a.surface, b)) return common(*p);
  return c;
}
Closest closest_of(const SolidView& a, const SolidView& b) {
  const Closest c = closest_of_surfaces(a, b);
  if (c.distance > 0) {
    if (const auto p = enclosed_vertex(a.surface, b.surface)) return common(*p);
    if (const auto p = enclosed_vertex(b.surface, a.surface)) return common(*p);
  }
  return c;
}

}  // namespace graze
