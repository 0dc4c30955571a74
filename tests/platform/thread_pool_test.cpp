// The library's own threads: each chunk once, nested loops, exceptions, many callers at once, and a forked process.
#include "platform/thread_pool.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>
#include <graze/threads.hpp>

#include <atomic>
#include <chrono>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "platform/parallel_sort.hpp"

namespace graze {
namespace {

template <class F>
void run(std::size_t chunks, F&& f) {
  run_on_pool(
      chunks, [](void* p, std::size_t i) { (*static_cast<std::remove_reference_t<F>*>(p))(i); }, &f);
}

TEST(ThreadPool, RunsEachChunkOnceAndNests) {
  for (const int n : {1, 2, 7}) {
    set_threads(n);
    for (int round = 0; round < 200; ++round) {
      std::vector<std::atomic<int>> done(37 * 5);
      run(37, [&](std::size_t i) { run(5, [&](std::size_t j) { ++done[5 * i + j]; }); });
      for (const auto& d : done) ASSERT_EQ(d, 1);
    }
  }
  set_threads(0);
}

TEST(ThreadPool, UsesAsManyThreadsAsAreSet) {
  set_threads(4);
  std::mutex mutex;
  std::set<std::thread::id> ids;
  run(64, [&](std::size_t) {
    const std::lock_guard lock(mutex);
    ids.insert(std::this_thread::get_id());
    if (ids.size() < 4) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  });
  EXPECT_GE(ids.size(), 2u);
  EXPECT_LE(ids.size(), 4u);
  set_threads(1);
  ids.clear();
  run(64, [&](std::size_t) { ids.insert(std::this_thread::get_id()); });
  EXPECT_EQ(ids.size(), 1u);
  set_threads(0);
}

TEST(ThreadPool, PropagatesExceptions) {
  for (const int n : {1, 3}) {
    set_threads(n);
    std::atomic<int> calls{0};
    EXPECT_THROW(run(100000,
                     [&](std::size_t i) {
                       ++calls;
                       if (i == 57) throw std::runtime_error("x");
                     }),
                 std::runtime_error);
    EXPECT_LT(calls, 100000);
    run(10, [&](std::size_t) { ++calls; });  // the pool still works
  }
  set_threads(0);
}

TEST(ThreadPool, ServesManyCallers) {
  set_threads(3);
  std::atomic<int> sum{0};
  std::vector<std::thread> callers;
  for (int k = 0; k < 6; ++k)
    callers.emplace_back([&] {
      for (int round = 0; round < 100; ++round) run(16, [&](std::size_t) { ++sum; });
    });
  for (std::thread& t : callers) t.join();
  EXPECT_EQ(sum, 6 * 100 * 16);
  set_threads(0);
}

TEST(ThreadPool, AForkedProcessHasItsOwn) {
#ifdef __SANITIZE_THREAD__
  GTEST_SKIP() << "the thread sanitizer ends a forked process that starts threads";
#endif
  set_threads(4);
  run(64, [](std::size_t) {});
  const pid_t child = fork();
  if (child == 0) {
    std::atomic<int> calls{0};
    run(1000, [&](std::size_t) { ++calls; });
    _exit(calls == 1000 ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  set_threads(0);
}

TEST(ThreadPool, MergeSort) {
  set_threads(3);
  std::uint64_t x = 1;
  for (const std::size_t n : {1u, 2u, 15u, 16u, 17u, 33u, 1000u, 50001u}) {
    std::vector<std::uint64_t> v(n);
    for (auto& y : v) y = (x = x * 6364136223846793005u + 1442695040888963407u) >> 50;
    std::vector<std::uint64_t> sorted = v;
    std::sort(sorted.begin(), sorted.end());
    parallel_detail::merge_sort(v, [](std::uint64_t a, std::uint64_t b) { return a < b; });
    EXPECT_EQ(v, sorted);
  }
  set_threads(0);
}

}  // namespace
}  // namespace graze
