// Counts the finished work of a call and reports it to the caller's Progress.
#pragma once
#include <atomic>
#include <cstdint>
#include <graze/progress.hpp>
#include <optional>

#include "platform/expects.hpp"
#include "platform/watch.hpp"

namespace graze {

/// A call has one or more stages, each with its own unit of work. Counting without a Progress costs one comparison.
class ProgressMeter {
 public:
  /// Reports nothing.
  ProgressMeter() = default;
  /// Reports to a function that must outlive the meter; if it is empty, to the ProgressScope of this thread, unless a loop or another meter reports to that.
  /// Meanwhile, the loops of this thread do not report by themselves. Must be destroyed on the same thread, before what was there earlier.
  explicit ProgressMeter(const Progress& report);
  ProgressMeter(const ProgressMeter&) = delete;
  ProgressMeter& operator=(const ProgressMeter&) = delete;

  bool enabled() const { return watch_ != nullptr; }
  /// The next work takes the call from `from` to `to`; at first, from 0 to 1.
  void stage(double from, double to) {
    GRAZE_EXPECTS(0 <= from && from <= to && to <= 1);
    from_ = from, to_ = to;
  }
  /// Begins work of `total` units. No other thread may count meanwhile.
  void begin(std::uint64_t total);
  /// Adds n units, on any thread. Throws Error if the caller has ended the call.
  void add(std::uint64_t n) {
    if (watch_ != nullptr) count(n);
  }

 private:
  void count(std::uint64_t n);
  void report();

  std::optional<Watch> own_;
  Watch* watch_ = nullptr;
  std::optional<WatchGuard> guard_;
  double from_ = 0, to_ = 1;
  std::uint64_t total_ = 1, step_ = 1;
  std::atomic<std::uint64_t> done_{0};
};

}  // namespace graze
