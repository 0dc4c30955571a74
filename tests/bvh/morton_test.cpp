// Morton codes and sorting by them, against simple loops.
#include "bvh/morton.hpp"

#include <gtest/gtest.h>
#include <graze/threads.hpp>

#include <algorithm>
#include <cmath>

#include "platform/parallel.hpp"
#include "support/random.hpp"

namespace graze::test {
namespace {

BuildItem item_at(float x, float y, float z) { return {{x, y, z}, 0, {-x, -y, -z}, 0}; }

BuildBounds centers_of(const std::vector<BuildItem>& items) {
  BuildBounds boxes, centers;
  build_kernels().bounds(items.data(), items.size(), boxes, centers);
  return centers;
}

TEST(Morton, CodesOfACubeInterleaveTheAxes) {
  const std::vector<BuildItem> corners{item_at(-0.5f, -0.5f, -0.5f), item_at(0.5f, 0.5f, 0.5f)};
  const MortonCodes codes(centers_of(corners), 30);
  ASSERT_EQ(codes.bits(), 30);
  EXPECT_EQ(codes.code(corners[0]), 0u);
  EXPECT_EQ(codes.code(corners[1]), (1u << 30) - 1);
  Random r(1);
  for (int i = 0; i < 1000; ++i) {
    const Vec3 p = r.grid(-(1 << 19), (1 << 19) - 1) * 0x1p-20;  // so that floats round nothing
    const BuildItem item = item_at(static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z));
    std::uint64_t wanted = 0;
    for (int bit = 0; bit < 10; ++bit) {
      for (int a = 0; a < 3; ++a) {
        const auto cell = static_cast<std::uint64_t>((static_cast<double>(item.lo[a]) + 0.5) * 1024);
        wanted |= (cell >> bit & 1) << (3 * bit + 2 - a);
      }
    }
    ASSERT_EQ(codes.code(item), wanted);
  }
}

TEST(Morton, ElongatedScenesUseMoreBitsOnTheLongAxis) {
  const std::vector<BuildItem> rope{item_at(-0.5f, 0, 0), item_at(0.5f, 0x1p-10f, 0)};
  const MortonCodes codes(centers_of(rope), 30);
  EXPECT_EQ(codes.bits(), 30);  // 20 and 10
  EXPECT_EQ(codes.code(item_at(0, 0, 0)), 1u << 29);
  std::vector<std::uint64_t> seen;
  for (int i = 0; i < 1024; ++i) seen.push_back(codes.code(item_at(-0.5f + static_cast<float>(i) * 0x1p-10f, 0, 0)));
  EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
  EXPECT_EQ(std::unique(seen.begin(), seen.end()), seen.end());
  EXPECT_EQ(MortonCodes(centers_of({item_at(0.25f, 0.25f, 0.25f)}), 30).bits(), 0);
  for (int bits : {30, 40, 60}) {
    const MortonCodes some(centers_of({item_at(-0.5f, -0.5f, -0.5f), item_at(0.5f, 0.25f, 0.5f)}), bits);
    EXPECT_EQ(some.bits(), bits);
    EXPECT_EQ(some.code(item_at(0.5f, 0.25f, 0.5f)), (std::uint64_t{1} << bits) - 1);
  }
}

TEST(Morton, SortsStablyWithAnyNumberOfThreads) {
  Random r(2);
  for (const std::size_t n : {0u, 1u, 2u, 1000u, 1024u, 5000u, 100000u}) {
    for (const int bits : {1, 7, 30, 40}) {
      LargeArray<std::uint64_t> keys(n);
      for (std::size_t i = 0; i < n; ++i) keys[i] = (r.bits() >> (64 - bits)) << 20 | i;
      if (n > 10) keys[7] = keys[8] = keys[9];  // equal keys may stand next to each other
      auto wanted = keys;
      std::stable_sort(wanted.begin(), wanted.end(), [](std::uint64_t a, std::uint64_t b) { return a >> 20 < b >> 20; });
      for (int threads : {1, 2, 7}) {
        set_threads(threads);
        auto sorted = keys;
        sort_by_bits(sorted, 20, bits);
        EXPECT_TRUE(sorted == wanted) << n << " keys of " << bits << " bits, " << threads << " threads";
      }
    }
  }
  set_threads(0);
}

}  // namespace
}  // namespace graze::test
