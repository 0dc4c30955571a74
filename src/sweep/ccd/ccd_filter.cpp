// Tier 1 of moving vertices against moving faces and edges: doubles with a static bound. It returns miss or hit only where that is proven.
#include <algorithm>
#include <array>
#include <cmath>

#include "exact/double_parts.hpp"
#include "platform/expects.hpp"
#include "sweep/ccd/ccd.hpp"
#include "sweep/ccd/ccd_formulas-inl.hpp"

namespace graze::moving {
namespace {

constexpr double kU = kUnitRoundoff;
using V = std::array<double, 3>;

// Bounds, with X, Y, Z the largest sizes of the computed differences per axis (each off by u X at most); derivation in docs/derivations/ccd.md: Bernstein
// coefficients of a weight are off by 10 u XY, those of the coplanarity by 70 u XYZ; halving adds 18 u XYZ per level, 252 in 14 levels; a value at any double t
// adds 5 u of the largest coefficient (2 XY, 6 XYZ) per level, so 20 u XY and 90 u XYZ. At most 30 and 322 are needed.
constexpr double kWeightBound = 100 * kU, kCoplanarityBound = 450 * kU;
constexpr int kDepth = 14, kNodes = 40;  // kNodes is a choice; beyond either the verdict is unknown, and integers decide

struct Quadratic {
  double b[3];  ///< Bernstein coefficients
};

/// The sign of v where |v| exceeds the bound, else 0.
int certain(double v, double bound) { return v > bound ? 1 : -v > bound ? -1 : 0; }

struct Filter {
  const Pairing& pairs;
  V d0[4], d1[4];
  double bound[3];  ///< of the weights, by component
  double cubic[4], cubic_bound;
  Quadratic weight[4][3];
  bool have_weights = false;

  explicit Filter(const Pairing& p) : pairs(p) {}

  /// Returns false when an axis certainly separates the vectors from the origin.
  bool differences(Points t0, Points t1) {
    for (int i = 0; i < pairs.differences; ++i) {
      const int from = pairs.from[i], to = pairs.to[i];
      for (int k = 0; k < 3; ++k) {
        d0[i][k] = t0[to][k] - t0[from][k];
        d1[i][k] = t1[to][k] - t1[from][k];
      }
    }
    for (int k = 0; k < 3; ++k) {  // the sign of a rounded difference is exact
      double least = d0[0][k], most = least;
      for (int i = 0; i < pairs.differences; ++i) {
        least = std::min(least, std::min(d0[i][k], d1[i][k]));
        most = std::max(most, std::max(d0[i][k], d1[i][k]));
      }
      if (least > 0 || most < 0) return false;
      bound[k] = std::max(-least, most);
    }
    return true;
  }

  bool in_range() {
    for (double m : bound)
      if (!(m == 0 || (m > 0x1p-300 && m < 0x1p300))) return false;
    const double x = bound[0], y = bound[1], z = bound[2];
    cubic_bound = kCoplanarityBound * (x * y * z);
    bound[0] = kWeightBound * (y * z);
    bound[1] = kWeightBound * (z * x);
    bound[2] = kWeightBound * (x * y);
    return true;
  }

  void coplanarity() {
    const auto f = formula::coplanarity(d0[0], d1[0], d0[1], d1[1], d0[2], d1[2]);
    cubic[0] = f.c0;
    cubic[1] = f.c1 * (1.0 / 3);
    cubic[2] = f.c2 * (1.0 / 3);
    cubic[3] = f.c3;
  }
  void weights() {
    if (have_weights) return;
    have_weights = true;
    for (int i = 0; i < pairs.weights; ++i) {
      const int p = pairs.p[i], q = pairs.q[i];
      for (int k = 0; k < 3; ++k) {
        const auto f = formula::weight(d0[p], d1[p], d0[q], d1[q], k);
        weight[i][k] = {{f.c0, 0.5 * f.c1, f.c2}};
      }
    }
  }

  /// Whether throughout [lo, hi] two weights of one component have opposite signs: then there is no contact.
  bool mixed(double lo, double hi) {
    weights();
    for (int k = 0; k < 3; ++k) {
      bool positive = false, negative = false;
      for (int i = 0; i < pairs.weights; ++i) {
        const double* b = weight[i][k].b;
        // blossom of the quadratic at (lo, lo), (lo, hi), (hi, hi): its Bernstein coefficients on the interval
        const double l0 = b[0] + lo * (b[1] - b[0]), l1 = b[1] + lo * (b[2] - b[1]);
        const double h0 = b[0] + hi * (b[1] - b[0]), h1 = b[1] + hi * (b[2] - b[1]);
        const int s0 = certain(l0 + lo * (l1 - l0), bound[k]), s1 = certain(l0 + hi * (l1 - l0), bound[k]), s2 = certain(h0 + hi * (h1 - h0), bound[k]);
        positive = positive || s0 + s1 + s2 == 3;
        negative = negative || s0 + s1 + s2 == -3;
      }
      if (positive && negative) return true;
    }
    return false;
  }

  Certain inside(double t, double radius) {
    weights();
    for (int k = 0; k < 3; ++k) {
      int plus = 0, minus = 0;
      for (int i = 0; i < pairs.weights; ++i) {
        const double* b = weight[i][k].b;
        const double slope0 = b[1] - b[0], slope1 = b[2] - b[1];
        const double l0 = b[0] + t * slope0, l1 = b[1] + t * slope1;
        const double v = l0 + t * (l1 - l0), slack = 2.0001 * radius * std::max(std::fabs(slope0), std::fabs(slope1)) + bound[k];
        const int s = certain(v, slack);
        plus += s > 0;
        minus += s < 0;
      }
      if (plus > 0 && minus > 0) return Certain::no;
      if (plus == pairs.weights || minus == pairs.weights) return Certain::yes;
    }
    return Certain::unknown;
  }

  double value(double t) const {
    const double* b = cubic;
    const double a0 = b[0] + t * (b[1] - b[0]), a1 = b[1] + t * (b[2] - b[1]), a2 = b[2] + t * (b[3] - b[2]);
    const double c0 = a0 + t * (a1 - a0), c1 = a1 + t * (a2 - a1);
    return c0 + t * (c1 - c0);
  }

  /// Narrows the interval around the only root in [lo, hi]; s is the sign before the root.
  bool refine(double lo, double hi, int s, Filtered& out) const {
    const double* b = cubic;
    double l = lo, h = hi, t = 0.5 * (lo + hi), slope = 0;
    constexpr int kMaxSteps = 40;  // a choice: the bracket around t is tested in any case, and what it does not prove is unknown
    for (int step = 0; step < kMaxSteps; ++step) {
      const double a0 = b[0] + t * (b[1] - b[0]), a1 = b[1] + t * (b[2] - b[1]), a2 = b[2] + t * (b[3] - b[2]);
      const double c0 = a0 + t * (a1 - a0), c1 = a1 + t * (a2 - a1);
      const double v = c0 + t * (c1 - c0);
      slope = 3 * (c1 - c0);
      if (v * s > 0)
        l = t;
      else
        h = t;
      double next = slope != 0 ? t - v / slope : -1;
      if (!(next > l && next < h)) next = 0.5 * (l + h);
      const double moved = std::fabs(next - t);
      t = next;
      if (moved <= 0x1p-52 * t || l >= h) break;
    }
    if (slope == 0) return false;
    double radius = std::max(3 * cubic_bound / std::fabs(slope), 0x1p-51 * t);
    for (int attempt = 0; attempt < 4; ++attempt, radius *= 8) {  // a choice: beyond it the root is not enclosed, and integers decide
      if (!(radius < 0.25)) return false;
      out.lo = std::max(t - radius, lo);
      out.hi = std::min(t + radius, hi);
      const bool before = out.lo == lo || certain(value(out.lo), cubic_bound) == s;
      const bool after = out.hi == hi || certain(value(out.hi), cubic_bound) == -s;
      if (before && after) {
        out.guess = t;
        out.sign = s;
        return true;
      }
    }
    return false;
  }
};

}  // namespace

Filtered filtered(Kind kind, Points t0, Points t1) {
  Filter f(pairing(kind));
  if (!f.differences(t0, t1)) return {Certain::no};
  if (!f.in_range()) return {};
  f.coplanarity();
  struct Node {
    double lo, hi, b[4];
    int depth;
  } stack[kDepth + 2];
  int top = 0, visited = 0;
  stack[top++] = {0, 1, {f.cubic[0], f.cubic[1], f.cubic[2], f.cubic[3]}, 0};
  while (top > 0) {
    const Node n = stack[--top];
    int s[4];
    for (int i = 0; i < 4; ++i) s[i] = certain(n.b[i], f.cubic_bound);
    if (s[0] != 0 && s[0] == s[1] && s[0] == s[2] && s[0] == s[3]) continue;
    if (s[0] != 0 && s[3] == -s[0] && (s[1] == s[0] || s[2] == s[3])) {  // one change of sign, for any sign of the uncertain coefficient: one root
      Filtered out;
      if (!f.refine(n.lo, n.hi, s[0], out)) return {};
      const double radius = std::max(out.guess - out.lo, out.hi - out.guess);
      switch (f.inside(out.guess, radius)) {
        case Certain::no:
          continue;
        case Certain::yes:
          out.contact = Certain::yes;
          return out;
        case Certain::unknown:
          return {};
      }
    }
    if (f.mixed(n.lo, n.hi)) continue;
    if (n.depth == kDepth || ++visited == kNodes) return {};
    const double mid = 0.5 * (n.lo + n.hi);
    const double a0 = 0.5 * (n.b[0] + n.b[1]), a1 = 0.5 * (n.b[1] + n.b[2]), a2 = 0.5 * (n.b[2] + n.b[3]);
    const double c0 = 0.5 * (a0 + a1), c1 = 0.5 * (a1 + a2), e = 0.5 * (c0 + c1);
    GRAZE_EXPECTS(top <= kDepth);
    stack[top++] = {mid, n.hi, {e, c1, a2, n.b[3]}, n.depth + 1};
    stack[top++] = {n.lo, mid, {n.b[0], a0, c0, e}, n.depth + 1};
  }
  return {Certain::no};
}

}  // namespace graze::moving
