// Finds the nearest point of A - B to the origin in unlimited integers, by the iteration of E. G. Gilbert, D. W. Johnson, S. S. Keerthi (1988). Exact
// arithmetic makes the iteration finite: every step strictly lowers |x|, and there are finitely many faces.
#include "convex/decide_exact.hpp"

#include <algorithm>
#include <cstdint>

#include "platform/expects.hpp"

namespace graze {
namespace {

struct LowBit {
  int e = 100000;
  void add(double x) {
    if (x != 0) e = std::min(e, parts_of(x).exponent);
  }
  void add_product(double x, double y) {
    if (x != 0 && y != 0) e = std::min(e, parts_of(x).exponent + parts_of(y).exponent);
  }
};

void add_low_bits(const ConvexSet& c, LowBit& low) {
  for (std::uint32_t i = 0; i < c.points; ++i) {
    const Vec3 p = c.base(i);
    for (int k = 0; k < 3; ++k) low.add(p[k]);
  }
  for (std::uint32_t s = 0; s < c.segments; ++s)
    for (int k = 0; k < 3; ++k) {
      low.add_product(c.lo[s], c.segment[s][k]);
      low.add_product(c.hi[s], c.segment[s][k]);
    }
  low.add(c.radius);
}

V3<BigInt> integers(const Vec3& p, int e) { return {integer_of(p.x, e), integer_of(p.y, e), integer_of(p.z, e)}; }

BigInt product(double x, double y, int e) {
  if (x == 0 || y == 0) return 0;
  const DoubleParts a = parts_of(x), b = parts_of(y);
  return (BigInt(a.mantissa) * b.mantissa) << (a.exponent + b.exponent - e);
}
V3<BigInt> products(double s, const Vec3& v, int e) { return {product(s, v.x, e), product(s, v.y, e), product(s, v.z, e)}; }

void fill(IntegerConvexSet& out, const ConvexSet& c, int e) {
  out.base.reserve(c.points);
  for (std::uint32_t i = 0; i < c.points; ++i) out.base.push_back(integers(c.base(i), e));
  out.segments = c.segments;
  for (std::uint32_t s = 0; s < c.segments; ++s) {
    out.low[s] = products(c.lo[s], c.segment[s], e);
    out.high[s] = products(c.hi[s], c.segment[s], e);
  }
  for (std::uint32_t d = 0; d < c.directions; ++d) {
    LowBit low;
    for (int k = 0; k < 3; ++k) low.add(c.direction[d][k]);
    out.direction.push_back(integers(c.direction[d], low.e));
  }
}

}  // namespace

ConvexCorner IntegerConvexSet::least(const V3<BigInt>& X, BigInt& value) const {
  ConvexCorner c;
  value = dot(X, base[0]);
  for (std::uint32_t i = 1; i < base.size(); ++i) {
    BigInt d = dot(X, base[i]);
    if (d < value) {
      value = std::move(d);
      c.base = i;
    }
  }
  for (std::uint32_t k = 0; k < segments; ++k) {
    const BigInt l = dot(X, low[k]), h = dot(X, high[k]);
    if (h < l) c.bits |= 1u << k;
    value += h < l ? h : l;
  }
  return c;
}

IntegerPair::IntegerPair(const ConvexSet& ca, const ConvexSet& cb, double extra) {
  LowBit low;
  add_low_bits(ca, low);
  add_low_bits(cb, low);
  low.add(extra);
  exponent = low.e == 100000 ? 0 : low.e;
  fill(a, ca, exponent);
  fill(b, cb, exponent);
  reach = integer_of(ca.radius, exponent) + integer_of(cb.radius, exponent) + integer_of(extra, exponent);
}

V3<BigInt> IntegerPair::operator()(const Generator& g) const {
  if (g.type == Generator::direction_of_a) return a.direction[g.a.base];
  if (g.type == Generator::direction_of_b) return -b.direction[g.b.base];
  return a.corner(g.a) - b.corner(g.b);
}

ExactNearest nearest_exactly(const IntegerPair& pair, const Simplex& proposal, bool stop_early, int& sign) {
  Simplex s = proposal;
  bool has_point = false;
  for (int k = 0; k < s.n; ++k) has_point = has_point || !s.g[k].is_direction();
  if (!has_point) s.n = 0;
  if (s.n == 0) s.g[s.n++] = Generator{};
  const BigInt reach_sq = pair.reach * pair.reach;
  ExactNearest r;
  V3<BigInt> g[5];
  bool is_direction[5];
  for (int k = 0; k < s.n; ++k) g[k] = pair(s.g[k]);
  for (;;) {
    for (int k = 0; k < s.n; ++k) is_direction[k] = s.g[k].is_direction();
    nearest_of_simplex<true>(g, is_direction, s.n, r.nearest);
    const Nearest<BigInt>& n = r.nearest;
    Simplex face;
    V3<BigInt> kept[4];
    for (int k = 0; k < n.count; ++k) {
      face.g[face.n] = s.g[n.index[k]];
      kept[face.n++] = g[n.index[k]];
    }
    s = face;
    for (int k = 0; k < s.n; ++k) r.g[k] = g[k] = kept[k];
    for (int k = 0; k < s.n; ++k) r.nearest.index[k] = k;
    r.simplex = s;
    const int excess = n.at_origin ? (pair.reach.sign() > 0 ? -1 : 0) : sign_of(BigInt(n.squared_n - reach_sq * n.squared_d));
    sign = excess;
    if (n.at_origin || (stop_early && excess <= 0)) return r;
    bool optimal = true;
    for (std::uint32_t d = 0; d < pair.a.direction.size() && optimal; ++d)
      if (dot(n.X, pair.a.direction[d]).sign() < 0) {
        s.g[s.n] = {Generator::direction_of_a, {d, 0}, {}};
        optimal = false;
      }
    for (std::uint32_t d = 0; d < pair.b.direction.size() && optimal; ++d)
      if (dot(n.X, pair.b.direction[d]).sign() > 0) {
        s.g[s.n] = {Generator::direction_of_b, {}, {d, 0}};
        optimal = false;
      }
    if (optimal) {
      BigInt low, high;
      Generator w;
      w.a = pair.a.least(n.X, low);
      w.b = pair.b.least(-n.X, high);
      low += high;  // X . (a - b)
      if (low >= n.level) return r;
      if (stop_early && low.sign() > 0 && low * low > reach_sq * dot(n.X, n.X)) return r;  // the plane through w separates
      s.g[s.n] = w;
    }
    GRAZE_EXPECTS(s.n < 4);
    g[s.n] = pair(s.g[s.n]);
    ++s.n;
  }
}

Contributions contributions(const IntegerPair& pair, const ExactNearest& near) {
  Contributions c;
  for (int k = 0; k < near.nearest.count; ++k) {
    const Generator& g = near.simplex.g[k];
    const BigInt& w = near.nearest.weight[k];
    if (g.type == Generator::point) {
      c.a = c.a + w * pair.a.corner(g.a);
      c.b = c.b + w * pair.b.corner(g.b);
    } else if (g.type == Generator::direction_of_a) {
      c.a = c.a + w * pair.a.direction[g.a.base];
    } else {
      c.b = c.b + w * pair.b.direction[g.b.base];
    }
  }
  return c;
}

}  // namespace graze
