// Ray casts by closed forms in pairs of doubles with running error bounds.
#include "convex/time/raycast_fast.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "convex/decide/decide.hpp"
#include "convex/gjk/nearest-inl.hpp"
#include "convex/time/box_slabs.hpp"
#include "convex/time/raycast_hull.hpp"
#include "exact/approx.hpp"
#include "exact/fine.hpp"
#include "math/limits.hpp"
#include "pairs/sphere_segment.hpp"

namespace graze {
namespace {

using F3 = V3<Fine>;

struct FineRay {
  F3 origin, direction;
  double t_max;
  bool line;
};

ConvexHit starting_inside() { return {0, {0, 0}, true, {0, 0, 0}}; }

Vec3 unit(const V3<TwoDouble>& n) {
  const double m = std::max({std::fabs(n.x.hi), std::fabs(n.y.hi), std::fabs(n.z.hi)});
  const double x = n.x.hi / m, y = n.y.hi / m, z = n.z.hi / m, length = std::sqrt((x * x + y * y) + z * z);
  return {x / length, y / length, z / length};
}
Vec3 unit(const F3& n) { return unit(V3<TwoDouble>{n.x.v, n.y.v, n.z.v}); }

/// Stores the rounded time. Returns unknown when the time is uncertain or not certainly within t_max.
Certain finish(const FineRay& ray, const Fine& time, const Vec3& normal, ConvexHit& hit) {
  if (ray.t_max < kInfinity) {
    const int s = sign_of(time - Fine(ray.t_max));
    if (s == kUnknown) return Certain::unknown;
    if (s > 0) return Certain::no;
  }
  double t;
  if (!round_down(time, t)) return Certain::unknown;
  hit.t = t;
  hit.bounds = {t, next_up(t)};
  hit.started_inside = false;
  hit.normal = normal;
  return Certain::yes;
}

V3<Approx> approx(const Vec3& p) { return {Approx(p.x), Approx(p.y), Approx(p.z)}; }

/// A ray in doubles with error bounds, for what needs no time: most rays pass by most shapes near them.
struct RoughRay {
  V3<Approx> origin, direction;
  explicit RoughRay(const RayQuery& ray) : origin(approx(ray.origin)), direction(ray.to_point ? approx(ray.direction) - origin : approx(ray.direction)) {}
};

/// Whether the ray certainly misses the ball, by the signs of a t^2 + 2 b t + c in ball(): no root, both roots before t = 0, or still falling at t_max.
bool misses_ball(const RayQuery& ray, const RoughRay& rough, const Vec3& center, double radius) {
  const V3<Approx>& d = rough.direction;
  const V3<Approx> v = rough.origin - approx(center), k = cross(d, v);
  const Approx a = dot(d, d), rr = Approx(radius) * Approx(radius);
  if (sign_of(a * rr - dot(k, k)) == -1) return true;
  const Approx b = dot(v, d), c = dot(v, v) - rr;
  const int sb = sign_of(b);
  if (ray.t_min == 0 && sb >= 0 && sb != kUnknown && sign_of(c) == 1) return true;
  if (!(ray.t_max < kInfinity)) return false;
  const Approx end = a * Approx(ray.t_max) + b;
  return sign_of(end) == -1 && sign_of((end + b) * Approx(ray.t_max) + c) == 1;
}

/// Whether the line certainly misses the capsule of segment p q. The distance from the line to p + s (q - p) is |k - s m| / |d|, k = d x v, m = d x (q - p), v
/// from p to the origin; it is least at s = k . m / m . m, clamped to [0, 1], and there |m . v| / |m| in between.
bool misses_capsule(const RoughRay& rough, const Vec3& p, const Vec3& q, double radius) {
  const V3<Approx>& d = rough.direction;
  const V3<Approx> v = rough.origin - approx(p), m = cross(d, approx(q) - approx(p));
  const Approx rr = Approx(radius) * Approx(radius), mm = dot(m, m), across = dot(m, v);
  if (sign_of(rr * mm - across * across) == -1) return true;  // even the infinite cylinder
  const V3<Approx> k = cross(d, v);
  const Approx reach = rr * dot(d, d), km = dot(k, m);
  if (sign_of(km) == -1) return sign_of(reach - dot(k, k)) == -1;
  if (sign_of(km - mm) != 1) return false;
  const V3<Approx> beyond = k - m;
  return sign_of(reach - dot(beyond, beyond)) == -1;
}

/// The root of ball() in pairs of doubles, for a ray that certainly enters from outside; unknown for others. With V, D the largest components of v and d, which
/// are exact: of the pairs' relative errors (products 5 u^2, sums 3 u^2) v . v and d . d collect 11 u^2, b 30 u^2 D V, c 42 u^2 V^2, each component of k
/// 16 u^2 D V, so that k . k errs by 324 u^2 D^2 V^2 and disc, with a r^2, by less than 2^9 u^2 D^2 (V^2 + r^2). The quotient adds the relative errors of c, of
/// b and half of that of disc.
constexpr double kBallSlack = 0x1p-96;
Certain enters_ball(const FineRay& ray, const V3<TwoDouble>& v, const V3<TwoDouble>& d, double radius, ConvexHit& hit) {
  const TwoDouble b = dot(v, d), a = dot(d, d), rr = two_product(radius, radius), c = dot(v, v) - rr;
  const V3<TwoDouble> k = cross(d, v);
  const TwoDouble disc = a * rr - dot(k, k);
  const auto most = [](const V3<TwoDouble>& p) { return max_norm(V3<double>{p.x.hi, p.y.hi, p.z.hi}); };
  const double far = most(v), fast = most(d);
  const double of_b = kBallSlack * (fast * far) / -b.hi, of_c = kBallSlack * (far * far) / c.hi,
               of_disc = kBallSlack * (fast * fast) * (far * far + radius * radius) / disc.hi;
  const auto small = [](double share) { return share >= 0 && share < 0x1p-20; };
  if (!small(of_b) || !small(of_c) || !small(of_disc)) return Certain::unknown;
  const TwoDouble time = c / (square_root(disc) - b);
  const V3<TwoDouble> n = v + V3<TwoDouble>{time * d.x, time * d.y, time * d.z};
  return finish(ray, Fine(time, time.hi * (((of_b + of_c) + of_disc) * (1 + 0x1p-15) + 0x1p-100)), unit(n), hit);
}

/// The smaller root of a t^2 + 2 b t + c for c > 0, b < 0: c / (sqrt(disc) - b), disc = b^2 - a c. `v` leads from the centre to the origin of the ray, known to
/// be outside.
Certain ball(const FineRay& ray, const F3& v, double radius, ConvexHit& hit) {
  const F3& d = ray.direction;
  if (!ray.line && v.x.e + v.y.e + v.z.e == 0) {
    const Certain enters = enters_ball(ray, {v.x.v, v.y.v, v.z.v}, {d.x.v, d.y.v, d.z.v}, radius, hit);
    if (enters != Certain::unknown) return enters;
  }
  const Fine b = dot(v, d), a = dot(d, d), rr = Fine(radius) * Fine(radius), c = dot(v, v) - rr;
  const int sc = sign_of(c), sb = sign_of(b);
  if (!ray.line && (sc == 0 || sc == -1)) {
    hit = starting_inside();
    return ray.t_max >= 0 ? Certain::yes : Certain::no;
  }
  if (sc != 1 || sb == kUnknown) return Certain::unknown;
  if (sb >= 0 && !ray.line) return Certain::no;
  const F3 k = cross(d, v);
  const Fine disc = a * rr - dot(k, k);  // Lagrange's identity: no cancellation between b^2 and a c
  const int sd = sign_of(disc);
  if (sd < 0) return Certain::no;
  if (sd != 1 || sb == 0) return Certain::unknown;
  const Fine root = square_root(disc);
  const Fine time = sb < 0 ? c / (root - b) : -(root + b) / a;
  const F3 n = v + F3{time * d.x, time * d.y, time * d.z};
  return finish(ray, time, unit(n), hit);
}

/// The slabs of box_slabs.hpp in pairs of doubles, for rays that doubles leave undecided.
struct FineSlabs {
  bool flipped = false;  ///< D > 0 for the reversed N_k
  bool inside = true;    ///< the line's origin lies in all slabs
  int direction[3];
  F3 n[3];
  Fine enter[3], leave[3], rate[3];  ///< the line is in slab k for enter_k / rate_k <= t <= leave_k / rate_k, rate_k > 0

  /// Returns whether the line, or the ray unless it starts inside, meets all slabs at once. `v` leads from the base to the origin.
  Certain meet(const F3& v, const F3& d, bool line, const ConvexSet& box) {
    const F3 a[3] = {fine(box.segment[0]), fine(box.segment[1]), fine(box.segment[2])};
    for (int k = 0; k < 3; ++k) n[k] = cross(a[(k + 1) % 3], a[(k + 2) % 3]);
    Fine det = dot(a[0], n[0]);
    const int sd = sign_of(det);
    if (sd != 1 && sd != -1) return Certain::unknown;
    if (sd < 0) {
      flipped = true;
      det = -det;
      for (F3& x : n) x = -x;
    }
    for (int k = 0; k < 3; ++k) {
      const Fine at = dot(n[k], v), w = dot(n[k], d), low = Fine(box.lo[k]) * det - at, high = Fine(box.hi[k]) * det - at;
      const int sl = sign_of(low), sh = sign_of(high), sw = sign_of(w);
      if (sl == kUnknown || sh == kUnknown || sw == kUnknown) return Certain::unknown;
      const bool in_slab = sl <= 0 && sh >= 0;
      inside = inside && in_slab;
      direction[k] = sw;
      if (sw == 0 && !in_slab) return Certain::no;
      if (!line && ((sw > 0 && sh < 0) || (sw < 0 && sl > 0))) return Certain::no;  // moving away
      enter[k] = sw > 0 ? low : -high;
      leave[k] = sw > 0 ? high : -low;
      rate[k] = sw > 0 ? w : -w;
    }
    if (inside && !line) return Certain::yes;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        if (i == j || direction[i] == 0 || direction[j] == 0) continue;
        const int s = sign_of(enter[i] * rate[j] - leave[j] * rate[i]);
        if (s == kUnknown) return Certain::unknown;
        if (s > 0) return Certain::no;
      }
    return Certain::yes;
  }
};

/// Doubles decide most rays, and find the slab that the ray enters last; the time of entry is that slab's.
Certain parallelepiped(const RayQuery& query, const FineRay& ray, const ConvexSet& box, ConvexHit& hit) {
  BoxSlabs rough(query, box);
  const Certain meets = rough.meet(ray.line, ray.t_max);
  if (meets == Certain::no) return Certain::no;
  if (meets == Certain::yes) {
    if (rough.starts_inside()) {
      hit = starting_inside();
      return Certain::yes;
    }
    double t;
    V3<TwoDouble> n;
    if (slab_entry(query, box, rough.last(), rough.from_below() ? box.lo[rough.last()] : box.hi[rough.last()], t, n)) {
      hit = {t, {t, next_up(t)}, false, unit(rough.outward() ? -n : n)};
      return Certain::yes;
    }
  }

  const F3 v = ray.origin - fine(box.base(0));
  FineSlabs slabs;
  const Certain exact = slabs.meet(v, ray.direction, ray.line, box);
  if (exact != Certain::yes) return exact;
  if (slabs.inside && !ray.line) {
    hit = starting_inside();
    return ray.t_max >= 0 ? Certain::yes : Certain::no;
  }
  // T is the greatest of the three, and rounding down preserves their order.
  double t = -kInfinity;
  int face = -1;
  for (int k = 0; k < 3; ++k) {
    const Fine &enter = slabs.enter[k], &rate = slabs.rate[k];
    if (slabs.direction[k] == 0) continue;
    if (ray.t_max < kInfinity) {
      const int s = sign_of(enter - Fine(ray.t_max) * rate);
      if (s == kUnknown) return Certain::unknown;
      if (s > 0) return Certain::no;
    }
    if (!ray.line && sign_of(enter) <= 0) continue;  // not above 0, while another one is
    double entry;
    if (!round_down_quotient(enter, rate, entry)) return Certain::unknown;
    if (entry > t) {
      t = entry;
      face = k;
    } else if (entry == t) {
      const int s = sign_of(enter * slabs.rate[face] - slabs.enter[face] * rate);
      if (s == 1) face = k;
    }
  }
  if (face < 0) return Certain::unknown;
  hit = {t, {t, next_up(t)}, false, unit(slabs.direction[face] > 0 ? -slabs.n[face] : slabs.n[face])};
  return Certain::yes;
}

/// A plane or half-space: a point and two pairs of opposite directions; a half-space has one more direction, inwards.
Certain plane(const FineRay& ray, const ConvexSet& target, ConvexHit& hit) {
  F3 n = cross(fine(target.direction[0]), fine(target.direction[2]));
  Fine at = dot(n, ray.origin - fine(target.base(0))), rate = dot(n, ray.direction);
  const bool solid = target.directions == 5;
  if (solid && ray.line) return Certain::unknown;
  const int sa = sign_of(at), sr = sign_of(rate);
  if (sa == kUnknown || sr == kUnknown) return Certain::unknown;
  const int inner = solid ? sign_of(dot(n, fine(target.direction[4]))) : 0;
  if (solid && inner == kUnknown) return Certain::unknown;
  if (!ray.line && (sa == 0 || (solid && sa == inner))) {
    hit = starting_inside();
    return ray.t_max >= 0 ? Certain::yes : Certain::no;
  }
  if (ray.line && sr == 0) return sa == 0 ? Certain::unknown : Certain::no;
  if (!ray.line && sa * sr >= 0) return Certain::no;
  if (ray.t_max < kInfinity) {
    const int s = sign_of(-at - Fine(ray.t_max) * rate);
    if (s == kUnknown) return Certain::unknown;
    if (s * sr > 0) return Certain::no;
  }
  double t;
  if (sa == 0) {
    t = 0;
  } else if (!round_down_quotient(-at, rate, t)) {
    return Certain::unknown;
  }
  hit = {t, {t, next_up(t)}, false, unit(sr > 0 ? -n : n)};
  return Certain::yes;
}

/// The hull of two balls. A ray that starts outside the infinite cylinder enters it beside the axis segment, or beyond an end p. In the second case only the
/// ball at p can be met first: a ray that passes within the cylinder from beyond p to beside the segment crosses the disc at p, which lies in that ball.
Certain capsule(const FineRay& ray, const ConvexSet& target, ConvexHit& hit) {
  const F3 p = fine(target.base(0)), axis = fine(target.base(1)) - p, v = ray.origin - p;
  const F3& d = ray.direction;
  const F3 k = cross(v, axis), m = cross(d, axis);
  const Fine length = dot(axis, axis), rr = Fine(target.radius) * Fine(target.radius);
  const Fine c = dot(k, k) - rr * length, b = dot(k, m);
  const int sc = sign_of(c), sb = sign_of(b);
  if (sc == kUnknown || sc == 0) return Certain::unknown;
  Fine along = dot(v, axis);
  Fine time;
  if (sc > 0) {
    if (sb == kUnknown) return Certain::unknown;
    if (sb >= 0) return Certain::no;
    const Fine a = dot(m, m), disc = b * b - a * c;
    const int sd = sign_of(disc);
    if (sd < 0) return Certain::no;
    if (sd != 1) return Certain::unknown;
    time = c / (square_root(disc) - b);
    along = along + time * dot(d, axis);
  }
  const int below = sign_of(along), above = sign_of(along - length);
  if (below == kUnknown || above == kUnknown) return Certain::unknown;
  if (below < 0) return ball(ray, v, target.radius, hit);
  if (above > 0) return ball(ray, v - axis, target.radius, hit);
  if (sc < 0 || below == 0 || above == 0) return Certain::unknown;
  const F3 x = v + F3{time * d.x, time * d.y, time * d.z};
  const Fine share = along / length;
  return finish(ray, time, unit(x - F3{share * axis.x, share * axis.y, share * axis.z}), hit);
}

}  // namespace

Certain raycast_in_doubles(const RayQuery& ray, const ConvexSet& target, ConvexHit& hit) {
  if (target.points > 2 && target.segments == 0 && target.directions == 0 && target.radius == 0) {
    if (ray.t_max < 0 && ray.t_min == 0) return Certain::no;
    return raycast_hull(ray, target, hit);
  }
  if (target.points > 2 || !moderate(ray.origin) || !moderate(ray.direction) || !moderate(target.radius)) return Certain::unknown;
  if (ray.t_max < kInfinity && !moderate(ray.t_max)) return Certain::unknown;
  for (std::uint32_t i = 0; i < target.points; ++i)
    if (!moderate(target.base(i))) return Certain::unknown;
  const bool box = target.points == 1 && target.segments == 3 && target.directions == 0 && target.radius == 0;
  const bool flat = target.points == 1 && target.segments == 0 && (target.directions == 4 || target.directions == 5) && target.radius == 0;
  const bool round = target.segments == 0 && target.directions == 0 && target.radius > 0;
  if (!box && !flat && !round) return Certain::unknown;
  for (std::uint32_t k = 0; k < target.segments; ++k)
    if (!moderate(target.segment[k]) || !moderate(target.lo[k]) || !moderate(target.hi[k])) return Certain::unknown;
  for (std::uint32_t k = 0; k < target.directions; ++k)
    if (!moderate(target.direction[k])) return Certain::unknown;

  if (round && (target.points == 1 ? misses_ball(ray, RoughRay(ray), target.base(0), target.radius)
                                   : misses_capsule(RoughRay(ray), target.base(0), target.base(1), target.radius)))
    return Certain::no;
  FineRay fast{fine(ray.origin), fine(ray.direction), ray.t_max, ray.t_min == -kInfinity};
  if (ray.to_point) fast.direction = fast.direction - fast.origin;
  if (box) return parallelepiped(ray, fast, target, hit);
  if (flat) return plane(fast, target, hit);
  if (!fast.line && target.points == 2) {
    if (ray.t_max < 0) return Certain::no;
    if (ball_meets_segment(target.base(0), target.base(1), ray.origin, target.radius, 0)) {
      hit = starting_inside();
      return Certain::yes;
    }
  }
  if (target.points == 1) return ball(fast, fast.origin - fine(target.base(0)), target.radius, hit);
  return fast.line ? Certain::unknown : capsule(fast, target, hit);
}

}  // namespace graze
