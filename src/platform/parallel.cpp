// The thread arena behind parallel.hpp. Its size is set by set_threads(), and it is separate from any arena of the calling program.
#include "platform/parallel.hpp"

#include <memory>
#include <mutex>
#ifdef GRAZE_TBB
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#endif

#include "platform/fp_environment.hpp"
#include "platform/threads.hpp"

namespace graze {
namespace {

#ifdef GRAZE_TBB
struct Arena {
  explicit Arena(int n) : size(n), tasks(n) {
    // TBB limits itself to the number of cores and warns on stderr if more threads are requested; global_control raises the limit.
    if (n > all_cores()) more = std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(n));
  }
  int size;
  std::unique_ptr<tbb::global_control> more;
  tbb::task_arena tasks;
};

// The arena is shared: a loop that runs while another thread calls set_threads() keeps its arena alive.
std::shared_ptr<Arena> arena() {
  static std::mutex mutex;
  static std::shared_ptr<Arena> current;
  const std::lock_guard lock(mutex);
  const int n = threads();
  if (!current || current->size != n) current = std::make_shared<Arena>(n);
  return current;
}
#endif

}  // namespace

namespace parallel_detail {

void run_in_arena(void (*work)(void*), void* context) {
#ifdef GRAZE_TBB
  arena()->tasks.execute([&] { work(context); });
#else
  work(context);
#endif
}

void run_chunks(std::size_t chunks, Body body, void* context) {
#ifdef GRAZE_TBB
  if (threads() > 1 && chunks > 1) {
    arena()->tasks.execute([&] {
      tbb::parallel_for(
          std::size_t{0}, chunks,
          [&](std::size_t i) {
            const DefaultFloatEnvironment guard;
            body(context, i);
          },
          tbb::simple_partitioner());
    });
    return;
  }
#endif
  for (std::size_t i = 0; i < chunks; ++i) body(context, i);
}

}  // namespace parallel_detail
}  // namespace graze
