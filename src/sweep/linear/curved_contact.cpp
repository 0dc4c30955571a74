// Contact of curved shapes in motion. Separating planes prove a time without contact, and come as near as the shapes' bound in a few steps
// (docs/derivations/curved.md). Where they do not, bisection to neighbouring doubles uses the decision "contact by time s" of the swept set, which is monotone
// in s up to its own bound.
#include "sweep/linear/curved_contact.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "convex/minkowski/local_pair.hpp"
#include "convex/sets/convex_set_bounds.hpp"
#include "exact/double_parts.hpp"
#include "math/vec3.hpp"
#include "query/ray_targets.hpp"

namespace graze {
namespace {

ConvexSet swept(const ConvexSet& c, const Vec3& d, double from, double to) {
  ConvexSet r = c;
  r.add_segment(d, from, to);
  return r;
}
Curved swept(const Curved& c, const Vec3& d, double from, double to) {
  if (c.convex()) return {swept(*c.convex(), d, from, to)};
  return {c.shape, d, from, to};
}

double largest_extent(const ConvexSet&) { return 0; }
double largest_extent(const Curved& c) {
  if (c.convex()) return 0;
  const Ends ends = c.ends();
  return std::max(c.largest_radius(), max_norm(ends.b - ends.a));
}
template <class A, class B>
Vec3 direction_between(const A& a, const Vec3& d, double t, const B& b) {
  const ConvexClosest c = closest(swept(a, d, t, t), b);
  return c.on_a - c.on_b;
}

/// Maps doubles >= 0 to integers in the same order.
std::int64_t order(double x) { return std::bit_cast<std::int64_t>(x); }
double from_order(std::int64_t i) { return std::bit_cast<double>(i); }

bool bounded(const ConvexSet& c) { return c.bounded(); }
bool bounded(const Curved&) { return true; }

/// One step of Newton's iteration from below. Along x both shapes are at least `gap` apart at t, and approach by at most x . m / |x| per unit of time (m of the
/// size `sizes`). Returns whether there is contact up to `limit`: `no`; `unknown`, with a later t; or `yes` when no next double is certain.
Certain advance(double gap, double rate, double sizes, double limit, double& t) {
  constexpr double u = kUnitRoundoff;
  // rate: a dot product, a root, a quotient and a sum are off by 3 + 2.5 + 1 + 1 u; next: the gap, its product and the quotient by 5 u at most
  rate += 8 * u * sizes;
  if (!(rate > 0)) return rate <= 0 ? Certain::no : Certain::yes;
  const double next = next_down(t + gap / rate * (1 - 8 * u));
  if (next > limit) return Certain::no;
  if (!(next > t)) return Certain::yes;
  t = next;
  return Certain::unknown;
}

/// The search for the face, by three of its vertices, of the hull of A - B that the origin passes when B moves by m: similar to the refinement of portals (G.
/// Snethen 2008). Every plane tested proves a time; the face gives a point of A - B.
template <class N>
class Portal {
 public:
  /// Requires no contact before `start`, the time at which the pair is given. `below`, `above`: error bounds of a support and of a point's distance.
  Portal(const LocalPair& pair, const V3<double>& m, double start, double limit, double below, double above)
      : pair_(pair), m_(m), start_(start), limit_(limit), below_(below), above_(above), best_(start), reach_(N{}) {
    if constexpr (std::is_same_v<N, TwoDouble>)
      reach_ = pair.reach();
    else
      reach_ = rounded(pair.reach());
  }
  double time() const { return best_; }  ///< no contact before
  const V3<double>& direction() const { return x_; }
  const V3<N>& on_a() const { return on_a_; }
  const V3<N>& on_b() const { return on_b_; }

  /// `touching`: the distance that counts as contact; x: the initial direction.
  Certain run(const V3<double>& x, double touching) {
    x_ = x;
    const V3<double> along = (1 / std::sqrt(dot(m_, m_))) * m_;
    V3<double> e{0, 0, 0};
    (std::fabs(along.x) <= std::fabs(along.y) && std::fabs(along.x) <= std::fabs(along.z) ? e.x : std::fabs(along.y) <= std::fabs(along.z) ? e.y : e.z) = 1;
    const V3<double> c1 = cross(along, e), e1 = (1 / std::sqrt(dot(c1, c1))) * c1, e2 = cross(along, e1);
    e1_ = wide(e1);
    e2_ = wide(e2);
    Certain end = Certain::unknown;
    Corner w[3], v;
    int n = 1;
    if (test_direction(wide(x_), w[0], end)) return end;
    // Both caps are choices: the times found so far are proven, and callers go on with pairs of doubles or the bisection.
    constexpr int kMaxFirst = 24, kMaxRefined = 96;
    for (int step = 0; n < 3; ++step) {  // three that contain the origin as seen along the path
      if (step == kMaxFirst) return Certain::unknown;
      N dx = w[0].x, dy = w[0].y;  // from the origin towards the nearest point of w
      if (n == 2) {
        dx = w[0].y - w[1].y;
        dy = w[1].x - w[0].x;
        if (rounded(dx * w[0].x + dy * w[0].y) < 0) {
          dx = -dx;
          dy = -dy;
        }
      }
      if (test_direction(dx * e1_ + dy * e2_, v, end)) return end;
      if (!(rounded(dx * v.x + dy * v.y) < 0)) return Certain::unknown;
      if (n == 1) {
        w[n++] = v;
        continue;
      }
      // the origin lies in the corner at v of the triangle, or beyond one of its sides
      if (turn(w[0], w[1]) < 0) std::swap(w[0], w[1]);
      if (turn(w[1], v) < 0)
        w[0] = v;
      else if (turn(v, w[0]) < 0)
        w[1] = v;
      else
        w[n++] = v;
    }
    for (int step = 0; step < kMaxRefined; ++step) {
      V3<N> normal = cross(w[1].v.w - w[0].v.w, w[2].v.w - w[0].v.w);
      if (rounded(dot(normal, wide(m_))) < 0) normal = -normal;
      if (!(rounded(dot(normal, normal)) > 0x1p-500)) return Certain::unknown;  // no face, and near underflow
      if (test_direction(normal, v, end)) return end;
      if (touches(w, touching)) return best_ > 0 ? Certain::yes : Certain::unknown;
      if (!(rounded(dot(normal, v.v.w - w[0].v.w)) < 0)) return Certain::unknown;
      int k = 0;
      while (k < 3 && !(turn(v, w[k]) >= 0 && turn(v, w[(k + 1) % 3]) <= 0)) ++k;
      if (k == 3) return Certain::unknown;
      w[(k + 2) % 3] = v;
    }
    return Certain::unknown;
  }

 private:
  static constexpr double u = kUnitRoundoff;
  struct Corner {
    LocalVertex<N> v;
    N x, y;  ///< coordinates perpendicular to the path
  };
  static V3<N> wide(const V3<double>& v) { return {N(v.x), N(v.y), N(v.z)}; }
  static double turn(const Corner& p, const Corner& q) { return rounded(p.x * q.y - p.y * q.x); }

  /// Computes the vertex least along n and the time that its plane proves. Returns true if that time goes beyond the limit.
  bool test_direction(const V3<N>& n, Corner& c, Certain& end) {
    c.v = pair_.least(n);
    const N norm = square_root(dot(n, n));
    if (rounded(reach_) > 0 && rounded(norm) > 0) c.v.w = c.v.w - (reach_ / norm) * n;
    c.x = dot(c.v.w, e1_);
    c.y = dot(c.v.w, e2_);
    const double gap = rounded(dot(n, c.v.w) / norm) * (1 - 4 * u) - below_;  // 4 u: rounded(), the product and the difference
    if (!(gap > 0)) return false;
    double t = start_;
    end = advance(gap, rounded(dot(n, wide(m_)) / norm), taxicab(m_), limit_, t);
    if (end == Certain::no) return true;
    if (t > best_) {
      best_ = t;
      x_ = rounded(n);
    }
    return false;
  }

  /// Whether the point of the face that the path passes is within `touching` of the present position of the origin.
  bool touches(const Corner (&w)[3], double touching) {
    const auto twice = [](const Corner& p, const Corner& q) { return p.x * q.y - p.y * q.x; };
    N share[3] = {twice(w[1], w[2]), twice(w[2], w[0]), twice(w[0], w[1])};
    const N all = (share[0] + share[1]) + share[2];
    if (!(rounded(all) > 0)) return false;
    N x(0), y(0);
    for (int k = 0; k < 3; ++k) {
      share[k] = share[k] / all;
      x = x + share[k] * w[k].x;
      y = y + share[k] * w[k].y;
    }
    V3<N> a{N(0), N(0), N(0)}, b = a, p = a;
    double outside = 0, spread = 0;
    for (int k = 0; k < 3; ++k) {  // a second pass by the error of the first shares, because the face may be thin
      const Corner &q = w[(k + 1) % 3], &r = w[(k + 2) % 3];
      share[k] = share[k] - (x * (q.y - r.y) + y * (r.x - q.x)) / all;
      outside += std::max(-rounded(share[k]), 0.0);
      spread = std::max(spread, taxicab(rounded(q.v.w - r.v.w)));
      a = a + share[k] * w[k].v.a;
      b = b + share[k] * w[k].v.b;
      p = p + share[k] * w[k].v.w;
    }
    V3<N> origin;
    if constexpr (std::is_same_v<N, TwoDouble>)
      origin = (TwoDouble(best_) - TwoDouble(start_)) * wide(m_);
    else
      origin = (best_ - start_) * m_;
    const V3<double> off = rounded(p - origin);
    const double step = 2 * (next_up(best_) - best_) * std::sqrt(dot(m_, m_));  // times are doubles, so the resolution is limited
    // The root is off by 2.5 u, its product by u. Negative shares move the point by at most their sum times the face's extent; twice, for their roundings.
    if (!(std::sqrt(dot(off, off)) * (1 + 4 * u) + outside * 2 * spread + above_ <= touching + step)) return false;
    on_a_ = a;
    on_b_ = b;
    return true;
  }

  const LocalPair& pair_;
  const V3<double> m_;
  const double start_, limit_, below_, above_;
  double best_;
  N reach_;
  V3<N> e1_, e2_, on_a_, on_b_;
  V3<double> x_{0, 0, 0};
};

/// Steps of the searches below. A choice: at the cap they are undecided, and the next, more precise method continues from the proven time.
constexpr int kMaxSteps = 40;

/// A curved shape at rest and a few moving points, all relative to a point of the curved shape, so that doubles are precise enough.
class NearNewton {
 public:
  static bool usable(const ConvexSet& k) { return k.points <= 4 && k.segments == 0 && k.directions == 0; }
  NearNewton(const Curved& c, const ConvexSet& k, const Vec3& displacement, double limit)
      : still_(moved(c, -c.point())), displacement_(displacement), limit_(limit), points_(k.points) {
    const Vec3 origin = c.point();
    now_.radius = k.radius;
    for (std::uint32_t j = 0; j < points_; ++j) {
      const Vec3 p = k.base(j);
      for (int i = 0; i < 3; ++i) start_[j][i] = two_sum(p[i], -origin[i]);
    }
    now_.points = points_;
  }

  /// Uses nearest points while the gap is clear, then the face of the hull of C - K that the origin's path passes, by three of its vertices.
  Certain run() {
    double tolerance = 0x1p-6;
    for (int step = 0; step < kMaxSteps; ++step) {
      place(t_);
      const LocalPair pair(still_, now_, 0);
      Nearby<double> s;
      s.x = x_;
      search_nearest(pair, false, tolerance, s);
      const double gap = s.low - rounded(pair.reach()) * (1 + 4 * u) - kBelow;
      if (gap > 0) {
        x_ = s.low_direction;
        const V3<double> m = displacement(pair);
        const Certain end = advance(gap, dot(x_, m) / std::sqrt(dot(x_, x_)), taxicab(m), limit_, t_);
        if (end != Certain::unknown) return end == Certain::no ? end : Certain::unknown;
        if (gap < 0x1p-5) return face();  // near contact the face decides, see the derivation
        tolerance = std::min(tolerance, gap * 0x1p-3);
      } else if (tolerance <= 0x1p-40) {
        return Certain::unknown;
      } else {
        tolerance *= 0x1p-8;
      }
    }
    return Certain::unknown;
  }
  double time() const { return t_; }
  const V3<double>& direction() const { return x_; }
  const Vec3& on_curved() const { return on_curved_; }

 private:
  static constexpr double u = kUnitRoundoff;
  static constexpr double kAbove = 17 * u, kBelow = 32 * u;  // see docs/derivations/curved.md

  V3<double> displacement(const LocalPair& pair) const {
    return {pair.length_to_local(displacement_.x), pair.length_to_local(displacement_.y), pair.length_to_local(displacement_.z)};
  }

  Certain face() {
    place(t_);
    const LocalPair pair(still_, now_, 0);
    if (rounded(pair.reach()) != 0) return Certain::unknown;
    Portal<double> portal(pair, displacement(pair), t_, limit_, kBelow, kAbove);
    const Certain end = portal.run(x_, pair.extent() * (0x1p-42 * (1 - 0x1p-10)));
    t_ = portal.time();
    x_ = portal.direction();
    const V3<double>& a = portal.on_a();
    if (end == Certain::yes) on_curved_ = pair.point_in_world({a.x, a.y, a.z});
    return end;
  }

  void place(double t) {
    for (int i = 0; i < 3; ++i) {
      const TwoDouble moved = two_product(t, displacement_[i]);
      for (std::uint32_t j = 0; j < points_; ++j) now_.own[j][i] = rounded(start_[j][i] + moved);
    }
  }

  Curved still_;
  ConvexSet now_;
  TwoDouble start_[4][3];
  Vec3 displacement_;
  double limit_, t_ = 0;
  std::uint32_t points_;
  V3<double> x_{0, 0, 0};
  Vec3 on_curved_{0, 0, 0};
};

/// A from its position at time t on.
template <class A>
struct Standing {
  A a;
  LocalPair pair;
  template <class B>
  Standing(const A& from, const Vec3& d, double t, const B& b) : a(swept(from, d, t, t)), pair(a, b, 0) {}
};

/// The same for all pairs: the plane perpendicular to x through the nearest vertices separates until the gap along x is used up. Runs in doubles while the gap
/// is clear, then in pairs of doubles, until the remaining gap is touching by the shapes' bound, or t has no next double before contact. Invariant: no contact
/// is before t. Requires that A and B are certainly apart at the start.
template <class A, class B>
class Newton {
 public:
  Newton(const A& a, const Vec3& d, const B& b, double limit, double start, const V3<double>& x) : a_(a), b_(b), d_(d), limit_(limit), t_(start), x_(x) {}

  Certain run() {
    Certain end = t_ > 0 ? Certain::unknown : in_doubles();
    if (end == Certain::unknown && !is_zero(x_)) end = face();
    if (end == Certain::unknown) end = in_pairs();
    return end;
  }
  double time() const { return t_; }
  const Vec3& on_b() const { return on_b_; }

  /// From B to A: perpendicular to a plane that both touch.
  const V3<double>& direction() const { return x_; }

 private:
  static constexpr double u = kUnitRoundoff;

  Certain advance(const LocalPair& pair, double gap) {
    const V3<double> m{pair.length_to_local(d_.x), pair.length_to_local(d_.y), pair.length_to_local(d_.z)};
    return graze::advance(gap, -dot(x_, m) / std::sqrt(dot(x_, x_)), taxicab(m), limit_, t_);
  }

  Certain in_doubles() {
    constexpr double error = 2 * kLocalError<double>;
    // The tolerances are choices: coarse at first, an eighth of the gap once there is one. Near contact, and below 2^-40, pairs of doubles continue.
    double tolerance = 0x1p-6;
    for (int step = 0; step < kMaxSteps; ++step) {
      const Standing<A> now(a_, d_, t_, b_);
      Nearby<double> s;
      s.x = x_;
      search_nearest(now.pair, false, tolerance, s);
      const double gap = s.low - rounded(now.pair.reach()) * (1 + 4 * u) - error;
      if (gap > 0) {
        x_ = s.low_direction;
        const Certain end = advance(now.pair, gap);
        if (end == Certain::no) return end;
        if (end == Certain::yes || gap < 0x1p-5) break;
        tolerance = std::min(tolerance, gap * 0x1p-3);
      } else if (tolerance <= 0x1p-40) {
        break;
      } else {
        tolerance *= 0x1p-8;
      }
    }
    return Certain::unknown;
  }

  /// By the face that the path passes, in pairs of doubles.
  Certain face() {
    const Standing<A> now(a_, d_, t_, b_);
    if (!(rounded(now.pair.reach()) < 8)) return Certain::unknown;
    const V3<double> m{-now.pair.length_to_local(d_.x), -now.pair.length_to_local(d_.y), -now.pair.length_to_local(d_.z)};
    constexpr double error = 0x1p-90;  // a support is off by 2^-94, the reach (below 8) and the shares by less
    Portal<TwoDouble> portal(now.pair, m, t_, limit_, error, error);
    const Certain end = portal.run(x_, now.pair.tolerance() * 2);
    t_ = portal.time();
    x_ = portal.direction();
    if (end == Certain::yes) {
      V3<TwoDouble> p = portal.on_b();
      const double norm = std::sqrt(dot(x_, x_));
      if (rounded(now.pair.radius(1)) > 0) p = p + (now.pair.radius(1) / TwoDouble(norm)) * V3<TwoDouble>{x_.x, x_.y, x_.z};
      on_b_ = now.pair.point_in_world(p);
    }
    return end;
  }

  Certain in_pairs() {
    for (int step = 0; step < kMaxSteps; ++step) {
      const Standing<A> now(a_, d_, t_, b_);
      const double touching = now.pair.tolerance();  // 2^-44 of the extents
      Nearby<TwoDouble> s;
      s.x = {x_.x, x_.y, x_.z};
      search_nearest(now.pair, false, touching * 0x1p-3, s);
      const double above = rounded(s.norm - now.pair.reach()), gap = rounded(s.low - now.pair.reach()) - 4 * kLocalError<TwoDouble>;
      if (!(above - gap <= touching)) return Certain::unknown;
      if (!is_zero(s.low_direction)) x_ = rounded(s.low_direction);
      on_b_ = now.pair.point_in_world(touched(now.pair, s));
      if (above <= 2 * touching) return Certain::yes;
      const Certain end = advance(now.pair, gap * (1 - 8 * u));
      if (end != Certain::unknown) return end;
    }
    return Certain::unknown;
  }

  static V3<TwoDouble> touched(const LocalPair& pair, const Nearby<TwoDouble>& s) {
    V3<TwoDouble> p = s.point_b();
    if (rounded(s.norm) > 0) p = p + (pair.radius(1) / s.norm) * s.x;
    return p;
  }

  const A& a_;
  const B& b_;
  const Vec3& d_;
  double limit_, t_;
  V3<double> x_;
  Vec3 on_b_{0, 0, 0};
};

/// Whether the range of doubles suffices, with space for products.
bool usable(double extent, double speed) { return extent > 0x1p-200 && extent < 0x1p200 && speed > 0x1p-200 && speed < 0x1p200; }

/// Returns the result of NearNewton, a contact or none; otherwise how far it advanced.
Certain near(const Curved& a, const Vec3& d, const ConvexSet& b, double limit, PairContact& c, double& free, V3<double>& x) {
  if (!NearNewton::usable(b)) return Certain::unknown;
  NearNewton newton(a, b, -d, limit);
  const Certain end = newton.run();
  free = c.t = newton.time();
  x = newton.direction();
  if (end != Certain::yes) return end;
  Vec3 p = newton.on_curved();
  const Vec3 origin = a.point();
  for (int i = 0; i < 3; ++i) p[i] += origin[i] + c.t * d[i];
  c.point = p;
  c.normal = unit({x.x, x.y, x.z});
  return end;
}
Certain near(const ConvexSet& a, const Vec3& d, const Curved& b, double limit, PairContact& c, double& free, V3<double>& x) {
  if (!NearNewton::usable(a)) return Certain::unknown;
  NearNewton newton(b, a, d, limit);
  const Certain end = newton.run();
  free = c.t = newton.time();
  x = -newton.direction();
  if (end != Certain::yes) return end;
  Vec3 p = newton.on_curved();
  p += b.point();
  c.point = p;
  c.normal = unit({x.x, x.y, x.z});
  return end;
}
Certain near(const Curved&, const Vec3&, const Curved&, double, PairContact&, double&, V3<double>&) { return Certain::unknown; }

template <class A, class B>
std::optional<PairContact> contact(const A& a, const Motion& motion, const B& b, double limit) {
  const Vec3 d = rounded(motion);
  PairContact c;
  c.exact = true;
  const auto by = [&](double s) { return within(swept(a, d, 0, s), b); };
  // A time in which the motion covers 2^-38 of the curved extents. Shapes within 2^-44 of them count as touching, so the normal and the separation are
  // determined 64 times as far away.
  const double extent = std::max(largest_extent(a), largest_extent(b)), speed = max_norm(d);
  const double step = speed > 0 ? std::min(1.0, extent / speed * 0x1p-38) : 1;
  c.apart = step;
  if (within(a, b)) {
    c.inside = true;
    c.point = closest(a, b).on_b;
    if (speed > 0 && !within(swept(a, d, step, step), b)) {
      c.departing = true;
      c.normal = unit(direction_between(a, d, step, b));
    } else if (speed > 0 && !within(swept(a, d, -step, -step), b)) {
      c.normal = unit(direction_between(a, d, -step, b));
    }
    return c;
  }
  if (speed == 0) return std::nullopt;
  double free = 0;
  if (usable(extent, speed) && bounded(a) && bounded(b)) {
    V3<double> x{0, 0, 0};
    if (const Certain end = near(a, d, b, limit, c, free, x); end != Certain::unknown) return end == Certain::no ? std::nullopt : std::optional(c);
    Newton<A, B> newton(a, d, b, limit, free, x);
    const Certain end = newton.run();
    if (end == Certain::no) return std::nullopt;
    free = newton.time();
    if (end == Certain::yes) {
      c.t = free;
      c.point = newton.on_b();
      const V3<double>& n = newton.direction();
      c.normal = n.x == 0 && n.y == 0 && n.z == 0 ? unit(-d) : unit({n.x, n.y, n.z});
      return c;
    }
  }
  // The result is the double before the first at which there is contact, so a contact by `limit` shows at the next one. The search does not begin there, lest
  // its result depends on it.
  if (!by(std::min(next_up(limit), 1.0))) return std::nullopt;
  std::int64_t low = order(free), high = order(1);
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (by(from_order(middle)) ? high : low) = middle;
  }
  c.t = from_order(low);
  if (c.t > limit) return std::nullopt;
  const double before = std::max(0.0, c.t - step);
  Vec3 n = direction_between(a, d, before, b);
  if (n == Vec3(0, 0, 0)) n = -d;
  c.normal = unit(n);
  return c;
}

/// A point that starts outside moves along a ray, so its time is that of raycast.
std::optional<PairContact> point_contact(const Vec3& point, const Vec3& d, const Curved& target, double limit) {
  const auto hit = first_hit(RayQuery{point, d, false, 0, 1}, target);
  if (!hit || hit->t > limit) return std::nullopt;
  PairContact c;
  c.t = hit->t;
  c.exact = true;
  c.normal = *hit->normal;
  c.point = hit->point;
  return c;
}

bool is_ray(const ConvexSet& point, const Motion& motion, const Curved& target) {
  return point.is_point() && is_exact(motion) && rounded(motion) != Vec3(0, 0, 0) && !within(point, target);
}

}  // namespace

std::optional<PairContact> contact_time(const Curved& a, const Motion& motion, const ConvexSet& b, const TimeBounds& within) {
  if (a.convex()) return contact_time(*a.convex(), motion, b, within);
  if (is_ray(b, motion, a)) {
    auto c = point_contact(b.base(0), -rounded(motion), a, within.hi);
    if (c) {
      c->normal = -c->normal;
      c->point = b.base(0);
    }
    return c;
  }
  return contact(a, motion, b, within.hi);
}
std::optional<PairContact> contact_time(const ConvexSet& a, const Motion& motion, const Curved& b, const TimeBounds& within) {
  if (b.convex()) return contact_time(a, motion, *b.convex(), within);
  if (is_ray(a, motion, b)) return point_contact(a.base(0), rounded(motion), b, within.hi);
  return contact(a, motion, b, within.hi);
}
std::optional<PairContact> contact_time(const Curved& a, const Motion& motion, const Curved& b, const TimeBounds& within) {
  if (a.convex()) return contact_time(*a.convex(), motion, b, within);
  if (b.convex()) return contact_time(a, motion, *b.convex(), within);
  return contact(a, motion, b, within.hi);
}

}  // namespace graze
