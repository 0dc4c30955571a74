// The number of threads in force.
#include "platform/threads.hpp"

#include <algorithm>
#include <atomic>
#include <graze/threads.hpp>
#include <thread>

namespace graze {
namespace {

std::atomic<int> g_wanted{0};

}  // namespace

void set_threads(int n) { g_wanted.store(std::max(n, 0), std::memory_order_relaxed); }

int all_cores() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

int threads() {
  const int n = g_wanted.load(std::memory_order_relaxed);
  return n == 0 ? all_cores() : n;
}

}  // namespace graze
