// The thread arena behind parallel.hpp, and what its helpers are worth. The arena's size is set by set_threads(), and it is separate from any arena of the
// calling program.
#include "platform/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#ifdef GRAZE_TBB
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#endif

#include "platform/fp_environment.hpp"
#include "platform/thread_pool.hpp"
#include "platform/threads.hpp"
#include "platform/watch.hpp"

namespace graze {
namespace {

constinit thread_local bool in_parallel_work = false;  ///< whether this thread runs a piece of a loop, or helps

/// Sets a flag of the calling thread for a while.
class Raised {
 public:
  explicit Raised(bool& flag) : flag_(flag), before_(flag) { flag = true; }
  ~Raised() { flag_ = before_; }
  Raised(const Raised&) = delete;
  Raised& operator=(const Raised&) = delete;

 private:
  bool& flag_;
  bool before_;
};

#ifdef GRAZE_TBB
constinit thread_local bool in_arena = false;  ///< whether this thread runs a piece of a loop of the arena, so that loops within it need not enter

struct Arena {
  explicit Arena(int n) : size(n), tasks(n) {
    // TBB limits itself to the number of cores and warns on stderr if more threads are requested; global_control raises the limit.
    if (n > all_cores()) more = std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(n));
  }
  int size;
  std::unique_ptr<tbb::global_control> more;
  tbb::task_arena tasks;
};

/// The calling thread's. None is shared: a caller for whom there is no room would wait for others, which may wait for what it has locked.
tbb::task_arena& own_arena() {
  thread_local std::unique_ptr<Arena> arena;
  const int n = threads();
  if (!arena || arena->size != n) arena = std::make_unique<Arena>(n);
  return arena->tasks;
}

/// Calls work() where TBB's loops use the library's threads. Within a piece of a loop the thread runs no other piece until the loops of `work` have ended: that
/// piece may need what this one has locked.
template <class F>
void in_own_arena(const F& work) {
  const auto inside = [&] {
    const Raised here(in_arena);
    work();
  };
  if (in_arena)
    tbb::this_task_arena::isolate(inside);
  else
    own_arena().execute(inside);
}
#endif

/// How often callers do without helpers, since some were lost.
class Losses {
 public:
  bool pause() {
    if (pause_.load(std::memory_order_relaxed) <= 0) return false;
    pause_.fetch_sub(1, std::memory_order_relaxed);
    return true;
  }
  void waited(std::chrono::steady_clock::duration time) {
    constexpr std::chrono::microseconds kLost{100};  // a choice: longer than a helper works before it lets the caller go on
    if (time > kLost) lost_ = true;
  }
  /// After a call for help. Where other programs take the helpers' cores, a caller waits for milliseconds.
  void learn() {
    const int before = calls_alone_;
    const bool lost = lost_.exchange(false);
    calls_alone_ = lost ? std::min(2 * before + 16, 1 << 16) : before / 2;
    if (lost) pause_ = calls_alone_.load();
  }

 private:
  std::atomic<int> pause_{0};        ///< how many calls find no helpers
  std::atomic<bool> lost_{false};    ///< whether a caller had to wait for long
  std::atomic<int> calls_alone_{0};  ///< how many calls find none after the next loss, about
};
constinit Losses losses;

}  // namespace

bool in_parallel_loop() { return in_parallel_work; }

Helpers helpers() {
  if (threads() == 1 || in_parallel_work || losses.pause()) return Helpers::none;
  return pool_is_awake() ? Helpers::awake : Helpers::asleep;
}
std::int64_t helpers_detail::now() { return std::chrono::steady_clock::now().time_since_epoch().count(); }
void helpers_detail::waited(std::int64_t since) { losses.waited(std::chrono::steady_clock::duration(now() - since)); }
void helpers_detail::run(void (*work)(void*), void* context) {
  if (threads() == 1 || in_parallel_work) return work(context);
  struct Helped {
    void (*work)(void*);
    void* context;
    Watching by;
  } helped{work, context, {watching().watch, false}};
  struct Learn {
    ~Learn() { losses.learn(); }
  } at_end;
  help_from_pool(
      [](void* p, std::size_t) {
        const Helped& h = *static_cast<const Helped*>(p);
        const DefaultFloatEnvironment guard;
        const Raised helping(in_parallel_work);
        const WatchGuard watched(h.by);
        h.work(h.context);
      },
      &helped);
}

namespace parallel_detail {

#ifdef GRAZE_TBB
void run_in_arena(void (*work)(void*), void* context) {
  in_own_arena([&] { work(context); });
}
#endif

namespace {

// Pieces run on any thread, so each sets what it is watched by.
void run(std::size_t chunks, Body body, void* context) {
#ifdef GRAZE_TBB
  if (threads() > 1 && chunks > 1) {
    const auto loop = [&] {
      tbb::parallel_for(
          std::size_t{0}, chunks,
          [&](std::size_t i) {
            const DefaultFloatEnvironment guard;
            const Raised working(in_parallel_work), inside(in_arena);
            const WatchGuard unwatched({});
            body(context, i);
          },
          tbb::simple_partitioner());
    };
    in_own_arena(loop);
    return;
  }
  for (std::size_t i = 0; i < chunks; ++i) body(context, i);
#else
  struct Work {
    Body body;
    void* context;
  } work{body, context};
  run_on_pool(
      chunks,
      [](void* p, std::size_t i) {
        const Work& w = *static_cast<const Work*>(p);
        const DefaultFloatEnvironment guard;
        const Raised working(in_parallel_work);
        const WatchGuard unwatched({});
        w.body(w.context, i);
      },
      &work);
#endif
}

/// A loop of a thread that is watched.
struct WatchedLoop {
  std::size_t chunks;
  Body body;
  void* context;
  Watching by;
  std::atomic<std::size_t> done{0};

  void chunk(std::size_t i) {
    constexpr std::size_t kReports = 100;
    const WatchGuard inside({by.watch, false});
    by.watch->check();
    body(context, i);
    if (!by.reports) return;
    const std::size_t before = done.fetch_add(1, std::memory_order_relaxed);
    if (before * kReports / chunks != (before + 1) * kReports / chunks) by.watch->report(static_cast<double>(before + 1) / static_cast<double>(chunks));
  }
};

}  // namespace

void run_chunks(std::size_t chunks, Body body, void* context) {
  const Watching by = watching();
  if (by.watch == nullptr) return run(chunks, body, context);
  WatchedLoop loop{.chunks = chunks, .body = body, .context = context, .by = by};
  if (by.reports) {
    by.watch->restart();
    by.watch->report(0);
  }
  run(
      chunks, [](void* p, std::size_t i) { static_cast<WatchedLoop*>(p)->chunk(i); }, &loop);
}

}  // namespace parallel_detail
}  // namespace graze
