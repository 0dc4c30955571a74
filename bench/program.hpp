// Shared by benchmark programs without Google Benchmark: clocks, medians, and numbers on the command line.
#pragma once
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <vector>

namespace bench {

inline double cpu_seconds(clockid_t clock) {
  timespec t{};
  clock_gettime(clock, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}
inline double thread_seconds() { return cpu_seconds(CLOCK_THREAD_CPUTIME_ID); }
inline double process_seconds() { return cpu_seconds(CLOCK_PROCESS_CPUTIME_ID); }
inline double wall_seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

/// The median; the upper one of an even number of values.
inline double median(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  return v[v.size() / 2];
}

/// Whether the argument is `name` ("--rays=") followed by a number.
inline bool number(const char* argument, const char* name, std::size_t& value) {
  const std::size_t n = std::strlen(name);
  if (std::strncmp(argument, name, n) != 0) return false;
  value = std::strtoull(argument + n, nullptr, 10);
  return true;
}

}  // namespace bench
