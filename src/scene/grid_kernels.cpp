// SIMD kernels of the broad phase's grid, conversion and overlap tests, through Google Highway: one set per CPU level, for any number of lanes.
#include "scene/grid_kernels.hpp"

#define HWY_COMPILE_ALL_ATTAINABLE
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "scene/grid_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "math/compress-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace graze {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr std::size_t kPeriod = 24;  // the pattern lo lo lo hi hi hi repeats within 24 numbers, a multiple of every lane count

void grid_convert(const double* HWY_RESTRICT boxes, std::size_t n, const GridFrame& frame, float* HWY_RESTRICT out) {
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
      const auto x = (hn::LoadU(d, boxes + i + k) - hn::LoadU(d, center + k)) * scale;
      const auto cut = hn::Max(hn::Min(x, reach), minus);
      hn::StoreU(hn::DemoteTo(df, cut + hn::LoadU(d, margin + k)), df, out + i + k);
    }
  }
}

using D = hn::CappedTag<float, 16>;

struct Columns {
  const float* box[6];
  const std::uint32_t* id;
};

/// Tests one box against t[from, to).
HWY_INLINE void test_against(const SortedBoxes& q, std::uint32_t i, const Columns& t, std::size_t from, std::size_t to, PairSink& sink) {
  const D d;
  const hn::RebindToUnsigned<D> du;
  const auto q_lo0 = hn::Set(d, q.lo[0][i]), q_lo1 = hn::Set(d, q.lo[1][i]), q_lo2 = hn::Set(d, q.lo[2][i]);
  const auto q_hi0 = hn::Set(d, q.hi[0][i]), q_hi1 = hn::Set(d, q.hi[1][i]), q_hi2 = hn::Set(d, q.hi[2][i]);
  const auto q_id = hn::Set(du, q.id[i]);
  const auto sure = hn::Set(d, kGridSure), zero = hn::Zero(d);
  for (std::size_t k = from; k < to; k += hn::Lanes(d)) {
    const auto x = hn::Min(hn::LoadU(d, t.box[3] + k), q_hi0) - hn::Max(hn::LoadU(d, t.box[0] + k), q_lo0);
    const auto y = hn::Min(hn::LoadU(d, t.box[4] + k), q_hi1) - hn::Max(hn::LoadU(d, t.box[1] + k), q_lo1);
    const auto z = hn::Min(hn::LoadU(d, t.box[5] + k), q_hi2) - hn::Max(hn::LoadU(d, t.box[2] + k), q_lo2);
    const auto slack = hn::Min(hn::Min(x, y), z);
    const auto within = hn::FirstN(d, to - k);
    const auto id = hn::LoadU(du, t.id + k);
    const auto first = hn::Min(id, q_id), second = hn::Max(id, q_id);
    const auto certain = hn::And(within, slack > sure);
    const auto yes = hn::RebindMask(du, certain);  // stored unconditionally: cheaper than an unpredictable branch
    const compress::Mover<decltype(du)> mover(du, yes);
    hn::StoreU(mover(first), du, sink.a + sink.count);
    hn::StoreU(mover(second), du, sink.b + sink.count);
    sink.count += hn::CountTrue(du, yes);
    const auto undecided = hn::AndNot(certain, hn::And(within, slack >= zero));
    if (!hn::AllFalse(d, undecided)) {
      const auto mask = hn::RebindMask(du, undecided);
      const compress::Mover<decltype(du)> to_front(du, mask);
      hn::StoreU(to_front(first), du, sink.undecided_a + sink.undecided);
      hn::StoreU(to_front(second), du, sink.undecided_b + sink.undecided);
      sink.undecided += hn::CountTrue(du, mask);
    }
  }
}

void grid_scan(const SortedBoxes& q, std::uint32_t begin, std::uint32_t end, const SortedBoxes& t, const IndexRange* ranges, int count, bool self,
               PairSink& sink_out) {
  constexpr std::size_t kPack = 1024;  // room for packed candidates; a choice, longer lists are scanned range by range
  const D d;
  const hn::RebindToUnsigned<D> du;
  const std::size_t lanes = hn::Lanes(d);
  PairSink sink = sink_out;
  std::size_t total = 0;
  for (int r = 0; r < count; ++r) total += ranges[r].end - ranges[r].begin;
  if (end - begin > 1 && count > 1 &&
      total <= kPack) {  // several boxes meet the same candidates: the candidates of all ranges are packed side by side to fill the vectors
    alignas(64) float box[6][kPack + 16];
    alignas(64) std::uint32_t id[kPack + 16];
    std::size_t at = 0;
    for (int r = 0; r < count; ++r) {
      const std::size_t from = ranges[r].begin, n = ranges[r].end - from;
      const auto copy = [&](std::size_t k) HWY_ATTR {
        for (int c = 0; c < 3; ++c) {
          hn::StoreU(hn::LoadU(d, t.lo[c] + from + k), d, box[c] + at + k);
          hn::StoreU(hn::LoadU(d, t.hi[c] + from + k), d, box[3 + c] + at + k);
        }
        hn::StoreU(hn::LoadU(du, t.id + from + k), du, id + at + k);
      };
      copy(0);  // usually sufficient; kept before the loop, since GCC makes seven memcpy calls of the loop otherwise
      for (std::size_t k = lanes; k < n; k += lanes) copy(k);
      at += n;
    }
    const Columns packed{{box[0], box[1], box[2], box[3], box[4], box[5]}, id};
    for (std::uint32_t i = begin; i < end; ++i) test_against(q, i, packed, self ? i - begin + 1 : 0, at, sink);
  } else {
    const Columns columns{{t.lo[0], t.lo[1], t.lo[2], t.hi[0], t.hi[1], t.hi[2]}, t.id};
    for (std::uint32_t i = begin; i < end; ++i)
      for (int r = 0; r < count; ++r) test_against(q, i, columns, self && r == 0 ? i + 1 : ranges[r].begin, ranges[r].end, sink);
  }
  sink_out = sink;
}

// The rank of b within its run is the number of smaller elements, which needs no branch on a comparison.
void grid_rank(const std::uint32_t* stops, std::size_t runs, std::uint32_t first_a, const std::uint32_t* b, std::uint32_t* pairs) {
  const hn::CappedTag<std::uint32_t, 16> d;
  const std::size_t lanes = hn::Lanes(d);
  std::uint32_t start = 0;
  for (std::size_t r = 0; r < runs; ++r) {
    const std::uint32_t stop = stops[r], n = stop - start, a = first_a + static_cast<std::uint32_t>(r);
    if (n <= kRankedRun) {
      for (std::uint32_t i = 0; i < n; ++i) {
        const auto mine = hn::Set(d, b[start + i]);
        std::size_t below = 0;
        for (std::size_t k = 0; k < n; k += lanes) below += hn::CountTrue(d, hn::And(hn::FirstN(d, n - k), hn::LoadU(d, b + start + k) < mine));
        pairs[2 * (start + below)] = a;
        pairs[2 * (start + below) + 1] = b[start + i];
      }
    }
    start = stop;
  }
}

const GridKernels* grid_table() {
  static constexpr GridKernels table{&grid_convert, &grid_scan, &grid_rank};
  return &table;
}

}  // namespace HWY_NAMESPACE
}  // namespace graze
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "platform/cpu.hpp"

namespace graze {

HWY_EXPORT(grid_table);

const GridKernels& grid_kernels() {
  current_cpu_level();
  return *HWY_DYNAMIC_DISPATCH(grid_table)();
}

}  // namespace graze
#endif
