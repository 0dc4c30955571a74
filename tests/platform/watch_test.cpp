// What a ProgressScope does to loops and sorting: reports, ends in the middle on any number of threads, scopes within each other, and callers who do not watch.
#include "platform/watch.hpp"

#include "platform/parallel.hpp"
#include "platform/parallel_sort.hpp"
#include "platform/progress_meter.hpp"

#include <gtest/gtest.h>
#include <graze/error.hpp>
#include <graze/threads.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <optional>
#include <stdexcept>
#include <thread>
#include <vector>

namespace graze {
namespace {

template <class F>
std::optional<ErrorCode> code_of(const F& f) {
  try {
    f();
  } catch (const Error& e) {
    return e.code();
  }
  return std::nullopt;
}

/// Loops for ever, but for the end of the call.
void endless() {
  for (;;) parallel_for(64, 1, [](std::size_t, std::size_t) { std::this_thread::sleep_for(std::chrono::microseconds(50)); });
}

class WatchedThreads : public testing::TestWithParam<int> {
 protected:
  void SetUp() override { set_threads(GetParam()); }
  void TearDown() override { set_threads(0); }
};
INSTANTIATE_TEST_SUITE_P(Numbers, WatchedThreads, testing::Values(1, 2, 7));

TEST_P(WatchedThreads, ALoopReportsFrom0To1) {
  std::vector<double> told;
  const ProgressScope scope([&](double done) {
    told.push_back(done);
    return true;
  });
  std::atomic<int> count{0};
  for (int pass = 0; pass < 2; ++pass) {
    told.clear();
    parallel_for(1000, 1, [&](std::size_t, std::size_t) {
      parallel_for(3, 1, [&](std::size_t, std::size_t) { ++count; });  // within a piece: no pass of its own
    });
    EXPECT_TRUE(std::is_sorted(told.begin(), told.end()));
    EXPECT_EQ(told.front(), 0);
    EXPECT_EQ(told.back(), 1);
    EXPECT_GE(told.size(), 90u);
  }
  EXPECT_EQ(count, 6000);
}

TEST_P(WatchedThreads, EndsInTheMiddle) {
  std::atomic<int> begun{0};
  std::atomic<bool> go_on{true};
  const auto code = code_of([&] {
    const ProgressScope scope([&](double) { return go_on.load(); });
    parallel_for(1'000'000, 1, [&](std::size_t, std::size_t) {
      if (++begun == 100) go_on = false;
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    });
  });
  EXPECT_EQ(code, ErrorCode::cancelled);
  EXPECT_GE(begun, 100);
  EXPECT_LT(begun, 100'000);
  std::atomic<int> after{0};
  parallel_for(1000, 1, [&](std::size_t, std::size_t) { ++after; });  // the scope has ended
  EXPECT_EQ(after, 1000);
}

TEST_P(WatchedThreads, EndsWithinAMomentAndStaysEnded) {
  const ProgressScope scope(
      [end = std::chrono::steady_clock::now() + std::chrono::milliseconds(100)](double) { return std::chrono::steady_clock::now() < end; });
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(code_of(endless), ErrorCode::cancelled);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
  EXPECT_EQ(code_of(endless), ErrorCode::cancelled);
  EXPECT_EQ(code_of(checkpoint), ErrorCode::cancelled);
  const Uninterrupted whole;
  int count = 0;
  parallel_for(1, 1, [&](std::size_t, std::size_t) { ++count; });
  checkpoint();
  EXPECT_EQ(count, 1);
}

TEST_P(WatchedThreads, AnExceptionReachesTheCaller) {
  const ProgressScope scope([](double done) -> bool { return done < 0.2 ? true : throw std::out_of_range("enough"); });
  EXPECT_THROW(parallel_for(1000, 1, [](std::size_t, std::size_t) {}), std::out_of_range);
}

TEST_P(WatchedThreads, EndsASort) {
  std::vector<std::uint64_t> v(std::size_t{1} << 20);
  std::uint64_t x = 1;
  for (auto& y : v) y = (x = x * 6364136223846793005u + 1442695040888963407u) >> 20;
  std::vector<std::uint64_t> other = v, expected = v;
  std::sort(expected.begin(), expected.end());
  {
    const ProgressScope scope([](double) { return true; });
    parallel_sort(other);
  }
  EXPECT_EQ(other, expected);
  EXPECT_EQ(code_of([&] {
              const ProgressScope scope([](double) { return false; });
              parallel_sort(v);
            }),
            ErrorCode::cancelled);
}

TEST_P(WatchedThreads, EndsHelpers) {
  EXPECT_EQ(code_of([&] {
              const ProgressScope scope(
                  [end = std::chrono::steady_clock::now() + std::chrono::milliseconds(50)](double) { return std::chrono::steady_clock::now() < end; });
              run_with_helpers([] {
                for (;;) checkpoint();
              });
            }),
            ErrorCode::cancelled);
}

TEST_P(WatchedThreads, OuterScopesDecideToo) {
  int outer_calls = 0, inner_calls = 0;
  const auto code = code_of([&] {
    const ProgressScope outer([&](double) { return ++outer_calls < 3; });
    const ProgressScope inner([&](double) { return ++inner_calls > 0; });
    endless();
  });
  EXPECT_EQ(code, ErrorCode::cancelled);
  EXPECT_EQ(outer_calls, 3);
  EXPECT_GT(inner_calls, 0);
}

TEST_P(WatchedThreads, TheFunctionMayCallTheLibrary) {
  std::atomic<int> within{0};
  const ProgressScope scope([&](double) {
    parallel_for(20, 1, [&](std::size_t, std::size_t) { ++within; });
    return true;
  });
  parallel_for(100, 1, [](std::size_t, std::size_t) {});
  EXPECT_GE(within, 20 * 50);
}

TEST_P(WatchedThreads, OthersAreNotEnded) {
  std::atomic<bool> stop{false};
  std::atomic<std::size_t> wrong{0}, rounds{0};
  std::thread other([&] {
    while (!stop) {
      std::atomic<int> count{0};
      parallel_for(200, 1, [&](std::size_t, std::size_t) { parallel_for(4, 1, [&](std::size_t, std::size_t) { ++count; }); });
      wrong += count != 800;
      ++rounds;
    }
  });
  for (int i = 0; i < 60; ++i) {
    std::atomic<int> pieces{0};
    EXPECT_EQ(code_of([&] {
                const ProgressScope scope([&](double) { return pieces < 50; });
                parallel_for(5000, 1, [&](std::size_t, std::size_t) { parallel_for(4, 1, [&](std::size_t, std::size_t) { ++pieces; }); });
              }),
              ErrorCode::cancelled);
  }
  while (rounds == 0) std::this_thread::yield();
  stop = true;
  other.join();
  EXPECT_EQ(wrong, 0u);
}

TEST(Watch, AMeterReportsToTheScope) {
  std::vector<double> told;
  const ProgressScope scope([&](double done) {
    told.push_back(done);
    return true;
  });
  const Progress none;
  {
    ProgressMeter meter(none);
    EXPECT_TRUE(meter.enabled());
    EXPECT_FALSE(ProgressMeter(none).enabled());  // only one reports
    meter.begin(2);
    parallel_for(10, 1, [](std::size_t, std::size_t) {});
    meter.add(1);
    meter.add(1);
  }
  EXPECT_EQ(told, (std::vector<double>{0, 0.5, 1}));
  const ProgressScope empty({});
  parallel_for(2, 1, [](std::size_t, std::size_t) {});
  EXPECT_EQ(told.back(), 1);
  EXPECT_EQ(told.size(), 6u);
}

}  // namespace
}  // namespace graze
