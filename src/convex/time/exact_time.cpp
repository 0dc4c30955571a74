// Times of contact as roots of quadratics, and signs of sums of square roots by repeated squaring.
#include "convex/time/exact_time.hpp"

#include <algorithm>
#include <cstdint>

#include "exact/integer_root.hpp"
#include "math/limits.hpp"

namespace graze {
namespace {

/// Sign of p + q sqrt(d), d >= 0.
int sign_with_root(const BigInt& p, const BigInt& q, const BigInt& d) {
  const int sp = p.sign(), sq = d.sign() == 0 ? 0 : q.sign();
  if (sp == 0 || sq == 0) return sp + sq;
  if (sp == sq) return sp;
  return sp * BigInt(p * p - q * q * d).sign();
}

/// Sign of p + sqrt(u) - sqrt(v), u, v >= 0.
int sign_with_roots(const BigInt& p, const BigInt& u, const BigInt& v) {
  if (p.sign() < 0) return -sign_with_roots(-p, v, u);
  return sign_with_root(p * p + u - v, 2 * p, u);  // p + sqrt(u) > sqrt(v) with both sides squared
}

/// Constant and slope of a linear function of time.
struct Linear {
  BigInt at0, slope;
};

struct Quadratic {
  BigInt a, b, d;  ///< lower root (-b - sqrt(d)) / a
  bool real = false;
  Linear weight[3];
  int weights = 0;
  V3<BigInt> x0, x1;  ///< x = x0 + t x1, pointing towards A - B

  /// Whether the function is nonnegative at the root.
  bool holds(const Linear& w) const { return sign_with_root(a * w.at0 - b * w.slope, -w.slope, d) >= 0; }
  bool certified() const {
    for (int k = 0; k < weights; ++k)
      if (!holds(weight[k])) return false;
    return true;
  }
};

/// Whether the plane perpendicular to x at the root supports A - B, given at t = 0, at its vertex v.
bool supports(const Quadratic& q, const IntegerPair& pair, const Generator& v) {
  const auto not_below = [&](const V3<BigInt>& d) { return q.holds({dot(q.x0, d), dot(q.x1, d)}); };
  const auto side = [&](const IntegerConvexSet& c, const ConvexCorner& at, bool mirrored) {
    const auto towards = [&](const V3<BigInt>& d) { return not_below(mirrored ? -d : d); };
    for (const auto& p : c.base)
      if (!towards(p - c.base[at.base])) return false;
    for (std::uint32_t k = 0; k < c.segments; ++k)
      if (!towards(at.bits >> k & 1 ? c.low[k] - c.high[k] : c.high[k] - c.low[k])) return false;
    for (const auto& d : c.direction)
      if (!towards(d)) return false;
    return true;
  };
  return side(pair.a, v.a, false) && side(pair.b, v.b, true);
}

/// g: generators of the face at t = 0; the first is a point.
Quadratic quadratic_of(const V3<BigInt>* g, const bool* is_direction, int count, const V3<BigInt>& m, const BigInt& reach) {
  Quadratic q;
  const V3<BigInt>& v = g[0];
  const BigInt reach_sq = reach * reach;
  if (count == 1) {
    q.a = dot(m, m);
    q.b = dot(v, m);
    q.d = q.b * q.b - q.a * (dot(v, v) - reach_sq);
    q.x0 = v;
    q.x1 = m;
  } else if (count == 2) {
    const V3<BigInt> e = is_direction[1] ? g[1] : g[1] - v, c = cross(v, e), k = cross(m, e);
    const BigInt total = dot(e, e);
    q.a = dot(k, k);
    q.b = dot(c, k);
    q.d = q.b * q.b - q.a * (dot(c, c) - reach_sq * total);
    q.x0 = cross(e, c);
    q.x1 = cross(e, k);
    const Linear w{-dot(v, e), -dot(m, e)};
    q.weight[q.weights++] = w;
    if (!is_direction[1]) q.weight[q.weights++] = {total - w.at0, -w.slope};
  } else {
    const V3<BigInt> e = is_direction[1] ? g[1] : g[1] - v, f = is_direction[2] ? g[2] : g[2] - v, n = cross(e, f);
    const BigInt total = dot(n, n), height = dot(v, n), rate = dot(m, n);
    if (reach.sign() == 0) {
      q.a = rate.sign() < 0 ? -rate : rate;
      q.b = rate.sign() < 0 ? -height : height;
      q.d = 0;
    } else {
      q.a = rate * rate;
      q.b = height * rate;
      q.d = reach_sq * total * q.a;
    }
    q.x0 = rate.sign() > 0 ? -n : n;  // A - B approaches, also for negative times, at which it may lie beyond its plane at t = 0
    q.x1 = {0, 0, 0};
    const Linear w[2] = {{dot(cross(f, v), n), dot(cross(f, m), n)}, {dot(cross(v, e), n), dot(cross(m, e), n)}};
    Linear rest{total, 0};
    for (int k = 0; k < 2; ++k) {
      q.weight[q.weights++] = w[k];
      if (is_direction[k + 1]) continue;
      rest.at0 -= w[k].at0;
      rest.slope -= w[k].slope;
    }
    q.weight[q.weights++] = rest;
  }
  q.real = q.a.sign() > 0 && q.d.sign() >= 0;
  return q;
}

}  // namespace

ExactTime::ExactTime(double t) {
  const Dyadic x(t);
  a_ = 1;
  b_ = -x.m;
  d_ = 0;
  unit_ = x.e;
}

ExactTime::ExactTime(const ConvexSet& a, const Motion& motion, const ConvexSet& b, double before) { *this = ExactContact(a, motion, b, before, false).time(); }

namespace {

/// The `bits` most significant bits of x > 0, rounded down.
Dyadic shortened(const Dyadic& x, int bits) {
  const int drop = bit_length(x.m) - bits;
  return drop > 0 ? Dyadic(x.m >> drop, x.e + drop) : x;
}

/// -b - sqrt(d) in units of 2^-bits; too high by less than 1.
BigInt numerator(const BigInt& b, const BigInt& d, int bits) { return -(b << bits) - (d.sign() == 0 ? BigInt(0) : integer_root(d << (2 * bits))); }

}  // namespace

ExactContact::ExactContact(const ConvexSet& a, const Motion& motion, const ConvexSet& b, double before, bool limited) : motion_(a, motion, b), b_(b) {
  const IntegerPair& start = motion_.at_start();
  time_.unit_ = start.exponent - motion_.motion_exponent();
  Dyadic at(before);
  Simplex<Generator> proposal;
  int bits = 64;
  for (int step = 0;; ++step) {
    const IntegerPair pair = motion_.at(at);
    int sign = 0;
    near_ = nearest_exactly(pair, proposal, false, sign);
    if (sign <= 0) {
      outcome_ = Outcome::at_start;  // only at the first time: all later values of `at` are before contact
      return;
    }
    proposal = static_cast<const Simplex<Generator>&>(near_);  // only the generators
    V3<BigInt> g[4];
    bool is_direction[4];
    for (int k = 0; k < near_.n; ++k) {
      g[k] = start(near_.g[k]);
      is_direction[k] = near_.g[k].is_direction();
    }
    Quadratic q = quadratic_of(g, is_direction, near_.nearest.count, motion_.motion(), start.reach);
    if (q.real && dot(near_.nearest.X, motion_.motion()).sign() < 0 && q.certified() && supports(q, start, near_.g[0])) {
      time_.a_ = std::move(q.a);
      time_.b_ = std::move(q.b);
      time_.d_ = std::move(q.d);
      if (auto across = motion_.across()) {
        x0_ = std::move(*across);
      } else {
        x0_ = std::move(q.x0);
        x1_ = std::move(q.x1);
      }
      outcome_ = !limited || compare(time_, ExactTime(1)) <= 0 ? Outcome::later : Outcome::none;
      return;
    }
    if (limited && step == 0 && !motion_.contact_by(1, false)) return;
    const Dyadic advance = motion_.surely_free(pair, near_, bits);
    if (sign_of(advance) <= 0) return;  // the distance never decreases, so there is no contact
    // At best, the next step is smaller by as many bits again, so more bits than that would be wasted.
    const Dyadic next = at + advance;
    const int known = std::max(0, bit_length(next.m) + next.e - bit_length(advance.m) - advance.e);
    at = shortened(next, known + bits + 8);
    bits = std::max(64, known);
  }
}

double ExactContact::rounded_down(bool& exact) const {
  BigInt n;
  int bits = std::max(0, 80 + bit_length(time_.a_) - std::max(bit_length(time_.b_), bit_length(time_.d_) / 2));
  for (int more = 128;; bits += more, more *= 2) {  // until the difference has enough bits
    n = numerator(time_.b_, time_.d_, bits);
    if (time_.d_.sign() == 0 || bit_length(n) > 70) break;
  }
  double t = n.sign() <= 0 ? 0 : to_double(n, time_.a_, time_.unit_ - bits, Rounding::down);
  if (!(t < kInfinity)) t = kLargest;
  int order = compare(ExactTime(t), time_);
  while (order > 0) {
    t = next_down(t);
    order = compare(ExactTime(t), time_);
  }
  while (order < 0) {
    const double up = next_up(t);
    const int above = compare(ExactTime(up), time_);
    if (above > 0) break;
    t = up;
    order = above;
  }
  exact = order == 0;
  return t;
}

Vec3 ExactContact::normal() const {
  V3<BigInt> x = x0_;
  if (!is_zero(x1_)) {
    // (x0 + T x1) a 2^bits, off by at most |x1|. Where x is 0 at T, its direction before T is -x1.
    const int slope = std::max({bit_length(x1_.x), bit_length(x1_.y), bit_length(x1_.z)});
    bool enough = false;
    // 64, 256, 1024, 4096 bits: a choice. A value that still does not exceed its error by 2^60 counts as 0 at T.
    for (int bits = 64; bits <= 8192 && !enough; bits *= 4) {
      const BigInt n = numerator(time_.b_, time_.d_, bits), a = time_.a_ << bits;
      x = a * x0_ + n * x1_;
      enough = std::max({bit_length(x.x), bit_length(x.y), bit_length(x.z)}) > slope + 60;
      if (time_.d_.sign() == 0) {
        enough = !is_zero(x);
        break;
      }
    }
    if (!enough) x = -x1_;
  }
  return unit_vector(x);
}

std::optional<Vec3> ExactContact::on_b() const {
  const int count = near_.nearest.count;
  V3<BigInt> g[4];
  static constexpr bool points_only[4] = {};
  for (int k = 0; k < count; ++k) {
    if (near_.g[k].is_direction()) return std::nullopt;
    g[k] = motion_.at_start()(near_.g[k]);
  }
  double w[3] = {1, 0, 0};
  if (count > 1) {
    const Quadratic q = quadratic_of(g, points_only, count, motion_.motion(), motion_.at_start().reach);
    const BigInt n = numerator(time_.b_, time_.d_, 80), a = time_.a_ << 80;
    BigInt value[3], total = 0;
    for (int k = 0; k < q.weights; ++k) {
      value[k] = q.weight[k].at0 * a + q.weight[k].slope * n;
      if (value[k].sign() < 0) value[k] = 0;
      total += value[k];
    }
    if (total.sign() <= 0) return std::nullopt;
    for (int k = 0; k < count; ++k)
      w[k] = to_double(value[k == 0 ? count - 1 : k - 1], total, 0, Rounding::nearest);  // the weights are those of corners 1, ..; the last is that of corner 0
  }
  Vec3 p(0, 0, 0);
  for (int k = 0; k < count; ++k) {
    if (w[k] == 0) continue;
    const ConvexCorner& c = near_.g[k].b;
    Vec3 corner = b_.base(c.base);
    for (std::uint32_t s = 0; s < b_.segments; ++s) {
      const double t = c.bits >> s & 1 ? b_.hi[s] : b_.lo[s];
      for (int i = 0; i < 3; ++i) corner[i] += t * b_.segment[s][i];
    }
    for (int i = 0; i < 3; ++i) p[i] += w[k] * corner[i];
  }
  return p;
}

int compare(const ExactTime& p, const ExactTime& q) {
  const int unit = std::min(p.unit_, q.unit_), sp = p.unit_ - unit, sq = q.unit_ - unit;
  const BigInt pb = p.b_ << sp, pd = p.d_ << (2 * sp), qb = q.b_ << sq, qd = q.d_ << (2 * sq);
  // (-pb - sqrt(pd)) / pa - (-qb - sqrt(qd)) / qa
  return sign_with_roots(qb * p.a_ - pb * q.a_, p.a_ * p.a_ * qd, q.a_ * q.a_ * pd);
}

}  // namespace graze
