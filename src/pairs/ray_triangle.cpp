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
#include "pairs/detail/ray_time.hpp"

namespace graze {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// A determinant of three rows in doubles with the bound of orient3d (see there); the last row may be exact, which only helps. Products that underflow lose at
/// most 2^-1073 (1 + |w|_1) in all, far below what the bound adds for them. So the bound also holds for a line along an axis, whose products are zeros. Where
/// something overflows, the bound is infinite or NaN.
struct Determinant {
  double value, bound;
  int sign() const { return value > bound ? 1 : -value > bound ? -1 : kUnknown; }
};

struct Row {
  double x, y, z;
};

inline Determinant determinant(const Row& u, const Row& v, const Row& w) {
  const double p0 = u.y * v.z, q0 = u.z * v.y, p1 = u.z * v.x, q1 = u.x * v.z, p2 = u.x * v.y, q2 = u.y * v.x;
  const double wx = std::fabs(w.x), wy = std::fabs(w.y), wz = std::fabs(w.z);
  const double value = ((p0 - q0) * w.x + (p1 - q1) * w.y) + (p2 - q2) * w.z;
  const double permanent = ((std::fabs(p0) + std::fabs(q0)) * wx + (std::fabs(p1) + std::fabs(q1)) * wy) + (std::fabs(p2) + std::fabs(q2)) * wz;
  return {value, (permanent + 0x1p-940 * (1 + (wx + wy + wz))) * (7.0000001 * kUnitRoundoff)};
}

inline Row difference(const Vec3& a, const Vec3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
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

/// Whether the line certainly meets a vertex, or the line of an edge, that both triangles share. If the line crosses both planes, it crosses them there, at the
/// same parameter.
bool crosses_shared_part(const RayQuery& ray, const Triangle& a, const Triangle& b) {
  const Vec3* shared[3];
  int n = 0;
  for (const Vec3& p : a.points)
    if (p == b.points[0] || p == b.points[1] || p == b.points[2]) shared[n++] = &p;
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

[[gnu::noinline]] std::optional<TimeBounds> hits_in_plane(const RayQuery& ray, const Triangle& triangle) {
  Rational first;
  if (!first_time_in_plane(ray, triangle, first)) return std::nullopt;
  return bounds_of(first);
}

[[gnu::noinline]] TimeBounds exact_bounds(const RayQuery& ray, const Triangle& triangle) { return bounds_of(plane_time(ray, triangle)); }

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

  // n . (a - o) = a' . (b' x c') for a' = a - o and so on, because n = a' x b' + b' x c' + c' x a'.
  const Determinant num = determinant(rb, rc, ra);
  if (ray.t_min == 0) {
    int s = num.sign();
    if (s == kUnknown) s = -orient3d(a, b, c, ray.origin);
    if (s * side < 0) return std::nullopt;
    if (s == 0) return ray.t_max >= 0 ? std::optional(TimeBounds{0, 0}) : std::nullopt;
  } else if (ray.t_min != -kInfinity && exact_compare_crossing(ray, triangle, ray.t_min) < 0) {
    return std::nullopt;
  }
  const double den = (ab.value + bc.value) + ca.value;
  const double den_bound = (ab.bound + bc.bound + ca.bound) + 4 * kUnitRoundoff * (std::fabs(ab.value) + std::fabs(bc.value) + std::fabs(ca.value));
  TimeBounds bounds;
  if (!enclose(num, den, den_bound, bounds)) bounds = exact_bounds(ray, triangle);
  if (ray.t_max < bounds.hi) {
    if (ray.t_max < bounds.lo) return std::nullopt;
    // At a segment's end, the side of the end relative to the plane decides, with the small differences of that end: T > 1 exactly when n . (a - end) has the
    // denominator's sign.
    const bool later = ray.to_point && ray.t_max == 1 ? -orient3d(a, b, c, ray.direction) * side > 0 : exact_compare_crossing(ray, triangle, ray.t_max) > 0;
    if (later) return std::nullopt;
  }
  return bounds;
}

int compare_hits(const RayQuery& ray, const Triangle& a, const Triangle& b) {
  const int side_a = crossing_side(ray, a), side_b = crossing_side(ray, b);
  if (side_a == 0 || side_b == 0) return compare(exact_time(ray, a), exact_time(ray, b));
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

[[gnu::noinline]] double exact_hit_time(const RayQuery& ray, const Triangle& triangle) { return to_double(exact_time(ray, triangle), Rounding::down); }

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

}  // namespace

double hit_time(const RayQuery& ray, const Triangle& triangle) {
  const auto& t = triangle.points;
  for (const Vec3& p : t) {
    double q;
    if (meets_at(ray, p, q) && crossing_side(ray, triangle) != 0) return q;
  }
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

// With n the rounded normal and t near the time T: T = t - n . r / n . d for r = o + t d - a, which is no longer than the size of the triangle, so the error of
// n is almost irrelevant. u = 2^-53, m the sizes of the products in n: |n - true n| <= 4.01 u m in each component. r is summed in pairs of doubles: off by u
// |r| + 8 u^2 M, M the largest of |o|, |a|, |t d|. So n . r is off by at most m . (9 u |r| + 9 u^2 M), and n . d by 8 u m . |d|.
[[gnu::flatten]] std::optional<HitInDoubles> hit_in_doubles(const RayQuery& ray,
                                                            const Triangle& triangle) {  // small operations, called for every hit: all inlined
  const Vec3 &a = triangle.points[0], &b = triangle.points[1], &c = triangle.points[2], &o = ray.origin;
  constexpr double u = kUnitRoundoff;
  const Row e = difference(b, a), f = difference(c, a);
  const double p0 = e.y * f.z, q0 = e.z * f.y, p1 = e.z * f.x, q1 = e.x * f.z, p2 = e.x * f.y, q2 = e.y * f.x;
  const Row n{p0 - q0, p1 - q1, p2 - q2}, m{std::fabs(p0) + std::fabs(q0), std::fabs(p1) + std::fabs(q1), std::fabs(p2) + std::fabs(q2)};
  const auto dot = [](const Row& x, const Row& y) { return (x.x * y.x + x.y * y.y) + x.z * y.z; };
  const auto abs = [](const Row& x) { return Row{std::fabs(x.x), std::fabs(x.y), std::fabs(x.z)}; };
  const auto largest = [](const Row& x) { return std::max(std::max(x.x, x.y), x.z); };
  const double nn = dot(n, n), size = largest(m);
  // Also false for NaN, infinities and sizes at which products might underflow; the error of n is at most 2^-45 of its length.
  if (!(nn > size * size * 0x1p-10 && size > 0x1p-300 && size < 0x1p300)) return std::nullopt;
  const Row d = direction_of(ray), w = difference(a, o);
  const double direction = largest(abs(d)), far = std::max(std::max(largest(abs({o.x, o.y, o.z})), largest(abs({a.x, a.y, a.z}))), 0x1p-300);
  if (!(direction > 0x1p-300 && direction < 0x1p300 && far < 0x1p300)) return std::nullopt;
  const double den = dot(n, d), den_bound = dot(m, abs(d)) * (8 * u);
  if (!(std::fabs(den) > den_bound * 0x1p20)) return std::nullopt;
  const double t = dot(n, w) / den;
  if (!(std::fabs(t) > 0x1p-300 && std::fabs(t) < 0x1p300)) return std::nullopt;
  const auto rest = [&](double origin, double corner, double way_to, double step) {  // one coordinate of o + t d - a
    TwoDouble p = two_product(t, step);
    if (ray.to_point) p.lo += t * two_sum(way_to, -origin).lo;
    const TwoDouble s = two_sum(origin, -corner), q = two_sum(s.hi, p.hi);
    return two_sum(q.hi, q.lo + (s.lo + p.lo));
  };
  const TwoDouble rx = rest(o.x, a.x, ray.direction.x, d.x), ry = rest(o.y, a.y, ray.direction.y, d.y), rz = rest(o.z, a.z, ray.direction.z, d.z);
  const Row r{rx.hi, ry.hi, rz.hi};
  double step = -dot(n, r) / den;
  const double magnitude = std::max(far, std::fabs(t) * direction), side = std::max(largest(abs(e)), largest(abs(f)));
  const double sum_m = (m.x + m.y) + m.z;
  double error = (dot(m, abs(r)) * (9.1 * u) + sum_m * (magnitude * (9.1 * u * u))) / std::fabs(den) * (1 + 0x1p-15) + std::fabs(step) * 0x1p-18;
  HitInDoubles hit;
  const auto rounded = [&] {
    const TwoDouble q = two_sum(t, step);
    if (q.lo > error && q.lo + error < next_up(q.hi) - q.hi)
      hit.t = q.hi;
    else if (-q.lo > error && -q.lo + error < q.hi - next_down(q.hi))
      hit.t = next_down(q.hi);
    else
      return false;
    return true;
  };
  if (!rounded()) {
    // Near a double: the same with n and the product in pairs of doubles, whose errors are a few u^2 of the sizes (2^5 u^2 each). Steps beyond a millionth of t
    // would need the divisor in the same precision.
    if (!(magnitude > 0x1p-300 && magnitude < 0x1p300 && std::fabs(step) < std::fabs(t) * 0x1p-36)) return std::nullopt;
    const TwoDouble ex = two_sum(b.x, -a.x), ey = two_sum(b.y, -a.y), ez = two_sum(b.z, -a.z), fx = two_sum(c.x, -a.x), fy = two_sum(c.y, -a.y),
                    fz = two_sum(c.z, -a.z);
    const TwoDouble nr = ((ey * fz - ez * fy) * rx + (ez * fx - ex * fz) * ry) + (ex * fy - ey * fx) * rz;
    step = -nr.hi / den;
    const double sizes = dot(m, abs(r)) + sum_m * magnitude * 0x1p-52;
    error = sizes * (64 * u * u) / std::fabs(den) + std::fabs(step) * (den_bound / std::fabs(den) + 4 * u);
    error += sum_m * (magnitude * (16 * u * u)) / std::fabs(den);
    if (!rounded()) return std::nullopt;
  }
  // r, less the step along d, lies in the plane; its weights are products with the edges. Each component x of it is off by at most s = (error + 4 u |step|) |d|
  // + 16 u^2 M and 4 u |x|, so a component of v = r x f by 7 u (|x_j f_k| + |x_k f_j|) + 2 s L, L the longest component of an edge, and the weight v . n / n .
  // n by (16 u L^2 + 2 s L) sqrt(3) / |n| and 2^8 u for n's own error: below 2^-39 where |n| > 2^-8 L^2 and |n| > 2^42 s L.
  const double slack = (error + std::fabs(step) * (4 * u)) * direction + magnitude * (16 * u * u);
  if (!(nn > (side * side) * (side * side) * 0x1p-16 && nn > (slack * side) * (slack * side) * 0x1p84)) return std::nullopt;
  const Row at{r.x + step * d.x, r.y + step * d.y, r.z + step * d.z};
  const Row v{at.y * f.z - at.z * f.y, at.z * f.x - at.x * f.z, at.x * f.y - at.y * f.x},
      x{e.y * at.z - e.z * at.y, e.z * at.x - e.x * at.z, e.x * at.y - e.y * at.x};
  const double wb = std::clamp(dot(v, n) / nn, 0.0, 1.0), wc = std::clamp(dot(x, n) / nn, 0.0, 1.0 - wb), length = std::sqrt(nn);
  hit.weights = Vec3(1 - wb - wc, wb, wc);
  hit.normal = Vec3(n.x / length, n.y / length, n.z / length);
  hit.front = den < 0;
  return hit;
}

}  // namespace graze
