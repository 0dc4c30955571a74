// The thread arena and the helpers behind parallel.hpp. The arena's size is set by set_threads(), and it is separate from any arena of the calling program.
#include "platform/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#ifdef GRAZE_TBB
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#endif

#include "platform/fp_environment.hpp"
#include "platform/helpers.hpp"
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

/// The threads that help a caller for some microseconds.
class HelperThreads {
 public:
  static HelperThreads& all() {
    // Never destroyed, and its threads are detached: a forked process that joined them at its end would wait for threads that it does not have.
    static HelperThreads& helpers = *new HelperThreads;
    return helpers;
  }

  Helpers state() {
    if (pause_.load(std::memory_order_relaxed) > 0) {
      pause_.fetch_sub(1, std::memory_order_relaxed);
      return Helpers::none;
    }
    return awake_ > 0 ? Helpers::awake : Helpers::asleep;
  }
  void waited(std::chrono::steady_clock::duration time) {
    if (time > kLost) lost_ = true;
  }

  void run(void (*work)(void*), void* context) {
    if (!open(work, context)) {
      work(context);
      return;
    }
    wake_.notify_one();
    std::exception_ptr error;
    try {
      work(context);
    } catch (...) {
      error = std::current_exception();
    }
    close(error);
    if (error) std::rethrow_exception(error);
  }

 private:
  static constexpr int kMost = 15;  // a choice: more find too little work in a query
  // A choice: longer than what a loop of queries does between two calls for help. A thread that sleeps takes 12 microseconds to come, and 6 of the caller's.
  static constexpr std::chrono::microseconds kAwake{200};
  static constexpr std::chrono::microseconds kLost{100};  // a choice: longer than a helper works before it lets the caller go on

  /// Returns false if there are none, or another caller has them.
  bool open(void (*work)(void*), void* context) {
    if (threads() == 1 || in_parallel_work) return false;
    const std::unique_lock lock(mutex_, std::try_to_lock);  // a forked process may find it locked for ever
    if (!lock || work_ != nullptr) return false;
    const int wanted = std::min(threads() - 1, kMost);
    try {
      for (; started_ < wanted; ++started_) std::thread([this] { serve(); }).detach();
    } catch (const std::system_error&) {  // there are no more threads to be had
    }
    work_ = work;
    context_ = context;
    watching_ = {watching().watch, false};
    error_ = nullptr;
    seats_ = std::min(wanted, started_);
    return true;
  }

  /// Waits for those that came.
  void close(std::exception_ptr& error) {
    std::unique_lock lock(mutex_);
    seats_ = 0;
    lock.unlock();
    wait_for_helper([&] { return inside_ == 0; });
    lock.lock();
    work_ = nullptr;
    if (!error) error = error_;
    // Where other programs take the helpers' cores, a caller waits for milliseconds.
    calls_alone_ = lost_ ? std::min(2 * calls_alone_ + 16, 1 << 16) : calls_alone_ / 2;
    if (lost_) pause_ = calls_alone_;
    lost_ = false;
  }

  void serve() {
    const Raised helping(in_parallel_work);
    const DefaultFloatEnvironment guard;
    for (std::unique_lock lock(mutex_, std::defer_lock);;) {
      const auto end = std::chrono::steady_clock::now() + kAwake;
      ++awake_;
      while (seats_ == 0 && std::chrono::steady_clock::now() < end) std::this_thread::yield();
      --awake_;
      lock.lock();
      wake_.wait(lock, [&] { return seats_ > 0; });
      ++inside_;
      const bool more = --seats_ > 0;
      lock.unlock();
      if (more) wake_.notify_one();
      std::exception_ptr error;
      try {
        const WatchGuard watched(watching_);
        work_(context_);
      } catch (...) {
        error = std::current_exception();
      }
      lock.lock();
      if (error) error_ = error;
      --inside_;
      lock.unlock();
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_;
  void (*work_)(void*) = nullptr;  ///< of the caller that has the helpers
  void* context_ = nullptr;
  Watching watching_;                        ///< as its thread
  std::atomic<int> awake_ = 0, pause_ = 0;   ///< threads that do not sleep; how many calls find no helpers
  std::atomic<bool> lost_ = false;           ///< whether this caller had to wait for long
  int calls_alone_ = 0;                      ///< how many calls find none after the next loss, about
  int started_ = 0;                          ///< threads
  std::atomic<int> seats_ = 0, inside_ = 0;  ///< how many of them may still join; how many have joined; changed under the mutex
  std::exception_ptr error_;
};

}  // namespace

bool in_parallel_loop() { return in_parallel_work; }

Helpers helpers() {
  if (threads() == 1 || in_parallel_work) return Helpers::none;
  return HelperThreads::all().state();
}
std::int64_t helpers_detail::now() { return std::chrono::steady_clock::now().time_since_epoch().count(); }
void helpers_detail::waited(std::int64_t since) { HelperThreads::all().waited(std::chrono::steady_clock::duration(now() - since)); }
void helpers_detail::run(void (*work)(void*), void* context) { HelperThreads::all().run(work, context); }

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
    if (before * kReports / chunks != (before + 1) * kReports / chunks) by.watch->tell(static_cast<double>(before + 1) / static_cast<double>(chunks));
  }
};

}  // namespace

void run_chunks(std::size_t chunks, Body body, void* context) {
  const Watching by = watching();
  if (by.watch == nullptr) return run(chunks, body, context);
  WatchedLoop loop{.chunks = chunks, .body = body, .context = context, .by = by};
  if (by.reports) {
    by.watch->restart();
    by.watch->tell(0);
  }
  run(
      chunks, [](void* p, std::size_t i) { static_cast<WatchedLoop*>(p)->chunk(i); }, &loop);
}

}  // namespace parallel_detail
}  // namespace graze
