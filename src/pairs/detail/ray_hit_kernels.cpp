// Hits of rays in SIMD lanes, per CPU level.
#include "pairs/detail/ray_hit_kernels.hpp"

#define HWY_COMPILE_ALL_ATTAINABLE
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "pairs/detail/ray_hit_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "exact/approx.hpp"
#include "math/points-inl.hpp"
#include "math/two_double-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace graze {
namespace HWY_NAMESPACE {

namespace lanes {

template <Vector V>
HWY_INLINE bool all(Mask<V> m) {
  return hn::AllTrue(hn::DFromV<V>(), m);
}
/// x moved by `step` in the order of the numbers of its sign.
template <Vector V>
HWY_INLINE V neighbor(V x, std::int64_t step) {
  const hn::DFromV<V> d;
  const hn::RebindToSigned<hn::DFromV<V>> di;
  return hn::BitCast(d, hn::BitCast(di, x) + hn::Set(di, step));
}
template <Vector V>
HWY_INLINE V next_up(V x) {
  return select(x > 0, neighbor(x, 1), neighbor(x, -1));
}
template <Vector V>
HWY_INLINE V next_down(V x) {
  return select(x > 0, neighbor(x, -1), neighbor(x, 1));
}

#include "pairs/detail/ray_hit-inl.hpp"

/// Whether x is 0, or of a size for which no product of a hit comes near the limits of the doubles' range.
template <Vector V>
HWY_INLINE Mask<V> moderate(V x) {
  return ((abs(x) > 0x1p-150) | (x == 0)) & (abs(x) < 0x1p150);
}
template <Vector V>
HWY_INLINE Mask<V> moderate(const Point3<V>& p) {
  return moderate(p.x) & moderate(p.y) & moderate(p.z);
}

}  // namespace lanes

namespace {
namespace hn = hwy::HWY_NAMESPACE;

/// Decides as many lanes as D has, from k on.
template <bool kTimeOnly, class D, class Lanes>
HWY_INLINE void decide_piece(D d, Lanes& l, std::size_t k) {
  using V = hn::Vec<D>;
  using P = lanes::Point3<V>;
  const auto load = [&](const double(*rows)[Lanes::kLanes]) HWY_ATTR {
    return P{hn::LoadU(d, rows[0] + k), hn::LoadU(d, rows[1] + k), hn::LoadU(d, rows[2] + k)};
  };
  const auto store = [&](const P& p, double(*rows)[Lanes::kLanes]) HWY_ATTR {
    hn::StoreU(p.x, d, rows[0] + k);
    hn::StoreU(p.y, d, rows[1] + k);
    hn::StoreU(p.z, d, rows[2] + k);
  };
  const auto bits = [&](hn::Mask<D> m) HWY_ATTR {
    std::uint8_t bytes[8] = {0};
    hn::StoreMaskBits(d, m, bytes);
    return (bytes[0] & ((1u << hn::Lanes(d)) - 1)) << k;
  };
  const P a = load(l.corner), b = load(l.corner + 3), c = load(l.corner + 6), o = load(l.origin), direction = load(l.direction);
  const auto ordinary =
      hn::And(hn::And(lanes::moderate(b - a), lanes::moderate(c - a)), hn::And(lanes::moderate(direction), hn::And(lanes::moderate(o), lanes::moderate(a))));
  const auto hit = lanes::decide_hit<V, kTimeOnly>(a, b, c, o, direction, load(l.direction_rest), ordinary);
  const auto accepted = hn::And(ordinary, hn::And(hit.size_of_t > hn::Set(d, 0x1p-150), hit.size_of_t < hn::Set(d, 0x1p150)));
  hn::StoreU(hit.t, d, l.t + k);
  l.unaccepted |= bits(hn::Not(accepted));
  l.decided |= bits(hn::And(hit.decided, accepted));
  if constexpr (!kTimeOnly) {
    store(hit.weight, l.weight);
    store(hit.normal, l.normal);
    l.front |= bits(hit.front);
  }
}

template <bool kTimeOnly, std::size_t N>
void decide_all(HitLanesOf<N>& l) {
  using D = hn::CappedTag<double, N>;
  l.decided = l.front = l.unaccepted = 0;
  for (std::size_t k = 0; k < N; k += hn::Lanes(D())) decide_piece<kTimeOnly>(D(), l, k);
}

}  // namespace

const HitKernels* hit_table() {
  static constexpr HitKernels table{&decide_all<false, HitLanes::kLanes>, &decide_all<false, 1>, &decide_all<true, HitLanes::kLanes>, &decide_all<true, 1>};
  return &table;
}

}  // namespace HWY_NAMESPACE
}  // namespace graze
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "platform/cpu.hpp"

namespace graze {

HWY_EXPORT(hit_table);

const HitKernels& hit_kernels() {
  current_cpu_level();
  return *HWY_DYNAMIC_DISPATCH(hit_table)();
}

}  // namespace graze
#endif
