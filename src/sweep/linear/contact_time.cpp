// First contact of two convex shapes, by a list of tiers from the cheapest to the exact one.
#include "sweep/linear/contact_time.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>

#include "convex/decide/decide.hpp"
#include "convex/decide/filter.hpp"
#include "convex/sets/small_polytope.hpp"
#include "convex/time/exact_time.hpp"
#include "math/vec3.hpp"
#include "platform/expects.hpp"
#include "sweep/linear/contact_search.hpp"
#include "sweep/linear/polytope_time.hpp"
#include "sweep/linear/round_time.hpp"

namespace graze {

using namespace sweeping;

namespace {

bool is_double(double a, double b) {
  const TwoDouble d = two_sum(a, -b);
  return d.hi - d.hi == 0 && d.lo == 0;
}

// ---- certainty in pairs of doubles -------------------------------------------------------------------------------------------------------------

bool fine_corner(const ConvexSet& c, const ConvexCorner& k, V3<Fine>& out) {
  const Vec3 p = c.base(k.base);
  if (!moderate(p)) return false;
  out = fine(p);
  for (std::uint32_t s = 0; s < c.segments; ++s) {
    const Fine t(k.bits >> s & 1 ? c.hi[s] : c.lo[s]);
    out = out + t * fine(c.segment[s]);
  }
  return true;
}

/// The edge between two corners: exact, or relatively off by a rounding of pairs, where they differ in one point or segment.
bool fine_edge(const ConvexSet& c, const ConvexCorner& from, const ConvexCorner& to, V3<Fine>& out) {
  const std::uint32_t bits = from.bits ^ to.bits;
  if (from.base == to.base && (bits & (bits - 1)) == 0) {
    out = {};
    for (std::uint32_t k = 0; k < c.segments; ++k) {
      if ((bits >> k & 1) == 0) continue;
      const Vec3& g = c.segment[k];
      const Fine length = to.bits >> k & 1 ? Fine(c.hi[k]) - Fine(c.lo[k]) : Fine(c.lo[k]) - Fine(c.hi[k]);
      out = length * fine(g);
    }
    return true;
  }
  if (bits == 0) {
    const Vec3 p = c.base(from.base), q = c.base(to.base);
    out = fine(q) - fine(p);
    return moderate(p) && moderate(q);
  }
  V3<Fine> p, q;
  if (!fine_corner(c, from, p) || !fine_corner(c, to, q)) return false;
  out = q - p;
  return true;
}

/// Puts that corner of the face first from which edges lead to the others, so that the normal does not depend on the search that found the face.
void sort_corners(FoundContact& found) {
  const auto key = [](const Generator& g) { return std::array{g.a.base, g.a.bits, g.b.base, g.b.bits}; };
  const auto steps = [](const Generator& g, const Generator& h) {
    return (g.a.base != h.a.base) + std::popcount(g.a.bits ^ h.a.bits) + (g.b.base != h.b.base) + std::popcount(g.b.bits ^ h.b.bits);
  };
  std::sort(found.g, found.g + found.n, [&](const Generator& g, const Generator& h) { return key(g) < key(h); });
  if (found.n < 3) return;
  int first = 0, least = 1000;
  for (int k = 0; k < 3; ++k) {
    const int sum = steps(found.g[k], found.g[(k + 1) % 3]) + steps(found.g[k], found.g[(k + 2) % 3]);
    if (sum < least) {
      least = sum;
      first = k;
    }
  }
  std::rotate(found.g, found.g + first, found.g + first + 1);
}

V3<double> high(const V3<Fine>& n) { return {n.x.v.hi, n.y.v.hi, n.z.v.hi}; }

bool positive(const Fine& x) { return sign_of(x) == 1; }
bool not_negative(const Fine& x) {
  const int s = sign_of(x);
  return s == 0 || s == 1;
}

/// Corners of one operand that are known to be equally far along x. They are joined by generators of the face that share the other operand's corner, because x
/// is perpendicular to the face.
struct LevelCorners {
  ConvexCorner corner[3];
  int n = 0;
  bool has(const ConvexCorner& c) const {
    for (int k = 0; k < n; ++k)
      if (corner[k] == c) return true;
    return false;
  }
  void add(const ConvexCorner& c) {
    GRAZE_EXPECTS(has(c) || static_cast<std::size_t>(n) < std::size(corner));
    if (!has(c)) corner[n++] = c;
  }
  /// Segments perpendicular to x: their two ends are level.
  std::uint32_t segments() const {
    std::uint32_t bits = 0;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < i; ++j) {
        const std::uint32_t d = corner[i].bits ^ corner[j].bits;
        if (corner[i].base == corner[j].base && (d & (d - 1)) == 0) bits |= d;
      }
    return bits;
  }
  bool has_base(std::uint32_t base, std::uint32_t level_segments) const {
    for (int k = 0; k < n; ++k)
      if (corner[k].base == base && ((corner[k].bits ^ corner[0].bits) & ~level_segments) == 0) return true;
    return false;
  }
};

/// Whether no corner of c is certainly lower along sign * x than the level ones.
bool supports(const ConvexSet& c, const LevelCorners& level, const V3<Fine>& x, bool mirrored) {
  const V3<double> xd{x.x.v.hi, x.y.v.hi, x.z.v.hi};
  const double one = taxicab(xd), sign = mirrored ? -1 : 1;
  const ConvexCorner& v = level.corner[0];
  const Vec3 from = c.base(v.base);
  const std::uint32_t level_segments = level.segments();
  const auto not_below = [&](double dx, double dy, double dz, const V3<Fine>& d) {
    const double value = sign * ((xd.x * dx + xd.y * dy) + xd.z * dz);
    if (value > one * (std::fabs(dx) + std::fabs(dy) + std::fabs(dz)) * 0x1p-48)
      return true;  // x is a rounded pair, off by less than 2^-52 of each component's size or of `one`
    if ((is_zero(x.x) || is_zero(d.x)) && (is_zero(x.y) || is_zero(d.y)) && (is_zero(x.z) || is_zero(d.z))) return true;
    const int s = sign_of(dot(x, d));
    return s == 0 || s == (mirrored ? -1 : 1);
  };
  for (std::uint32_t i = 0; i < c.points; ++i) {
    if (i == v.base || level.has_base(i, level_segments)) continue;
    const Vec3 p = c.base(i);
    if (!moderate(p)) return false;
    if (!not_below(p.x - from.x, p.y - from.y, p.z - from.z, fine(p) - fine(from))) return false;
  }
  for (std::uint32_t k = 0; k < c.segments; ++k) {
    if (c.lo[k] == c.hi[k] || (level_segments >> k & 1)) continue;
    const double up = v.bits >> k & 1 ? -1 : 1;
    const Vec3& g = c.segment[k];
    if (!not_below(up * g.x, up * g.y, up * g.z, {Fine(up * g.x), Fine(up * g.y), Fine(up * g.z)})) return false;
  }
  return true;
}

/// Whether the plane perpendicular to x supports A - B at the face.
bool supports(const ConvexSet& a, const ConvexSet& b, const FoundContact& found, const V3<Fine>& x) {
  for (const Fine* c : {&x.x, &x.y, &x.z})
    // so that x rounded to doubles is off by less than 2^-52, see not_below
    if (c->e > 0x1p-60 * (std::fabs(x.x.v.hi) + std::fabs(x.y.v.hi) + std::fabs(x.z.v.hi))) return false;
  LevelCorners la, lb;
  la.add(found.g[0].a);
  lb.add(found.g[0].b);
  for (int round = 0; round < 2; ++round)
    for (int i = 0; i < found.n; ++i)
      for (int j = 0; j < found.n; ++j) {
        if (found.g[i].b == found.g[j].b && la.has(found.g[i].a)) la.add(found.g[j].a);
        if (found.g[i].a == found.g[j].a && lb.has(found.g[i].b)) lb.add(found.g[j].b);
      }
  return supports(a, la, x, false) && supports(b, lb, x, true);
}

/// A point of contact, computed from the nearest point of B's hull.
Vec3 touched(const Vec3& on_hull, const ConvexSet& b, const Vec3& normal) {
  Vec3 p = on_hull;
  for (int i = 0; i < 3; ++i)
    if (b.radius != 0) p[i] += b.radius * normal[i];
  return clamped_to_finite(p);
}

/// Two convex sets, and what the tiers of contact_time need to know. A tier returns whether the first contact comes by `limit`. It then fills in `out`; what it
/// leaves there is otherwise meaningless.
struct MovingPair {
  const ConvexSet& a;
  const Motion& motion;
  const ConvexSet& b;
  double start, limit;   ///< no contact is before start; limit is at most 1
  Vec3 d;                ///< the motion, rounded
  bool moderate_motion;  ///< all its numbers are moderate
};

/// Fills in the contact for a face touched first at `time`, whose rounding is out.t. Unknown where the order of `time` and a limit of 1 is uncertain. share:
/// weights of the corners at the point of contact, unused where a ball moves.
Certain make_contact(const MovingPair& pair, const FoundContact& found, const Fine& time, const V3<double>& normal, const double* share, PairContact& out) {
  const ConvexSet &a = pair.a, &b = pair.b;
  const int over = sign_of(time - Fine(pair.limit));
  if (over == 1) return Certain::no;
  if (pair.limit == 1 && over != -1 && over != 0) return Certain::unknown;
  out.has_fine = true;
  out.fine = time;
  out.exact = time.is_double() && time.v.hi == out.t;
  out.normal = unit({normal.x, normal.y, normal.z}) + Vec3(0, 0, 0);  // no -0: the sign of a 0 would depend on the tier
  out.feature.count = found.n;
  for (int k = 0; k < found.n; ++k) {
    const Generator& g = found.g[k];
    out.feature.a[k] = {a.base(g.a.base), g.a.bits};
    out.feature.b[k] = {b.base(g.b.base), g.b.bits};
  }
  if (a.is_ball() && out.normal != Vec3(0, 0, 0)) return Certain::yes;  // the point follows from the time
  Vec3 on_b(0, 0, 0);
  for (int k = 0; k < found.n; ++k) {
    V3<Fine> corner;
    fine_corner(b, found.g[k].b, corner);
    on_b += share[k] * Vec3(corner.x.v.hi, corner.y.v.hi, corner.z.v.hi);
  }
  out.point = touched(on_b, b, out.normal);
  return Certain::yes;
}

/// A face of A - B at the start, and its motion, in pairs of doubles.
struct FineFace {
  V3<Fine> motion, corner, edge[2];
  Fine reach;  ///< both radii together
  bool round;  ///< whether one of them is not 0
};

bool fine_face(const MovingPair& pair, const FoundContact& found, FineFace& face) {
  const ConvexSet &a = pair.a, &b = pair.b;
  face.motion = {Fine(pair.d.x), Fine(pair.d.y), Fine(pair.d.z)};
  if (const Vec3& to = pair.motion.to, *from = pair.motion.from; from)
    face.motion = {Fine(to.x) - Fine(from->x), Fine(to.y) - Fine(from->y), Fine(to.z) - Fine(from->z)};
  V3<Fine> of_a, of_b;
  if (!fine_corner(a, found.g[0].a, of_a) || !fine_corner(b, found.g[0].b, of_b)) return false;
  face.corner = of_a - of_b;
  for (int k = 1; k < found.n; ++k) {
    if (!fine_edge(a, found.g[0].a, found.g[k].a, of_a) || !fine_edge(b, found.g[0].b, found.g[k].b, of_b)) return false;
    face.edge[k - 1] = of_a - of_b;
  }
  face.round = a.radius > 0 || b.radius > 0;
  face.reach = Fine(a.radius) + Fine(b.radius);
  return true;
}

/// Certifies the time of a triangle of A - B.
Certain certify_triangle(const MovingPair& pair, const FoundContact& found, const FineFace& face, PairContact& out) {
  const auto& [m, v, edge, reach, round] = face;
  const V3<Fine>&e = edge[0], &f = edge[1];
  V3<Fine> n = cross(e, f);
  Fine height = dot(v, n), rate = dot(m, n);
  const int side = sign_of(height);
  if (side != 1 && side != -1) return Certain::unknown;
  if (side < 0) {
    height = -height;
    n = -n;
  } else {
    rate = -rate;
  }
  if (!positive(rate)) return Certain::unknown;  // height - t rate
  const Fine total = dot(n, n);
  if (!positive(total)) return Certain::unknown;
  if (round) height = height - reach * square_root(total);
  if (!positive(height)) return Certain::unknown;  // this plane does not separate at the start
  const Fine time = height / rate;
  const V3<Fine> p = v + V3<Fine>{time * m.x, time * m.y, time * m.z};
  const V3<Fine> nn = side < 0 ? -n : n;
  const Fine w1 = dot(cross(f, p), nn), w2 = dot(cross(p, e), nn);
  if (!not_negative(w1) || !not_negative(w2) || !not_negative(total - w1 - w2)) return Certain::unknown;
  if (!supports(pair.a, pair.b, found, n)) return Certain::unknown;
  for (int i = 0; i < 3; ++i) out.flat[i] = is_zero(n[i]);
  const double share_1 = w1.v.hi / total.v.hi, share_2 = w2.v.hi / total.v.hi;
  const double share[3] = {std::max(0.0, 1 - share_1 - share_2), share_1, share_2};
  if (!round) {
    if (!round_down_quotient(height, rate, out.t)) return Certain::unknown;
  } else if (!round_down(time, out.t)) {
    return Certain::unknown;
  }
  return make_contact(pair, found, time, high(n), share, out);
}

/// Certifies the time of a corner or an edge of A - B with a ball around it.
Certain certify_round(const MovingPair& pair, const FoundContact& found, const FineFace& face, PairContact& out) {
  const auto& [m, v, edge, reach, round] = face;
  if (!round) return Certain::unknown;
  const ConvexSet &a = pair.a, &b = pair.b;
  const Fine reach_sq = reach * reach;
  const V3<Fine>& e = edge[0];
  Fine qa, qb, qc, disc;
  if (found.n == 1) {
    qa = dot(m, m);
    qb = dot(v, m);
    qc = dot(v, v) - reach_sq;
    const V3<Fine> k = cross(v, m);
    disc = qa * reach_sq - dot(k, k);
  } else {
    const Fine total = dot(e, e);
    const V3<Fine> c = cross(v, e), k = cross(m, e), ck = cross(c, k);
    qa = dot(k, k);
    qb = dot(c, k);
    qc = dot(c, c) - reach_sq * total;
    disc = qa * (reach_sq * total) - dot(ck, ck);
  }
  if (!positive(qc)) return Certain::unknown;
  if (a.is_ball() && b.is_ball() && (not_negative(qb) || sign_of(disc) == -1)) return Certain::no;  // they part, or pass each other
  if (sign_of(qb) != -1 || !positive(disc)) return Certain::unknown;
  const Fine time = qc / (square_root(disc) - qb);
  V3<Fine> n = v + V3<Fine>{time * m.x, time * m.y, time * m.z};
  V3<double> normal = high(n);
  double share[3] = {1, 0, 0};
  if (found.n == 2) {
    normal = cross(high(e), high(cross(n, e)));  // as in round_time: both functions give the same bits
    const Fine total = dot(e, e), w1 = -dot(n, e);
    if (!not_negative(w1) || !not_negative(total - w1)) return Certain::unknown;
    n = cross(e, cross(n, e));
    for (int i = 0; i < 3; ++i)
      if (is_zero(e[(i + 1) % 3]) && is_zero(e[(i + 2) % 3])) n[i] = Fine(0);  // perpendicular to an edge along an axis, exactly
    share[1] = (w1 / total).v.hi;
    share[0] = 1 - share[1];
  }
  if (!supports(a, b, found, n) || !round_down(time, out.t)) return Certain::unknown;
  return make_contact(pair, found, time, normal, share, out);
}

/// Certifies the time of a face in pairs of doubles.
Certain certify(const MovingPair& pair, FoundContact& found, PairContact& out) {
  sort_corners(found);
  FineFace face;
  if (!fine_face(pair, found, face)) return Certain::unknown;
  return found.n == 3 ? certify_triangle(pair, found, face, out) : certify_round(pair, found, face, out);
}

// ---- the tiers -------------------------------------------------------------------------------------------------------------------------------

/// Whether the distance of two centres, which are v apart at the start, certainly stays above the sum of the radii: that of the whole line, or of its part up
/// to the limit, on which they approach. The numbers are moderate, so that nothing underflows that counts. Components of v are off by u, of m by 2 u, those of
/// the product v x m hence by 6 u |v|_1 |m|_1, of the place at the limit by 6 u (|v|_1 + |m|_1), and lengths by 4 u of themselves: 2^-48 is 32 u.
bool balls_pass(const Vec3& v, const Vec3& m, double reach, double limit) {
  constexpr double wide = 0x1p-48;
  const double sizes = taxicab(v) + taxicab(m);
  if (length(cross(v, m)) > (reach * length(m)) * (1 + wide) + wide * taxicab(v) * taxicab(m)) return true;
  const Vec3 at = v + limit * m;
  return dot(at, m) < -wide * sizes * taxicab(m) && length(at) > reach * (1 + wide) + wide * sizes;
}

/// Two balls: the difference has one corner, which needs no search.
Certain by_balls(const MovingPair& pair, PairContact& out) {
  if (!pair.a.is_ball() || !pair.b.is_ball() || !pair.moderate_motion || !all_moderate(pair.a) || !all_moderate(pair.b)) return Certain::unknown;
  if (const Vec3 p = pair.a.base(0), q = pair.b.base(0); moderate(p) && moderate(q) && balls_pass(p - q, pair.d, pair.a.radius + pair.b.radius, pair.limit))
    return Certain::no;
  FoundContact found;
  found.n = 1;
  return certify(pair, found, out);
}

/// A ball or capsule near its contact with a convex set of few points.
Certain by_newton(const MovingPair& pair, PairContact& out) {
  const auto& [a, motion, b, start, limit, d, moderate_motion] = pair;
  if (!(start > 0) || a.points > 2 || a.segments != 0 || a.directions != 0 || b.points > 3 || b.segments != 0 || b.directions != 0 || !moderate_motion)
    return Certain::unknown;
  TwoDouble m[3] = {d.x, d.y, d.z};
  if (motion.from)
    for (int i = 0; i < 3; ++i) m[i] = two_sum(motion.to[i], -(*motion.from)[i]);
  RoundTime at;
  if (!round_time(a, m, two_sum(a.radius, b.radius), b, start, at) || !round_down(at.time, out.t)) return Certain::unknown;
  return make_contact(pair, at.found, at.time, at.normal, at.share, out);
}

/// Boxes, triangles, segments and capsules that meet in the inside of a face of their difference.
Certain by_axes(const MovingPair& pair, PairContact& out) {
  if (!pair.moderate_motion) return Certain::unknown;
  for (const ConvexSet* c : {&pair.a, &pair.b}) {
    if (!is_small_polytope(*c) || !all_moderate(*c)) return Certain::unknown;
    for (std::size_t i = 0; i < c->points; ++i)
      if (!moderate(c->base(i))) return Certain::unknown;
  }
  V3<TwoDouble> m = v3_two(pair.d);
  if (pair.motion.from) m = exact_difference(pair.motion.to, *pair.motion.from);
  PolytopeTime at;
  const Certain contact = polytope_time(pair.a, m, pair.b, two_sum(pair.a.radius, pair.b.radius), pair.limit, at);
  if (contact != Certain::yes) return contact;
  if (!round_down_quotient(at.height, at.rate, out.t)) return Certain::unknown;
  std::copy(at.flat, at.flat + 3, out.flat);
  return make_contact(pair, at.found, at.height / at.rate, at.normal, at.share, out);
}

/// Searches in doubles for the face that is met first.
Certain propose(const MovingPair& pair, FoundContact& found) {
  if (!pair.moderate_motion) return Certain::unknown;
  const auto& [a, motion, b, start, limit, d, moderate_motion] = pair;
  const ScaledPair scaled(a, b, 0);
  if (!scaled.usable() || !scaled.same_generators() || scaled.scale_exponent() <= -200 || scaled.scale_exponent() >= 200) return Certain::unknown;
  const double s = scaled.scale();
  return search(scaled, {d.x * s, d.y * s, d.z * s}, limit, found);
}

/// The face that the search in doubles proposes, certified in pairs of doubles.
Certain by_face(const MovingPair& pair, PairContact& out) {
  FoundContact found;
  const Certain contact = propose(pair, found);
  out.inside = contact == Certain::yes;
  if (contact != Certain::unknown || found.n == 0 || !all_moderate(pair.a) || !all_moderate(pair.b)) return contact;
  return certify(pair, found, out);
}

/// Interiors that certainly meet at the start.
Certain by_interiors(const MovingPair& pair, PairContact& out) {
  const ScaledPair scaled(pair.a, pair.b, 0);
  Proposal proposal;
  out.inside = scaled.usable() && decide_in_doubles(scaled, proposal, true) == Certain::yes;
  return out.inside ? Certain::yes : Certain::unknown;
}

/// Exact numbers decide everything.
Certain by_integers(const MovingPair& pair, PairContact& out) {
  const ExactContact exact(pair.a, pair.motion, pair.b);
  if (exact.outcome() == ExactContact::Outcome::none) return Certain::no;
  if (exact.outcome() == ExactContact::Outcome::at_start) {
    const StartContact start = exact.motion().start();
    out.inside = true;
    out.departing = start.departing;
    out.normal = start.normal;
    return Certain::yes;
  }
  out.t = exact.rounded_down(out.exact);
  out.normal = exact.normal();
  if (const auto p = exact.on_b()) out.point = touched(*p, pair.b, out.normal);
  return Certain::yes;
}

}  // namespace

MovingBall::MovingBall(const Vec3& center, double radius, const Vec3& d) : center_(center), d_(d), radius_(radius) {
  const double speed = max_norm(d), size = max_norm(center);
  usable_ = speed > 0x1p-200 && speed < 0x1p200 && size < 0x1p200 && radius < 0x1p200;
}

/// Tests the plane perpendicular to the direction from the box to the ball's position at `limit`. The plane separates up to `limit` if it does at the start and
/// the gap is longer than the path along the normal. Each term of the level is a difference and a product, off by 2 u of itself, the sums by 2 u of the sizes
/// added: 8 u cover it. The same holds for the rate, of which each component of d may be off by 2 u, too. The root is off by 2.5 u, its products by 2 u: 16 u.
bool MovingBall::surely_misses(const Box3& box, double limit) const {
  if (!usable_) return false;
  double level = 0, sizes = 0, square = 0, rate = 0, rates = 0;
  for (int i = 0; i < 3; ++i) {
    const double at = center_[i] + limit * d_[i], lo = box.lo[i], hi = box.hi[i];
    const double x = at > hi ? at - hi : at < lo ? at - lo : 0;
    const double term = x * (center_[i] - (x > 0 ? hi : lo));
    level += term;
    sizes += std::fabs(term);
    square += x * x;
    rate -= x * d_[i];
    rates += std::fabs(x * d_[i]);
  }
  if (!(square > 0x1p-500 && square < 0x1p800)) return false;
  const double gap = level - 8 * u * sizes - radius_ * std::sqrt(square) * (1 + 16 * u);
  const double closed = limit * (rate + 8 * u * rates);
  return gap > 0 && gap > closed + 8 * u * std::fabs(closed);
}

bool all_moderate(const ConvexSet& c) {
  if (!moderate(c.radius)) return false;
  for (std::uint32_t k = 0; k < c.segments; ++k)
    if (!moderate(c.segment[k]) || !moderate(c.lo[k]) || !moderate(c.hi[k])) return false;
  return true;
}

Vec3 unit(const Vec3& v) {
  const double m = max_norm(v);
  if (!(m > 0)) return Vec3(0, 0, 0);
  const double x = v.x / m, y = v.y / m, z = v.z / m, length = std::sqrt((x * x + y * y) + z * z);
  return {x / length, y / length, z / length};
}

bool is_exact(const Motion& m) { return !m.from || (is_double(m.to.x, m.from->x) && is_double(m.to.y, m.from->y) && is_double(m.to.z, m.from->z)); }
Vec3 rounded(const Motion& m) { return m.from ? Vec3(m.to.x - m.from->x, m.to.y - m.from->y, m.to.z - m.from->z) : m.to; }

std::optional<PairContact> contact_time(const ConvexSet& a, const Motion& motion, const ConvexSet& b, const TimeBounds& within) {
  const Vec3 d = rounded(motion);
  const bool moderate_motion = moderate(d) && (!motion.from || (moderate(motion.to) && moderate(*motion.from)));
  const MovingPair pair{a, motion, b, within.lo, std::min(within.hi, 1.0), d, moderate_motion};
  for (const auto tier : {by_balls, by_newton, by_axes, by_face, by_interiors, by_integers}) {
    PairContact out;
    const Certain contact = tier(pair, out);
    if (contact == Certain::yes) {
      // The balls and the axes use the limit only to exclude later times, and by the axes, times that hardly differ from 1. The point of a moving ball follows
      // from the time and the normal, and all tiers give a normal the same bits.
      out.depends_on_bounds =
          !out.inside && !a.is_ball() && (pair.start != 0 || pair.limit != 1) && tier != by_balls && (tier != by_axes || !(out.t < 1 - 0x1p-20));
      return out;
    }
    if (contact == Certain::no) break;
  }
  return std::nullopt;
}

}  // namespace graze
