// The number of threads in force.
#include "platform/threads.hpp"

#ifdef __linux__
#include <sched.h>
#endif

#include <algorithm>
#include <atomic>
#include <graze/threads.hpp>
#include <thread>

namespace graze {
namespace {

std::atomic<int> g_wanted{0};

}  // namespace

void set_threads(int n) { g_wanted.store(std::max(n, 0), std::memory_order_relaxed); }

// Counted once: the system opens a file to answer. Where the process is bound to some of the cores, as a rank of many is, these are all it has.
int all_cores() {
  static const int cores = [] {
#ifdef __linux__
    cpu_set_t mask;
    if (sched_getaffinity(0, sizeof mask, &mask) == 0) return std::max(1, CPU_COUNT(&mask));
#endif
    return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  }();
  return cores;
}

int threads() {
  const int n = g_wanted.load(std::memory_order_relaxed);
  return n == 0 ? all_cores() : n;
}

}  // namespace graze
