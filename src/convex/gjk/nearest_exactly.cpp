// Finds the nearest point of A - B to the origin in unlimited integers. Exact arithmetic makes the iteration finite: every step strictly lowers |x|, and there
// are finitely many faces.
#include "convex/gjk/nearest_exactly.hpp"

#include <algorithm>
#include <cstdint>

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

BigInt product_in_units(double x, double y, int e) {
  if (x == 0 || y == 0) return 0;
  const DoubleParts a = parts_of(x), b = parts_of(y);
  return (BigInt(a.mantissa) * b.mantissa) << (a.exponent + b.exponent - e);
}
V3<BigInt> products(double s, const Vec3& v, int e) { return {product_in_units(s, v.x, e), product_in_units(s, v.y, e), product_in_units(s, v.z, e)}; }

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

IntegerVertex IntegerPair::least(const V3<BigInt>& X) const {
  for (std::uint32_t d = 0; d < a.direction.size(); ++d)
    if (dot(X, a.direction[d]).sign() < 0) return {{Generator::direction_of_a, {d, 0}, {}}, 0};
  for (std::uint32_t d = 0; d < b.direction.size(); ++d)
    if (dot(X, b.direction[d]).sign() > 0) return {{Generator::direction_of_b, {}, {d, 0}}, 0};
  IntegerVertex v;
  BigInt greatest;
  v.g.a = a.least(X, v.level);
  v.g.b = b.least(-X, greatest);
  v.level += greatest;  // X . (a - b)
  return v;
}

void ExactNearest::to_nearest() {
  bool is_direction[4];
  for (int k = 0; k < n; ++k) is_direction[k] = g[k].is_direction();
  nearest_of_simplex<true>(w, is_direction, n, nearest);
  keep(nearest.index, nearest.count);
  for (int k = 0; k < n; ++k) nearest.index[k] = k;
}

namespace {

/// Ends at the nearest point, which every step strictly approaches, or where the comparison with `reach` is certain.
struct ExactDecision {
  const IntegerPair& pair;
  bool stop_early;
  BigInt reach_sq = pair.reach * pair.reach;
  int sign = 0;

  bool at_point(const ExactNearest& s) {
    const Nearest<BigInt>& n = s.nearest;
    sign = n.at_origin ? (pair.reach.sign() > 0 ? -1 : 0) : sign_of(BigInt(n.squared_n - reach_sq * n.squared_d));
    return n.at_origin || (stop_early && sign <= 0);
  }
  bool at_vertex(ExactNearest& s, const IntegerVertex& v) const {
    const Nearest<BigInt>& n = s.nearest;
    if (!v.g.is_direction()) {
      if (v.level >= n.level) return true;
      if (stop_early && v.level.sign() > 0 && v.level * v.level > reach_sq * dot(n.X, n.X)) return true;  // the plane through v separates
    }
    s.add(v.g, pair(v.g));
    return false;
  }
};

}  // namespace

ExactNearest nearest_exactly(const IntegerPair& pair, const Simplex<Generator>& proposal, bool stop_early, int& sign) {
  ExactNearest s;
  bool has_point = false;
  for (int k = 0; k < proposal.n; ++k) has_point = has_point || !proposal.g[k].is_direction();
  if (has_point)
    for (int k = 0; k < proposal.n; ++k) s.add(proposal.g[k], pair(proposal.g[k]));
  else
    s.add(Generator{}, pair(Generator{}));
  s.to_nearest();
  ExactDecision stop{pair, stop_early};
  gjk(pair, stop, s);
  sign = stop.sign;
  return s;
}

Contributions contributions(const IntegerPair& pair, const ExactNearest& near) {
  Contributions c;
  for (int k = 0; k < near.nearest.count; ++k) {
    const Generator& g = near.g[k];
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
