// The rare path of ProgressMeter: calling the caller's function.
#include "platform/progress_meter.hpp"

#include <algorithm>
#include <exception>
#include <graze/error.hpp>

namespace graze {

void ProgressMeter::begin(std::uint64_t total) {
  if (report_ == nullptr) return;
  constexpr std::uint64_t kReports = 100;  // of a stage
  total_ = std::max<std::uint64_t>(total, 1);
  step_ = std::max<std::uint64_t>(total_ / kReports, 1);
  done_ = 0;
  report();
}

void ProgressMeter::report() {
  const std::lock_guard lock(mutex_);
  if (!ended_) {
    const double part = std::min(1.0, static_cast<double>(done_.load(std::memory_order_relaxed)) / static_cast<double>(total_));
    const double done = from_ + (to_ - from_) * part;
    if (done <= reported_) return;
    reported_ = done;
    try {
      ended_ = !(*report_)(done);
    } catch (...) {
      ended_ = true;
      error_ = std::current_exception();
    }
  }
  if (error_) std::rethrow_exception(error_);
  if (ended_) throw Error(ErrorCode::cancelled, "the call was ended by its Progress");
}

}  // namespace graze
