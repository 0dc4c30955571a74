// Exact ray parameters as rationals of dyadic numbers.
#include "pairs/detail/ray_time.hpp"

#include <array>

#include "exact/exact_vectors.hpp"
#include "exact/predicates-inl.hpp"
#include "exact/ray_predicates-inl.hpp"
#include "math/limits.hpp"
#include "pairs/point_triangle.hpp"

namespace graze {
namespace {

V3<Dyadic> direction_of(const RayQuery& ray) { return ray.to_point ? exact(ray.direction) - exact(ray.origin) : exact(ray.direction); }

Dyadic cross_component(const V3<Dyadic>& u, const V3<Dyadic>& v, int drop) {
  const int i = (drop + 1) % 3, j = (drop + 2) % 3;
  return u[i] * v[j] - u[j] * v[i];
}

}  // namespace

Rational plane_time(const RayQuery& ray, const Triangle& triangle) {
  const Vec3* corners[4] = {&ray.origin, &triangle.points[0], &triangle.points[1], &triangle.points[2]};
  std::array<Dyadic, 12> x;
  for (int i = 0; i < 12; ++i) x[i] = Dyadic((*corners[i / 3])[i % 3]);
  return {formula::ray_numerator(x, 3), formula::ray_denominator(x, direction_of(ray), 3)};
}

bool first_time_in_plane(const RayQuery& ray, const Triangle& triangle, Rational& first) {
  const V3<Dyadic> d = direction_of(ray);
  V3<Dyadic> v[3];
  for (int i = 0; i < 3; ++i) v[i] = exact(triangle.points[i]) - exact(ray.origin);
  // A projection that keeps the common plane of line and triangle. If there is none, all corners are on the line.
  int drop = -1;
  for (int k = 0; k < 3 && drop < 0; ++k)
    for (int i = 0; i < 3 && drop < 0; ++i)
      if (sign_of(cross_component(d, v[i], k)) != 0) drop = k;
  int side[3] = {0, 0, 0};
  if (drop >= 0)
    for (int i = 0; i < 3; ++i) side[i] = sign_of(cross_component(d, v[i], drop));
  int along = 0;
  while (along < 3 && sign_of(d[along]) == 0) ++along;

  // The hull of three points meets a line of its plane in the hull of the corners on the line and of its crossings with corner pairs on opposite sides.
  Rational last;
  bool any = false;
  auto add = [&](const Rational& t) {
    if (!any || compare(t, first) < 0) first = t;
    if (!any || compare(t, last) > 0) last = t;
    any = true;
  };
  if (along == 3) {  // a segment of length zero: its point at every t
    if (!triangle_contains(triangle, ray.origin)) return false;
    const double t = ray.t_min > -kInfinity ? ray.t_min : 0;
    first = Rational(t);
    return t <= ray.t_max;
  }
  for (int i = 0; i < 3; ++i) {
    if (side[i] == 0) add(Rational(v[i][along], d[along]));
    const int j = (i + 1) % 3;
    if (side[i] * side[j] < 0) {
      const V3<Dyadic> edge = v[j] - v[i];
      add(Rational(cross_component(v[i], edge, drop), cross_component(d, edge, drop)));
    }
  }
  if (!any || compare(last, ray.t_min) < 0) return false;
  if (compare(first, ray.t_min) < 0) first = Rational(ray.t_min);
  return compare(first, ray.t_max) <= 0;
}

}  // namespace graze
