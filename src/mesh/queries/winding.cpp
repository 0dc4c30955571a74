// Computes winding numbers about exact points.
#include "mesh/queries/winding.hpp"

#include <cstdint>

#include "math/limits.hpp"
#include "mesh/queries/leaf.hpp"

namespace graze {

using namespace leaf;

namespace {

/// Returns the sign of c0 + c1 e + c2 e^2 for small e > 0, where f(k) returns ck. Later coefficients are computed only if the earlier ones are zero.
template <class F>
int leading_sign(const F& f) {
  for (int k = 0; k < 3; ++k)
    if (const int s = sign_of(f(k))) return s;
  return 0;
}

/// Like winding_crossing (which proves that the sum is the winding number), but about v + e m + e^2 n. `t` holds the corners relative to v. Turns and the
/// determinant are linear in the point, so their coefficients are those of 1, e and e^2.
int exact_crossing(const V3<Dyadic> (&t)[3], const V3<Dyadic>& m, const V3<Dyadic>& n) {
  // Turn of the point about u -> v seen along x. If the point is on that line, the turn of the point moved by (d, d^2) in y and z, with d still smaller than e.
  const auto turn = [&](const V3<Dyadic>& u, const V3<Dyadic>& v) {
    const Dyadic y = v[1] - u[1], z = v[2] - u[2];
    const int s = leading_sign([&](int k) {
      if (k == 0) return z * u[1] - y * u[2];
      const V3<Dyadic>& x = k == 1 ? m : n;
      return y * x[2] - z * x[1];
    });
    if (s != 0) return s;
    return sign_of(z) != 0 ? -sign_of(z) : sign_of(y);
  };
  const int s = turn(t[0], t[1]);
  if (s == 0 || turn(t[1], t[2]) != s || turn(t[2], t[0]) != s) return 0;
  const V3<Dyadic> normal = cross(t[1] - t[0], t[2] - t[0]);
  const int side = leading_sign([&](int k) { return k == 0 ? dot(t[0], normal) : -dot(k == 1 ? m : n, normal); });  // minus orient3d of the point
  return side == s ? s : 0;
}

}  // namespace

ExactTriangle exact(const Triangle& t) { return {{graze::exact(t.points[0]), graze::exact(t.points[1]), graze::exact(t.points[2])}, leaf::box_of(t)}; }

Box3 box_of(const ExactPoint& v) {
  Box3 b;
  for (std::size_t i = 0; i < 3; ++i) {
    b.lo[i] = to_double(v.at[i].m, v.scale.m, v.at[i].e - v.scale.e, Rounding::down);
    b.hi[i] = to_double(v.at[i].m, v.scale.m, v.at[i].e - v.scale.e, Rounding::up);
  }
  return b;
}

bool origin_in_triangle(const std::array<V3<Dyadic>, 3>& t) {
  V3<Dyadic> c[3];
  for (std::size_t k = 0; k < 3; ++k) c[k] = cross(t[k], t[(k + 1) % 3]);
  const V3<Dyadic> normal = c[0] + c[1] + c[2];
  if (!is_zero(normal)) {
    if (sign_of(dot(t[0], normal)) != 0) return false;
    for (const V3<Dyadic>& x : c)
      if (sign_of(dot(x, normal)) < 0) return false;
    return true;
  }
  for (std::size_t k = 0; k < 3; ++k)  // without area: one of its edges
    if (is_zero(c[k]) && sign_of(dot(t[k], t[(k + 1) % 3])) <= 0) return true;
  return false;
}

bool triangle_contains(const Triangle& triangle, const ExactPoint& v) {
  return origin_in_triangle({from_to(v, exact(triangle.points[0])), from_to(v, exact(triangle.points[1])), from_to(v, exact(triangle.points[2]))});
}

bool triangle_contains(const ExactTriangle& triangle, const ExactPoint& v) {
  return origin_in_triangle({from_to(v, triangle.points[0]), from_to(v, triangle.points[1]), from_to(v, triangle.points[2])});
}

bool is_on_surface(const MeshView& surface, const ExactPoint& v) {
  const Box3 at = box_of(v);
  bool found = false;
  for_each_overlap(surface.mesh->tree, local_box(placed_tree(surface), at), [&](const WideNode& node, std::uint32_t slot) {
    for (std::uint32_t i = 0; i < node.count[slot] && !found; ++i) {
      const Triangle t = triangle_at(surface, node.child[slot] + i);
      found = box_of(t).overlaps(at) && triangle_contains(t, v);
    }
    return found;
  });
  if (const auto seams = surface.placed_seams(); seams && !found) return is_on_surface(*seams, v);
  return found;
}

int winding_number(std::span<const ExactTriangle> surface, const ExactPoint& v) {
  Box3 way = box_of(v);
  way.hi.x = kInfinity;
  int winding = 0;
  for (const ExactTriangle& triangle : surface) {
    if (!triangle.box.overlaps(way)) continue;
    V3<Dyadic> t[3];
    for (std::size_t k = 0; k < 3; ++k) t[k] = from_to(v, triangle.points[k]);
    winding += exact_crossing(t, {}, {});
  }
  return winding;
}

int winding_number(const MeshView& surface, const ExactPoint& v, const V3<Dyadic>& m, const V3<Dyadic>& n) {
  Box3 way = box_of(v);  // the ray towards +x from near v meets only triangles whose boxes the ray from v meets
  way.hi.x = kInfinity;
  int winding = 0;
  for_each_overlap(surface.mesh->tree, local_box(placed_tree(surface), way), [&](const WideNode& node, std::uint32_t slot) {
    for (std::uint32_t i = 0; i < node.count[slot]; ++i) {
      const Triangle triangle = triangle_at(surface, node.child[slot] + i);
      if (!box_of(triangle).overlaps(way)) continue;
      V3<Dyadic> t[3];
      for (std::size_t k = 0; k < 3; ++k) t[k] = from_to(v, exact(triangle.points[k]));
      winding += exact_crossing(t, m, n);
    }
    return false;
  });
  if (const auto seams = surface.placed_seams()) winding += winding_number(*seams, v, m, n);
  return winding;
}

}  // namespace graze
