// How the threads of a call learn that its caller wants it to end, and how they report to the caller's Progress.
#pragma once
#include <atomic>
#include <cstdint>
#include <exception>
#include <graze/progress.hpp>
#include <mutex>

namespace graze {

/// A Progress in force: the fraction last reported to it, and whether it has ended the call. Any thread may use it.
class Watch {
 public:
  /// `function` is not empty and, like `outer`, the watch around this one, outlives it.
  Watch(const Progress& function, Watch* outer) : function_(&function), outer_(outer) {}
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  /// Throws if the call has ended. Calls the function where it was not called for a while. Costs some 30 nanoseconds.
  void check();
  /// Begins a pass: the next fraction may be less than the last. No other thread may use the watch meanwhile.
  void restart();
  /// Reports a fraction that is greater than those before; throws if the call has ended.
  void report(double done);

 private:
  void call(double done);
  [[noreturn]] void raise() const;

  const Progress* function_;
  Watch* outer_;
  std::mutex mutex_;
  double reported_ = -1;                 ///< the fraction; under the mutex
  std::atomic<std::int64_t> called_{0};  ///< when, in nanoseconds
  std::atomic<bool> ended_{false};
  std::exception_ptr error_;  ///< what the function threw; written before ended_
};

/// What a thread is watched by.
struct Watching {
  Watch* watch = nullptr;
  bool reports = false;  ///< whether its next loop is a pass of the call; false within a loop, and where a ProgressMeter counts
};

/// Sets what the calling thread is watched by, until it is destroyed.
class WatchGuard {
 public:
  explicit WatchGuard(const Watching& now);
  ~WatchGuard();
  WatchGuard(const WatchGuard&) = delete;
  WatchGuard& operator=(const WatchGuard&) = delete;

 private:
  Watching before_;
};

/// While it lives, nothing ends the work of this thread: for work that would leave an object half changed.
class Uninterrupted : public WatchGuard {
 public:
  Uninterrupted() : WatchGuard({}) {}
};

/// Returns what the calling thread is watched by.
[[nodiscard]] Watching watching();

/// Calls watch.check() once in many thousand calls of the thread.
void count_comparison(Watch& watch);

/// Throws if the caller of this thread's work wants it to end. For loops whose steps take microseconds or more.
inline void checkpoint() {
  if (Watch* const watch = watching().watch) watch->check();
}

}  // namespace graze
