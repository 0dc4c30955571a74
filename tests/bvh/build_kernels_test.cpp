// The inner loops of the build against simple loops, with the same bits at every CPU level.
#include "bvh/build_kernels.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "bvh/scenes.hpp"
#include "support/random.hpp"

namespace graze::test {
namespace {

std::vector<BuildItem> items(std::size_t n, std::uint64_t seed) {
  Random r(seed);
  std::vector<BuildItem> v;
  for (std::size_t i = 0; i < n; ++i) {
    BuildItem item{};
    for (int a = 0; a < 3; ++a) {
      item.lo[a] = static_cast<float>(r.real(-1, 0.9));
      item.minus_hi[a] = -(item.lo[a] + static_cast<float>(r.real(0, 0.1)));
    }
    item.id = static_cast<std::uint32_t>(i);
    v.push_back(item);
  }
  return v;
}

TEST(BuildKernels, SplitsAgreeWithTheirBins) {
  for (const std::size_t n : {33u, 100u, 5000u}) {
    const auto in = items(n, n);
    std::vector<std::uint32_t> first;
    for_each_cpu_level([&](CpuLevel) {
      const BuildKernels& k = build_kernels();
      BuildBounds boxes, centers;
      k.bounds(in.data(), n, boxes, centers);
      for (const BuildItem& item : in) {
        for (int a = 0; a < 3; ++a) {
          EXPECT_LE(boxes.lo(a), item.lo[a]);
          EXPECT_GE(boxes.hi(a), -item.minus_hi[a]);
          EXPECT_LE(centers.lo(a), item.lo[a] - item.minus_hi[a]);
          EXPECT_GE(centers.hi(a), item.lo[a] - item.minus_hi[a]);
        }
      }
      BuildBinning binning;
      for (int a = 0; a < 3; ++a) {
        binning.origin[a] = centers.lo(a);
        binning.scale[a] = static_cast<float>(kBins) * 0.9999f / (centers.hi(a) - centers.lo(a));
      }
      BuildBins bins;
      k.fill(in.data(), n, binning, bins);
      const BuildSplit split = k.best(bins, binning);
      ASSERT_GE(split.axis, 0);
      std::size_t left = 0;
      for (int b = 0; b < split.bin; ++b) left += bins.count[split.axis][b];
      std::vector<BuildItem> out(n);
      k.part(in.data(), n, binning, split.axis, split.bin, out.data(), out.data() + n);
      std::vector<std::uint32_t> ids;
      BuildBounds of_left;
      for (std::size_t i = 0; i < n; ++i) {
        ids.push_back(out[i].id);
        if (i < left) {
          BuildBounds one;
          for (int a = 0; a < 3; ++a) {
            one.v[a] = out[i].lo[a];
            one.v[4 + a] = out[i].minus_hi[a];
          }
          of_left.add(one);
        }
      }
      for (int a = 0; a < 3; ++a) {
        EXPECT_EQ(of_left.lo(a), split.left.lo(a));
        EXPECT_EQ(of_left.hi(a), split.left.hi(a));
      }
      if (first.empty()) first = ids;
      EXPECT_EQ(ids, first);
      std::sort(ids.begin(), ids.end());
      for (std::uint32_t i = 0; i < n; ++i) ASSERT_EQ(ids[i], i);
    });
  }
}

TEST(BuildKernels, FewItemsFillLeaves) {
  for (std::size_t n = 1; n <= kFewItems; ++n) {
    const auto in = items(n, 100 + n);
    FewLeaves first;
    bool any = false;
    for_each_cpu_level([&](CpuLevel) {
      FewLeaves f;
      build_kernels().few(in.data(), n, f);
      EXPECT_EQ(f.leaves, static_cast<int>((n + 3) / 4));
      std::vector<int> seen(n);
      int at = 0;
      for (int k = 0; k < f.leaves; ++k) {
        for (int i = 0; i < f.count[k]; ++i, ++at) {
          ++seen[f.order[at]];
          for (int a = 0; a < 3; ++a) {
            EXPECT_LE(f.box[k].lo(a), in[f.order[at]].lo[a]);
            EXPECT_GE(f.box[k].hi(a), -in[f.order[at]].minus_hi[a]);
          }
        }
      }
      EXPECT_EQ(seen, std::vector<int>(n, 1));
      if (any) {
        EXPECT_EQ(std::memcmp(f.order, first.order, n), 0);
      }
      first = f;
      any = true;
    });
  }
}

}  // namespace
}  // namespace graze::test
