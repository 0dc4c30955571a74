// Loops and sorting: every element once, the same pieces for any number of threads, and the default floating-point environment on all threads.
#include "platform/parallel.hpp"
#include "platform/fp_environment.hpp"

#include "platform/parallel_sort.hpp"

#include <gtest/gtest.h>
#include <graze/threads.hpp>

#include <atomic>
#include <cfenv>
#include <chrono>
#include <numeric>
#include <stdexcept>
#include <thread>

namespace graze {
namespace {

TEST(Parallel, PiecesDependOnlyOnTheProblem) {
  for (int n : {1, 2, 7, 0}) {
    set_threads(n);
    std::vector<int> touched(1000);
    std::vector<std::size_t> begins(10);
    parallel_for(touched.size(), 100, [&](std::size_t b, std::size_t e) {
      begins[b / 100] = b;
      EXPECT_EQ(e, b + 100);
      for (std::size_t i = b; i < e; ++i) ++touched[i];
    });
    EXPECT_EQ(touched, std::vector<int>(1000, 1));
    for (std::size_t i = 0; i < begins.size(); ++i) EXPECT_EQ(begins[i], i * 100);
    // The order of rounded sums shows the order of combination.
    const double sum = parallel_reduce(
        1000, 7, 0.0,
        [](std::size_t b, std::size_t e) {
          double s = 0;
          for (std::size_t i = b; i < e; ++i) s += 1.0 / static_cast<double>(i + 1);
          return s;
        },
        [](double a, double b) { return a + b; });
    static double first = sum;
    EXPECT_EQ(sum, first);
  }
  set_threads(0);
}

TEST(Parallel, NestsAndSorts) {
  for (int n : {1, 2, 7}) {
    set_threads(n);
    std::atomic<int> count{0};
    parallel_for(20, 1, [&](std::size_t, std::size_t) { parallel_for(30, 4, [&](std::size_t b, std::size_t e) { count += static_cast<int>(e - b); }); });
    EXPECT_EQ(count, 600);
    std::vector<std::uint64_t> v(50000);
    std::uint64_t x = 1;
    for (auto& y : v) y = (x = x * 6364136223846793005u + 1442695040888963407u) >> 40;
    auto sorted = v;
    std::sort(sorted.begin(), sorted.end());
    parallel_sort(v);
    EXPECT_EQ(v, sorted);
  }
  set_threads(0);
}

TEST(Parallel, PropagatesExceptions) {
  EXPECT_THROW(parallel_for(100, 1,
                            [](std::size_t b, std::size_t) {
                              if (b == 57) throw std::runtime_error("x");
                            }),
               std::runtime_error);
}

/// Whether there are helpers, if need be after the calls that find none because some were lost.
bool found_helpers() {
  for (int k = 0; k < 1 << 17; ++k) {
    if (helpers() != Helpers::none) return true;
  }
  return false;
}

TEST(Helpers, ComeWhereWorkIsLong) {
  for (const int n : {2, 4}) {
    set_threads(n);
    std::atomic<int> came{0}, helpless{0};
    for (int round = 0; round < 20; ++round) {
      ASSERT_TRUE(found_helpers());
      std::atomic<int> inside{0};
      const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(2);  // for a machine that is busy
      run_with_helpers([&] {
        ++inside;
        helpless += !found_helpers();
        while (inside < 2 && std::chrono::steady_clock::now() < end) std::this_thread::yield();
      });
      came += inside - 1;
      EXPECT_LE(inside, n);
    }
    EXPECT_GE(came, 10);        // a helper that loses its core while it holds the lock is not waited for
    EXPECT_GE(helpless, came);  // those that help find no helpers themselves
  }
  set_threads(0);
}

TEST(Helpers, NoneForOneThreadAndWithinLoops) {
  set_threads(1);
  EXPECT_EQ(helpers(), Helpers::none);
  int calls = 0;
  run_with_helpers([&] { ++calls; });
  EXPECT_EQ(calls, 1);
  set_threads(3);
  std::atomic<int> found{0}, ran{0};
  parallel_for(40, 1, [&](std::size_t, std::size_t) {
    found += found_helpers();
    run_with_helpers([&] { ++ran; });
  });
  EXPECT_EQ(found, 0);
  EXPECT_EQ(ran, 40);
  EXPECT_TRUE(found_helpers());
  set_threads(0);
}

TEST(Helpers, AreNotAskedForAWhileAfterOneWasLost) {
  set_threads(2);
  ASSERT_TRUE(found_helpers());
  run_with_helpers([] {
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(20);
    wait_for_helper([&] { return std::chrono::steady_clock::now() > end; });
  });
  int alone = 0;
  while (helpers() == Helpers::none && alone < 1 << 17) ++alone;
  EXPECT_GE(alone, 16);
  EXPECT_LE(alone, 1 << 16);
  set_threads(0);
}

TEST(Helpers, PropagateExceptions) {
  set_threads(3);
  for (const bool by_caller : {true, false}) {
    const auto caller = std::this_thread::get_id();
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    std::atomic<bool> thrown{false};
    EXPECT_THROW(run_with_helpers([&] {
                   if ((std::this_thread::get_id() == caller) == by_caller) {
                     thrown = true;
                     throw std::runtime_error("x");
                   }
                   while (!by_caller && !thrown && std::chrono::steady_clock::now() < end) std::this_thread::yield();
                 }),
                 std::runtime_error);
  }
  std::atomic<int> calls{0};  // they still help
  run_with_helpers([&] { ++calls; });
  EXPECT_GE(calls, 1);
  set_threads(0);
}

TEST(Parallel, RunsInTheDefaultFloatEnvironment) {
  const int before = std::fegetround();
  std::fesetround(FE_UPWARD);
  {
    const DefaultFloatEnvironment guard;
    parallel_for(64, 1, [](std::size_t, std::size_t) { EXPECT_EQ(std::fegetround(), FE_TONEAREST); });
  }
  EXPECT_EQ(std::fegetround(), FE_UPWARD);
  std::fesetround(before);
}

}  // namespace
}  // namespace graze
