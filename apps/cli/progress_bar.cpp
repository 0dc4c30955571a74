// The progress bar.
#include "cli/progress_bar.hpp"
#include <unistd.h>
#include <algorithm>
#include <cstdio>

namespace graze::cli {

using Clock = std::chrono::steady_clock;

ProgressBar::ProgressBar(std::string what) : what_(std::move(what)), terminal_(::isatty(STDERR_FILENO) == 1), start_(Clock::now()), last_(start_) {}

ProgressBar::~ProgressBar() {
  if (drawn_) std::fputs("\r\x1b[K", stderr);
}

Progress ProgressBar::stage(double from, double to) {
  if (!terminal_) return {};
  return [this, from, to](double done) {
    constexpr double kTotal = 1 << 20;
    show(static_cast<std::uint64_t>((from + (to - from) * done) * kTotal), static_cast<std::uint64_t>(kTotal));
    return true;
  };
}

void ProgressBar::show(std::uint64_t done, std::uint64_t total) {
  if (!terminal_) return;
  const Clock::time_point now = Clock::now();
  if (now - start_ < std::chrono::milliseconds(700) || now - last_ < std::chrono::milliseconds(100)) return;
  last_ = now;
  drawn_ = true;
  if (total == 0) {
    std::fprintf(stderr, "\r%s: %llu MB\x1b[K", what_.c_str(), static_cast<unsigned long long>(done >> 20));
    return;
  }
  constexpr int kWidth = 40;
  const double part = std::min(1.0, static_cast<double>(done) / static_cast<double>(total));
  const int filled = static_cast<int>(part * kWidth);
  std::fprintf(stderr, "\r%s: [%s%s] %3d%%\x1b[K", what_.c_str(), std::string(static_cast<std::size_t>(filled), '#').c_str(),
               std::string(static_cast<std::size_t>(kWidth - filled), '.').c_str(), static_cast<int>(part * 100));
}

}  // namespace graze::cli
