// The filters of distances in SIMD lanes. One pair takes the same instructions in one lane: fused products and selections without branches.
#include "pairs/detail/gap_kernels.hpp"

#define HWY_COMPILE_ALL_ATTAINABLE
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "pairs/detail/gap_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "math/two_double-inl.hpp"
#include "pairs/detail/lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace graze {
namespace HWY_NAMESPACE {

namespace lanes {

template <class V>
HWY_INLINE bool all(Mask<V> m) {
  return hn::AllTrue(hn::DFromV<V>(), m);
}

/// The value of the first region that holds, or else the last.
template <class M, class T>
HWY_INLINE T first_of(const M (&regions)[6], const T (&values)[7]) {
  T r = values[6];
#pragma GCC unroll 6
  for (int k = 5; k >= 0; --k) r = select(regions[k], values[k], r);
  return r;
}
/// The value of this number.
template <class V, class T, std::size_t N>
HWY_INLINE T pick(V number, const T (&values)[N]) {
  T r = values[0];
#pragma GCC unroll 8
  for (std::size_t k = 1; k < N; ++k) r = select(number == static_cast<double>(k), values[k], r);
  return r;
}

#include "pairs/detail/gap-inl.hpp"
#include "pairs/sphere_sphere-inl.hpp"

#include "pairs/box_box_gap-inl.hpp"
#include "pairs/capsule_capsule_gap-inl.hpp"
#include "pairs/sphere_obb_gap-inl.hpp"
#include "pairs/sphere_segment_gap-inl.hpp"
#include "pairs/sphere_sphere_gap-inl.hpp"
#include "pairs/sphere_triangle_gap-inl.hpp"
#include "pairs/triangle_triangle_gap-inl.hpp"

}  // namespace lanes

namespace {
using namespace lanes;

/// Whether numbers are 0 or neither so small that a product of theirs and its rounding error would underflow nor large. Fused and other products are then the
/// same.
template <class V>
HWY_INLINE Mask<V> moderate(V x) {
  return (x == 0) | ((abs(x) > 0x1p-350) & (abs(x) < 0x1p300));
}
template <class V, std::size_t N>
HWY_INLINE Mask<V> moderate(const V (&x)[N]) {
  Mask<V> yes = moderate(x[0]);
  for (std::size_t k = 1; k < N; ++k) yes = yes & moderate(x[k]);
  return yes;
}
/// The same of the fields of one shape, several at once.
template <std::size_t N>
HWY_INLINE bool moderate_fields(const double* x) {
  constexpr hn::CappedTag<double, 4> d;
  constexpr std::size_t kAtOnce = hn::MaxLanes(d);
  static_assert(N >= kAtOnce);
  auto yes = moderate(hn::LoadU(d, x));
  for (std::size_t k = kAtOnce; k < N; k += kAtOnce) yes = yes & moderate(hn::LoadU(d, x + (k + kAtOnce > N ? N - kAtOnce : k)));
  return hn::AllTrue(d, yes);
}

template <class V>
HWY_INLINE Point3<V> point(const V* f) {
  return {f[0], f[1], f[2]};
}

/// least_candidate() of one pair, with several candidates in lanes: 151 ns a pair of triangles, one after the other 184.
template <class W>
HWY_INLINE LeastCandidate<W> least_candidate_of_one(const TriangleEdges<W>& a, const TriangleEdges<W>& b) {
  using Four = hn::CappedTag<double, 4>;
  using F = hn::Vec<Four>;
  constexpr Four d;
  constexpr std::size_t kAtOnce = hn::MaxLanes(Four());
  // The third of three is there twice.
  const auto spread3 = [](W x, W y, W z, double* out) HWY_ATTR { out[0] = hn::GetLane(x), out[1] = hn::GetLane(y), out[2] = out[3] = hn::GetLane(z); };
  struct Three {
    double x[4], y[4], z[4];
  };
  const auto points3 = [&](const Point3<W>& p, const Point3<W>& q, const Point3<W>& r, Three& out)
                           HWY_ATTR { spread3(p.x, q.x, r.x, out.x), spread3(p.y, q.y, r.y, out.y), spread3(p.z, q.z, r.z, out.z); };
  const auto all_of = [&](W x) HWY_ATTR { return hn::Set(d, hn::GetLane(x)); };
  const auto point_of = [&](const Point3<W>& p) HWY_ATTR { return Point3<F>{all_of(p.x), all_of(p.y), all_of(p.z)}; };
  const auto some_of = [&](const Three& p, std::size_t k) HWY_ATTR { return Point3<F>{hn::LoadU(d, p.x + k), hn::LoadU(d, p.y + k), hn::LoadU(d, p.z + k)}; };
  Three edges_b, starts_b, corners_a, corners_b;
  double squares[4], inverses[4];
  points3(b.edge[0], b.edge[1], b.edge[2], edges_b);
  points3(b.corner[0], b.corner[1], b.corner[0], starts_b);
  points3(a.corner[0], a.corner[1], a.corner[2], corners_a);
  points3(b.corner[0], b.corner[1], b.corner[2], corners_b);
  spread3(b.square[0], b.square[1], b.square[2], squares);
  spread3(b.inverse[0], b.inverse[1], b.inverse[2], inverses);
  const CandidateFace<F> face_b(point_of(b.corner[0]), point_of(b.edge[0]), point_of(b.edge[2]));
  const CandidateFace<F> face_a(point_of(a.corner[0]), point_of(a.edge[0]), point_of(a.edge[2]));
  static constexpr double kNumbers[4] = {0, 1, 2, 2};
  LeastCandidate<F> least;
  for (std::size_t k = 0; k < 3; k += kAtOnce) {
    const F number = hn::LoadU(d, kNumbers + k), ee = hn::LoadU(d, squares + k), by_ee = hn::LoadU(d, inverses + k);
    const Point3<F> e = some_of(edges_b, k), start = some_of(starts_b, k);
    for (int i = 0; i < 3; ++i)
      least.add_edges(point_of(a.corner[i % 2]) - start, point_of(a.edge[i]), all_of(a.square[i]), all_of(a.inverse[i]), e, ee, by_ee, number + 3.0 * i);
    face_b.add(some_of(corners_a, k), number + 9, least);
    face_a.add(some_of(corners_b, k), number + 12, least);
  }
  double square[4], s[4], t[4], number[4];
  hn::StoreU(least.square, d, square), hn::StoreU(least.s, d, s), hn::StoreU(least.t, d, t), hn::StoreU(least.number, d, number);
  std::size_t first = 0;
  for (std::size_t k = 1; k < kAtOnce; ++k)
    if (square[k] < square[first] || (square[k] == square[first] && number[k] < number[first])) first = k;
  LeastCandidate<W> found;
  found.square = constant<W>(square[first]), found.s = constant<W>(s[first]), found.t = constant<W>(t[first]), found.number = constant<W>(number[first]);
  return found;
}

// One struct per pair: the numbers of fields, and the filter.

struct SphereSphere {
  static constexpr std::size_t kFieldsA = 4, kFieldsB = 4;
  static constexpr bool kOneKind = true;
  template <class V>
  static HWY_INLINE Gap<V> find(const V* a, const V* b) {
    return gap_of_ball_ball(point(a), a[3], point(b), b[3]);
  }
};
struct SphereCapsule {
  static constexpr std::size_t kFieldsA = 4, kFieldsB = 7;
  static constexpr bool kOneKind = false;
  template <class V>
  static HWY_INLINE Gap<V> find(const V* a, const V* b) {
    return gap_of_ball_segment(point(a), a[3], point(b), point(b + 3), b[6]);
  }
};
struct CapsuleCapsule {
  static constexpr std::size_t kFieldsA = 7, kFieldsB = 7;
  static constexpr bool kOneKind = true;
  template <class V>
  static HWY_INLINE Gap<V> find(const V* a, const V* b) {
    return gap_of_segments(point(a), point(a + 3), a[6], point(b), point(b + 3), b[6]);
  }
};
struct SphereTriangle {
  static constexpr std::size_t kFieldsA = 4, kFieldsB = 9;
  static constexpr bool kOneKind = false;
  template <class V>
  static HWY_INLINE Gap<V> find(const V* a, const V* b) {
    return gap_of_ball_triangle(point(a), a[3], point(b), point(b + 3), point(b + 6));
  }
};
struct TriangleTriangle {
  static constexpr std::size_t kFieldsA = 9, kFieldsB = 9;
  static constexpr bool kOneKind = true;
  template <class V>
  static HWY_INLINE Gap<V> find(const V* a, const V* b) {
    const Point3<V> s[3] = {point(a), point(a + 3), point(a + 6)}, t[3] = {point(b), point(b + 3), point(b + 6)};
    const TriangleEdges<V> of_s(s[0], s[1], s[2]), of_t(t[0], t[1], t[2]);
    if constexpr (hn::MaxLanes(hn::DFromV<V>()) == 1)
      return gap_of_triangles(s, t, of_s, of_t, least_candidate_of_one(of_s, of_t));
    else
      return gap_of_triangles(s, t, of_s, of_t, least_candidate(of_s, of_t));
  }
};
struct SphereBox {
  static constexpr std::size_t kFieldsA = 4, kFieldsB = 6;
  static constexpr bool kOneKind = false;
  template <class V>
  static HWY_INLINE Gap<V> find(const V* a, const V* b) {
    return gap_of_ball_box(point(a), a[3], point(b), point(b + 3));
  }
};
struct BoxBox {
  static constexpr std::size_t kFieldsA = 6, kFieldsB = 6;
  static constexpr bool kOneKind = false;  // symmetric
  template <class V>
  static HWY_INLINE Gap<V> find(const V* a, const V* b) {
    return gap_of_boxes(point(a), point(a + 3), point(b), point(b + 3));
  }
};
struct SphereOrientedBox {
  static constexpr std::size_t kFieldsA = 4, kFieldsB = 15;
  static constexpr bool kOneKind = false;
  template <class V>
  static HWY_INLINE Gap<V> find(const V* a, const V* b) {
    const Point3<V> axes[3] = {point(b + 3), point(b + 6), point(b + 9)};
    const V half[3] = {b[12], b[13], b[14]};
    return gap_of_ball_obb(point(a), a[3], point(b), axes, half);
  }
};

/// The filter of the pair. Two shapes of one kind are exchanged where b precedes a in the order of their numbers.
template <class Pair, class V>
HWY_INLINE Gap<V> find_ordered(const V* a, const V* b) {
  if constexpr (!Pair::kOneKind) {
    return Pair::find(a, b);
  } else {
    constexpr std::size_t n = Pair::kFieldsA;
    Mask<V> less = b[0] < a[0], equal = b[0] == a[0];
    for (std::size_t k = 1; k < n && !hn::AllFalse(hn::DFromV<V>(), equal); ++k) {
      less = less | (equal & (b[k] < a[k]));
      equal = equal & (b[k] == a[k]);
    }
    V first[n], second[n];
    for (std::size_t k = 0; k < n; ++k) first[k] = select(less, b[k], a[k]), second[k] = select(less, a[k], b[k]);
    const Gap<V> gap = Pair::find(first, second);
    return {gap.distance, select(less, gap.on_b, gap.on_a), select(less, gap.on_a, gap.on_b), gap.sure};
  }
}

template <class Pair>
bool one(const double* a, const double* b, double* out) {
  using One = hn::CappedTag<double, 1>;
  using W = hn::Vec<One>;
  constexpr One d;
  bool exchanged = false;  // as in find_ordered(), by the places that are read and written
  if constexpr (Pair::kOneKind) {
    std::size_t k = 0;
    while (k + 1 < Pair::kFieldsA && a[k] == b[k]) ++k;
    exchanged = b[k] < a[k];
  }
  const double *const first = exchanged ? b : a, *const second = exchanged ? a : b;
  W fa[Pair::kFieldsA], fb[Pair::kFieldsB];
  for (std::size_t k = 0; k < Pair::kFieldsA; ++k) fa[k] = hn::Set(d, first[k]);
  for (std::size_t k = 0; k < Pair::kFieldsB; ++k) fb[k] = hn::Set(d, second[k]);
  const Gap<W> gap = Pair::find(fa, fb);
  out[0] = hn::GetLane(gap.distance);
  double *const on_first = out + (exchanged ? 4 : 1), *const on_second = out + (exchanged ? 1 : 4);
  on_first[0] = hn::GetLane(gap.on_a.x), on_first[1] = hn::GetLane(gap.on_a.y), on_first[2] = hn::GetLane(gap.on_a.z);
  on_second[0] = hn::GetLane(gap.on_b.x), on_second[1] = hn::GetLane(gap.on_b.y), on_second[2] = hn::GetLane(gap.on_b.z);
  return all<W>(gap.sure) && moderate_fields<Pair::kFieldsA>(a) && moderate_fields<Pair::kFieldsB>(b);
}

/// Over all pairs; the last block overlaps the previous one.
template <class Pair>
std::size_t batch(const double* a, const double* b, std::size_t n, GapBlock& out, std::uint32_t* undecided) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < n; i += kLanes) {
    if (i + kLanes > n) i = n - kLanes;
    V fa[Pair::kFieldsA], fb[Pair::kFieldsB];
    spread<Pair::kFieldsA>(a + Pair::kFieldsA * i, fa);
    spread<Pair::kFieldsB>(b + Pair::kFieldsB * i, fb);
    const Gap<V> gap = find_ordered<Pair>(fa, fb);
    const V values[7] = {gap.distance, gap.on_a.x, gap.on_a.y, gap.on_a.z, gap.on_b.x, gap.on_b.y, gap.on_b.z};
    for (std::size_t k = 0; k < 7; ++k) hn::StoreU(values[k], D(), out.value[k] + i);
    const M sure = moderate(fa) & moderate(fb) & gap.sure;
    if (all_lanes(sure)) continue;
    const unsigned bits = mask_bits(sure);
    for (std::size_t k = 0; k < kLanes; ++k) {
      undecided[count] = static_cast<std::uint32_t>(i + k);
      count += ~bits >> k & 1;
    }
  }
  return count;
}

template <class Pair>
constexpr GapFunctions functions() {
  return {&one<Pair>, &batch<Pair>};
}

}  // namespace

const GapKernels* gap_table() {
  static constexpr GapKernels table{functions<SphereSphere>(),     functions<SphereCapsule>(), functions<CapsuleCapsule>(), functions<SphereTriangle>(),
                                    functions<TriangleTriangle>(), functions<SphereBox>(),     functions<BoxBox>(),         functions<SphereOrientedBox>()};
  return &table;
}

}  // namespace HWY_NAMESPACE
}  // namespace graze
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "platform/cpu.hpp"

namespace graze {

HWY_EXPORT(gap_table);

const GapKernels& gap_kernels() {
  current_cpu_level();
  return *HWY_DYNAMIC_DISPATCH(gap_table)();
}

}  // namespace graze
#endif
