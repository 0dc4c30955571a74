// Solids: the surface and all points of non-zero winding number.
#include "convex/core_bounds.hpp"
#include "exact/big.hpp"
#include "mesh/leaf.hpp"
#include "pairs/point_triangle.hpp"

namespace graze {

using namespace leaf;

bool solid_contains(const MeshView& solid, const Vec3& point) {
  // Only triangles that the line from the point towards +x can meet have crossings or contain the point.
  int winding = 0;
  LocalRay ray(placed_tree(solid), {point, Vec3(1, 0, 0), false, 0, std::numeric_limits<double>::infinity()});
  const bool on_surface = for_each_along(solid.mesh->tree, ray, [&](std::uint32_t first, std::uint32_t count) {
    for (std::uint32_t k = first; k < first + count; ++k) {
      const Triangle t = triangle_at(solid, k);
      if (triangle_contains(t, point)) return true;
      winding += winding_crossing(t, point);
    }
    return false;
  });
  return on_surface || winding != 0;
}

namespace {

using Point3 = std::array<Dyadic, 3>;

/// A point of the core, exactly: the first base point and, of every segment, the multiple 0 if it is allowed, else the end nearest to it.
Point3 exact_point(const Core& core) {
  const Vec3 base = core.base(0);
  Point3 p{Dyadic(base.x), Dyadic(base.y), Dyadic(base.z)};
  for (std::uint32_t k = 0; k < core.segments; ++k) {
    const double s = core.lo[k] > 0 ? core.lo[k] : core.hi[k] < 0 ? core.hi[k] : 0;
    for (int i = 0; i < 3; ++i) p[static_cast<std::size_t>(i)] = p[static_cast<std::size_t>(i)] + Dyadic(s) * Dyadic(core.segment[k][i]);
  }
  return p;
}

/// As winding_crossing (see there for why the sum is the winding number), for a point that is no triple of doubles and not on the triangle.
int exact_crossing(const Triangle& triangle, const Point3& p) {
  Point3 t[3];
  for (std::size_t k = 0; k < 3; ++k) {
    for (std::size_t i = 0; i < 3; ++i) t[k][i] = Dyadic(triangle.points[k][static_cast<int>(i)]) - p[i];  // the point becomes the origin
  }
  const auto turn = [](const Point3& u, const Point3& v) {  // of the origin, moved by (e, e^2) in y and z, about u -> v
    const Dyadic y = v[1] - u[1], z = v[2] - u[2];
    const int s = sign_of(z * u[1] - y * u[2]);
    if (s != 0) return s;
    return sign_of(z) != 0 ? -sign_of(z) : sign_of(y);
  };
  const int s = turn(t[0], t[1]);
  if (s == 0 || turn(t[1], t[2]) != s || turn(t[2], t[0]) != s) return 0;
  // Determinant of the corners seen from the point: minus orient3d of the point.
  const auto minor = [&](std::size_t a, std::size_t b) { return t[a][1] * t[b][2] - t[a][2] * t[b][1]; };
  const Dyadic det = t[0][0] * minor(1, 2) + t[1][0] * minor(2, 0) + t[2][0] * minor(0, 1);
  return sign_of(det) == s ? s : 0;
}

}  // namespace

bool solid_encloses(const MeshView& solid, const Core& core) {
  if (!core.bounded() || solid.mesh->tree.empty()) return false;
  const Box3 box = bounds(core);
  if (!box.overlaps(loose_bounds(solid))) return false;
  const Point3 exact = exact_point(core);
  const Vec3 rounded(to_double(exact[0]), to_double(exact[1]), to_double(exact[2]));
  Core at;
  at.add_point(rounded);
  if (within(at, core)) return solid_contains(solid, rounded);
  // A core so thin that a rounded point of it lies outside: count crossings of the exact point. Rare, so every triangle is asked.
  int winding = 0;
  for (std::uint32_t i = 0; i < solid.mesh->triangles.size(); ++i) {
    const Triangle t = solid.triangle(i);
    const Box3 b = box_of(t);
    if (b.hi[0] < box.lo[0] || b.hi[1] < box.lo[1] || b.lo[1] > box.hi[1] || b.hi[2] < box.lo[2] || b.lo[2] > box.hi[2]) continue;
    winding += exact_crossing(t, exact);
  }
  return winding != 0;
}

bool solid_intersects(const MeshView& solid, const Core& core) { return intersects(solid, core) || solid_encloses(solid, core); }

std::optional<Vec3> enclosed_vertex(const MeshView& solid, const MeshView& surface) {
  if (solid.mesh->tree.empty() || surface.mesh->tree.empty() || !loose_bounds(solid).overlaps(loose_bounds(surface))) return std::nullopt;
  for (std::uint32_t t : surface.mesh->component_triangles()) {
    const Vec3 v = surface.triangle(t).points[0];
    if (solid_contains(solid, v)) return v;
  }
  return std::nullopt;
}

bool solid_intersects_surface(const MeshView& solid, const MeshView& surface) { return intersects(solid, surface) || enclosed_vertex(solid, surface).has_value(); }

bool solid_intersects_solid(const MeshView& a, const MeshView& b) { return intersects(a, b) || enclosed_vertex(a, b).has_value() || enclosed_vertex(b, a).has_value(); }

}  // namespace graze
