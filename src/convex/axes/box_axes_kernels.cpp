// The separating axes of two boxes in SIMD lanes.
#include "convex/axes/box_axes_kernels.hpp"

#define HWY_COMPILE_ALL_ATTAINABLE
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "convex/axes/box_axes_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "math/two_double-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace graze {
namespace HWY_NAMESPACE {
namespace {
using namespace lanes;

using D = hn::CappedTag<double, BoxNormals::kRow>;
using V = hn::Vec<D>;
constexpr int kLanes = hn::MaxLanes(D());
constexpr double kNoValue = 0x1p1000;

HWY_INLINE V load(const double* p) { return hn::LoadU(D(), p); }
HWY_INLINE void store(V x, double* p) { hn::StoreU(x, D(), p); }
HWY_INLINE Point3<V> lanes_of(const double (&axes)[3][6], int from) { return {load(axes[0] + from), load(axes[1] + from), load(axes[2] + from)}; }
HWY_INLINE Point3<V> one(const double (&axes)[3][6], int i) { return {constant<V>(axes[0][i]), constant<V>(axes[1][i]), constant<V>(axes[2][i])}; }

HWY_INLINE std::uint32_t bits_of(Mask<V> m) {
  std::uint8_t bits[8];
  hn::StoreMaskBits(D(), m, bits);
  return bits[0];
}

/// Of four lanes the last of which is the first again; kNoValue for none.
HWY_INLINE double least_of(const double (&x)[BoxNormals::kRow]) {
  double least = x[0] < kNoValue ? x[0] : kNoValue;
  least = x[1] < least ? x[1] : least;
  return x[2] < least ? x[2] : least;
}

/// The least value by squares, and whether all values are certainly above it.
HWY_INLINE void find_least(const BoxAxes& boxes, BoxNormals& out) {
  constexpr int row = BoxNormals::kRow, faces = BoxNormals::kFaces;
  double of_faces[row], of_edges[row];
  for (int l = 0; l < row; l += kLanes) {
    V least = constant<V>(kNoValue);
    for (int k = l; k < faces; k += row) {
      const V x = load(out.square + k);
      least = select(x < least, x, least);
    }
    store(least, of_faces + l);
    least = constant<V>(kNoValue);
    for (int k = faces + l; k < BoxNormals::kCount; k += row) {
      const V x = load(out.square + k);
      least = select((x < least) & (load(out.squared + k) > boxes.parallel), x, least);
    }
    store(least, of_edges + l);
  }
  const double face = least_of(of_faces), edge = least_of(of_edges);
  const bool edges = edge < face * (1 - boxes.prefer);
  const double least = edges ? edge : face;
  std::uint32_t equal = 0;  // without branches: which normal it is cannot be predicted
  for (int k = 0; k < BoxNormals::kCount; k += kLanes) {
    const auto same = load(out.square + k) == constant<V>(least);
    equal |= bits_of(k < faces ? same : same & (load(out.squared + k) > boxes.parallel)) << k;
  }
  equal &= ((1u << faces) - 1) ^ (0u - static_cast<std::uint32_t>(edges));
  out.which = equal ? std::countr_zero(equal) : 0;
  const double slack = boxes.slack[std::min(out.which / row, 2)], norm = std::sqrt(out.squared[out.which]);
  const double best = equal ? out.overlap[out.which] / norm : 0;
  const double error = slack / norm;
  out.norm = norm, out.best = best, out.error = error;
  out.shallow = !(2 * error <= best * boxes.certain);
  const double rest = best - best * boxes.certain;
  out.level = out.shallow ? best + 2 * error : (rest > 0 ? rest : 0) + error;
  const V level = constant<V>(out.level * out.level);
  out.below = 0;
  for (int k = 0; k < BoxNormals::kCount; k += kLanes) {
    const V clear = load(out.clear + k);
    const auto below = !((clear > 0.0) & (clear * clear >= (level * load(out.squared + k)) * (1 + 0x1p-49)));
    out.below |= bits_of(below) << k;
  }
}

void normals(const BoxAxes& boxes, BoxNormals& out) {
  const Point3<V> t{constant<V>(boxes.t[0]), constant<V>(boxes.t[1]), constant<V>(boxes.t[2])};
  const auto &a = boxes.axis[0], &b = boxes.axis[1];
  auto separated = constant<V>(0) > constant<V>(1);
  const auto set = [&](const Point3<V>& n, V sum, double slack, int at) {
    const V squared = dot(n, n), overlap = sum - abs(dot(n, t)), clear = overlap - slack;
    separated = separated | (overlap < -slack);
    store(n.x, out.normal[0] + at);
    store(n.y, out.normal[1] + at);
    store(n.z, out.normal[2] + at);
    store(squared, out.squared + at);
    store(overlap, out.overlap + at);
    store((overlap * abs(overlap)) / squared, out.square + at);
    store(clear, out.clear + at);
  };
  for (int l = 0; l < BoxNormals::kRow; l += kLanes) {
    for (int box = 0; box < 2; ++box) {
      const auto &own = boxes.axis[box], &other = boxes.axis[1 - box];
      const Point3<V> n = cross(lanes_of(own, l + 1), lanes_of(own, l + 2));
      V sum = load(boxes.half[box] + l) * abs(dot(n, lanes_of(own, l)));
#pragma GCC unroll 3
      for (int j = 0; j < 3; ++j) sum = sum + boxes.half[1 - box][j] * abs(dot(n, one(other, j)));
      set(n, sum, boxes.slack[box], box * BoxNormals::kRow + l);
    }
    for (int i = 0; i < 3; ++i) {
      const Point3<V> n = cross(one(a, i), lanes_of(b, l));
      V sum = boxes.half[0][i + 1] * abs(dot(n, one(a, i + 1))) + boxes.half[0][i + 2] * abs(dot(n, one(a, i + 2)));
#pragma GCC unroll 2
      for (int j = 1; j < 3; ++j) sum = sum + load(boxes.half[1] + l + j) * abs(dot(n, lanes_of(b, l + j)));
      set(n, sum, boxes.slack[2], BoxNormals::kFaces + i * BoxNormals::kRow + l);
    }
  }
  out.separated = !hn::AllFalse(D(), separated);
  find_least(boxes, out);
}

HWY_INLINE Two<V> magnitude(const Two<V>& x) {
  const auto negative = x.hi < 0.0;
  return {select(negative, -x.hi, x.hi), select(negative, -x.lo, x.lo)};
}
/// With a double: one product less than with a pair.
HWY_INLINE Two<V> times(const Two<V>& a, V b) {
  const Two<V> p = two_product(a.hi, b);
  return quick_two_sum(p.hi, p.lo + a.lo * b);
}
/// As of exact/two_double.hpp.
HWY_INLINE Two<V> square_root(const Two<V>& a) {
  const V x = sqrt(a.hi);
  return quick_two_sum(x, (a - two_product(x, x)).hi / (x + x));
}
HWY_INLINE Two<V> quotient(const Two<V>& a, const Two<V>& b) {
  const V q = a.hi / b.hi;
  return quick_two_sum(q, (a - times(b, q)).hi / b.hi);
}

void precise(const FourNormals& in, FourValues& out) {
  for (int l = 0; l < BoxNormals::kRow; l += kLanes) {
    const auto at = [&](const double(&p)[3][4]) { return Point3<V>{load(p[0] + l), load(p[1] + l), load(p[2] + l)}; };
    const Point3<V> f = at(in.f), s = at(in.s);
    const auto minor = [](V a, V b, V c, V d) { return two_product(a, b) - two_product(c, d); };
    const Point3<Two<V>> n{minor(f.y, s.z, f.z, s.y), minor(f.z, s.x, f.x, s.z), minor(f.x, s.y, f.y, s.x)};
    const auto part = [&](int g) {
      const Point3<V> x = at(in.generator[g]);
      const Two<V> along = magnitude(times(n.x, x.x) + times(n.y, x.y) + times(n.z, x.z));
      return Two<V>(load(in.half[g] + l), load(in.half_low[g] + l)) * along;
    };
    const auto t = [&](int c) { return Two<V>(constant<V>(in.t[c]), constant<V>(in.t_low[c])); };
    const Two<V> rest = part(2) + part(3), overlap = part(0) + part(1) + rest - magnitude(n.x * t(0) + n.y * t(1) + n.z * t(2));
    const Two<V> squared = dot(n, n), value = quotient(overlap, square_root(squared));
    store(squared.hi, out.squared + l);
    store(value.hi, out.value + l);
    store(value.lo, out.value_low + l);
    store(rest.hi, out.rest + l);
  }
}

}  // namespace

const BoxAxesKernels* box_axes_table() {
  static constexpr BoxAxesKernels table{&normals, &precise};
  return &table;
}

}  // namespace HWY_NAMESPACE
}  // namespace graze
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "platform/cpu.hpp"

namespace graze {

HWY_EXPORT(box_axes_table);

const BoxAxesKernels& box_axes_kernels() {
  current_cpu_level();
  return *HWY_DYNAMIC_DISPATCH(box_axes_table)();
}

}  // namespace graze
#endif
