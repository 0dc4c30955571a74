// Parallel loops and reductions whose partition depends only on the problem, never on the number of threads. Uses oneTBB, or the threads of
// thread_pool.hpp without GRAZE_TBB. Work of some microseconds, too short for a loop, can have helpers: threads of the pool that stay awake for a while.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <type_traits>
#include <vector>

namespace graze {

namespace parallel_detail {
using Body = void (*)(void* context, std::size_t chunk);
/// Calls body(context, i) once for each i in [0, chunks), in any order and on any thread, in the default floating-point environment. Rethrows the first
/// exception.
void run_chunks(std::size_t chunks, Body body, void* context);
void run_in_arena(void (*work)(void*), void* context);  ///< with oneTBB only: its own loops use the library's threads in it
}  // namespace parallel_detail

/// Whether the calling thread runs a piece of a loop: others work beside it, so that splitting little work further gains nothing.
bool in_parallel_loop();

/// Calls f(begin, end) for consecutive pieces of [0, n), each `grain` long except the last. Calls may be nested.
template <class F>
void parallel_for(std::size_t n, std::size_t grain, F&& f) {
  if (n == 0) return;
  grain = std::max<std::size_t>(grain, 1);
  const std::size_t chunks = (n - 1) / grain + 1;
  if (chunks == 1) {
    f(std::size_t{0}, n);
    return;
  }
  struct Context {
    std::remove_reference_t<F>* f;
    std::size_t n, grain;
  } context{&f, n, grain};
  parallel_detail::run_chunks(
      chunks,
      [](void* p, std::size_t i) {
        const Context& c = *static_cast<const Context*>(p);
        (*c.f)(i * c.grain, std::min(c.n, (i + 1) * c.grain));
      },
      &context);
}

/// Returns combine(... combine(map(piece 0), map(piece 1)) ..., map(last piece)), always in that order; returns `identity` for n == 0.
template <class T, class Map, class Combine>
T parallel_reduce(std::size_t n, std::size_t grain, T identity, Map&& map, Combine&& combine) {
  if (n == 0) return identity;
  grain = std::max<std::size_t>(grain, 1);
  struct Part {  // elements of std::vector<bool> would share words
    T value;
  };
  std::vector<Part> parts((n - 1) / grain + 1, Part{identity});
  parallel_for(n, grain, [&](std::size_t begin, std::size_t end) { parts[begin / grain].value = map(begin, end); });
  T result = std::move(parts[0].value);
  for (std::size_t i = 1; i < parts.size(); ++i) result = combine(std::move(result), std::move(parts[i].value));
  return result;
}

// ---- helpers: two threads for one distance of two meshes of 269,000 triangles (gap .3: 139 us alone, 93; gap 1: 187 and 123) ----

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
/// returned; rethrows an exception. Each call must do all the work that it finds, since no other thread need ever come.
template <class Work>
void run_with_helpers(Work&& work) {
  helpers_detail::run([](void* p) { (*static_cast<std::remove_reference_t<Work>*>(p))(); }, &work);
}

}  // namespace graze
