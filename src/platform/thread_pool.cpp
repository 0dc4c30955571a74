// A list of loops that have chunks left. Callers work on their own loop only, so they never wait for a loop that waits for them; other threads take chunks of
// any.
#include "platform/thread_pool.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "platform/parallel.hpp"
#include "platform/threads.hpp"

namespace graze {
namespace {

/// A call of run_on_pool() or help_from_pool().
struct Loop {
  std::size_t chunks;
  void (*body)(void*, std::size_t);
  void* context;
  int seats;    ///< for threads that may still come
  bool helped;  ///< by threads that call the body once each

  std::atomic<std::size_t> next{0};
  std::atomic<int> inside{0};  ///< threads that came and have not left; changed under the pool's mutex
  std::condition_variable left;
  std::exception_ptr error;  ///< the first
  std::mutex errors;

  void work() {
    if (helped) {
      call(0);
      return;
    }
    for (std::size_t i; (i = next.fetch_add(1, std::memory_order_relaxed)) < chunks;) {
      call(i);
    }
  }
  void call(std::size_t i) {
    try {
      body(context, i);
    } catch (...) {
      const std::lock_guard lock(errors);
      if (!error) error = std::current_exception();
      next.store(chunks, std::memory_order_relaxed);
    }
  }
  bool has_work() const { return seats > 0 && next.load(std::memory_order_relaxed) < chunks; }
};

class ThreadPool {
 public:
  bool awake() const { return awake_ > 0; }
  /// Never destroyed, and its threads are detached: a program that ends need not wait for them. A forked process has none of its parent's threads, and the lock
  /// may be held for ever, so it gets a pool of its own.
  static ThreadPool& of_this_process() {
    static std::mutex mutex;
    static std::atomic<ThreadPool*> pool{nullptr};
    ThreadPool* current = pool.load(std::memory_order_acquire);
    if (current != nullptr && current->process_ == getpid()) return *current;
    const std::unique_lock lock(mutex, std::try_to_lock);
    current = pool.load(std::memory_order_acquire);
    if (current == nullptr || current->process_ != getpid()) {
      current = new ThreadPool;  // two threads of a new child may each make one; either serves
      pool.store(current, std::memory_order_release);
    }
    return *current;
  }

  void run(Loop& loop) {
    // Each thread that helps wakes the next: the caller has no time for more than one.
    const std::size_t wanted = loop.helped ? 1 : std::min<std::size_t>(static_cast<std::size_t>(loop.seats), loop.chunks - 1);
    {
      const std::lock_guard lock(mutex_);
      try {
        for (; started_ < loop.seats; ++started_) std::thread([this] { serve(); }).detach();
      } catch (const std::system_error&) {  // there are no more threads to be had
      }
      loops_.push_back(&loop);
      if (loop.helped) ++calls_for_help_;
    }
    for (std::size_t k = 0; k < wanted; ++k) wake_.notify_one();
    loop.work();
    std::unique_lock lock(mutex_);
    loops_.erase(std::find(loops_.begin(), loops_.end(), &loop));
    if (loop.helped) {
      --calls_for_help_;
      lock.unlock();
      wait_for_helper([&] { return loop.inside == 0; });
      lock.lock();
    }
    loop.left.wait(lock, [&] { return loop.inside == 0; });
  }

 private:
  ThreadPool() = default;

  // A choice: longer than what a loop of queries does between two calls for help. A thread that sleeps takes 12 microseconds to come, and 6 of the caller's.
  static constexpr std::chrono::microseconds kAwake{200};

  void stay_awake() {
    const auto end = std::chrono::steady_clock::now() + kAwake;
    ++awake_;
    while (calls_for_help_ == 0 && std::chrono::steady_clock::now() < end) std::this_thread::yield();
    --awake_;
  }

  void serve() {
    std::unique_lock lock(mutex_);
    for (bool helped = false;;) {
      // The latest first: a loop within a chunk of another ends before that one can.
      const auto found = std::find_if(loops_.rbegin(), loops_.rend(), [](const Loop* l) { return l->has_work(); });
      if (found == loops_.rend()) {
        if (std::exchange(helped, false)) {
          lock.unlock();
          stay_awake();
          lock.lock();
        } else {
          wake_.wait(lock);
        }
        continue;
      }
      Loop& loop = **found;
      --loop.seats;
      ++loop.inside;
      helped = loop.helped;
      const bool more = helped && loop.seats > 0;
      lock.unlock();
      if (more) wake_.notify_one();
      loop.work();
      lock.lock();
      if (--loop.inside == 0) loop.left.notify_one();
    }
  }

  pid_t process_ = getpid();
  std::mutex mutex_;
  std::condition_variable wake_;
  std::vector<Loop*> loops_;
  int started_ = 0;
  std::atomic<int> awake_{0}, calls_for_help_{0};  ///< threads that wait without sleep; callers that want help
};

}  // namespace

void run_on_pool(std::size_t chunks, void (*body)(void*, std::size_t), void* context) {
  Loop loop{.chunks = chunks, .body = body, .context = context, .seats = threads() - 1, .helped = false, .left = {}, .error = {}, .errors = {}};
  if (loop.seats < 1 || chunks < 2)
    loop.work();
  else
    ThreadPool::of_this_process().run(loop);
  if (loop.error) std::rethrow_exception(loop.error);
}

void help_from_pool(void (*body)(void*, std::size_t), void* context) {
  constexpr int kMost = 15;  // a choice: more find too little work in a query
  Loop loop{.chunks = 1, .body = body, .context = context, .seats = std::min(threads() - 1, kMost), .helped = true, .left = {}, .error = {}, .errors = {}};
  ThreadPool::of_this_process().run(loop);
  if (loop.error) std::rethrow_exception(loop.error);
}

bool pool_is_awake() { return ThreadPool::of_this_process().awake(); }

}  // namespace graze
