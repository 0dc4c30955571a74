// Ray against triangle. The signs of the three edges against the line decide hit or miss, so rays through shared edges and vertices never slip through. Times
// are ratios of determinants, compared exactly.
#include "pairs/ray_triangle.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "exact/fine.hpp"
#include "exact/predicates-inl.hpp"
#include "exact/predicates.hpp"
#include "exact/ray_predicates-inl.hpp"
#include "exact/tiered.hpp"
#include "exact/two_double.hpp"
#include "math/limits.hpp"
#include "pairs/detail/certain.hpp"
#include "pairs/detail/ray_time.hpp"
#include "pairs/point_triangle.hpp"

namespace graze {

namespace filter {
template <class V>
bool all(bool m) {
  return m;
}
#include "pairs/detail/ray_hit-inl.hpp"
}  // namespace filter

namespace {

/// A determinant of three rows in doubles with the bound of orient3d (see there); the last row may be exact, which only helps. Products that underflow lose at
/// most 2^-1073 (1 + |w|_1) in all, far below what the bound adds for them. So the bound also holds for a line along an axis, whose products are zeros. Where
/// something overflows, the bound is infinite or NaN.
struct Determinant {
  double value, bound;
  int sign() const { return value > bound ? 1 : -value > bound ? -1 : kUnknown; }
};

using Row = filter::Triple;
using filter::difference;

inline Determinant determinant(const Row& u, const Row& v, const Row& w) {
  const double p0 = u.y * v.z, q0 = u.z * v.y, p1 = u.z * v.x, q1 = u.x * v.z, p2 = u.x * v.y, q2 = u.y * v.x;
  const double wx = std::fabs(w.x), wy = std::fabs(w.y), wz = std::fabs(w.z);
  const double value = ((p0 - q0) * w.x + (p1 - q1) * w.y) + (p2 - q2) * w.z;
  const double permanent = ((std::fabs(p0) + std::fabs(q0)) * wx + (std::fabs(p1) + std::fabs(q1)) * wy) + (std::fabs(p2) + std::fabs(q2)) * wz;
  return {value, (permanent + 0x1p-940 * (1 + (wx + wy + wz))) * (7.0000001 * kUnitRoundoff)};
}

inline Row direction_of(const RayQuery& ray) {
  return ray.to_point ? difference(ray.direction, ray.origin) : Row{ray.direction.x, ray.direction.y, ray.direction.z};
}

/// Whether each product of the determinant has a factor 0 (a rounded difference is 0 only when the true one is). This happens for lines along an axis through a
/// vertex, or in a grid's plane.
inline bool all_products_vanish(const Row& u, const Row& v, const Row& w) {
  const auto pair = [](double a, double b, double c, double d, double e) { return e == 0 || ((a == 0 || b == 0) && (c == 0 || d == 0)); };
  return pair(u.y, v.z, u.z, v.y, w.x) && pair(u.z, v.x, u.x, v.z, w.y) && pair(u.x, v.y, u.y, v.x, w.z);
}

/// Sign of direction . ((u - o) x (v - o)): on which side of the line the edge passes. Called for edges that doubles leave undecided.
int exact_edge_side(const RayQuery& ray, const Vec3& u, const Vec3& v) {
  if (all_products_vanish(difference(u, ray.origin), difference(v, ray.origin), direction_of(ray))) {
    ++predicate_counts().filter;
    return 0;
  }
  return ray.to_point ? orient3d(ray.origin, u, v, ray.direction) : orient_direction(ray.origin, u, v, ray.direction);
}
int edge_side(const RayQuery& ray, const Vec3& u, const Vec3& v) {
  const int s = determinant(difference(u, ray.origin), difference(v, ray.origin), direction_of(ray)).sign();
  return s != kUnknown ? s : exact_edge_side(ray, u, v);
}

/// Whether p is on the line, where products of doubles can decide it: all differences exact.
bool certainly_on_line(const RayQuery& ray, const Vec3& p) {
  double u[3], d[3];
  for (int i = 0; i < 3; ++i) {
    const TwoDouble to = two_sum(p[i], -ray.origin[i]), direction = ray.to_point ? two_sum(ray.direction[i], -ray.origin[i]) : TwoDouble(ray.direction[i]);
    if (to.lo != 0 || direction.lo != 0 || !moderate(to.hi) || !moderate(direction.hi)) return false;
    u[i] = to.hi, d[i] = direction.hi;
  }
  for (int i = 0, j = 2; i < 3; j = i++) {
    const TwoDouble x = two_product(u[i], d[j]), y = two_product(u[j], d[i]);
    if (x.hi != y.hi || x.lo != y.lo) return false;
  }
  return true;
}

bool has_corner(const Triangle& t, const Vec3& p) { return p == t.points[0] || p == t.points[1] || p == t.points[2]; }

/// Whether the line certainly meets a vertex, or the line of an edge, that both triangles share. If the line crosses both planes, it crosses them there, at the
/// same parameter.
bool crosses_shared_part(const RayQuery& ray, const Triangle& a, const Triangle& b) {
  const Vec3* shared[3];
  int n = 0;
  for (const Vec3& p : a.points)
    if (has_corner(b, p)) shared[n++] = &p;
  for (int i = 0; i < n; ++i)
    if (certainly_on_line(ray, *shared[i])) return true;
  return n == 2 && edge_side(ray, *shared[0], *shared[1]) == 0;
}

/// crossing_side where doubles are undecided.
[[gnu::noinline]] int exact_crossing_side(const RayQuery& ray, const Triangle& triangle) {
  const auto& t = triangle.points;
  if (!ray.to_point) return orient_direction(t[0], t[1], t[2], ray.direction);
  const Vec3 &o = ray.origin, &e = ray.direction;
  return sign_by_tiers(std::array<double, 15>{o.x, o.y, o.z, t[0].x, t[0].y, t[0].z, t[1].x, t[1].y, t[1].z, t[2].x, t[2].y, t[2].z, e.x, e.y, e.z},
                       std::array<double, 0>{}, [](const auto& x, const auto&) {
                         return formula::ray_denominator(x, std::array{x[12] - x[0], x[13] - x[1], x[14] - x[2]}, 3);
                       });
}

/// The first parameter on a triangle that the ray hits.
Rational exact_time(const RayQuery& ray, const Triangle& triangle) {
  if (crossing_side(ray, triangle) != 0) return plane_time(ray, triangle);
  Rational first;
  first_time_in_plane(ray, triangle, first);
  return first;
}

TimeBounds bounds_of(const Rational& time) {
  const double t = to_double(time, Rounding::down);
  return {t, compare(time, t) == 0 ? t : to_double(time, Rounding::up)};
}

[[gnu::noinline]] int exact_compare_crossing(const RayQuery& ray, const Triangle& triangle, double t) { return compare(plane_time(ray, triangle), t); }

/// Decides from the line's entry into a triangle of its plane and its exit whether the ray meets the triangle, where their enclosures suffice.
Certain met_in_plane(const RayQuery& ray, const PlaneEntry& entry, TimeBounds& bounds) {
  if (entry.last.hi < ray.t_min) return Certain::no;
  bounds = entry.time;
  if (bounds.lo < ray.t_min) {
    if (bounds.hi >= ray.t_min || entry.last.lo < ray.t_min) return Certain::unknown;
    bounds = {ray.t_min, ray.t_min};
  }
  return bounds.hi <= ray.t_max ? Certain::yes : bounds.lo > ray.t_max ? Certain::no : Certain::unknown;
}

[[gnu::noinline]] std::optional<TimeBounds> hits_in_plane(const RayQuery& ray, const Triangle& triangle) {
  PlaneEntry entry;
  TimeBounds bounds;
  Certain met = find_entry(ray, triangle, entry);
  if (met == Certain::yes) met = met_in_plane(ray, entry, bounds);
  if (met != Certain::unknown) return met == Certain::yes ? std::optional(bounds) : std::nullopt;
  Rational first;
  if (!first_time_in_plane(ray, triangle, first)) return std::nullopt;
  return bounds_of(first);
}

[[gnu::noinline]] TimeBounds exact_bounds(const RayQuery& ray, const Triangle& triangle) { return bounds_of(plane_time(ray, triangle)); }

/// Whether the line meets the point at a parameter that is a double, where products of doubles decide it, as on lines along an axis through a vertex.
bool meets_at(const RayQuery& ray, const Vec3& p, double& q) {
  TwoDouble to[3], direction[3];
  int k = 0;
  for (int i = 0; i < 3; ++i) {
    to[i] = two_sum(p[i], -ray.origin[i]);
    direction[i] = ray.to_point ? two_sum(ray.direction[i], -ray.origin[i]) : TwoDouble(ray.direction[i]);
    if (to[i].lo != 0 || direction[i].lo != 0 || !moderate(to[i].hi) || !moderate(direction[i].hi)) return false;
    if (std::fabs(direction[i].hi) > std::fabs(direction[k].hi)) k = i;
  }
  q = to[k].hi / direction[k].hi + 0.0;  // avoids -0
  if (!moderate(q)) return false;
  for (int i = 0; i < 3; ++i) {
    const TwoDouble x = two_product(q, direction[i].hi);
    if (x.lo != 0 || x.hi != to[i].hi) return false;
  }
  return true;
}

/// Enclosure of T = num / den from doubles.
inline bool enclose(const Determinant& num, double den, double den_bound, TimeBounds& bounds) {
  const double q = num.value / den, size = std::fabs(q);
  const double relative = num.bound / std::fabs(num.value) + den_bound / std::fabs(den);
  if (!(relative < 0x1p-10 && size > 0x1p-900 && size < 0x1p900)) return false;
  // |T / q - 1| <= (1 + r1) / (1 - r2) (1 + u) - 1 <= relative (1 + 2^-8) + 2u, widened for the roundings here
  const double margin = size * (relative * (1 + 0x1p-7) + 0x1p-50);
  bounds = {q - margin, q + margin};
  return true;
}

}  // namespace

bool begins_on(const RayQuery& ray, const Triangle& triangle) {
  if (ray.t_min == 0) return triangle_contains(triangle, ray.origin);
  return ray.has_start() && compare(exact_time(ray, triangle), ray.t_min) == 0;
}

int crossing_side(const RayQuery& ray, const Triangle& triangle) {
  const Vec3& a = triangle.points[0];
  const int s = determinant(difference(triangle.points[1], a), difference(triangle.points[2], a), direction_of(ray)).sign();
  if (s == kUnknown) return exact_crossing_side(ray, triangle);
  ++predicate_counts().filter;
  return s;
}

std::optional<TimeBounds> ray_hits(const RayQuery& ray, const Triangle& triangle) {
  const Vec3 &a = triangle.points[0], &b = triangle.points[1], &c = triangle.points[2];
  const Row d = direction_of(ray), ra = difference(a, ray.origin), rb = difference(b, ray.origin), rc = difference(c, ray.origin);
  const Determinant ab = determinant(ra, rb, d), bc = determinant(rb, rc, d), ca = determinant(rc, ra, d);
  int s0 = ab.sign(), s1 = bc.sign(), s2 = ca.sign();
  if (s0 * s1 == -1 || s1 * s2 == -1 || s0 * s2 == -1) return std::nullopt;
  if (s0 == kUnknown) s0 = exact_edge_side(ray, a, b);
  if (s1 == kUnknown) s1 = exact_edge_side(ray, b, c);
  if (s0 * s1 < 0) return std::nullopt;
  if (s2 == kUnknown) s2 = exact_edge_side(ray, c, a);
  if (s0 * s2 < 0 || s1 * s2 < 0) return std::nullopt;
  const int side = s0 != 0 ? s0 : s1 != 0 ? s1 : s2;  // the sign of the denominator, which is the sum of the three
  if (side == 0) return hits_in_plane(ray, triangle);
  if ((s0 == 0) + (s1 == 0) + (s2 == 0) == 2) {  // through the corner that both edges share
    double q;
    if (meets_at(ray, s0 != 0 ? c : s1 != 0 ? a : b, q)) return q >= ray.t_min && q <= ray.t_max ? std::optional(TimeBounds{q, q}) : std::nullopt;
  }

  // n . (a - o) = a' . (b' x c') for a' = a - o and so on, because n = a' x b' + b' x c' + c' x a'.
  const Determinant num = determinant(rb, rc, ra);
  if (ray.t_min == 0) {
    int s = num.sign();
    if (s == kUnknown) s = -orient3d(a, b, c, ray.origin);
    if (s * side < 0) return std::nullopt;
    if (s == 0) return ray.t_max >= 0 ? std::optional(TimeBounds{0, 0}) : std::nullopt;
  }
  const double den = (ab.value + bc.value) + ca.value;
  const double den_bound = (ab.bound + bc.bound + ca.bound) + 4 * kUnitRoundoff * (std::fabs(ab.value) + std::fabs(bc.value) + std::fabs(ca.value));
  TimeBounds bounds;
  if (!enclose(num, den, den_bound, bounds)) bounds = exact_bounds(ray, triangle);
  if (bounds.lo < ray.t_min && ray.t_min != 0) {
    if (bounds.hi < ray.t_min || hit_time(ray, triangle) < ray.t_min) return std::nullopt;
    bounds.lo = ray.t_min;
  }
  if (ray.t_max < bounds.hi) {
    if (ray.t_max < bounds.lo) return std::nullopt;
    // At a segment's end, the side of the end relative to the plane decides, with the small differences of that end: T > 1 exactly when n . (a - end) has the
    // denominator's sign.
    const bool later = ray.to_point && ray.t_max == 1 ? -orient3d(a, b, c, ray.direction) * side > 0 : exact_compare_crossing(ray, triangle, ray.t_max) > 0;
    if (later) return std::nullopt;
  }
  return bounds;
}

namespace {

/// compare_hits where the line lies in the plane of `a`, of `b` or of both, as on the flat sides of machine parts: where it enters a triangle of its plane at a
/// corner or an edge that the other one shares, both are met there.
int compare_in_plane(const RayQuery& ray, const Triangle& a, int side_a, const Triangle& b, int side_b) {
  const auto enters_a = side_a == 0 ? entry_after_start(ray, a) : std::nullopt, enters_b = side_b == 0 ? entry_after_start(ray, b) : std::nullopt;
  const auto corner = [](const Triangle& t, int k) -> const Vec3& { return t.points[static_cast<std::size_t>(k)]; };
  const auto shared = [&](const Triangle& of, const PlaneEntry& entry, const Triangle& other) {
    return has_corner(other, corner(of, entry.from)) && has_corner(other, corner(of, entry.to));
  };
  if (enters_a && enters_b) {
    const TimeBounds &ta = enters_a->time, &tb = enters_b->time;
    if (ta.hi < tb.lo) return -1;
    if (tb.hi < ta.lo) return 1;
    if (ta.lo == ta.hi && tb.lo == tb.hi) return 0;  // both exact, and equal
    const Vec3 &from = corner(a, enters_a->from), &to = corner(a, enters_a->to), &u = corner(b, enters_b->from), &v = corner(b, enters_b->to);
    if ((from == u && to == v) || (from == v && to == u)) return 0;
  } else if ((enters_a && side_b != 0 && shared(a, *enters_a, b)) || (enters_b && side_a != 0 && shared(b, *enters_b, a))) {
    return 0;
  }
  return compare(exact_time(ray, a), exact_time(ray, b));
}

}  // namespace

int compare_hits(const RayQuery& ray, const Triangle& a, const Triangle& b) {
  const int side_a = crossing_side(ray, a), side_b = crossing_side(ray, b);
  if (side_a == 0 || side_b == 0) return compare_in_plane(ray, a, side_a, b, side_b);
  if (crosses_shared_part(ray, a, b)) return 0;
  const auto &p = a.points, &q = b.points;
  const Vec3 &o = ray.origin, &d = ray.direction;
  const std::array<double, 21> x{o.x,    o.y,    o.z,    p[0].x, p[0].y, p[0].z, p[1].x, p[1].y, p[1].z, p[2].x, p[2].y,
                                 p[2].z, q[0].x, q[0].y, q[0].z, q[1].x, q[1].y, q[1].z, q[2].x, q[2].y, q[2].z};
  const std::array<double, 3> y{d.x, d.y, d.z};
  if (!ray.to_point) return side_a * side_b * sign_by_tiers(x, y, [](const auto& v, const auto& direction) { return formula::ray_compare(v, direction); });
  std::array<double, 24> all;
  std::copy(x.begin(), x.end(), all.begin());
  std::copy(y.begin(), y.end(), all.begin() + 21);
  return side_a * side_b * sign_by_tiers(all, std::array<double, 0>{}, [](const auto& v, const auto&) {
           return formula::ray_compare(v, std::array{v[21] - v[0], v[22] - v[1], v[23] - v[2]});
         });
}

namespace {

/// A determinant in pairs of doubles. Differences are exact; 5 products and 4 sums deep at under 7 u^2 each, so the error is below 2^-99 of the permanent (u^2
/// = 2^-106).
struct FineDeterminant {
  TwoDouble value;
  double bound;
};
struct FineRow {
  TwoDouble x, y, z;
};
inline FineRow fine_difference(const Vec3& a, const Vec3& b) { return {two_sum(a.x, -b.x), two_sum(a.y, -b.y), two_sum(a.z, -b.z)}; }
FineDeterminant fine_determinant(const FineRow& u, const FineRow& v, const FineRow& w) {
  const TwoDouble value = ((u.y * v.z - u.z * v.y) * w.x + (u.z * v.x - u.x * v.z) * w.y) + (u.x * v.y - u.y * v.x) * w.z;
  const double permanent = (std::fabs(u.y.hi * v.z.hi) + std::fabs(u.z.hi * v.y.hi)) * std::fabs(w.x.hi) +
                           (std::fabs(u.z.hi * v.x.hi) + std::fabs(u.x.hi * v.z.hi)) * std::fabs(w.y.hi) +
                           (std::fabs(u.x.hi * v.y.hi) + std::fabs(u.y.hi * v.x.hi)) * std::fabs(w.z.hi);
  return {value, permanent * 0x1p-98};
}
/// Whether three factors of these magnitudes and their errors neither overflow nor underflow.
inline bool all_moderate(const FineRow& r) { return moderate(r.x.hi) && moderate(r.y.hi) && moderate(r.z.hi); }

/// For a time next to the double q, where o + q d is a point of doubles, as on lines along an axis: the side of the plane on which that point lies decides on
/// which side of q the time is. Requires that the time is known to be nearer to no other double.
[[gnu::noinline]] bool time_beside(const RayQuery& ray, const Triangle& triangle, const FineRow& d, double q, double& t) {
  Vec3 at;
  for (int i = 0; i < 3; ++i) {
    const TwoDouble direction = i == 0 ? d.x : i == 1 ? d.y : d.z, step = two_product(q, direction.hi), sum = two_sum(ray.origin[i], step.hi);
    if (direction.lo != 0 || step.lo != 0 || sum.lo != 0 || !moderate(q)) return false;
    at[i] = sum.hi;
  }
  const auto& p = triangle.points;
  const int s = at == p[0] || at == p[1] || at == p[2] ? 0 : orient3d(p[0], p[1], p[2], at) * crossing_side(ray, triangle);  // of q - T
  t = s > 0 ? next_down(q) : q;
  return true;
}

/// Keeps exactness: times that are doubles themselves, as on grids, are found without integers.
[[gnu::noinline]] bool grid_hit_time(const FineRow& u, const FineRow& v, const FineRow& w, const FineRow& d, double& t) {
  const Fine ux(u.x, 0), uy(u.y, 0), uz(u.z, 0), vx(v.x, 0), vy(v.y, 0), vz(v.z, 0);
  const Fine nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
  const Fine num = (nx * Fine(w.x, 0) + ny * Fine(w.y, 0)) + nz * Fine(w.z, 0), den = (nx * Fine(d.x, 0) + ny * Fine(d.y, 0)) + nz * Fine(d.z, 0);
  const int s = sign_of(den);
  return (s == 1 || s == -1) && round_down_quotient(num, den, t);
}

[[gnu::noinline]] double exact_hit_time(const RayQuery& ray, const Triangle& triangle) {
  if (crossing_side(ray, triangle) == 0) {
    const auto entry = entry_after_start(ray, triangle);
    double t;
    if (entry && entry->time.lo == entry->time.hi) return entry->time.lo;
    if (entry && round_down_quotient(entry->numerator, entry->denominator, t)) return t;
  }
  return to_double(exact_time(ray, triangle), Rounding::down);
}

}  // namespace

std::optional<CornerMet> corner_met(const RayQuery& ray, const Triangle& triangle) {
  for (int k = 0; k < 3; ++k) {
    double q;
    if (meets_at(ray, triangle.points[static_cast<std::size_t>(k)], q) && crossing_side(ray, triangle) != 0) return CornerMet{k, q};
  }
  return std::nullopt;
}

double hit_time(const RayQuery& ray, const Triangle& triangle) {
  const auto& t = triangle.points;
  if (const auto met = corner_met(ray, triangle)) return met->t;
  const FineRow u = fine_difference(t[1], t[0]), v = fine_difference(t[2], t[0]), w = fine_difference(t[0], ray.origin);
  const FineRow d = ray.to_point ? fine_difference(ray.direction, ray.origin) : FineRow{ray.direction.x, ray.direction.y, ray.direction.z};
  if (all_moderate(u) && all_moderate(v) && all_moderate(w) && all_moderate(d)) {
    const FineDeterminant num = fine_determinant(u, v, w), den = fine_determinant(u, v, d);
    const double n = std::fabs(num.value.hi), m = std::fabs(den.value.hi);
    // low parts far below the others may underflow by 2^-1074 a product: negligible against a permanent above 2^-600
    if (n > num.bound * 0x1p20 && m > den.bound * 0x1p20) {
      const TwoDouble q = num.value / den.value;
      const double error = std::fabs(q.hi) * ((num.bound / n + den.bound / m) * (1 + 0x1p-15) + 0x1p-99);
      if (!(std::fabs(q.hi) > 0x1p-900 && std::fabs(q.hi) < 0x1p900)) return exact_hit_time(ray, triangle);
      // q.lo is at most half the gap below or above q.hi. The required rounding is q.hi or its lower neighbour, unless T is within the error of q.hi or of a
      // neighbour
      if (q.lo > error && q.lo + error < next_up(q.hi) - q.hi) return q.hi;
      if (-q.lo > error && -q.lo + error < q.hi - next_down(q.hi)) return next_down(q.hi);
      double beside;
      if (std::fabs(q.lo) + error < (q.hi - next_down(q.hi)) * 0.5 && time_beside(ray, triangle, d, q.hi, beside)) return beside;
    }
    double time;
    if (grid_hit_time(u, v, w, d, time)) return time;
  }
  return exact_hit_time(ray, triangle);
}

[[gnu::flatten]] std::optional<HitInDoubles> hit_in_doubles(const RayQuery& ray, const Triangle& triangle) {
  const Row d = direction_of(ray);
  Row rest{0, 0, 0};
  if (ray.to_point) rest = {two_sum(ray.direction.x, -ray.origin.x).lo, two_sum(ray.direction.y, -ray.origin.y).lo, two_sum(ray.direction.z, -ray.origin.z).lo};
  const auto& [a, b, c] = triangle.points;
  const auto hit = filter::decide_hit<double>(filter::vector(a), filter::vector(b), filter::vector(c), filter::vector(ray.origin), d, rest, true);
  // Not for NaN, infinities and sizes at which products might underflow.
  const auto moderate = [](double x) { return x > 0x1p-300 && x < 0x1p300; };
  if (!(hit.decided && moderate(hit.products) && moderate(hit.direction) && hit.far < 0x1p300 && moderate(hit.size_of_t))) return std::nullopt;
  return HitInDoubles{hit.t, Vec3(hit.weight.x, hit.weight.y, hit.weight.z), Vec3(hit.normal.x, hit.normal.y, hit.normal.z), hit.front};
}

}  // namespace graze
