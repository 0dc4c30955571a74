// Depths in closed form. A has the axes a_i and the half lengths r_i along them, B has b_j and s_j; t is the vector from A's middle to B's, R the sum of the
// radii. C = A - B, without balls, is a zonotope.
//
// C contains the origin (a parallelepiped against another, a segment or a point): by separating axes. Where C has a volume, its facets are spanned by two of
// its generators, so their normals are among the cross products n of two axes. With o(n) = sum r_i |n . a_i| + sum s_j |n . b_j| - |n . t|, moving A by
// o(n) / |n| + R along n separates, and the depth is the least o(n) / |n| + R.
//
// Error bounds, with u = 2^-53. n = f x s is off by at most 3.5 u |f||s|: each component has two products and a difference, and the vector of the sums of the
// products' sizes is at most sqrt(3) |f||s| long. A product n . x with an exact x adds 3 u |n||x|: together below 7 u |f||s||x|. A half length is off by u of
// itself, and each product with one adds u: below 9 u. A coordinate of t is off by at most 7 u of the terms that it is the sum of, D altogether. A sum of at
// most six such terms adds 4 u of all. Hence o is off by less than 20 u |f||s| E, with E = D + sum r_i |a_i| + sum s_j |b_j|, and by 4 u |f||s| E more for n as
// rounded instead of f x s. The quotient o / |n| adds 4 u E: below kSlack |f||s| E / |n| in all. The axis of a segment is off by u of itself, which adds u to n
// and to each product with it, and to t: 3 u more.
//
// Nearly parallel axes a_i and b_j say nothing about their normal n, which is perpendicular to a_i. Among the directions perpendicular to a_i, h is that of the
// projection of C along a_i, a polygon. Without the edge that b_j gives, whose length is at most d = 2 s_j |n| / |a_i|, the polygon has the normals a_i x a_k
// and a_i x b_k for the other k, so that o(n) / |n| is at least the least value of these four (two where B is a segment) less d.
//
// C does not contain the origin: a point x of C that should be the nearest is proposed. The depth is at least R - |x|, and at most R - g, g the least of
// x . w / |x| over w in C. x and g are sums of t and the generators: a coordinate of t is off by 7 u of D, a generator by 3 u of itself (axis, half length,
// place), a sum of five terms by 4 u, |x| by 3 u: below 17 u E. A product with x / |x| adds 3 u and another 4 u for its length: below 24 u E.
#include "convex/zonotope_depth.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "convex/box_axes_kernels.hpp"
#include "convex/order.hpp"
#include "exact/two_double.hpp"
#include "math/limits.hpp"

namespace graze {
namespace {

using Double3 = V3<double>;

constexpr double kSlack = 32 * kUnitRoundoff;
constexpr double kParallel = 0x1p-44;  ///< axes with a smaller sine are taken as nearly parallel: a choice; their value would be off by 3 % of E and more
constexpr double kPrefer = 0x1p-35;    ///< by this much of its square, the value of a pair of edges must be below that of a face

/// The middle less the base point, in pairs of doubles.
template <int N>
V3<TwoDouble> precise_middle(const Zonotope<N>& c) {
  V3<TwoDouble> sum{0, 0, 0};
  for (int k = 0; k < N; ++k) {
    const TwoDouble twice = two_sum(c.lo[k], c.hi[k]);
    sum = sum + TwoDouble(0.5 * twice.hi, 0.5 * twice.lo) * V3<TwoDouble>{c.axis[k].x, c.axis[k].y, c.axis[k].z};
  }
  return sum;
}
/// The vector from A's middle to B's.
template <int N, int M>
V3<TwoDouble> precise_between(const Zonotope<N>& a, const Zonotope<M>& b) {
  return (exact_difference(b.base, a.base) + precise_middle(b)) - precise_middle(a);
}

/// The same in doubles. Each coordinate is off by at most 7 u of `terms`, which includes its size, and by 2 u of the generators.
template <int N, int M>
Double3 between(const Zonotope<N>& a, const Zonotope<M>& b, double& terms) {
  const Double3 d{b.base.x - a.base.x, b.base.y - a.base.y, b.base.z - a.base.z};
  terms = taxicab(d) + (a.terms + b.terms);
  if (N < 3 || terms <= 16 * ((a.extent + b.extent) + b.radius)) return d + (b.middle - a.middle);
  const V3<TwoDouble> t = precise_between(a, b);  // corners far from the origin of their own frame: the terms may cancel
  terms = terms * 0x1p-40 + (std::fabs(t.x.hi) + std::fabs(t.y.hi) + std::fabs(t.z.hi));  // the sum is off by 2^-98 of the terms, u of itself when rounded
  return {t.x.hi, t.y.hi, t.z.hi};
}

/// The normals of a parallelepiped A and a set B of M axes: of faces of A from 0 on, then a_i x b_j at kFaces + kRow i + j.
template <int M>
struct Normals {
  static constexpr int kRow = M, kFaces = 3, kCount = kFaces + 3 * M;
  double normal[3][kCount];
  double squared[kCount], overlap[kCount], square[kCount];  ///< as of BoxNormals

  Normals(const Zonotope<3>& a, const Zonotope<M>& b, const Double3& t) {
    const auto set = [&](int k, const Double3& n, double sum) {
      for (int c = 0; c < 3; ++c) normal[c][k] = n[c];
      squared[k] = dot(n, n);
      overlap[k] = sum - std::fabs(dot(n, t));
      square[k] = (overlap[k] * std::fabs(overlap[k])) / squared[k];
    };
#pragma GCC unroll 3
    for (int k = 0; k < 3; ++k) {
      const int k1 = (k + 1) % 3, k2 = (k + 2) % 3;
      const Double3 n = cross(a.axis[k1], a.axis[k2]);
      double sum = a.half[k] * std::fabs(dot(n, a.axis[k]));
      for (int j = 0; j < M; ++j) sum += b.half[j] * std::fabs(dot(n, b.axis[j]));
      set(k, n, sum);
      if constexpr (M == 1) {
        const Double3 m = cross(a.axis[k], b.axis[0]);
        set(kFaces + k, m, a.half[k1] * std::fabs(dot(m, a.axis[k1])) + a.half[k2] * std::fabs(dot(m, a.axis[k2])));
      }
    }
  }
};
template <>
struct Normals<3> : BoxNormals {
  BoxAxes boxes;

  Normals(const Zonotope<3>& a, const Zonotope<3>& b, const Double3& t) {
    for (int c = 0; c < 3; ++c) boxes.t[c] = t[c];
    for (int k = 0; k < 6; ++k) {
      for (int c = 0; c < 3; ++c) {
        boxes.axis[0][c][k] = a.axis[k % 3][c];
        boxes.axis[1][c][k] = b.axis[k % 3][c];
      }
      boxes.half[0][k] = a.half[k % 3];
      boxes.half[1][k] = b.half[k % 3];
    }
    box_axes_kernels().normals(boxes, *this);
  }
  /// The values o(n) / |n| in pairs of doubles: for shallow boxes.
  class Precise {
   public:
    Precise(BoxAxes& boxes, const Zonotope<3>& a, const Zonotope<3>& b) {
      const V3<TwoDouble> t = precise_between(a, b);
      for (int c = 0; c < 3; ++c) boxes.t[c] = t[c].hi, boxes.t_low[c] = t[c].lo;
      for (int k = 0; k < 6; ++k)
        for (int box = 0; box < 2; ++box) {
          const Zonotope<3>& z = box ? b : a;
          const TwoDouble width = two_sum(z.hi[k % 3], -z.lo[k % 3]);
          boxes.half[box][k] = 0.5 * width.hi, boxes.half_low[box][k] = 0.5 * width.lo;
        }
      box_axes_kernels().precise(boxes, all_);
    }
    TwoDouble value(int k) const { return TwoDouble(all_.overlap[k], all_.overlap_low[k]) / square_root(TwoDouble(all_.squared[k], all_.squared_low[k])); }

   private:
    PreciseOverlaps all_;
  };
};

/// Whether no number but 0 is so small that products of the bits of six of them underflow.
bool is_moderate(const Zonotope<3>& z) {
  bool good = true;
  const auto add = [&](double x) { good &= x == 0 || std::fabs(x) > 0x1p-100; };
  for (int k = 0; k < 3; ++k) {
    for (const double x : {z.base[k], z.lo[k], z.hi[k], z.axis[k].x, z.axis[k].y, z.axis[k].z}) add(x);
  }
  return good;
}

/// C contains the origin, or A and B are parallelepipeds. A is one, t and `terms` as of `between`.
template <int M>
std::optional<ProvenDepth> overlap_depth(const Zonotope<3>& a, const Zonotope<M>& b, const Double3& t, double terms) {
  using All = Normals<M>;
  constexpr int row = All::kRow, faces = All::kFaces, count = All::kCount;
  const double size = terms + (a.extent + b.extent);
  All c(a, b, t);
  const double length[3] = {a.length * a.length, b.length * b.length, a.length * b.length};  // of the axes of a normal: at least |f||s|
  const auto kind_of = [](int k) { return k >= faces ? 2 : M == 3 && k >= row ? 1 : 0; };
  double clear[count];  // a lower bound of o(n)
  bool separated = false;
  for (int k = 0; k < count; ++k) {
    const double slack = kSlack * size * length[kind_of(k)];
    clear[k] = c.overlap[k] - slack;
    separated |= c.overlap[k] < -slack;
  }
  if (separated) return M == 3 ? std::optional(ProvenDepth{true}) : std::nullopt;
  const auto normal_of = [&](int k) { return Double3{c.normal[0][k], c.normal[1][k], c.normal[2][k]}; };
  const auto flat = [&](const auto& s, int k) { return !(std::fabs(dot(normal_of(k), s.axis[0])) > 0x1p-10 * (s.length * s.length * s.length)); };
  if (flat(a, 0)) return std::nullopt;
  if constexpr (M == 3)
    if (flat(b, row)) return std::nullopt;

  // The least value, by squares.
  const double parallel = (kParallel * length[2]) * (kParallel * length[2]);
  int which = 0, edges = -1;
  for (int k = 1; k < faces; ++k) which = c.square[k] < c.square[which] ? k : which;
  double least_square = c.square[which] * (1 - kPrefer);
  for (int k = faces; k < count; ++k) {
    const bool less = c.square[k] < least_square && c.squared[k] > parallel;
    edges = less ? k : edges;
    least_square = less ? c.square[k] : least_square;
  }
  if (edges >= 0) which = edges;
  double norm = std::sqrt(c.squared[which]), best = c.overlap[which] / norm, error = kSlack * size * length[kind_of(which)] / norm;
  if (!(best > 0)) return std::nullopt;

  // All values must be above the least less kDepthGap of the depth, or for a shallow pair above the least and its error: of those that are not, more precise
  // ones are compared.
  const double reach = b.radius, depth = best + reach;
  const bool shallow = !(2 * error <= depth * kDepthGap);
  if (shallow && M < 3) return std::nullopt;
  const double level = shallow ? best + 2 * error : std::max(best - depth * kDepthGap, 0.0) + error;
  const auto above = [&](int k, double limit) { return (clear[k] > 0) & (clear[k] * clear[k] >= limit * limit * c.squared[k] * (1 + 16 * kUnitRoundoff)); };
  bool all_above = !shallow;
  for (int k = 0; k < count; ++k) all_above &= above(k, level);
  // Of those that are not: of nearly parallel axes the bound above, else more precise values.
  std::uint32_t open = 0;
  for (int k = 0; k < count && !all_above; ++k) {
    if ((k == which && !shallow) || (M == 3 && k % row == 3)) continue;
    if (k >= faces && c.squared[k] <= parallel) {
      const int i = (k - faces) / std::max(row, 1), j = (k - faces) % std::max(row, 1);
      const double sine = c.squared[k] > 0 ? std::sqrt(c.squared[k]) / length[2] : 0;
      const double limit = level + 8 * size * (sine + 4 * kUnitRoundoff);  // lengths differ by a factor of up to 4
      for (int o = 1; o < 3; ++o)
        if (!above((i + o) % 3, limit) || (M == 3 && !above(faces + row * i + (j + o) % 3, limit))) return std::nullopt;
    } else if (!above(k, level)) {
      if (M < 3) return std::nullopt;
      open |= 1u << k;
    }
  }
  if constexpr (M == 3) {
    if (open != 0) {
      if (!(is_moderate(a) && is_moderate(b))) return std::nullopt;
      open |= 1u << which;
      const typename All::Precise precise(c.boxes, a, b);
      TwoDouble least = 0x1p300;
      double precise_error = 0;
      for (int k = 0; k < count; ++k) {
        if (!(open >> k & 1)) continue;
        const double most = length[kind_of(k)];
        if (c.squared[k] < 0x1p-30 * (most * most)) return std::nullopt;
        const TwoDouble value = precise.value(k);
        precise_error = std::max(precise_error, 0x1p-92 * (size + (a.terms + b.terms)) * most / std::sqrt(c.squared[k]));
        if ((value - (k < faces ? least : least * TwoDouble(1 - kPrefer / 2))).hi < 0) {
          least = value;
          which = k;
        }
      }
      best = least.hi;
      if (!(best > 0 && precise_error <= best * (kDepthGap / 4))) return std::nullopt;
      error = precise_error + best * 0x1p-35;
      norm = std::sqrt(c.squared[which]);
    }
  }
  // Above: h(n) of the rounded n. Here: of n itself, which the vector's direction differs from by 4.5 u |f||s| / |n|, at most 2^15 * 4.5 u where
  // it was compared.
  const Double3 n = normal_of(which);
  return ProvenDepth{false, (dot(n, t) < 0 ? 1 : -1) / norm, best + reach, error, n};
}

/// The place on a segment, y + s d with s in [-1, 1], that is nearest to the box of the points |x_k| <= half_k, in a frame whose axes are perpendicular and
/// have the given squared lengths. Half the slope of the squared distance is piecewise linear in s and increases; it bends at six places at most.
double nearest_to_box(const double (&y)[3], const double (&d)[3], const double (&half)[3], const double (&squared)[3]) {
  const auto slope = [&](double s) {
    double sum = 0;
#pragma GCC unroll 3
    for (int k = 0; k < 3; ++k) {
      const double x = y[k] + s * d[k];
      sum += (squared[k] * d[k]) * (x - std::clamp(x, -half[k], half[k]));
    }
    return sum;
  };
  double low = -1, high = 1, at_low = slope(low), at_high = slope(high);
  if (!(at_low < 0)) return low;
  if (!(at_high > 0)) return high;
  for (int k = 0; k < 3; ++k)
    for (const double side : {-half[k], half[k]}) {
      const double s = (side - y[k]) / d[k];
      if (!(s > low && s < high)) continue;
      if (const double value = slope(s); value < 0)
        low = s, at_low = value;
      else
        high = s, at_high = value;
    }
  return std::clamp(low + (high - low) * (at_low / (at_low - at_high)), low, high);
}

/// A point of A - B that should be the nearest to the origin.
template <int N, int M>
Double3 nearest_point(const Zonotope<N>& a, const Zonotope<M>& b, const Double3& t) {
  const auto quotient = [](double x, double y) { return y > 0 ? std::clamp(x / y, -1.0, 1.0) : 0.0; };
  if constexpr (N == 3) {
    double y[3], d[3] = {0, 0, 0}, squared[3], s = 0;
#pragma GCC unroll 3
    for (int k = 0; k < 3; ++k) {
      squared[k] = dot(a.axis[k], a.axis[k]);
      y[k] = dot(a.axis[k], t) / squared[k];
      if constexpr (M == 1) d[k] = 0.5 * dot(a.axis[k], b.axis[0]) / squared[k];
    }
    Double3 x = -t;
    if constexpr (M == 1) {
      s = nearest_to_box(y, d, a.half, squared);
      x = x - (0.5 * s) * b.axis[0];
    }
#pragma GCC unroll 3
    for (int k = 0; k < 3; ++k) x = x + std::clamp(y[k] + s * d[k], -a.half[k], a.half[k]) * a.axis[k];
    return x;
  } else if constexpr (N == 1) {
    const Double3 d = a.middle;
    const double dd = dot(d, d), dt = dot(d, t);
    if constexpr (M == 0) return quotient(dt, dd) * d - t;
    // The nearest points of the lines, clamped, then each recomputed for the other.
    const Double3 e = b.middle;
    const double ee = dot(e, e), de = dot(d, e), et = dot(e, t), det = dd * ee - de * de;
    const double j = quotient(quotient(dt * ee - de * et, det) * de - et, ee), i = quotient(j * de + dt, dd);
    return (i * d - j * e) - t;
  } else {
    return -t;
  }
}

/// C does not contain the origin: only the balls overlap.
template <int N, int M>
std::optional<ProvenDepth> gap_depth(const Zonotope<N>& a, const Zonotope<M>& b, const Double3& t, double terms) {
  const Double3 x = nearest_point(a, b, t);
  const double size = terms + (a.extent + b.extent), length = std::sqrt(dot(x, x)), reach = a.radius + b.radius;
  if (!(length > 0x1p-60 * size && reach < 0x1p200)) return std::nullopt;
  const double back = 1 / length;
  const Double3 n{x.x * back, x.y * back, x.z * back};
  double gap = -dot(n, t);
#pragma GCC unroll 3
  for (int k = 0; k < N; ++k) gap -= a.half[k] * std::fabs(dot(n, a.axis[k]));
#pragma GCC unroll 3
  for (int k = 0; k < M; ++k) gap -= b.half[k] * std::fabs(dot(n, b.axis[k]));
  const double error = kSlack * size + 4 * kUnitRoundoff * reach, value = reach - gap;
  if (gap - error > reach) return ProvenDepth{true};
  if (!(gap > error && (value + error) - (reach - length - error) <= value * kDepthGap)) return std::nullopt;
  return ProvenDepth{false, 1, value, error, n};
}

/// Which of two segments or parallelepipeds comes first: as of two ConvexSets.
template <int N>
int order_of_zonotopes(const Zonotope<N>& a, const Zonotope<N>& b) {
  if (const int s = order_of(a.base, b.base)) return s;
  if constexpr (N == 1) {
    if (const int s = order_of(a.end, b.end)) return s;
  } else {
    for (int k = 0; k < N; ++k) {
      for (int i = 0; i < 3; ++i)
        if (const int s = order_of(a.axis[k][i], b.axis[k][i])) return s;
      if (const int s = order_of(a.lo[k], b.lo[k])) return s;
      if (const int s = order_of(a.hi[k], b.hi[k])) return s;
    }
  }
  return order_of(a.radius, b.radius);
}

std::optional<ProvenDepth> negated(const std::optional<ProvenDepth>& p) { return p ? std::optional(exchanged(*p)) : p; }

template <class F>
auto with_zonotope(const ConvexSet& c, const F& f) {
  if (c.segments == 3) return f(Zonotope<3>(c.base(0), {c.segment[0], c.segment[1], c.segment[2]}, {c.lo[0], c.lo[1], c.lo[2]}, {c.hi[0], c.hi[1], c.hi[2]}));
  if (c.points == 2) return f(Zonotope<1>(c.base(0), c.base(1), c.radius));
  return f(Zonotope<0>(c.base(0), c.radius));
}

}  // namespace

template <int N, int M>
std::optional<ProvenDepth> zonotope_depth(const Zonotope<N>& a, const Zonotope<M>& b) {
  if constexpr (N < M) {
    return negated(zonotope_depth(b, a));
  } else {
    if constexpr (N == M && N > 0)
      if (order_of_zonotopes(a, b) > 0) return negated(zonotope_depth(b, a));
    double terms;
    const Double3 t = between(a, b, terms);
    const double size = terms + (a.extent + b.extent);
    if (!(size > 0x1p-200 && size < 0x1p200 && a.similar && b.similar)) return std::nullopt;
    if constexpr (M == 3) {
      return overlap_depth(a, b, t, terms);
    } else {
      if constexpr (N == 3)
        if (const auto p = overlap_depth(a, b, t, terms)) return p;
      return gap_depth(a, b, t, terms);
    }
  }
}

template std::optional<ProvenDepth> zonotope_depth(const Zonotope<0>&, const Zonotope<0>&);
template std::optional<ProvenDepth> zonotope_depth(const Zonotope<0>&, const Zonotope<1>&);
template std::optional<ProvenDepth> zonotope_depth(const Zonotope<0>&, const Zonotope<3>&);
template std::optional<ProvenDepth> zonotope_depth(const Zonotope<1>&, const Zonotope<0>&);
template std::optional<ProvenDepth> zonotope_depth(const Zonotope<1>&, const Zonotope<1>&);
template std::optional<ProvenDepth> zonotope_depth(const Zonotope<1>&, const Zonotope<3>&);
template std::optional<ProvenDepth> zonotope_depth(const Zonotope<3>&, const Zonotope<0>&);
template std::optional<ProvenDepth> zonotope_depth(const Zonotope<3>&, const Zonotope<1>&);
template std::optional<ProvenDepth> zonotope_depth(const Zonotope<3>&, const Zonotope<3>&);

std::optional<ProvenDepth> zonotope_depth(const ConvexSet& a, const ConvexSet& b) {
  return with_zonotope(a, [&](const auto& p) { return with_zonotope(b, [&](const auto& q) { return zonotope_depth(p, q); }); });
}

}  // namespace graze
