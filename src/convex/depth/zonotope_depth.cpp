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
// C does not contain the origin: gap_depth.hpp.
#include "convex/depth/zonotope_depth.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "convex/axes/box_axes_kernels.hpp"
#include "convex/sets/order.hpp"
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
  if constexpr (N == 1) return {c.middle.x, c.middle.y, c.middle.z};
  if constexpr (N == 3) {
    for (int k = 0; k < N; ++k) {
      if (c.lo[k] == -c.hi[k]) continue;
      const TwoDouble twice = two_sum(c.lo[k], c.hi[k]);
      sum = sum + TwoDouble(0.5 * twice.hi, 0.5 * twice.lo) * V3<TwoDouble>{c.axis[k].x, c.axis[k].y, c.axis[k].z};
    }
  }
  return sum;
}
/// The vector from A's middle to B's.
template <int N, int M>
V3<TwoDouble> precise_between(const Zonotope<N>& a, const Zonotope<M>& b) {
  V3<TwoDouble> t = exact_difference(b.base, a.base);
  if (b.terms > 0) t = t + precise_middle(b);  // 0 of boxes about their base point
  if (a.terms > 0) t = t - precise_middle(a);
  return t;
}

/// The same in doubles. Each coordinate is off by at most 7 u of `terms`, which includes its size, and by 2 u of the generators.
template <int N, int M>
Double3 between(const Zonotope<N>& a, const Zonotope<M>& b, double& terms) {
  const Double3 d{b.base.x - a.base.x, b.base.y - a.base.y, b.base.z - a.base.z};
  terms = taxicab(d) + (a.terms + b.terms);
  if (terms <= 16 * ((a.extent + b.extent) + b.radius)) return d + (b.middle - a.middle);
  const V3<TwoDouble> t = precise_between(a, b);  // corners far from the origin of their own frame: the terms may cancel
  terms = terms * 0x1p-40 + (std::fabs(t.x.hi) + std::fabs(t.y.hi) + std::fabs(t.z.hi));  // the sum is off by 2^-98 of the terms, u of itself when rounded
  return {t.x.hi, t.y.hi, t.z.hi};
}

/// Axes whose normal says nothing: see "nearly parallel" above.
double parallel_squared(double length_a, double length_b) { return (kParallel * (length_a * length_b)) * (kParallel * (length_a * length_b)); }
/// What the normals of the neighbours of nearly parallel axes must be above.
double parallel_limit(double level, double squared, double size, double lengths) {
  const double sine = squared > 0 ? std::sqrt(squared) / lengths : 0;
  return level + 8 * size * (sine + 4 * kUnitRoundoff);  // lengths differ by a factor of up to 4
}
/// Whether o(n) / |n| >= limit, from a lower bound of o(n) and from |n|^2.
bool is_above(double clear, double squared, double limit) { return (clear > 0) & (clear * clear >= limit * limit * squared * (1 + 16 * kUnitRoundoff)); }
/// Whether a parallelepiped is nearly flat, from its first face's normal.
bool is_flat(const Zonotope<3>& s, const Double3& n) { return !(std::fabs(dot(n, s.axis[0])) > 0x1p-10 * (s.length * s.length * s.length)); }

/// The normals of a parallelepiped A and a point or segment B: of faces of A from 0 on, then a_i x b_0.
template <int M>
struct Normals {
  static constexpr int kFaces = 3, kCount = kFaces + 3 * M;
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
      if constexpr (M == 1) sum += b.half[0] * std::fabs(dot(n, b.axis[0]));
      set(k, n, sum);
      if constexpr (M == 1) {
        const Double3 m = cross(a.axis[k], b.axis[0]);
        set(kFaces + k, m, a.half[k1] * std::fabs(dot(m, a.axis[k1])) + a.half[k2] * std::fabs(dot(m, a.axis[k2])));
      }
    }
  }
};

/// C contains the origin: A is a parallelepiped, t and `terms` as of `between`.
template <int M>
ProvenDepth overlap_depth(const Zonotope<3>& a, const Zonotope<M>& b, const Double3& t, double terms) {
  constexpr int faces = Normals<M>::kFaces, count = Normals<M>::kCount;
  const double size = terms + (a.extent + b.extent);
  const Normals<M> c(a, b, t);
  const double length[2] = {a.length * a.length, a.length * b.length};  // of the axes of a normal of a face, of edges: at least |f||s|
  double clear[count];                                                  // a lower bound of o(n)
  bool separated = false;
  for (int k = 0; k < count; ++k) {
    const double slack = kSlack * size * length[k >= faces];
    clear[k] = c.overlap[k] - slack;
    separated |= c.overlap[k] < -slack;
  }
  const auto normal_of = [&](int k) { return Double3{c.normal[0][k], c.normal[1][k], c.normal[2][k]}; };
  if (separated || is_flat(a, normal_of(0))) return {};

  // The least value, by squares.
  const double parallel = parallel_squared(a.length, b.length);
  int which = 0, edges = -1;
  for (int k = 1; k < faces; ++k) which = c.square[k] < c.square[which] ? k : which;
  double least_square = c.square[which] * (1 - kPrefer);
  for (int k = faces; k < count; ++k) {
    const bool less = c.square[k] < least_square && c.squared[k] > parallel;
    edges = less ? k : edges;
    least_square = less ? c.square[k] : least_square;
  }
  if (edges >= 0) which = edges;
  const double norm = std::sqrt(c.squared[which]), best = c.overlap[which] / norm, error = kSlack * size * length[which >= faces] / norm;
  const double depth = best + b.radius;
  if (!(best > 0 && 2 * error <= depth * kDepthGap)) return {};

  // All values must be above the least less kDepthGap of the depth.
  const double level = std::max(best - depth * kDepthGap, 0.0) + error;
  for (int k = 0; k < count; ++k) {
    if (k == which || is_above(clear[k], c.squared[k], level)) continue;
    if (!(k >= faces && c.squared[k] <= parallel)) return {};
    const double limit = parallel_limit(level, c.squared[k], size, length[1]);
    for (int o = 1; o < 3; ++o)
      if (const int n = (k - faces + o) % 3; !is_above(clear[n], c.squared[n], limit)) return {};
  }
  const Double3 n = normal_of(which);
  return {Proof::depth, (dot(n, t) < 0 ? 1 : -1) / norm, depth, error, n};
}

/// Two parallelepipeds in doubles.
class BoxPair {
 public:
  BoxPair(const ZonotopeTerms<3>& a, const ZonotopeTerms<3>& b) : boxes_(a, b), zonotope_{Zonotope<3>(a), Zonotope<3>(b)} {}
  ProvenDepth depth() {
    const Zonotope<3>&a = zonotope_[0], &b = zonotope_[1];
    double terms;
    t_ = between(a, b, terms);
    size_ = terms + (a.extent + b.extent);
    if (!(size_ > 0x1p-200 && size_ < 0x1p200 && a.similar && b.similar)) return {};
    length_[0] = a.length * a.length, length_[1] = b.length * b.length, length_[2] = a.length * b.length;
    for (int k = 0; k < 3; ++k) {
      boxes_.t[k] = t_[k];
      boxes_.slack[k] = kSlack * size_ * length_[k];
    }
    boxes_.parallel = parallel_squared(a.length, b.length);
    boxes_.prefer = kPrefer, boxes_.certain = kDepthGap;
    box_axes_kernels().normals(boxes_, c_);
    if (c_.separated) return {Proof::apart};
    if (is_flat(a, normal(0)) || is_flat(b, normal(kRow)) || !(c_.best > 0)) return {};
    if (c_.below != 0 && !settle()) return {};
    // The least value is that of f x s. The vector's direction differs from it by 4.5 u |f||s| / |n|, at most 2^15 * 4.5 u where it was compared.
    const Double3 n = normal(c_.which);
    return {Proof::depth, (dot(n, t_) < 0 ? 1 : -1) / c_.norm, c_.best, c_.error, n};
  }

 private:
  /// By this much of the least value, values that are not compared may be below it: with the same for nearly parallel axes, kDepthGap / 4 twice and 2^-35 for
  /// the arithmetic, less than 1e-9.
  static constexpr double kFollow = 0x1.8p-32;
  static constexpr int kRow = BoxNormals::kRow, kFaces = BoxNormals::kFaces, kMost = 4;

  Double3 normal(int k) const { return {c_.normal[0][k], c_.normal[1][k], c_.normal[2][k]}; }
  static int kind_of(int k) { return k >= kFaces ? 2 : k / kRow; }

  /// Of the values that are not certainly above the least: of nearly parallel axes the bound above, of others more precise values.
  bool settle() {
    const auto above = [&](int k, double limit) { return is_above(c_.clear[k], c_.squared[k], limit); };
    std::uint32_t open = 0;
    for (std::uint32_t below = c_.below; below != 0; below &= below - 1) {
      const int k = std::countr_zero(below);
      if (k % kRow == 3 || (k == c_.which && !c_.shallow)) continue;
      if (k >= kFaces && c_.squared[k] <= boxes_.parallel) {
        const int i = (k - kFaces) / kRow, j = k % kRow;
        const double d = edge_length(i, j, c_.squared[k]);
        for (int o = 1; o < 3 && d > 0; ++o)
          if (!above((i + o) % 3, c_.level + d) || !above(kFaces + kRow * i + (j + o) % 3, c_.level + d)) edge_ = std::max(edge_, d);
      } else {
        open |= 1u << k;
      }
    }
    if (open == 0) return edge_ <= kFollow * c_.best;
    open |= 1u << c_.which;
    precise_t_ = precise_between(zonotope_[0], zonotope_[1]);
    if (!is_moderate()) return false;
    // One face, which the others follow if they are parallel to it but for rounding.
    if (const std::uint32_t of_faces = open & ((1u << kFaces) - 1); of_faces != 0) {
      const std::uint32_t face = c_.which < kFaces ? 1u << c_.which : of_faces & -of_faces;
      if (!compare(face)) return false;
      open &= ~face;
      if (follow_face(open)) open = 0;
    }
    if (!compare(open)) return false;
    if (!(least_.hi > 0 && precise_error_ <= least_.hi * (kDepthGap / 4) && edge_ <= kFollow * least_.hi)) return false;
    c_.best = least_.hi;
    c_.error = precise_error_ + least_.hi * 0x1p-35;
    c_.norm = std::sqrt(c_.squared[c_.which]);
    return true;
  }

  /// Of nearly parallel axes, the length d of the edge that b_j gives; 0 where it gives none, as of equal axes.
  double edge_length(int i, int j, double squared) const {
    const Double3 &u = zonotope_[0].axis[i], &v = zonotope_[1].axis[j];
    if (is_zero(u - v) || is_zero(u + v)) return 0;
    return 2 * zonotope_[1].half[j] * (std::sqrt(squared) + 4 * kUnitRoundoff * length_[2]) / std::sqrt(dot(u, u)) * (1 + 16 * kUnitRoundoff);
  }

  /// Whether no number but 0 is so small that products of the bits of six of them underflow.
  bool is_moderate() const {
    bool good = true;
    const auto add = [&](double x) { good &= x == 0 || std::fabs(x) > 0x1p-100; };
    for (int k = 0; k < 3; ++k) {
      add(precise_t_[k].hi);
      for (const Zonotope<3>& z : zonotope_)
        for (const double x : {z.lo[k], z.hi[k], z.half[k], z.axis[k].x, z.axis[k].y, z.axis[k].z}) add(x);
    }
    return good;
  }

  /// Lowers the least value to those of the open normals, in pairs of doubles.
  bool compare(std::uint32_t open) {
    while (open != 0) {
      int number[kMost], n = 0;
      for (; open != 0 && n < kMost; open &= open - 1) number[n++] = std::countr_zero(open);
      FourNormals in{};
      for (int lane = 0; lane < n; ++lane) load(number[lane], lane, in);
      for (int c = 0; c < 3; ++c) in.t[c] = precise_t_[c].hi, in.t_low[c] = precise_t_[c].lo;
      FourValues out;
      box_axes_kernels().precise(in, out);
      for (int lane = 0; lane < n; ++lane) {
        const int k = number[lane];
        const double most = length_[kind_of(k)];
        if (c_.squared[k] < 0x1p-30 * (most * most)) return false;
        const TwoDouble value(out.value[lane], out.value_low[lane]);
        const double norm = std::sqrt(out.squared[lane]);
        precise_error_ = std::max(precise_error_, 0x1p-92 * (size_ + (zonotope_[0].terms + zonotope_[1].terms)) * most / norm);
        if (!((value - (k < kFaces ? least_ : least_ * TwoDouble(1 - kPrefer / 2))).hi < 0)) continue;
        least_ = value;
        rest_ = out.rest[lane] / norm;
        c_.which = k;
      }
    }
    return true;
  }
  /// Of the other box, the axis most along a face's normal.
  int facing(int k) const {
    const Double3 n = normal(k);
    const Zonotope<3>& other = zonotope_[k < kRow];
    const double x = std::fabs(dot(n, other.axis[0])), y = std::fabs(dot(n, other.axis[1])), z = std::fabs(dot(n, other.axis[2]));
    return x >= y && x >= z ? 0 : y >= z ? 1 : 2;
  }
  void load(int k, int lane, FourNormals& in) const {
    const auto set = [&](double(&to)[3][4], const Double3& v) {
      for (int c = 0; c < 3; ++c) to[c][lane] = v[c];
    };
    const auto generator = [&](int g, int box, int i) {
      const Zonotope<3>& z = zonotope_[box];
      const TwoDouble width = two_sum(z.hi[i % 3], -z.lo[i % 3]);
      set(in.generator[g], z.axis[i % 3]);
      in.half[g][lane] = 0.5 * width.hi, in.half_low[g][lane] = 0.5 * width.lo;
    };
    const int row = k / kRow, i = k % kRow;
    if (k < kFaces) {
      const Zonotope<3>& own = zonotope_[row];
      set(in.f, own.axis[(i + 1) % 3]);
      set(in.s, own.axis[(i + 2) % 3]);
      generator(0, row, i);
      const int first = facing(k);
      for (int g = 0; g < 3; ++g) generator(1 + g, 1 - row, first + g);
    } else {
      set(in.f, zonotope_[0].axis[row - 2]);
      set(in.s, zonotope_[1].axis[i]);
      for (int g = 0; g < 4; ++g) generator(g, g / 2, (g < 2 ? row - 2 : i) + 1 + g % 2);
    }
  }

  /// Whether no open normal has a value below the least one, a face's, by more than kFollow of it. For a box that lies on another: their faces are parallel but
  /// for rounding, and so are the normals of their edges. Let n be the face's unit normal towards B, m one of these, theta their angle. Any
  /// point p of C gives h(m) >= m . p. The one chosen here is in the middle of the other box's face: n . p = h(n) - d, where d is what that face's two axes add
  /// to h(n) (twice that, if p is moved along them), and it is at most rho beside the line along n. So h(m) >= (1 - theta^2 / 2) (h(n) - d) - theta rho.
  bool follow_face(std::uint32_t open) const {
    const int k = c_.which;
    if (k >= kFaces) return false;
    const int own = k / kRow, i = k % kRow, facing_axis = facing(k);
    Double3 n = normal(k);
    const double back = (dot(n, t_) < 0 ? -1 : 1) / std::sqrt(dot(n, n));
    n = back * n;
    // A moves along -n: p = a point of A's face less one of B's.
    Double3 p = -t_;
    const auto move_to_face = [&](int box, int axis) {
      const double half = zonotope_[box].half[axis];
      p = p + (dot(n, zonotope_[box].axis[axis]) > 0 ? half : -half) * zonotope_[box].axis[axis];
    };
    move_to_face(own, i);
    move_to_face(1 - own, facing_axis);
    for (const int box : {own, 1 - own})
      for (int o = 1; o < 3; ++o) {  // towards the line along n
        const int axis = ((box == own ? i : facing_axis) + o) % 3;
        const Double3& v = zonotope_[box].axis[axis];
        const double half = zonotope_[box].half[axis];
        p = p - std::clamp(dot(p, v) / dot(v, v), -half, half) * v;
      }
    const double value = least_.hi, rho = taxicab(p - dot(p, n) * n) + 64 * kUnitRoundoff * size_;
    for (; open != 0; open &= open - 1) {
      const int e = std::countr_zero(open);
      const double most = length_[kind_of(e)];
      if (c_.squared[e] < 0x1p-30 * (most * most)) return false;  // the direction of the others is known to 2^15 * 4.5 u
      Double3 m = normal(e);
      const double scale = (dot(m, n) < 0 ? -1 : 1) / std::sqrt(c_.squared[e]);
      m = scale * m;
      const double theta = taxicab(m - n) + 0x1p-34;
      if (!(dot(m, t_) > 0x1p-30 * size_)) return false;  // h(m) counts, not h(-m)
      if (!(2 * rest_ + theta * rho + theta * theta * value <= kFollow * value)) return false;
    }
    return true;
  }

  /// Axes and half lengths, written before all else: a load of lanes waits until the stores of its numbers are done.
  struct Axes : BoxAxes {
    Axes(const ZonotopeTerms<3>& a, const ZonotopeTerms<3>& b) {
      for (int k = 0; k < 3; ++k) {
        half[0][k] = half[0][k + 3] = 0.5 * (a.hi[k] - a.lo[k]);
        half[1][k] = half[1][k + 3] = 0.5 * (b.hi[k] - b.lo[k]);
        for (int c = 0; c < 3; ++c) {
          axis[0][c][k] = axis[0][c][k + 3] = a.axis[k][c];
          axis[1][c][k] = axis[1][c][k + 3] = b.axis[k][c];
        }
      }
    }
  };
  Axes boxes_;
  Zonotope<3> zonotope_[2];
  Double3 t_;
  double size_, length_[3];  ///< lengths: of the axes of a normal of A, of B, of edges: at least |f||s|
  BoxNormals c_;
  V3<TwoDouble> precise_t_;
  TwoDouble least_ = 0x1p300;
  double precise_error_ = 0, rest_ = 0, edge_ = 0;  ///< edge_: the longest d whose neighbours' values are not certainly above the least by it
};

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
template <int M>
Double3 nearest_point(const Zonotope<3>& a, const Zonotope<M>& b, const Double3& t) {
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
}

/// C does not contain the origin: only the balls overlap. With t from middle to middle, where the bounds of depth_from_gap (gap_depth.hpp) hold for the terms
/// of t, whose sum is off by 7 u of them, with 24 u instead of 15 u.
template <int M>
ProvenDepth box_gap_depth(const Zonotope<3>& a, const Zonotope<M>& b, const Double3& t, double terms) {
  const Double3 x = nearest_point(a, b, t);
  double along = -dot(x, t);
#pragma GCC unroll 3
  for (int k = 0; k < 3; ++k) along -= a.half[k] * std::fabs(dot(x, a.axis[k]));
  if constexpr (M == 1) along -= b.half[0] * std::fabs(dot(x, b.axis[0]));
  return depth_from_gap(x, along, terms + (a.extent + b.extent), b.radius);
}

}  // namespace

template <>
ProvenDepth box_depth(const ZonotopeTerms<3>& a, const ZonotopeTerms<3>& b) {
  return order_of_boxes(a, b) > 0 ? exchanged(BoxPair(b, a).depth()) : BoxPair(a, b).depth();
}
template <int M>
ProvenDepth box_depth(const ZonotopeTerms<3>& terms_a, const ZonotopeTerms<M>& terms_b) {
  const Zonotope<3> a(terms_a);
  const Zonotope<M> b(terms_b);
  double terms;
  const Double3 t = between(a, b, terms);
  const double size = terms + (a.extent + b.extent);
  if (!(size > 0x1p-200 && size < 0x1p200 && a.similar && b.similar)) return {};
  const ProvenDepth p = overlap_depth(a, b, t, terms);
  return p.proof == Proof::none ? box_gap_depth(a, b, t, terms) : p;
}
template ProvenDepth box_depth(const ZonotopeTerms<3>&, const ZonotopeTerms<0>&);
template ProvenDepth box_depth(const ZonotopeTerms<3>&, const ZonotopeTerms<1>&);

ProvenDepth zonotope_depth(const ConvexSet& a, const ConvexSet& b) {
  return with_zonotope(a, [&](const auto& p) { return with_zonotope(b, [&](const auto& q) { return zonotope_depth(p, q); }); });
}

}  // namespace graze
