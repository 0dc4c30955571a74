// Threads that join a caller for some microseconds, for work that is too short for the loops of parallel.hpp. Implemented in parallel.cpp.
#pragma once
#include <cstdint>
#include <type_traits>

namespace graze {

namespace helpers_detail {
void run(void (*work)(void*), void* context);
}

/// The helpers that run_with_helpers() would find. None where threads() is 1, and within a parallel loop, whose threads are busy. To wake those that sleep
/// takes some 6 microseconds of the caller's time, and 6 more until they come; those awake come at once.
enum class Helpers : std::uint8_t { none, asleep, awake };
[[nodiscard]] Helpers helpers();

/// Calls work() on this thread and, as soon as they come, on up to threads() - 1 others, in the default floating-point environment. Returns when all calls have
/// returned; rethrows an exception. Each call must do all the work that it finds, since no other thread need ever come: they help one caller at a time.
template <class Work>
void run_with_helpers(Work&& work) {
  helpers_detail::run([](void* p) { (*static_cast<std::remove_reference_t<Work>*>(p))(); }, &work);
}

}  // namespace graze
