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
// Nearly parallel axes a_i and b_j, with the sine d of their angle, say nothing about the normal n. B' with an axis parallel to a_i instead of b_j differs from
// B by at most d E, and it has no facet with this normal. Its other normals differ by an angle of at most d |f||s| / |n|, and o(n) / |n| by 2 d E |f||s| / |n|.
// So the least of the other values less d E and that bounds the depth from below. Requires axes of each box that are far from parallel to each other, so that
// B' is as good a box as B.
#include "convex/box_depth.hpp"

#include <algorithm>
#include <cmath>

#include "exact/two_double.hpp"
#include "math/limits.hpp"
#include "pairs/detail/obb_generators.hpp"

namespace graze {
namespace {

using Double3 = V3<double>;

constexpr double kSlack = 32 * kUnitRoundoff;
constexpr double kParallel = 0x1p-44;  ///< axes with a smaller sine are taken as parallel: a choice, which balances the two bounds above

struct Side {
  Double3 axis[3], middle{0, 0, 0};  ///< `middle`: without the base point
  double half[3];
  double terms = 0;   ///< the sum of the sizes of the middle's terms
  double length = 0;  ///< the greatest length of an axis
  double extent = 0;  ///< the sum of the half lengths, in world units
  bool similar;       ///< the lengths of the axes differ by a factor of at most 4

  explicit Side(const ConvexSet& c) {
    double least = kInfinity, greatest = 0, halves = 0;
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

/// The vector from A's middle to B's. Each coordinate is off by at most 7 u of `terms`, which includes its size.
Double3 between(const ConvexSet& a, const ConvexSet& b, const Side& p, const Side& q, double& terms) {
  const Vec3 x = a.base(0), y = b.base(0);
  const Double3 d{y.x - x.x, y.y - x.y, y.z - x.z};
  terms = taxicab(d) + (p.terms + q.terms);
  if (terms <= 16 * (p.extent + q.extent)) return d + (q.middle - p.middle);
  V3<TwoDouble> t = exact_difference(y, x);  // corners far from the origin of their own frame: the terms may cancel
  for (int side = 0; side < 2; ++side) {
    const ConvexSet& c = side ? b : a;
    const double half = side ? 0.5 : -0.5;
    for (int k = 0; k < 3; ++k) {
      const TwoDouble sum = two_sum(c.lo[k], c.hi[k]);
      t = t + TwoDouble(half * sum.hi, half * sum.lo) * v3_two(c.segment[k]);
    }
  }
  terms = terms * 0x1p-40 + (std::fabs(t.x.hi) + std::fabs(t.y.hi) + std::fabs(t.z.hi));  // the sum is off by 2^-98 of the terms, u of itself when rounded
  return {t.x.hi, t.y.hi, t.z.hi};
}

/// The 15 normals: of faces of A (0..2) and of B (3..5), and a_i x b_j at 6 + 3 i + j.
struct Candidates {
  Double3 normal[15];
  double overlap[15];  ///< o(n)
  double volume_a, volume_b;

  Candidates(const Side& p, const Side& q, const Double3& t) {
    double at_a[3][3], at_b[3][3];  // |n . axis| of the other box for the normals of faces
    for (int k = 0; k < 3; ++k) {
      normal[k] = cross(p.axis[(k + 1) % 3], p.axis[(k + 2) % 3]);
      normal[3 + k] = cross(q.axis[(k + 1) % 3], q.axis[(k + 2) % 3]);
    }
    volume_a = std::fabs(dot(normal[0], p.axis[0]));
    volume_b = std::fabs(dot(normal[3], q.axis[0]));
    for (int k = 0; k < 3; ++k) {
      for (int j = 0; j < 3; ++j) {
        at_a[k][j] = std::fabs(dot(normal[k], q.axis[j]));
        at_b[k][j] = std::fabs(dot(normal[3 + k], p.axis[j]));
      }
      const auto along = [](const double(&x)[3], const double(&h)[3]) { return (h[0] * x[0] + h[1] * x[1]) + h[2] * x[2]; };
      overlap[k] = (p.half[k] * volume_a + along(at_a[k], q.half)) - std::fabs(dot(normal[k], t));
      overlap[3 + k] = (q.half[k] * volume_b + along(at_b[k], p.half)) - std::fabs(dot(normal[3 + k], t));
    }
    for (int i = 0; i < 3; ++i) {
      const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
      for (int j = 0; j < 3; ++j) {
        const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
        const Double3 n = cross(p.axis[i], q.axis[j]);
        normal[6 + 3 * i + j] = n;
        // (a_i x b_j) . a_k is, up to its sign, the product of the normal of the two other axes of A and b_j
        overlap[6 + 3 * i + j] =
            ((p.half[i1] * at_a[i2][j] + p.half[i2] * at_a[i1][j]) + (q.half[j1] * at_b[j2][i] + q.half[j2] * at_b[j1][i])) - std::fabs(dot(n, t));
      }
    }
  }
};

/// A bound on the sine of the angle of two axes with the cross product n, `length` being the product of the greatest lengths.
double sine_of_parallel(const Vec3& x, const Vec3& y, double n, double length) {
  return filter::plainly_parallel(&x.x, &y.x) ? 0 : 16 * (n / length + 4 * kUnitRoundoff);  // 16: lengths differ by a factor of up to 4
}

}  // namespace

std::optional<ConvexPenetration> box_depth(const ConvexSet& a, const ConvexSet& b) {
  const Side p(a), q(b);
  double terms;
  const Double3 t = between(a, b, p, q, terms);
  const double size = terms + (p.extent + q.extent), slack = kSlack * size;
  if (!(size > 0x1p-200 && size < 0x1p200 && p.similar && q.similar)) return std::nullopt;
  const Candidates c(p, q, t);
  const double length[3] = {p.length * p.length, q.length * q.length, p.length * q.length};  // of the axes of a normal: at least |f||s|
  const auto length_of = [&](int k) { return length[k < 3 ? 0 : k < 6 ? 1 : 2]; };
  for (int k = 0; k < 15; ++k)
    if (c.overlap[k] < -slack * length_of(k)) {
      ConvexPenetration apart;
      apart.reason = ConvexPenetration::Reason::apart;
      return apart;
    }
  if (!(c.volume_a > 0x1p-10 * (length[0] * p.length) && c.volume_b > 0x1p-10 * (length[1] * q.length))) return std::nullopt;

  double best = kInfinity, bound = kInfinity, of_best = 0, steepest = 0, parallel = 0;  // `bound` ignores nearly parallel axes
  int which = 0;
  for (int k = 0; k < 15; ++k) {
    const double l = length_of(k), n = std::sqrt(dot(c.normal[k], c.normal[k]));
    if (k >= 6 && n <= kParallel * l) {
      parallel += sine_of_parallel(a.segment[(k - 6) / 3], b.segment[(k - 6) % 3], n, l);
      continue;
    }
    const double inverse = l / n, value = c.overlap[k] / n, error = slack * inverse;
    bound = std::min(bound, value - error);
    steepest = std::max(steepest, inverse);
    if (value < (k < 6 ? best : best * (1 - 0x1p-36))) {
      best = value;
      of_best = error;
      which = k;
    }
  }
  bound -= parallel * size * (1 + 2 * steepest);
  if (!(bound >= best * (1 - 0x1p-32) && best > 0)) return std::nullopt;

  // h(m) <= best + of_best for m of the direction n: moving A by that much along -m separates. 8 u: roundings of the vector.
  const Double3& n = c.normal[which];
  const double over = (dot(n, t) < 0 ? 1 : -1) / std::sqrt(dot(n, n)), far = (best + of_best) * (1 + 8 * kUnitRoundoff);
  ConvexPenetration r;
  r.found = true;
  r.depth = best;
  r.normal = Vec3(n.x * over, n.y * over, n.z * over);
  r.vector = Vec3(r.normal.x * far, r.normal.y * far, r.normal.z * far);
  return r;
}

}  // namespace graze
