// Counts the finished work of a call and reports it to the caller's Progress.
#pragma once
#include <atomic>
#include <cstdint>
#include <exception>
#include <graze/progress.hpp>
#include <mutex>

#include "platform/expects.hpp"

namespace graze {

/// A call has one or more stages, each with its own unit of work. Counting without a Progress costs one comparison.
class ProgressMeter {
 public:
  /// Reports nothing.
  ProgressMeter() = default;
  /// Reports to a function that must outlive the meter; an empty one is never called.
  explicit ProgressMeter(const Progress& report) : report_(report ? &report : nullptr) {}
  ProgressMeter(const ProgressMeter&) = delete;
  ProgressMeter& operator=(const ProgressMeter&) = delete;

  bool enabled() const { return report_ != nullptr; }
  /// The next work takes the call from `from` to `to`; at first, from 0 to 1.
  void stage(double from, double to) {
    GRAZE_EXPECTS(0 <= from && from <= to && to <= 1);
    from_ = from, to_ = to;
  }
  /// Begins work of `total` units. No other thread may count meanwhile.
  void begin(std::uint64_t total);
  /// Adds n units, on any thread. Throws Error if the caller has ended the call.
  void add(std::uint64_t n) {
    if (report_ == nullptr) return;
    const std::uint64_t before = done_.fetch_add(n, std::memory_order_relaxed);
    if (before / step_ != (before + n) / step_) report();
  }

 private:
  void report();

  const Progress* report_ = nullptr;
  double from_ = 0, to_ = 1, reported_ = -1;
  std::uint64_t total_ = 1, step_ = 1;
  std::atomic<std::uint64_t> done_{0};
  std::mutex mutex_;
  bool ended_ = false;
  std::exception_ptr error_;  ///< what the function threw; every thread that goes on to report throws it
};

}  // namespace graze
