// Where the counted work is reported.
#include "platform/progress_meter.hpp"

#include <algorithm>

namespace graze {

ProgressMeter::ProgressMeter(const Progress& report) {
  const Watching outer = watching();
  if (report)
    watch_ = &own_.emplace(report, outer.watch);
  else if (outer.reports)
    watch_ = outer.watch;
  if (watch_ == nullptr) return;
  watch_->restart();
  guard_.emplace(Watching{watch_, false});
}

void ProgressMeter::begin(std::uint64_t total) {
  if (watch_ == nullptr) return;
  constexpr std::uint64_t kReports = 100;  // of a stage
  total_ = std::max<std::uint64_t>(total, 1);
  step_ = std::max<std::uint64_t>(total_ / kReports, 1);
  done_ = 0;
  report();
}

void ProgressMeter::count(std::uint64_t n) {
  const std::uint64_t before = done_.fetch_add(n, std::memory_order_relaxed);
  if (before / step_ != (before + n) / step_)
    report();
  else
    watch_->check();
}

void ProgressMeter::report() {
  const double part = std::min(1.0, static_cast<double>(done_.load(std::memory_order_relaxed)) / static_cast<double>(total_));
  watch_->report(from_ + (to_ - from_) * part);
}

}  // namespace graze
