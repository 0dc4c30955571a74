// Exact ray parameters as rationals of dyadic numbers.
#include "pairs/detail/ray_time.hpp"

#include <array>
#include <cmath>
#include <optional>

#include "exact/exact_vectors.hpp"
#include "exact/predicates-inl.hpp"
#include "exact/ray_predicates-inl.hpp"
#include "math/limits.hpp"
#include "pairs/point_triangle.hpp"

namespace graze {
namespace {

V3<Dyadic> row_of_direction(const RayQuery& ray) { return ray.to_point ? exact(ray.direction) - exact(ray.origin) : exact(ray.direction); }

Dyadic cross_component(const V3<Dyadic>& u, const V3<Dyadic>& v, int drop) {
  const int i = (drop + 1) % 3, j = (drop + 2) % 3;
  return u[i] * v[j] - u[j] * v[i];
}

/// a b - c d, its sign exact. Where both products count, all factors must be doubles.
struct Difference {
  Fine value;
  int sign;  ///< or kUnknown
};
int sign_of(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }
Difference difference_of_products(double a, const TwoDouble& b, double c, const TwoDouble& d) {
  const bool first = a != 0 && b.hi != 0, second = c != 0 && d.hi != 0;
  if (!second) return {first ? Fine(a) * Fine(b, 0) : Fine(0.0), first ? sign_of(a) * sign_of(b.hi) : 0};
  if (!first) return {-(Fine(c) * Fine(d, 0)), -sign_of(c) * sign_of(d.hi)};
  if (b.lo != 0 || d.lo != 0) return {Fine(0.0), kUnknown};
  const TwoDouble p = two_product(a, b.hi), q = two_product(c, d.hi);
  return {Fine(p, 0) - Fine(q, 0), p.hi != q.hi ? sign_of(p.hi - q.hi) : sign_of(p.lo - q.lo)};
}

/// Encloses the quotient of a candidate. Returns false if it is no ordinary number.
bool enclose(PlaneEntry& entry) {
  const Fine &n = entry.numerator, &d = entry.denominator;
  if (n.is_double() && d.is_double()) {  // often a double, as on lines along an axis
    const double q = n.v.hi / d.v.hi + 0.0;
    const TwoDouble p = two_product(q, d.v.hi);
    if (p.hi == n.v.hi && p.lo == 0) {
      entry.time = {q, q};
      return true;
    }
  }
  const Fine q = n / d;
  const double size = std::fabs(q.v.hi), margin = q.e * (1 + 0x1p-30) + size * 0x1p-51;
  entry.time = {q.v.hi - margin, q.v.hi + margin};
  return size > 0x1p-500 && size < 0x1p500;
}

}  // namespace

Rational plane_time(const RayQuery& ray, const Triangle& triangle) {
  const Vec3* corners[4] = {&ray.origin, &triangle.points[0], &triangle.points[1], &triangle.points[2]};
  std::array<Dyadic, 12> x;
  for (int i = 0; i < 12; ++i) x[i] = Dyadic((*corners[i / 3])[i % 3]);
  return {formula::ray_numerator(x, 3), formula::ray_denominator(x, row_of_direction(ray), 3)};
}

bool first_time_in_plane(const RayQuery& ray, const Triangle& triangle, Rational& first) {
  const V3<Dyadic> d = row_of_direction(ray);
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

// All numbers are `moderate` and their products of at most 4 factors far from the limits of Fine. A line in the plane of a triangle with area passes through
// two of its corners, through one and perhaps the opposite edge, or through two edges: a corner or an edge is met as the signs of the corners' sides tell.
Certain find_entry(const RayQuery& ray, const Triangle& triangle, PlaneEntry& entry) {
  double d[3];
  TwoDouble v[3][3];  // corners relative to the origin
  int along = 0;
  for (int i = 0; i < 3; ++i) {
    const TwoDouble direction = ray.to_point ? two_sum(ray.direction[i], -ray.origin[i]) : TwoDouble(ray.direction[i]);
    if (direction.lo != 0 || !moderate(direction.hi)) return Certain::unknown;
    d[i] = direction.hi;
    if (std::fabs(d[i]) > std::fabs(d[along])) along = i;
    for (int k = 0; k < 3; ++k) {
      v[k][i] = two_sum(triangle.points[static_cast<std::size_t>(k)][i], -ray.origin[i]);
      if (!moderate(v[k][i].hi)) return Certain::unknown;
    }
  }
  if (d[along] == 0) return Certain::unknown;
  // A projection along an axis other than `along` in which the sides differ.
  Difference side[3];
  int p = 0, q = 0;
  bool differ = false;
  for (int turn = 1; turn < 3 && !differ; ++turn) {
    p = along, q = (along + turn) % 3;
    for (int k = 0; k < 3; ++k) {
      side[k] = difference_of_products(d[p], v[k][q], d[q], v[k][p]);
      if (side[k].sign == kUnknown) return Certain::unknown;
      differ = differ || side[k].sign != 0;
    }
  }
  if (!differ) return Certain::unknown;
  // The triangle has area if its projection has.
  const auto edge = [&](int k, int i) { return (v[k][i] - v[0][i]).hi; };
  const double x = edge(1, p) * edge(2, q), y = edge(1, q) * edge(2, p);
  if (!(std::fabs(x - y) > (std::fabs(x) + std::fabs(y)) * 0x1p-48)) return Certain::unknown;

  if (side[0].sign == side[1].sign && side[1].sign == side[2].sign) return Certain::no;
  PlaneEntry met[2];
  int n = 0;
  for (int k = 0; k < 3; ++k) {
    const int j = (k + 1) % 3;
    if (side[k].sign == 0) {
      if (n == 2) return Certain::unknown;
      met[n++] = {k, k, Fine(0.0), Fine(v[k][along], 0), Fine(d[along]), {}, {}};
    } else if (side[k].sign * side[j].sign < 0) {
      if (n == 2) return Certain::unknown;
      const Fine all = side[k].value - side[j].value, from(v[k][along], 0), to(v[j][along], 0);
      met[n++] = {k, j, side[k].value / all, from * all + side[k].value * (to - from), all * Fine(d[along]), {}, {}};
    }
  }
  for (int k = 0; k < n; ++k)
    if (!enclose(met[k])) return Certain::unknown;
  if (n == 2 && !(met[0].time.hi < met[1].time.lo || met[1].time.hi < met[0].time.lo)) return Certain::unknown;
  const int first = n == 2 && met[1].time.lo < met[0].time.lo ? 1 : 0;
  entry = met[first];
  entry.last = met[n - 1 - first].time;
  return Certain::yes;
}

std::optional<PlaneEntry> entry_after_start(const RayQuery& ray, const Triangle& triangle) {
  PlaneEntry entry;
  return find_entry(ray, triangle, entry) == Certain::yes && entry.time.lo >= ray.t_min ? std::optional(entry) : std::nullopt;
}

}  // namespace graze
