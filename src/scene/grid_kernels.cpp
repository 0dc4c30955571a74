// Wide conversion and overlap tests of the broad phase's grid through Google Highway, one set per CPU level, any number of lanes.
#include "scene/grid_kernels.hpp"

#define HWY_COMPILE_ALL_ATTAINABLE
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "scene/grid_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace graze {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr std::size_t kPeriod = 24;  // of the pattern lo lo lo hi hi hi: a multiple of every number of lanes

void GridConvert(const double* HWY_RESTRICT boxes, std::size_t n, const GridFrame& frame, float* HWY_RESTRICT out) {
  const hn::CappedTag<double, 8> d;
  const hn::Rebind<float, decltype(d)> df;
  double center[kPeriod], margin[kPeriod];
  for (std::size_t i = 0; i < kPeriod; ++i) {
    center[i] = frame.center[i % 3];
    margin[i] = i % 6 < 3 ? -kGridMargin : kGridMargin;
  }
  const auto scale = hn::Set(d, frame.scale), reach = hn::Set(d, kGridReach), minus = hn::Set(d, -kGridReach);
  for (std::size_t i = 0; i < 6 * n; i += kPeriod) {
    for (std::size_t k = 0; k < kPeriod; k += hn::Lanes(d)) {
      const auto x = hn::Mul(hn::Sub(hn::LoadU(d, boxes + i + k), hn::LoadU(d, center + k)), scale);
      const auto cut = hn::Max(hn::Min(x, reach), minus);
      hn::StoreU(hn::DemoteTo(df, hn::Add(cut, hn::LoadU(d, margin + k))), df, out + i + k);
    }
  }
}

using D = hn::CappedTag<float, 16>;

void GridScan(const SortedBoxes& q, std::uint32_t begin, std::uint32_t end, const SortedBoxes& t, const IndexRange* ranges, int count, bool self, PairSink& sink) {
  const D d;
  const hn::RebindToUnsigned<D> du;
  const std::uint32_t lanes = static_cast<std::uint32_t>(hn::Lanes(d));
  const auto sure = hn::Set(d, kGridSure), zero = hn::Zero(d);
  const float *lo0 = t.lo[0], *lo1 = t.lo[1], *lo2 = t.lo[2], *hi0 = t.hi[0], *hi1 = t.hi[1], *hi2 = t.hi[2];
  const std::uint32_t* ids = t.id;
  std::uint32_t *out_a = sink.a + sink.count, *out_b = sink.b + sink.count;
  for (std::uint32_t i = begin; i < end; ++i) {
    const auto q_lo0 = hn::Set(d, q.lo[0][i]), q_lo1 = hn::Set(d, q.lo[1][i]), q_lo2 = hn::Set(d, q.lo[2][i]);
    const auto q_hi0 = hn::Set(d, q.hi[0][i]), q_hi1 = hn::Set(d, q.hi[1][i]), q_hi2 = hn::Set(d, q.hi[2][i]);
    const auto q_id = hn::Set(du, q.id[i]);
    for (int r = 0; r < count; ++r) {
      const std::uint32_t stop = ranges[r].end;
      for (std::uint32_t k = self && r == 0 ? i + 1 : ranges[r].begin; k < stop; k += lanes) {
        const auto x = hn::Sub(hn::Min(hn::LoadU(d, hi0 + k), q_hi0), hn::Max(hn::LoadU(d, lo0 + k), q_lo0));
        const auto y = hn::Sub(hn::Min(hn::LoadU(d, hi1 + k), q_hi1), hn::Max(hn::LoadU(d, lo1 + k), q_lo1));
        const auto z = hn::Sub(hn::Min(hn::LoadU(d, hi2 + k), q_hi2), hn::Max(hn::LoadU(d, lo2 + k), q_lo2));
        const auto slack = hn::Min(hn::Min(x, y), z);
        const auto candidate = hn::And(hn::Ge(slack, zero), hn::FirstN(d, stop - k));
        if (hn::AllFalse(d, candidate)) continue;
        const auto id = hn::LoadU(du, ids + k);
        const auto first = hn::Min(id, q_id), second = hn::Max(id, q_id);
        const auto certain = hn::And(candidate, hn::Gt(slack, sure));
        const auto yes = hn::RebindMask(du, certain);
        hn::StoreU(hn::Compress(first, yes), du, out_a);
        hn::StoreU(hn::Compress(second, yes), du, out_b);
        const std::size_t found = hn::CountTrue(du, yes);
        out_a += found;
        out_b += found;
        const auto open = hn::AndNot(certain, candidate);
        if (!hn::AllFalse(d, open)) {
          const auto mask = hn::RebindMask(du, open);
          hn::StoreU(hn::Compress(first, mask), du, sink.doubt_a + sink.doubts);
          hn::StoreU(hn::Compress(second, mask), du, sink.doubt_b + sink.doubts);
          sink.doubts += hn::CountTrue(du, mask);
        }
      }
    }
  }
  sink.count = static_cast<std::size_t>(out_a - sink.a);
}

const GridKernels* GridTable() {
  static constexpr GridKernels table{&GridConvert, &GridScan};
  return &table;
}

}  // namespace HWY_NAMESPACE
}  // namespace graze
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "core/cpu.hpp"

namespace graze {

HWY_EXPORT(GridTable);

const GridKernels& grid_kernels() {
  current_cpu_level();
  return *HWY_DYNAMIC_DISPATCH(GridTable)();
}

}  // namespace graze
#endif
