// A progress bar on stderr, shown only on a terminal and only if the work takes longer than a moment.
#pragma once
#include <chrono>
#include <cstdint>
#include <graze/progress.hpp>
#include <string>

namespace graze::cli {

class ProgressBar {
 public:
  explicit ProgressBar(std::string what);
  /// Removes the bar.
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;
  /// `total` 0: not known.
  void show(std::uint64_t done, std::uint64_t total);
  /// Progress for a call that advances the work from `from` to `to`; refers to this bar. Empty without a terminal.
  Progress stage(double from, double to);

 private:
  std::string what_;
  bool terminal_, drawn_ = false;
  std::chrono::steady_clock::time_point start_, last_;
};

}  // namespace graze::cli
