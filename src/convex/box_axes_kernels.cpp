// The separating axes of two boxes in SIMD lanes.
#include "convex/box_axes_kernels.hpp"

#define HWY_COMPILE_ALL_ATTAINABLE
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "convex/box_axes_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <type_traits>

#include "math/two_double-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace graze {
namespace HWY_NAMESPACE {
namespace {
using namespace lanes;

using D = hn::CappedTag<double, BoxNormals::kRow>;
using V = hn::Vec<D>;
constexpr int kLanes = hn::MaxLanes(D());

HWY_INLINE V magnitude(V x) { return abs(x); }
HWY_INLINE Two<V> magnitude(const Two<V>& x) {
  const auto negative = x.hi < 0.0;
  return {select(negative, -x.hi, x.hi), select(negative, -x.lo, x.lo)};
}

/// Reads numbers of the type N, doubles or pairs of them, in lanes or one for all lanes.
template <class N>
struct Reader {
  static HWY_INLINE N pair(V hi, V lo) {
    if constexpr (std::is_same_v<N, V>)
      return hi;
    else
      return N(hi, lo);
  }
  static HWY_INLINE N lanes_of(const double* p) { return pair(hn::LoadU(D(), p), constant<V>(0)); }
  static HWY_INLINE N one(const double& x) { return pair(constant<V>(x), constant<V>(0)); }
  static HWY_INLINE Point3<N> lanes_of(const double (&axes)[3][6], int from) {
    return {lanes_of(axes[0] + from), lanes_of(axes[1] + from), lanes_of(axes[2] + from)};
  }
  static HWY_INLINE Point3<N> one(const double (&axes)[3][6], int i) { return {one(axes[0][i]), one(axes[1][i]), one(axes[2][i])}; }
  static HWY_INLINE N half_in_lanes(const BoxAxes& b, int box, int i) { return pair(hn::LoadU(D(), b.half[box] + i), hn::LoadU(D(), b.half_low[box] + i)); }
  static HWY_INLINE N half(const BoxAxes& b, int box, int i) { return pair(constant<V>(b.half[box][i]), constant<V>(b.half_low[box][i])); }
};

/// Calls store(n, o(n), number) for all normals, kLanes at a time.
template <class N, class Store>
HWY_INLINE void for_each_normal(const BoxAxes& boxes, const Store& store) {
  using Read = Reader<N>;
  const auto t_of = [&](int c) { return Read::pair(constant<V>(boxes.t[c]), constant<V>(boxes.t_low[c])); };
  const Point3<N> t{t_of(0), t_of(1), t_of(2)};
  const auto &a = boxes.axis[0], &b = boxes.axis[1];
  for (int l = 0; l < BoxNormals::kRow; l += kLanes) {
    for (int box = 0; box < 2; ++box) {
      const auto &own = boxes.axis[box], &other = boxes.axis[1 - box];
      const Point3<N> n = cross(Read::lanes_of(own, l + 1), Read::lanes_of(own, l + 2));
      N sum = Read::half_in_lanes(boxes, box, l) * magnitude(dot(n, Read::lanes_of(own, l)));
#pragma GCC unroll 3
      for (int j = 0; j < 3; ++j) sum = sum + Read::half(boxes, 1 - box, j) * magnitude(dot(n, Read::one(other, j)));
      store(n, sum - magnitude(dot(n, t)), box * BoxNormals::kRow + l);
    }
    for (int i = 0; i < 3; ++i) {
      const Point3<N> n = cross(Read::one(a, i), Read::lanes_of(b, l));
      N sum = Read::half(boxes, 0, i + 1) * magnitude(dot(n, Read::one(a, i + 1))) + Read::half(boxes, 0, i + 2) * magnitude(dot(n, Read::one(a, i + 2)));
#pragma GCC unroll 2
      for (int j = 1; j < 3; ++j) sum = sum + Read::half_in_lanes(boxes, 1, l + j) * magnitude(dot(n, Read::lanes_of(b, l + j)));
      store(n, sum - magnitude(dot(n, t)), BoxNormals::kFaces + i * BoxNormals::kRow + l);
    }
  }
}

void normals(const BoxAxes& boxes, BoxNormals& out) {
  for_each_normal<V>(boxes, [&](const Point3<V>& n, V overlap, int at) {
    const V squared = dot(n, n);
    hn::StoreU(n.x, D(), out.normal[0] + at);
    hn::StoreU(n.y, D(), out.normal[1] + at);
    hn::StoreU(n.z, D(), out.normal[2] + at);
    hn::StoreU(squared, D(), out.squared + at);
    hn::StoreU(overlap, D(), out.overlap + at);
    hn::StoreU((overlap * abs(overlap)) / squared, D(), out.square + at);
  });
}

void precise(const BoxAxes& boxes, PreciseOverlaps& out) {
  for_each_normal<Two<V>>(boxes, [&](const Point3<Two<V>>& n, const Two<V>& overlap, int at) {
    const Two<V> squared = dot(n, n);
    hn::StoreU(squared.hi, D(), out.squared + at);
    hn::StoreU(squared.lo, D(), out.squared_low + at);
    hn::StoreU(overlap.hi, D(), out.overlap + at);
    hn::StoreU(overlap.lo, D(), out.overlap_low + at);
  });
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
