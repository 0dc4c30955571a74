// A list of loops that have chunks left. Callers work on their own loop only, so they never wait for a loop that waits for them; other threads take chunks of
// any.
#include "platform/thread_pool.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "platform/threads.hpp"

namespace graze {
namespace {

/// A call of run_on_pool().
struct Loop {
  std::size_t chunks;
  void (*body)(void*, std::size_t);
  void* context;
  int seats;  ///< for threads that may still come

  std::atomic<std::size_t> next{0};
  int inside = 0;  ///< threads that came and have not left
  std::condition_variable left;
  std::exception_ptr error;  ///< the first
  std::mutex errors;

  void work() {
    for (std::size_t i; (i = next.fetch_add(1, std::memory_order_relaxed)) < chunks;) {
      try {
        body(context, i);
      } catch (...) {
        const std::lock_guard lock(errors);
        if (!error) error = std::current_exception();
        next.store(chunks, std::memory_order_relaxed);
      }
    }
  }
  bool has_work() const { return seats > 0 && next.load(std::memory_order_relaxed) < chunks; }
};

class ThreadPool {
 public:
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
    const std::size_t wanted = std::min<std::size_t>(static_cast<std::size_t>(loop.seats), loop.chunks - 1);
    {
      const std::lock_guard lock(mutex_);
      try {
        for (; started_ < loop.seats; ++started_) std::thread([this] { serve(); }).detach();
      } catch (const std::system_error&) {  // there are no more threads to be had
      }
      loops_.push_back(&loop);
    }
    for (std::size_t k = 0; k < wanted; ++k) wake_.notify_one();
    loop.work();
    std::unique_lock lock(mutex_);
    loops_.erase(std::find(loops_.begin(), loops_.end(), &loop));
    loop.left.wait(lock, [&] { return loop.inside == 0; });
  }

 private:
  ThreadPool() = default;

  void serve() {
    std::unique_lock lock(mutex_);
    for (;;) {
      // The latest first: a loop within a chunk of another ends before that one can.
      const auto found = std::find_if(loops_.rbegin(), loops_.rend(), [](const Loop* l) { return l->has_work(); });
      if (found == loops_.rend()) {
        wake_.wait(lock);
        continue;
      }
      Loop& loop = **found;
      --loop.seats;
      ++loop.inside;
      lock.unlock();
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
};

}  // namespace

void run_on_pool(std::size_t chunks, void (*body)(void*, std::size_t), void* context) {
  Loop loop{.chunks = chunks, .body = body, .context = context, .seats = threads() - 1, .left = {}, .error = {}, .errors = {}};
  if (loop.seats < 1 || chunks < 2)
    loop.work();
  else
    ThreadPool::of_this_process().run(loop);
  if (loop.error) std::rethrow_exception(loop.error);
}

}  // namespace graze
