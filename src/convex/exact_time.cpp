// Quadratics of contact, and signs of sums of square roots by repeated squaring.
#include "convex/exact_time.hpp"

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
  return sign_with_root(p * p + u - v, 2 * p, u);  // both sides of p + sqrt(u) > sqrt(v) squared
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
  V3<BigInt> x0, x1;  ///< x = x0 + t x1, towards A - B

  /// Is the function not negative at the root?
  bool holds(const Linear& w) const { return sign_with_root(a * w.at0 - b * w.slope, -w.slope, d) >= 0; }
  bool certified() const {
    for (int k = 0; k < weights; ++k)
      if (!holds(weight[k])) return false;
    return true;
  }
};

/// Does the plane across x at the root support A - B, given at t = 0, at its vertex v?
bool supports(const Quadratic& q, const IntegerPair& pair, const Generator& v) {
  const auto not_below = [&](const V3<BigInt>& d) { return q.holds({dot(q.x0, d), dot(q.x1, d)}); };
  const auto side = [&](const IntegerCore& c, const CoreCorner& at, bool mirrored) {
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

/// g: generators of the face at t = 0, the first a point.
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
    q.x0 = height.sign() < 0 || (height.sign() == 0 && rate.sign() > 0) ? -n : n;
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

ExactTime::ExactTime(const Core& a, const Motion& motion, const Core& b, double before) {
  const ExactMotion exact(a, motion, b);
  const IntegerPair& start = exact.at_start();
  unit_ = start.exponent - exact.motion_exponent();
  Dyadic at(before);
  for (;;) {
    const IntegerPair pair = exact.at(at);
    int sign = 0;
    const ExactNearest near = nearest_exactly(pair, {}, false, sign);
    V3<BigInt> g[4];
    bool is_direction[4];
    for (int k = 0; k < near.simplex.n; ++k) {
      g[k] = start(near.simplex.g[k]);
      is_direction[k] = near.simplex.g[k].is_direction();
    }
    const Quadratic q = quadratic_of(g, is_direction, near.nearest.count, exact.motion(), start.reach);
    a_ = q.a;
    b_ = q.b;
    d_ = q.d;
    if (sign <= 0) return;  // contact: none was promised
    if (q.real && q.certified() && supports(q, start, near.simplex.g[0])) return;
    const Dyadic way = exact.surely_free(pair, near);
    if (sign_of(way) <= 0) return;  // never nearer: no contact was promised
    at = at + way;
  }
}

int compare(const ExactTime& p, const ExactTime& q) {
  const int unit = std::min(p.unit_, q.unit_), sp = p.unit_ - unit, sq = q.unit_ - unit;
  const BigInt pb = p.b_ << sp, pd = p.d_ << (2 * sp), qb = q.b_ << sq, qd = q.d_ << (2 * sq);
  // (-pb - sqrt(pd)) / pa - (-qb - sqrt(qd)) / qa
  return sign_with_roots(qb * p.a_ - pb * q.a_, p.a_ * p.a_ * qd, q.a_ * q.a_ * pd);
}

}  // namespace graze
