// Oriented boxes (parallelepipeds: axes of any length and angle) by separating axes.
// A = { a + sum s_i u_i : |s_i| <= 1 }, u_i = half_i axis_i, B the same with b, v_j. With t = b - a they meet exactly when t lies in the zonotope of the six
// generators u_i, v_j. If that has an interior, its facets are spanned by two independent generators, so it is enough to test the normals u_i x u_j, v_i x v_j,
// u_i x v_j: t is outside when |n . t| > sum |n . u_i| + sum |n . v_j| for one of them, and inside when for none. All products with one normal come from the
// six cofactors U_k = u_i x u_j and V_k: (u_i x v_j) . u_k = +-U_m . v_j, and (u_i x v_j) . t = u_i . (v_j x t).
#include "pairs/obb_obb.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "exact/fine.hpp"
#include "exact/predicates-inl.hpp"
#include "exact/tiered.hpp"
#include "pairs/detail/obb_generators.hpp"

namespace graze {

namespace filter {
#include "pairs/obb_obb-inl.hpp"
}

namespace {

using namespace filter;

/// The result in doubles: an axis certainly separates; otherwise the uncertain axes, as bits: 0..2 faces of A, 3..5 faces of B, 6 + 3 i + j for u_i x v_j; and
/// whether A or B certainly has a volume.
struct View {
  bool separated = false, volume = false;
  unsigned undecided = 0;
};

/// Computes the cofactors of a and b when they are needed. `d` is the size of t with its error.
View view_of(Generators<double>& a, Generators<double>& b, const Triple& t, double d) {
  View r;
  const AxisSlacks<double> slack(d, a.size, b.size);
  if (!slack.in_range) {
    r.undecided = 0x7FFF;
    return r;
  }
  double p[3][3], q[3][3], gap_a[3], gap_b[3], gap[9];
  a.set_cofactors();
  const double det_a = face_gaps(a, b, t, p, gap_a);
  const double most_a = std::max(std::max(gap_a[0], gap_a[1]), gap_a[2]);
  if (most_a > slack.a) {
    r.separated = true;
    return r;
  }
  b.set_cofactors();
  const double det_b = face_gaps(b, a, t, q, gap_b);
  const double most_b = std::max(std::max(gap_b[0], gap_b[1]), gap_b[2]);
  if (most_b > slack.b) {
    r.separated = true;
    return r;
  }
  edge_gaps(a, b, t, p, q, gap);
  double most = -slack.ab - slack.ab;
#pragma GCC unroll 9
  for (const double g : gap) most = std::max(most, g);
  r.separated = most > slack.ab;
  r.volume = (det_a > slack.a) | (det_b > slack.b);
  if (static_cast<int>(most_a < -slack.a) + static_cast<int>(most_b < -slack.b) + static_cast<int>(most < -slack.ab) == 3 || r.separated) return r;
  for (int k = 0; k < 3; ++k) r.undecided |= (gap_a[k] < -slack.a ? 0u : 1u) << k | (gap_b[k] < -slack.b ? 0u : 8u) << k;
  for (int k = 0; k < 9; ++k) r.undecided |= (gap[k] < -slack.ab ? 0u : 64u) << k;
  return r;
}

// ---- undecided axes: in doubles with a sharper bound, then exactly ----

constexpr double kAxisSlack = 16;

template <int Bits>
auto absolute(const Fixed<Bits>& x) {
  const auto negated = -x;
  return x.negative() ? negated : x + Fixed<1>::from(0);
}
inline BigInt absolute(const BigInt& x) { return boost::multiprecision::abs(x); }

template <class A, class B>
auto dot3(const A* a, const B& b, int at) {
  return a[0] * b[at] + a[1] * b[at + 1] + a[2] * b[at + 2];
}

/// The pair scaled by two, so that a centre is the sum of two corners. Lengths: 0..5 two points of A and 6..11 two of B whose sums are the doubled centres;
/// 12..17 the greatest coefficients of the axes of A and B, 18..23 the least. Axes: those of A (0..8), of B (9..17), and 1, which makes both sides of one
/// degree.
struct Exact {
  std::array<double, 24> lengths{};
  std::array<double, 19> axes{};
  void set_corners(int side, const Vec3& p, const Vec3& q) {
    for (int k = 0; k < 3; ++k) lengths[6 * side + k] = p[k], lengths[6 * side + 3 + k] = q[k];
  }
  void set_axis(int side, int k, const Vec3& axis, double least, double greatest) {
    for (int c = 0; c < 3; ++c) axes[9 * side + 3 * k + c] = axis[c];
    lengths[12 + 3 * side + k] = greatest;
    lengths[18 + 3 * side + k] = least;
  }
  void set(int side, const OrientedBox& b) {
    set_corners(side, b.center, b.center);
    for (int k = 0; k < 3; ++k) set_axis(side, k, b.axes[k], -b.half[k], b.half[k]);
  }
  void set(int side, const Box& b) {
    set_corners(side, b.min, b.max);
    for (int k = 0; k < 3; ++k) set_axis(side, k, Vec3(k == 0, k == 1, k == 2), b.min[k], b.max[k]);
  }
  void set(int side, const Point& p) { set_corners(side, p.point, p.point); }
};

inline Fine absolute(const Fine& x) { return x.v.hi < 0 ? -x : x; }
inline Rough absolute(const Rough& x) { return x.m < 0 ? -x : x; }

/// The generators that do not span the normal; the two that do have no extent along it.
struct Others {
  int k[4];
  Others(int first, int second) {
    int n = 0;
    for (int i = 0; i < 6; ++i)
      if (i != first && i != second) k[n++] = i;
  }
};

/// One axis in doubles with the sizes of its own terms: sharper than `view_of`, which uses the largest of all. Returns kUnknown when not certain.
/// Error bound. n = f x s has 2 u of |f||s| as the products have it (P), t 2 u of the differences that it is the sum of (T), a width u. n . t and an extent |n
/// . axis| width have so (2 + 2 + 1 + 2) u of P . T and (2 + 1 + 2 + 1 + 1) u of (P . |axis|) width, the sum of four and the last difference 4 u more: below 12
/// u of all. Underflow loses less than 2^-1070 (T + 1 + widths), for widths below 2^300 nothing beside 2^-700; `view_of` ensures that t is of this size.
int axis_sign_in_doubles(const Exact& e, int first, int second, const Others& others) {
  const double *f = &e.axes[static_cast<std::size_t>(3 * first)], *s = &e.axes[static_cast<std::size_t>(3 * second)], *x = e.lengths.data();
  const Triple n = cross(Triple{f[0], f[1], f[2]}, Triple{s[0], s[1], s[2]});
  const auto both = [&](int i, int j) { return std::fabs(f[i] * s[j]) + std::fabs(f[j] * s[i]); };
  const Triple size{both(1, 2), both(2, 0), both(0, 1)};
  const Triple d{x[6] - x[0], x[7] - x[1], x[8] - x[2]}, g{x[9] - x[3], x[10] - x[4], x[11] - x[5]};
  double reach = 0, widths = 0, all = dot(size, {std::fabs(d.x) + std::fabs(g.x), std::fabs(d.y) + std::fabs(g.y), std::fabs(d.z) + std::fabs(g.z)});
#pragma GCC unroll 4
  for (const int k : others.k) {
    const double *axis = &e.axes[static_cast<std::size_t>(3 * k)], width = x[12 + k] - x[18 + k];
    reach += std::fabs(dot(n, {axis[0], axis[1], axis[2]})) * width;
    all += dot(size, {std::fabs(axis[0]), std::fabs(axis[1]), std::fabs(axis[2])}) * width;
    widths += width;
  }
  const double gap = std::fabs(dot(n, {d.x + g.x, d.y + g.y, d.z + g.z})) - reach, bound = all * (kAxisSlack * kUnitRoundoff) + 0x1p-700;
  if (!((widths < 0x1p300) & (std::fabs(gap) > bound))) return kUnknown;
  ++predicate_counts().filter;
  return gap > 0 ? 1 : -1;
}

/// The same in pairs of doubles with a running bound: decides pairs that are near contact but not in it.
template <class F>
[[gnu::noinline]] int sign_in_pairs(const Exact& e, const F& formula) {
  std::array<Fine, 24> lengths;
  std::array<Fine, 19> axes;
  bool in_range = true;
  const auto fine = [&](double v) {
    in_range &= moderate(v);
    return Fine(v);
  };
  convert(e.lengths, lengths, fine);
  convert(e.axes, axes, fine);
  const int s = in_range ? sign_of(formula(lengths, axes)) : kUnknown;
  predicate_counts().pairs += s != kUnknown;
  return s;
}

/// Sign of |n . t| - sum |n . generators| for n = axis `first` x axis `second` (0..2 of A, 3..5 of B); 0 when those are parallel.
int axis_sign(const Exact& e, int first, int second) {
  const Others others(first, second);
  const auto formula = [&](const auto& x, const auto& y) {
    const int f = 3 * first, s = 3 * second;
    const auto n = std::array{formula::det2(y[f + 1], y[f + 2], y[s + 1], y[s + 2]), formula::det2(y[f + 2], y[f], y[s + 2], y[s]),
                              formula::det2(y[f], y[f + 1], y[s], y[s + 1])};
    auto apart = [&](int k) { return (x[6 + k] - x[k]) + (x[9 + k] - x[3 + k]); };
    auto reach = [&](int k) { return absolute(n[0] * y[3 * k] + n[1] * y[3 * k + 1] + n[2] * y[3 * k + 2]) * (x[12 + k] - x[18 + k]); };
    return absolute(n[0] * apart(0) + n[1] * apart(1) + n[2] * apart(2)) * y[18] -
           ((reach(others.k[0]) + reach(others.k[1])) + (reach(others.k[2]) + reach(others.k[3])));
  };
  int s = axis_sign_in_doubles(e, first, second, others);
  if (s != kUnknown) return s;
  std::array<Fixed<62>, 24> lengths;
  std::array<Fixed<62>, 19> axes;
  if (narrow_integers(e.lengths, lengths) && narrow_integers(e.axes, axes)) {  // exact contact usually ends here
    ++predicate_counts().fixed;
    return sign_of(formula(lengths, axes));
  }
  s = sign_in_pairs(e, formula);
  return s != kUnknown ? s : sign_by_integers(e.lengths, e.axes, formula);
}

/// Whether the axes are equal, opposite, or both along one coordinate axis. Their cross product is then exactly 0 and separates nothing. These are the most
/// common axes that doubles leave undecided.
bool plainly_parallel(const double* a, const double* b) {
  const int zeros_a = (a[0] == 0) | (a[1] == 0) << 1 | (a[2] == 0) << 2, zeros_b = (b[0] == 0) | (b[1] == 0) << 1 | (b[2] == 0) << 2;
  if (zeros_a == zeros_b && (zeros_a == 3 || zeros_a == 5 || zeros_a == 6)) return true;
  return (a[0] == b[0] && a[1] == b[1] && a[2] == b[2]) || (a[0] == -b[0] && a[1] == -b[1] && a[2] == -b[2]);
}

/// Decides the axes that doubles leave undecided.
template <class A, class B>
[[gnu::noinline]] Certain decide_open_axes(const A& a, const B& b, const View& view) {
  if (!view.volume) return Certain::unknown;
  Exact e;
  e.axes[18] = 1;
  e.set(0, a);
  e.set(1, b);
  for (int k = 0; k < 15; ++k) {
    if (!(view.undecided >> k & 1)) continue;
    const int first = k < 3 ? (k + 1) % 3 : k < 6 ? 3 + (k + 1) % 3 : (k - 6) / 3;
    const int second = k < 3 ? (k + 2) % 3 : k < 6 ? 3 + (k + 2) % 3 : 3 + (k - 6) % 3;
    if (plainly_parallel(&e.axes[3 * first], &e.axes[3 * second])) continue;
    if (axis_sign(e, first, second) > 0) return Certain::no;
  }
  return Certain::yes;
}

template <class A, class B>
Certain decide(const A& a, const B& b, const View& view) {
  if (view.separated) return Certain::no;
  if (view.undecided == 0 && view.volume) return Certain::yes;
  return decide_open_axes(a, b, view);
}

inline void set(Generators<double>& g, const OrientedBox& b) {
  for (int k = 0; k < 3; ++k) g.u[k] = generator(b, k);
  g.set_size();
}

/// Stores the middle of the box, off by u times the size returned, and its generators.
inline double set(Generators<double>& g, const Box& a, Vec3& center) {
  center = Vec3(a.min.x * 0.5 + a.max.x * 0.5, a.min.y * 0.5 + a.max.y * 0.5, a.min.z * 0.5 + a.max.z * 0.5);
  for (int k = 0; k < 3; ++k) {
    const double half = (a.max[k] - a.min[k]) * 0.5;
    g.u[k] = {k == 0 ? half : 0, k == 1 ? half : 0, k == 2 ? half : 0};
  }
  g.set_size();
  return std::max(max_norm(vector(a.min)), max_norm(vector(a.max)));
}

/// Generators of a RoundedBox are off by 2 u, so that 17 u replace the 14 u of obb_obb-inl.hpp, which has room for 16: an eighth of the extent is added.
double more(double d, const Generators<double>& a, const Generators<double>& b) { return 1.125 * d + 0.375 * (a.size + b.size); }

/// Where one of the boxes is rounded, what the filter leaves open stays open. `off`: of the difference of the centres.
Certain decide_rounded(Generators<double>& a, Generators<double>& b, const Triple& t, double off) {
  const View view = view_of(a, b, t, more(max_norm(t) + off, a, b));
  return view.separated ? Certain::no : view.undecided == 0 && view.volume ? Certain::yes : Certain::unknown;
}
Certain decide_rounded(const OrientedBox& a, const OrientedBox& b, double off) {
  Generators<double> g, h;
  set(g, a);
  set(h, b);
  return decide_rounded(g, h, difference(b.center, a.center), off);
}

/// Generators of a box and a point relative to its centre.
struct PointView {
  Generators<double> g;
  Triple t;
  PointView(const Point& p, const OrientedBox& b) : t(difference(p.point, b.center)) {
    set(g, b);
    g.set_cofactors();
  }
  View view(double distance) const {
    const double det = std::fabs(dot(g.cofactor[0], g.u[0])), extent = distance + g.size;
    const double slack = (96 * kUnitRoundoff * extent) * (g.size * g.size);  // as in `view_of`
    View view;
    if (slack > 0x1p-900 && extent < 0x1p300) {
      for (int k = 0; k < 3; ++k) {
        const double gap = std::fabs(dot(g.cofactor[k], t)) - det;
        view.separated |= gap > slack;
        view.undecided |= (gap < -slack ? 0u : 1u) << k;
      }
      view.volume = det > slack;
    }
    return view;
  }
};

// ---- boxes along the coordinate axes, as in many models: sums of two doubles, compared exactly ----

/// Returns whether the axes are unit vectors along the three coordinates, in any order and direction; if so, stores the half sizes by coordinate.
bool along_coordinates(const OrientedBox& b, Vec3& half) {
  unsigned found = 0;
  for (int k = 0; k < 3; ++k) {
    const Vec3& axis = b.axes[k];
    if ((axis.x == 0) + (axis.y == 0) + (axis.z == 0) != 2) return false;  // most boxes return here
    const int c = axis.x != 0 ? 0 : axis.y != 0 ? 1 : 2;
    if (std::fabs(axis[c]) != 1) return false;
    half[c] = b.half[k];
    found |= 1u << c;
  }
  return found == 7;
}

/// Whether x - y > r + s. Rounding keeps the order; where both sides round to one number, the errors decide. Nothing here overflows below 2^1000.
bool exceeds(double x, double y, double r, double s) {
  const TwoDouble left = two_sum(x, -y), right = two_sum(r, s);
  return left.hi > right.hi || (left.hi == right.hi && left.lo > right.lo);
}
bool below(const Vec3& v, double limit) { return max_norm(vector(v)) < limit; }

}  // namespace

Certain intersects_pair(const OrientedBox& a, const OrientedBox& b) {
  Vec3 r, s;
  if (along_coordinates(a, r) && along_coordinates(b, s) && below(a.center, 0x1p1000) && below(b.center, 0x1p1000) && below(r, 0x1p1000) &&
      below(s, 0x1p1000)) {
    bool apart = false;
    for (int k = 0; k < 3; ++k) apart |= exceeds(std::max(a.center[k], b.center[k]), std::min(a.center[k], b.center[k]), r[k], s[k]);
    return certain(!apart);
  }
  const Triple t = difference(b.center, a.center);
  Generators<double> g, h;
  set(g, a);
  set(h, b);
  return decide(a, b, view_of(g, h, t, max_norm(t)));
}

Certain intersects_pair(const Box& a, const OrientedBox& b) {
  Vec3 half;
  if (along_coordinates(b, half) && below(a.min, 0x1p1000) && below(a.max, 0x1p1000) && below(b.center, 0x1p1000) && below(half, 0x1p1000)) {
    bool apart = false;
    for (int k = 0; k < 3; ++k) apart |= exceeds(b.center[k], a.max[k], half[k], 0) || exceeds(a.min[k], b.center[k], half[k], 0);
    return certain(!apart);
  }
  Generators<double> g, h;
  Vec3 center;
  const double size = set(g, a, center);
  set(h, b);
  const Triple t = difference(b.center, center);
  return decide(a, b, view_of(g, h, t, max_norm(t) + size));
}

Certain intersects_pair(const Point& p, const OrientedBox& b) {
  const PointView at(p, b);
  return decide(b, p, at.view(max_norm(at.t)));
}

Certain intersects_pair(const OrientedBox& a, const RoundedBox& b) { return decide_rounded(a, b.box, b.off); }
Certain intersects_pair(const RoundedBox& a, const RoundedBox& b) { return decide_rounded(a.box, b.box, a.off + b.off); }
Certain intersects_pair(const Box& a, const RoundedBox& b) {
  Generators<double> g, h;
  Vec3 center;
  const double size = set(g, a, center);
  set(h, b.box);
  return decide_rounded(g, h, difference(b.box.center, center), size + b.off);
}
Certain intersects_pair(const Point& p, const RoundedBox& b) {
  const PointView at(p, b.box);
  const View view = at.view(1.25 * (max_norm(at.t) + b.off) + 0.25 * at.g.size);
  return view.separated ? Certain::no : view.undecided == 0 && view.volume ? Certain::yes : Certain::unknown;
}

}  // namespace graze
