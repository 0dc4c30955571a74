// Threads that join a caller for some microseconds, for work that is too short for the loops of parallel.hpp. Implemented in parallel.cpp.
#pragma once
#include <cstdint>
#include <thread>
#include <type_traits>

namespace graze {

namespace helpers_detail {
void run(void (*work)(void*), void* context);
std::int64_t now();
void waited(std::int64_t since);
}  // namespace helpers_detail

/// The helpers that run_with_helpers() would find. None where threads() is 1, within a parallel loop, whose threads are busy, and for a while after helpers
/// were lost. To wake those that sleep takes some 6 microseconds of the caller's time, and 6 more until they come; those awake come at once.
enum class Helpers : std::uint8_t { none, asleep, awake };
[[nodiscard]] Helpers helpers();

/// Waits until done() while another thread works for some microseconds. Where that takes much longer, the other thread has lost its core to another program;
/// then the next callers will find no helpers, the more the more often this happens, since a helper that is lost costs milliseconds.
template <class Done>
void wait_for_helper(Done&& done) {
  constexpr int kSpins = 20000;  // a choice: some 20 microseconds
  for (int k = 0; k < kSpins; ++k) {
    if (done()) return;
  }
  const std::int64_t begin = helpers_detail::now();
  while (!done()) std::this_thread::yield();
  helpers_detail::waited(begin);
}

/// Calls work() on this thread and, as soon as they come, on up to threads() - 1 others, in the default floating-point environment. Returns when all calls have
/// returned; rethrows an exception. Each call must do all the work that it finds, since no other thread need ever come: they help one caller at a time.
template <class Work>
void run_with_helpers(Work&& work) {
  helpers_detail::run([](void* p) { (*static_cast<std::remove_reference_t<Work>*>(p))(); }, &work);
}

}  // namespace graze
