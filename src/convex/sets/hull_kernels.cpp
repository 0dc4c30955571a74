// Kernels over the points of a hull by coordinate.
#include "convex/sets/hull_kernels.hpp"

#define HWY_COMPILE_ALL_ATTAINABLE
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "convex/sets/hull_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace graze {
namespace HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<double, 8>;
using V = hn::Vec<D>;
constexpr std::size_t kLanes = hn::MaxLanes(D());

/// d . point of kLanes points from i on.
struct Along {
  const double *x, *y, *z;
  V d0, d1, d2;
  HWY_INLINE Along(const CoordinateArrays& p, const double* d)
      : x(p.x), y(x + p.stride), z(y + p.stride), d0(hn::Set(D(), d[0])), d1(hn::Set(D(), d[1])), d2(hn::Set(D(), d[2])) {}
  HWY_INLINE V at(std::size_t i) const { return (d0 * hn::LoadU(D(), x + i) + d1 * hn::LoadU(D(), y + i)) + d2 * hn::LoadU(D(), z + i); }
};

std::uint32_t least(const CoordinateArrays& points, const double* d) {
  const Along along(points, d);
  V best = along.at(0), number = hn::Iota(D(), 0), best_number = number;
  const V step = hn::Set(D(), static_cast<double>(kLanes));
  for (std::size_t i = kLanes; i < points.n; i += kLanes) {
    number = number + step;
    const V value = along.at(i);
    const auto less = value < best;
    best = hn::IfThenElse(less, value, best);
    best_number = hn::IfThenElse(less, number, best_number);
  }
  const V none = hn::Set(D(), static_cast<double>(points.n - 1));
  const V numbers = hn::IfThenElse(best == hn::MinOfLanes(D(), best), best_number, none);
  return static_cast<std::uint32_t>(hn::GetLane(hn::MinOfLanes(D(), numbers)));
}

std::uint64_t up_to(const CoordinateArrays& points, const double* d, double limit, std::size_t first) {
  const Along along(points, d);
  const V most = hn::Set(D(), limit);
  const std::size_t n = std::min<std::size_t>(64, points.n - first);
  std::uint64_t found = 0;
  for (std::size_t k = 0; k < n; k += kLanes) {
    std::uint8_t bits[8];
    hn::StoreMaskBits(D(), along.at(first + k) <= most, bits);
    found |= std::uint64_t{bits[0]} << k;
  }
  return n == 64 ? found : found & ((std::uint64_t{1} << n) - 1);
}

}  // namespace

const HullKernels* hull_table() {
  static constexpr HullKernels table{&least, &up_to};
  return &table;
}

}  // namespace HWY_NAMESPACE
}  // namespace graze
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "platform/cpu.hpp"

namespace graze {

HWY_EXPORT(hull_table);

const HullKernels& hull_kernels() {
  current_cpu_level();
  return *HWY_DYNAMIC_DISPATCH(hull_table)();
}

}  // namespace graze
#endif
