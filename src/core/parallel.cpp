// The arena of threads behind parallel.hpp: of the size that set_threads() asked for, apart from any that the caller's program uses.
#include "core/parallel.hpp"

#include <atomic>
#include <memory>
#include <mutex>
#include <thread>
#ifdef GRAZE_TBB
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#endif

namespace graze {
namespace {

std::atomic<int> g_wanted{0};

int all_cores() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

#ifdef GRAZE_TBB
// A loop that runs while another thread calls set_threads() keeps its arena by sharing it.
std::shared_ptr<tbb::task_arena> arena() {
  static std::mutex mutex;
  static std::shared_ptr<tbb::task_arena> current;
  static int size = 0;
  const std::lock_guard lock(mutex);
  const int n = threads();
  if (!current || size != n) {
    current = std::make_shared<tbb::task_arena>(n);
    size = n;
  }
  return current;
}
#endif

}  // namespace

void set_threads(int n) { g_wanted.store(std::max(n, 0), std::memory_order_relaxed); }

int threads() {
  const int n = g_wanted.load(std::memory_order_relaxed);
  return n == 0 ? all_cores() : n;
}

namespace parallel_detail {

void run_in_arena(void (*work)(void*), void* context) {
#ifdef GRAZE_TBB
  arena()->execute([&] { work(context); });
#else
  work(context);
#endif
}

void run_chunks(std::size_t chunks, Body body, void* context) {
#ifdef GRAZE_TBB
  if (threads() > 1 && chunks > 1) {
    arena()->execute([&] {
      tbb::parallel_for(std::size_t{0}, chunks, [&](std::size_t i) {
        const DefaultFloatEnvironment guard;
        body(context, i);
      }, tbb::simple_partitioner());
    });
    return;
  }
#endif
  for (std::size_t i = 0; i < chunks; ++i) body(context, i);
}

}  // namespace parallel_detail
}  // namespace graze
