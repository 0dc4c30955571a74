// The search in pairs of doubles, and the exact test of a tetrahedron that may contain the origin.
#include "convex/decide/in_pairs.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "exact/predicates-inl.hpp"
#include "exact/tiered.hpp"

namespace graze {
namespace {

/// A determinant of three vertices, each off by 2^-99 in a coordinate and below 1 in size, rounded at most 20 times by 2^-102 of terms of 6 in all.
constexpr double kDeterminantError = 0x1p-94;

/// A vertex of A - B as sums of doubles: per coordinate the terms of A and of B.
struct ExactVertex {
  double term[3][4];
};

/// Adds x to a sum of two doubles that do not overlap. False where that takes a third.
bool add_exactly(double (&sum)[4], int side, double x) {
  double &hi = sum[2 * side], &lo = sum[2 * side + 1];
  const TwoDouble s = two_sum(hi, x), t = two_sum(lo, s.lo);
  hi = s.hi, lo = t.hi;
  return t.lo == 0;
}

bool exactly(const ConvexSet& c, const ConvexCorner& corner, int side, ExactVertex& out) {
  const Vec3 p = c.base(corner.base);
  for (int i = 0; i < 3; ++i) {
    out.term[i][2 * side] = p[i], out.term[i][2 * side + 1] = 0;
    for (std::uint32_t k = 0; k < c.segments; ++k) {
      const double t = corner.bits >> k & 1 ? c.hi[k] : c.lo[k], g = c.segment[k][i];
      if (t == 0 || g == 0) continue;
      const TwoDouble product = two_product(t, g);
      if (!(std::fabs(product.hi) > 0x1p-900 && std::fabs(product.hi) < 0x1p900)) return false;
      if (!add_exactly(out.term[i], side, product.hi) || !add_exactly(out.term[i], side, product.lo)) return false;
    }
  }
  return true;
}

int determinant_sign(const ExactVertex& u, const ExactVertex& v, const ExactVertex& w) {
  std::array<double, 36> x;
  auto out = x.begin();
  for (const ExactVertex* vertex : {&u, &v, &w})
    for (const auto& terms : vertex->term) out = std::copy(terms, terms + 4, out);
  return sign_by_integers(x, kNoOthers, [](const auto& y, const auto&) {
    const auto at = [&](std::size_t i) { return (y[4 * i] + y[4 * i + 1]) - (y[4 * i + 2] + y[4 * i + 3]); };
    return formula::det3(at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7), at(8));
  });
}

/// Adds vertices far from the line or plane of the simplex until it has four. Returns false where A - B has no such vertex, or only a near one.
bool complete(const ScaledPair& pair, StateInPairs& s) {
  while (s.n < 4) {
    const auto edge = [&](int k) { return V3<double>{s.w[k].x.hi - s.w[0].x.hi, s.w[k].y.hi - s.w[0].y.hi, s.w[k].z.hi - s.w[0].z.hi}; };
    const V3<double> e = edge(1), size{std::fabs(e.x), std::fabs(e.y), std::fabs(e.z)};
    const V3<double> axis{double(size.x <= size.y && size.x <= size.z), double(size.y < size.x && size.y <= size.z),
                          double(size.z < size.x && size.z < size.y)};
    const V3<double> d = cross(e, s.n == 2 ? axis : edge(2));
    double most = 0;
    ScaledVertex<double> farthest;
    for (const V3<double>& x : {d, -d}) {
      const ScaledVertex<double> v = pair.least(x);
      const double off = std::fabs(dot(d, v.w - V3<double>{s.w[0].x.hi, s.w[0].y.hi, s.w[0].z.hi}));
      if (off > most) most = off, farthest = v;
    }
    if (!(most > 0) || s.contains(farthest.g)) return false;
    s.add(farthest.g, pair.point_two(farthest.g));
  }
  return true;
}

/// Whether the closed tetrahedron contains the origin, exactly where the signs in pairs of doubles are not certain.
bool surely_holds_origin(const ScaledPair& pair, const StateInPairs& s, const TwoDouble (&d)[4]) {
  ExactVertex vertex[4];
  bool positive = false, negative = false, known = false;
  for (int k = 0; k < 4; ++k) {
    int sign = sign_of(d[k]);
    if (!(std::fabs(d[k].hi) > kDeterminantError)) {
      for (int i = 0; i < 4 && !known; ++i)
        if (!exactly(pair.a(), s.g[i].a, 0, vertex[i]) || !exactly(pair.b(), s.g[i].b, 1, vertex[i])) return false;
      known = true;
      const int u = k == 0, v = k < 2 ? 2 : 1, w = k < 3 ? 3 : 2;
      sign = determinant_sign(vertex[u], vertex[v], vertex[w]);
      if (k % 2 != 0) sign = -sign;
    }
    positive |= sign > 0, negative |= sign < 0;
  }
  return positive != negative;
}

}  // namespace

SearchInPairs::SearchInPairs(const ScaledPair& pair, const Simplex<Generator>& start, bool measured) : measure(measured), reach(pair.fine_reach()) {
  for (int k = 0; k < start.n; ++k) s.add(start.g[k], pair.point_two(start.g[k]));
  if (s.n == 4 && surrounds_origin()) {
    within = Certain::yes;
    return;
  }
  s.to_nearest();
  gjk(pair, *this, s);
  const bool may_touch = within == Certain::unknown && reach.hi == 0 && norm.hi <= 0x1p-80 && pair.same_generators();  // a cut cone is rounded
  if (may_touch && touches_exactly(pair)) within = Certain::yes;
}

bool SearchInPairs::touches_exactly(const ScaledPair& pair) const {
  if (s.n == 1) {
    ExactVertex v;
    bool equal = exactly(pair.a(), s.g[0].a, 0, v) && exactly(pair.b(), s.g[0].b, 1, v);
    for (const auto& t : v.term) equal = equal && t[0] == t[2] && t[1] == t[3];
    return equal;
  }
  StateInPairs whole = s;
  if (!complete(pair, whole)) return false;
  TwoDouble d[4];
  weights_of_origin(whole.w, d);
  return surely_holds_origin(pair, whole, d);
}

/// Whether the tetrahedron certainly contains the origin, whose weights it then takes.
bool SearchInPairs::surrounds_origin() {
  TwoDouble d[4];
  weights_of_origin(s.w, d);
  const double side = d[0].hi < 0 ? -1 : 1;
  for (const TwoDouble& x : d)
    if (!(side * x.hi > kDeterminantError)) return false;
  for (int k = 0; k < 4; ++k) s.weight[k] = d[k] / ((d[0] + d[1]) + (d[2] + d[3]));
  return true;
}

bool SearchInPairs::at_point(StateInPairs&) {
  constexpr int kMaxSteps = 24;  // a choice; at the cap, as where precision ends, integers decide
  norm = square_root(dot(s.x, s.x));
  if (s.n == 4) {
    if (surrounds_origin()) within = Certain::yes;
    return true;
  }
  if (step_++ == kMaxSteps) return true;
  lowest_norm = std::min(lowest_norm, norm.hi);
  if ((reach - norm).hi > kDecided * (1 + reach.hi)) return end(Certain::yes);
  s.by_normal = norm.hi < 0x1p-20;
  return !(norm.hi > 0x1p-90);  // each coordinate is off by 2^-99
}

bool SearchInPairs::at_vertex(StateInPairs&, const ScaledVertex<TwoDouble>& v) {
  const V3<TwoDouble> x = s.direction();
  const TwoDouble length = s.by_normal ? square_root(dot(x, x)) : norm;
  if (!(length.hi > 0x1p-300)) return true;  // a face without area, whose normal may have lost digits
  const TwoDouble low = dot(x, v.w) / length;
  if ((low - reach).hi > kDecided * (1 + reach.hi)) {
    within = Certain::no;
    if (!measure) return true;
  }
  distance = norm - reach;
  if ((norm - low).hi < distance.hi * 0x1p-54 - 2 * kSlack && distance.hi > 4 * kSlack) {
    accepted = true;
    return true;
  }
  highest_low = std::max(highest_low, low.hi);
  if (s.contains(v.g) || sign_of(norm - last_) >= 0) return true;  // faces that are parallel up to rounding gain less than that of a double
  last_ = norm;
  s.add(v.g, v.w);
  return false;
}

}  // namespace graze
