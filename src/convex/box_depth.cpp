// Two parallelepipeds by separating axes. A has the axes a_i and the half lengths r_i along them, B has b_j and s_j; t is the vector from A's middle to B's.
// C = A - B is a zonotope. Where it has a volume, its facets are spanned by two of its generators, so their normals are among the 15 cross products n of two
// axes. With o(n) = sum r_i |n . a_i| + sum s_j |n . b_j| - |n . t|, moving A by o(n) / |n| along n separates, and the depth is the least o(n) / |n|.
//
// Error bounds, with u = 2^-53. n = f x s is off by at most 3.5 u |f||s|: each component has two products and a difference, and the vector of the sums of the
// products' sizes is at most sqrt(3) |f||s| long. A product n . x with an exact x adds 3 u |n||x|: together below 7 u |f||s||x|. A half length is off by u of
// itself, and each product with one adds u: below 9 u. A coordinate of t is off by at most 7 u of the terms that it is the sum of, D altogether. A sum of at
// most six such terms adds 4 u of all. Hence o is off by less than 20 u |f||s| E, with E = D + sum r_i |a_i| + sum s_j |b_j|, and by 4 u |f||s| E more for n as
// rounded instead of f x s. The quotient o / |n| adds 4 u E: below kSlack |f||s| E / |n| in all.
//
// Nearly parallel axes a_i and b_j say nothing about their normal n, which is perpendicular to a_i. Among the directions perpendicular to a_i, h is that of the
// projection of C along a_i, a polygon. Without the edge that b_j gives, whose length is at most d = 2 s_j |n| / |a_i|, the polygon has the normals a_i x a_k
// and a_i x b_k for the other k, so that o(n) / |n| is at least the least value of these four less d.
#include "convex/box_depth.hpp"

#include <algorithm>
#include <cmath>

#include "exact/two_double.hpp"
#include "math/limits.hpp"

namespace graze {
namespace {

using Double3 = V3<double>;

constexpr double kSlack = 32 * kUnitRoundoff;
constexpr double kParallel = 0x1p-44;  ///< axes with a smaller sine are taken as nearly parallel: a choice; their value would be off by 3 % of E and more
constexpr double kPrefer = 0x1p-35;    ///< by this much of its square, the value of a pair of edges must be below that of a face

struct BoxSide {
  Double3 axis[3], middle{0, 0, 0};  ///< `middle`: without the base point
  double half[3];
  double terms = 0;   ///< the sum of the sizes of the middle's terms
  double length = 0;  ///< the greatest length of an axis
  double extent = 0;  ///< the sum of the half lengths, in world units
  bool similar;       ///< the lengths of the axes differ by a factor of at most 4

  explicit BoxSide(const ConvexSet& c) {
    double least = kInfinity, greatest = 0, halves = 0;
#pragma GCC unroll 3
    for (int k = 0; k < 3; ++k) {
      axis[k] = v3(c.segment[k]);
      half[k] = 0.5 * (c.hi[k] - c.lo[k]);
      const double mid = 0.5 * (c.lo[k] + c.hi[k]), squared = dot(axis[k], axis[k]);
      middle = middle + mid * axis[k];
      terms += std::fabs(mid) * taxicab(axis[k]);
      least = std::min(least, squared);
      greatest = std::max(greatest, squared);
      halves += half[k];
    }
    length = std::sqrt(greatest);
    extent = halves * length;
    similar = greatest > 0x1p-200 && greatest < 0x1p200 && greatest <= 16 * least;
  }
};

/// The vector from A's middle to B's.
V3<TwoDouble> precise_between(const ConvexSet& a, const ConvexSet& b) {
  V3<TwoDouble> t = exact_difference(b.base(0), a.base(0));
  for (int side = 0; side < 2; ++side) {
    const ConvexSet& c = side ? b : a;
    const double half = side ? 0.5 : -0.5;
    for (int k = 0; k < 3; ++k) {
      const TwoDouble sum = two_sum(c.lo[k], c.hi[k]);
      t = t + TwoDouble(half * sum.hi, half * sum.lo) * v3_two(c.segment[k]);
    }
  }
  return t;
}

/// The same in doubles. Each coordinate is off by at most 7 u of `terms`, which includes its size.
Double3 between(const ConvexSet& a, const ConvexSet& b, const BoxSide& p, const BoxSide& q, double& terms) {
  const Vec3 x = a.base(0), y = b.base(0);
  const Double3 d{y.x - x.x, y.y - x.y, y.z - x.z};
  terms = taxicab(d) + (p.terms + q.terms);
  if (terms <= 16 * (p.extent + q.extent)) return d + (q.middle - p.middle);
  const V3<TwoDouble> t = precise_between(a, b);  // corners far from the origin of their own frame: the terms may cancel
  terms = terms * 0x1p-40 + (std::fabs(t.x.hi) + std::fabs(t.y.hi) + std::fabs(t.z.hi));  // the sum is off by 2^-98 of the terms, u of itself when rounded
  return {t.x.hi, t.y.hi, t.z.hi};
}

/// The 15 normals: of faces of A (0..2) and of B (3..5), and a_i x b_j at 6 + 3 i + j.
struct Candidates {
  Double3 normal[15];
  double squared[15], overlap[15];  ///< |n|^2, o(n)
  double volume_a, volume_b;

  Candidates(const BoxSide& p, const BoxSide& q, const Double3& t) {
    double at_a[3][3], at_b[3][3];  // |n . axis| of the other box for the normals of faces
#pragma GCC unroll 3
    for (int k = 0; k < 3; ++k) {
      normal[k] = cross(p.axis[(k + 1) % 3], p.axis[(k + 2) % 3]);
      normal[3 + k] = cross(q.axis[(k + 1) % 3], q.axis[(k + 2) % 3]);
#pragma GCC unroll 3
      for (int j = 0; j < 3; ++j) {
        at_a[k][j] = std::fabs(dot(normal[k], q.axis[j]));
        at_b[k][j] = std::fabs(dot(normal[3 + k], p.axis[j]));
      }
    }
    volume_a = std::fabs(dot(normal[0], p.axis[0]));
    volume_b = std::fabs(dot(normal[3], q.axis[0]));
    const auto along = [](const double(&x)[3], const double(&h)[3]) { return (h[0] * x[0] + h[1] * x[1]) + h[2] * x[2]; };
#pragma GCC unroll 3
    for (int k = 0; k < 3; ++k) {
      overlap[k] = (p.half[k] * volume_a + along(at_a[k], q.half)) - std::fabs(dot(normal[k], t));
      overlap[3 + k] = (q.half[k] * volume_b + along(at_b[k], p.half)) - std::fabs(dot(normal[3 + k], t));
      squared[k] = dot(normal[k], normal[k]);
      squared[3 + k] = dot(normal[3 + k], normal[3 + k]);
    }
#pragma GCC unroll 3
    for (int i = 0; i < 3; ++i) {
      const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
#pragma GCC unroll 3
      for (int j = 0; j < 3; ++j) {
        const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
        const Double3 n = cross(p.axis[i], q.axis[j]);
        normal[6 + 3 * i + j] = n;
        squared[6 + 3 * i + j] = dot(n, n);
        // (a_i x b_j) . a_k is, up to its sign, the product of the normal of the two other axes of A and b_j
        overlap[6 + 3 * i + j] =
            ((p.half[i1] * at_a[i2][j] + p.half[i2] * at_a[i1][j]) + (q.half[j1] * at_b[j2][i] + q.half[j2] * at_b[j1][i])) - std::fabs(dot(n, t));
      }
    }
  }
};

/// o(n) / |n| in pairs of doubles, for candidate k: for shallow boxes.
TwoDouble precise_value(const ConvexSet& a, const ConvexSet& b, const V3<TwoDouble>& t, int k) {
  const int first = k < 3 ? (k + 1) % 3 : k < 6 ? 3 + (k + 1) % 3 : (k - 6) / 3;
  const int second = k < 3 ? (k + 2) % 3 : k < 6 ? 3 + (k + 2) % 3 : 3 + (k - 6) % 3;
  const auto axis = [&](int g) { return v3_two((g < 3 ? a : b).segment[g % 3]); };
  const auto absolute = [](const TwoDouble& x) { return x.hi < 0 ? -x : x; };
  const V3<TwoDouble> n = cross(axis(first), axis(second));
  TwoDouble sum = -absolute(dot(n, t));
  for (int g = 0; g < 6; ++g) {
    if (g == first || g == second) continue;
    const ConvexSet& c = g < 3 ? a : b;
    const TwoDouble width = two_sum(c.hi[g % 3], -c.lo[g % 3]);
    sum = sum + TwoDouble(0.5 * width.hi, 0.5 * width.lo) * absolute(dot(n, axis(g)));
  }
  return sum / square_root(dot(n, n));
}

}  // namespace

std::optional<ConvexPenetration> box_depth(const ConvexSet& a, const ConvexSet& b) {
  const BoxSide p(a), q(b);
  double terms;
  const Double3 t = between(a, b, p, q, terms);
  const double size = terms + (p.extent + q.extent);
  if (!(size > 0x1p-200 && size < 0x1p200 && p.similar && q.similar)) return std::nullopt;
  const Candidates c(p, q, t);
  const double length[3] = {p.length * p.length, q.length * q.length, p.length * q.length};  // of the axes of a normal: at least |f||s|
  const auto length_of = [&](int k) { return length[k < 3 ? 0 : k < 6 ? 1 : 2]; };
  double clear[15];  // a lower bound of o(n)
  bool separated = false;
#pragma GCC unroll 15
  for (int k = 0; k < 15; ++k) {
    const double slack = kSlack * size * length_of(k);
    clear[k] = c.overlap[k] - slack;
    separated |= c.overlap[k] < -slack;
  }
  if (separated) {
    ConvexPenetration apart;
    apart.reason = ConvexPenetration::Reason::apart;
    return apart;
  }
  if (!(c.volume_a > 0x1p-10 * (length[0] * p.length) && c.volume_b > 0x1p-10 * (length[1] * q.length))) return std::nullopt;

  // The least value, by squares, so that nothing is divided.
  const double parallel = (kParallel * length[2]) * (kParallel * length[2]);
  int which = 0;
  for (int k = 1; k < 15; ++k) {
    const double x = c.overlap[k] * c.overlap[k], y = c.overlap[which] * c.overlap[which];
    if (x * c.squared[which] < (k < 6 ? y : y * (1 - kPrefer)) * c.squared[k] && !(k >= 6 && c.squared[k] <= parallel)) which = k;
  }
  double norm = std::sqrt(c.squared[which]), best = c.overlap[which] / norm, error = kSlack * size * length_of(which) / norm;
  if (!(best > 0)) return std::nullopt;

  // All values must be above the least less kDepthGap, or for a shallow pair above the least and its error: of those that are not, more precise ones are
  // compared.
  const bool shallow = !(2 * error <= best * kDepthGap);
  const double level = shallow ? best + 2 * error : best * (1 - kDepthGap) + error;
  const auto above = [&](int k, double limit) { return clear[k] > 0 && clear[k] * clear[k] >= limit * limit * c.squared[k] * (1 + 16 * kUnitRoundoff); };
  if (shallow && norm < 0x1p-15 * length_of(which)) return std::nullopt;
  V3<TwoDouble> middle;
  TwoDouble least = 0x1p300;
  double precise_error = 0;
  if (shallow) middle = precise_between(a, b);
  const double all_terms = size + (p.terms + q.terms);
  for (int k = 0; k < 15; ++k) {
    if (k == which && !shallow) continue;
    if (k >= 6 && c.squared[k] <= parallel) {
      const int i = (k - 6) / 3, j = (k - 6) % 3;
      const double limit = level + 8 * size * (std::sqrt(c.squared[k]) / length[2] + 4 * kUnitRoundoff);  // lengths differ by a factor of up to 4
      for (int o = 1; o < 3; ++o)
        if (!above((i + o) % 3, limit) || !above(6 + 3 * i + (j + o) % 3, limit)) return std::nullopt;
      continue;
    }
    if (above(k, level)) continue;
    if (!shallow || c.squared[k] < 0x1p-30 * (length_of(k) * length_of(k))) return std::nullopt;
    const TwoDouble value = precise_value(a, b, middle, k);
    precise_error = std::max(precise_error, 0x1p-92 * all_terms * length_of(k) / std::sqrt(c.squared[k]));
    if ((value - (k < 6 ? least : least * TwoDouble(1 - kPrefer / 2))).hi < 0) {
      least = value;
      which = k;
    }
  }
  // Above: h(n) of the rounded n. Here: of n itself, which the vector's direction differs from by 3.5 u |f||s| / |n|, at most 2^15 * 3.5 u.
  double far = (best + error) * (1 + 8 * kUnitRoundoff);
  if (shallow) {
    best = least.hi;
    if (!(best > 0 && precise_error <= best * (kDepthGap / 4))) return std::nullopt;
    norm = std::sqrt(c.squared[which]);
    far = (best + precise_error) * (1 + 0x1p-35);
  }
  const Double3& n = c.normal[which];
  const double over = (dot(n, t) < 0 ? 1 : -1) / norm;
  ConvexPenetration r;
  r.found = true;
  r.depth = best;
  r.normal = Vec3(n.x * over + 0.0, n.y * over + 0.0, n.z * over + 0.0);  // + 0: no negative zeros
  r.vector = Vec3(r.normal.x * far, r.normal.y * far, r.normal.z * far);
  return r;
}

}  // namespace graze
