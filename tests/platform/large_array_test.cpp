// Large arrays: aligned to large pages, given back after release, allocated by several threads at once; errors for sizes that are too large.
#include "platform/large_array.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <thread>

#include "platform/small_pages.hpp"

namespace graze::test {
namespace {

constexpr std::size_t kPage = std::size_t{1} << 21, kLeast = 8 * kPage;

TEST(LargeArray, IsAlignedToCacheLinesAndLargePages) {
  for (const std::size_t bytes : {std::size_t{1}, std::size_t{100}, kLeast - 1, kLeast, kLeast + 1, kLeast + 5 * kPage + 12345}) {
    LargeArray<std::uint8_t> a(bytes);
    const auto at = reinterpret_cast<std::uintptr_t>(a.data());
    EXPECT_EQ(at % 64, 0u);
    if (bytes >= kLeast) {
      EXPECT_EQ(at % kPage, 0u);
    }
    a.front() = 1;
    a.back() = 2;
  }
}

TEST(LargeArray, StoresElements) {
  for (const std::size_t n : {std::size_t{1}, std::size_t{1000}, std::size_t{1} << 20}) {
    LargeArray<std::uint32_t> a(n);
    for (std::size_t i = 0; i < n; ++i) a[i] = static_cast<std::uint32_t>(i * 7);
    LargeArray<std::uint32_t> b = a;
    b.push_back(5);
    b.resize(2 * n + 1);
    for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(b[i], i * 7);
    EXPECT_EQ(b[n], 5u);
  }
}

TEST(LargeArray, KeepsContentsWhileOtherArraysComeAndGo) {
  std::vector<LargeArray<std::uint32_t>> live;
  std::uint32_t state = 1;
  const auto next = [&](std::uint32_t n) { return (state = state * 1664525 + 1013904223) / 65536 % n; };
  for (int round = 0; round < 600; ++round) {
    if (live.size() < 12 && next(3) != 0) {
      LargeArray<std::uint32_t> a((1 + next(1 << 16)) * 40);
      a.front() = a.back() = a[a.size() / 2] = static_cast<std::uint32_t>(round);
      a[1] = static_cast<std::uint32_t>(a.size());
      live.push_back(std::move(a));
    } else if (!live.empty()) {
      const std::size_t i = next(static_cast<std::uint32_t>(live.size()));
      ASSERT_EQ(live[i][1], live[i].size());
      ASSERT_EQ(live[i].front(), live[i].back());
      ASSERT_EQ(live[i].front(), live[i][live[i].size() / 2]);
      live.erase(live.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
}

TEST(LargeArray, ThreadsAllocateAtOnce) {
  std::vector<std::thread> threads;
  std::vector<int> wrong(4);
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&wrong, t] {
      for (int round = 0; round < 50; ++round) {
        LargeArray<std::uint64_t> a(kPage / 8 * static_cast<std::size_t>(7 + (round + t) % 4));
        for (std::size_t i = 0; i < a.size(); i += 512) a[i] = static_cast<std::uint64_t>(t);
        for (std::size_t i = 0; i < a.size(); i += 512) wrong[static_cast<std::size_t>(t)] += a[i] != static_cast<std::uint64_t>(t);
      }
    });
  }
  for (std::thread& t : threads) t.join();
  for (const int w : wrong) EXPECT_EQ(w, 0);
}

#if defined(__linux__)
/// Bytes of this process in memory.
std::size_t resident() {
  std::ifstream file("/proc/self/statm");
  std::size_t total = 0, pages = 0;
  file >> total >> pages;
  return pages * 4096;
}

TEST(LargeArray, GivesMemoryBack) {
  constexpr std::size_t kBytes = std::size_t{120} << 20;
  const std::size_t before = resident();
  {
    const LargeArray<std::uint8_t> live(kBytes, 1);
    { const LargeArray<std::uint8_t> other(kBytes, 1); }
    EXPECT_LT(resident(), before + kBytes + (std::size_t{20} << 20));
  }
  EXPECT_LT(resident(), before + (std::size_t{20} << 20));
}

TEST(LargeArray, BeginsInSmallPages) {
  std::vector<LargeArray<std::uint8_t>> live;
  for (int i = 0; i < 20; ++i) live.emplace_back(kLeast);
  const std::size_t before = resident();
  for (LargeArray<std::uint8_t>& a : live) {
    begin_in_small_pages(a.data(), a.size(), 5000);
    a[0] = a[4999] = 1;
  }
  EXPECT_LT(resident(), before + kPage);
  for (LargeArray<std::uint8_t>& a : live) a.back() = a[kLeast / 2] = 1;
}
#endif

TEST(LargeArray, RejectsOversizedRequests) {
  LargeAllocator<std::uint8_t> allocator;
  EXPECT_THROW(allocator.allocate(~std::size_t{0}), std::bad_alloc);
  EXPECT_THROW(allocator.allocate(std::size_t{1} << 60), std::bad_alloc);
}

}  // namespace
}  // namespace graze::test
