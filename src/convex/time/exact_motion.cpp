// Exact decisions on contact up to a time, and at a time, by the exact nearest point of A + t m - B.
#include "convex/time/exact_motion.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "exact/integer_root.hpp"
#include "math/limits.hpp"

namespace graze {
namespace {

void shift(V3<BigInt>& v, int bits) {
  v.x <<= bits;
  v.y <<= bits;
  v.z <<= bits;
}

void shift(IntegerConvexSet& c, int bits) {
  for (auto& v : c.base) shift(v, bits);
  for (std::uint32_t k = 0; k < c.segments; ++k) {
    shift(c.low[k], bits);
    shift(c.high[k], bits);
  }
}

/// All vertices, by base point and segment ends.
std::vector<V3<BigInt>> corners_of(const IntegerConvexSet& c) {
  std::vector<V3<BigInt>> r;
  for (std::uint32_t i = 0; i < c.base.size(); ++i)
    for (std::uint32_t bits = 0; bits < (1u << c.segments); ++bits) r.push_back(c.corner({i, bits}));
  return r;
}

/// The same direction with common factors of two removed.
V3<BigInt> lowered(V3<BigInt> v) {
  unsigned low = ~0u;
  for (const BigInt* x : {&v.x, &v.y, &v.z})
    if (x->sign() != 0) low = std::min(low, static_cast<unsigned>(lsb(BigInt(abs(*x)))));
  if (low == ~0u || low == 0) return v;
  v.x >>= low;
  v.y >>= low;
  v.z >>= low;
  return v;
}

/// The directions into A - B from its point nearest to the origin: cone(A - c_a) - cone(B - c_b), where c_a - c_b is that point. Returned as a pair without
/// base points.
IntegerPair tangent_cone(const IntegerPair& pair, const ExactNearest& near) {
  const Nearest<BigInt>& n = near.nearest;
  const Contributions c = contributions(pair, near);
  IntegerPair cone = pair;
  for (const auto& p : corners_of(pair.a)) cone.a.direction.push_back(lowered(n.total * p - c.a));
  for (const auto& p : corners_of(pair.b)) cone.b.direction.push_back(lowered(n.total * p - c.b));
  cone.b.base.assign(1, V3<BigInt>{0, 0, 0});
  cone.a.segments = cone.b.segments = 0;
  cone.reach = 0;
  return cone;
}

/// Whether the cone contains v. If not, `away` is the direction n with n . k >= 0 for all k of the cone and n . v < 0 that leads straight from v to the cone.
bool cone_holds(IntegerPair& cone, const V3<BigInt>& v, V3<BigInt>& away) {
  if (is_zero(v)) return true;
  cone.a.base.assign(1, lowered(-v));
  int sign = 0;
  const ExactNearest near = nearest_exactly(cone, {}, false, sign);
  if (sign > 0) away = near.nearest.X;
  return sign <= 0;
}

}  // namespace

Vec3 unit_vector(const V3<BigInt>& x) {
  const int bits = std::max({bit_length(x.x), bit_length(x.y), bit_length(x.z)});
  if (bits == 0) return {0, 0, 0};
  const double n[3] = {to_double(x.x, BigInt(1), -bits, Rounding::nearest), to_double(x.y, BigInt(1), -bits, Rounding::nearest),
                       to_double(x.z, BigInt(1), -bits, Rounding::nearest)};
  const double length = std::sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
  return {n[0] / length, n[1] / length, n[2] / length};
}

ExactMotion::ExactMotion(const ConvexSet& a, const Motion& motion, const ConvexSet& b) : pair_(a, b, 0) {
  Dyadic m[3];
  int low = 100000;
  for (int i = 0; i < 3; ++i) {
    m[i] = Dyadic(motion.to[i]);
    if (motion.from) m[i] = m[i] - Dyadic((*motion.from)[i]);
    if (sign_of(m[i]) != 0) low = std::min(low, m[i].e);
  }
  if (low == 100000) low = 0;
  BigInt* out[3] = {&motion_.x, &motion_.y, &motion_.z};
  for (int i = 0; i < 3; ++i) *out[i] = sign_of(m[i]) == 0 ? BigInt(0) : BigInt(m[i].m << (m[i].e - low));
  motion_exponent_ = low;
}

IntegerPair ExactMotion::at(const Dyadic& t) const {
  IntegerPair r = pair_;
  if (sign_of(t) == 0) return r;
  V3<BigInt> displacement = t.m * motion_;
  const int e = t.e + motion_exponent_;
  if (e < r.exponent) {
    const int bits = r.exponent - e;
    shift(r.a, bits);
    shift(r.b, bits);
    r.reach <<= bits;
    r.exponent = e;
  } else {
    shift(displacement, e - r.exponent);
  }
  for (auto& p : r.a.base) p = p + displacement;
  return r;
}

bool ExactMotion::contact_by(double s, bool whole_line) const {
  int sign = 0;
  const bool endless = s == kInfinity;
  IntegerPair pair = endless ? pair_ : at(Dyadic(s));
  if (whole_line) {
    pair.a.direction.push_back(-motion_);
    if (endless) pair.a.direction.push_back(motion_);
  } else if (endless) {
    pair.a.direction.push_back(motion_);
  } else {  // A + [0, s] m is the hull of A and A + s m
    IntegerPair start = pair_;
    const int bits = start.exponent - pair.exponent;
    for (auto& p : start.a.base) {
      shift(p, bits);
      pair.a.base.push_back(p);
    }
  }
  nearest_exactly(pair, {}, true, sign);
  return sign <= 0;
}

bool ExactMotion::first_time_is(double s) const {
  // Let f(t) be the distance of A + t m and B, a convex function, and R the sum of radii: s is first when f(s) = R and f > R just before s.
  const IntegerPair pair = at(Dyadic(s));
  int sign = 0;
  const ExactNearest near = nearest_exactly(pair, {}, false, sign);
  if (sign > 0) return false;  // contact begins and ends between two doubles
  if (sign < 0) return false;  // f(s) < R: f was R before s
  if (!near.nearest.at_origin) {
    const int slope = sign_of(dot(near.nearest.X, motion_));  // slope of f at s
    if (slope != 0) return slope < 0;
  }
  // The slope is zero (or f is 0). f was the same just before s exactly when A - B at s, seen from its point nearest to the origin, contains the direction m:
  // then A + (s - e) m - B has a point at the same distance. The nearest point is c_a - c_b with c_a, c_b combinations of the simplex; m is in cone(A - c_a) -
  // cone(B - c_b) exactly when the origin is in -m + that cone.
  IntegerPair cone = tangent_cone(pair, near);
  V3<BigInt> away;
  return !cone_holds(cone, motion_, away);
}

StartContact ExactMotion::start() const {
  StartContact r;
  int sign = 0;
  const ExactNearest near = nearest_exactly(pair_, {}, false, sign);
  if (sign < 0) return r;  // the hulls are nearer than the sum of radii
  if (near.nearest.at_origin && near.nearest.count == 4) {
    bool points = true;
    for (int k = 0; k < 4; ++k) points = points && !near.g[k].is_direction();
    if (points) return r;  // strictly inside a tetrahedron of A - B
  }
  IntegerPair cone = tangent_cone(pair_, near);
  V3<BigInt> away{0, 0, 0}, unused;
  if (!near.nearest.at_origin) {
    // The distance is convex in t. It grows at once when its slope is positive, or when its slope is zero and no point of A - B keeps the distance.
    const int slope = sign_of(dot(near.nearest.X, motion_));
    r.touching = true;
    r.departing = slope > 0 || (slope == 0 && !cone_holds(cone, -motion_, unused));
    r.normal = unit_vector(near.nearest.X);
    return r;
  }
  // A + t m meets B just after 0 exactly when the cone contains -m, and just before 0 when it contains m.
  const bool met_before = cone_holds(cone, motion_, away);
  r.departing = !cone_holds(cone, -motion_, met_before ? away : unused);
  r.touching = !met_before || r.departing;
  for (int k = 0; k < 6 && !r.touching; ++k) {
    V3<BigInt> axis{0, 0, 0};
    (k / 2 == 0 ? axis.x : k / 2 == 1 ? axis.y : axis.z) = k % 2 == 0 ? -1 : 1;
    r.touching = !cone_holds(cone, axis, away);
  }
  if (const auto x = across(); x && r.touching)
    r.normal = unit_vector(*x);
  else if (r.touching)
    r.normal = unit_vector(away);
  return r;
}

std::optional<V3<BigInt>> ExactMotion::across() const {
  if (pair_.reach.sign() != 0) return std::nullopt;
  V3<BigInt> e{0, 0, 0}, n{0, 0, 0};  // an edge, and the normal of two
  bool flat = true;
  const auto add = [&](const V3<BigInt>& d) {
    if (is_zero(e))
      e = d;
    else if (is_zero(n))
      n = cross(e, d);
    else
      flat = flat && dot(n, d).sign() == 0;
  };
  for (const IntegerConvexSet* c : {&pair_.a, &pair_.b}) {
    for (const auto& p : c->base) add(p - c->base[0]);
    for (std::uint32_t k = 0; k < c->segments; ++k) add(c->high[k] - c->low[k]);
    for (const auto& d : c->direction) add(d);
  }
  if (!flat) return std::nullopt;
  // The part of the reversed motion that is perpendicular to the plane or the line. Only the direction of the result counts.
  V3<BigInt> x = dot(n, motion_).sign() > 0 ? -n : n;
  if (is_zero(n))
    x = is_zero(e) ? -motion_ : dot(e, motion_) * e - dot(e, e) * motion_;
  else if (dot(n, motion_).sign() == 0)
    return std::nullopt;
  return is_zero(x) ? std::nullopt : std::optional(x);
}

namespace {

/// The `bits` most significant bits of x >= 0, rounded down or up.
Dyadic rounded_to(const Dyadic& x, int bits, bool up) {
  const int drop = bit_length(x.m) - bits;
  if (drop <= 0) return x;
  BigInt m = x.m >> drop;
  if (up) m += 1;
  return {std::move(m), x.e + drop};
}

/// The square root rounded down or up, to at least `bits` bits.
Dyadic root(const Dyadic& x, int bits, bool up) {
  if (sign_of(x) == 0) return {};
  int down = bit_length(x.m) - 2 * bits;
  if ((x.e + down) % 2 != 0) --down;
  BigInt m = down >= 0 ? BigInt(x.m >> down) : BigInt(x.m << -down);
  if (up && down > 0) m += 1;
  BigInt r = integer_root(m);
  if (up) r += 1;
  return {std::move(r), (x.e + down) / 2};
}

}  // namespace

Dyadic ExactMotion::surely_free(const IntegerPair& pair, const ExactNearest& near, int bits) const {
  const Nearest<BigInt>& n = near.nearest;
  const BigInt along = -dot(n.X, motion_);
  if (along.sign() <= 0) return {};
  // (d - R) |X| / along for d^2 = N / D: (N - R^2 D) / (sqrt(N D) + R D) |X| / along
  const BigInt reach_d = pair.reach * n.squared_d;
  const BigInt excess = n.squared_n - pair.reach * reach_d;
  const int p = bits + 8;
  const Dyadic up = rounded_to(Dyadic(excess, 0), p, false) * root(Dyadic(dot(n.X, n.X), 0), p, false);
  const Dyadic down =
      rounded_to(root(rounded_to(Dyadic(n.squared_n, 0), 2 * p, true) * rounded_to(Dyadic(n.squared_d, 0), 2 * p, true), p, true) + Dyadic(reach_d, 0), p,
                 true) *
      rounded_to(Dyadic(along, 0), p, true);
  const int shift = std::max(0, bits + 2 + bit_length(down.m) - bit_length(up.m));
  return Dyadic((up.m << shift) / down.m, up.e - down.e - shift + pair.exponent - motion_exponent_);
}

Vec3 ExactMotion::normal(double before) const {
  if (const auto x = across()) return unit_vector(*x);
  // Newton's iteration from below on the convex distance. A few steps bring t so near to the first time that the nearest face is the face of contact.
  Dyadic t(before);
  V3<BigInt> x{0, 0, 0};
  constexpr int kMaxSteps = 5;  // a choice; at the cap the normal is that of a face nearest before contact
  for (int step = 0; step < kMaxSteps; ++step) {
    const IntegerPair pair = at(t);
    int sign = 0;
    const ExactNearest near = nearest_exactly(pair, {}, false, sign);
    if (sign <= 0) break;  // cannot happen: every step stays below the time of contact
    x = near.nearest.X;
    const Dyadic advance = surely_free(pair, near, 60);
    if (sign_of(advance) <= 0) break;
    t = t + advance;
  }
  return unit_vector(x);
}

}  // namespace graze
