// A progress bar on stderr, shown only on a terminal and only if the work takes longer than a moment.
#pragma once
#include <chrono>
#include <cstdint>
#include <string>

namespace graze::cli {

class Progress {
 public:
  explicit Progress(std::string what);
  /// Removes the bar.
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  /// `total` 0: not known.
  void show(std::uint64_t done, std::uint64_t total);

 private:
  std::string what_;
  bool terminal_, drawn_ = false;
  std::chrono::steady_clock::time_point start_, last_;
};

}  // namespace graze::cli
