// The library's own threads: for the loops of parallel.hpp where there is no oneTBB, in a build without it and under the thread sanitizer, and everywhere for
// the helpers of parallel.hpp.
#pragma once
#include <cstddef>

namespace graze {

/// Calls body(context, i) once for each i in [0, chunks), on the calling thread and on up to threads() - 1 others that are not busy. Returns when all calls
/// have returned; after an exception, which it rethrows, no further chunk begins. Calls may be nested. After fork() the child has threads of its own.
void run_on_pool(std::size_t chunks, void (*body)(void* context, std::size_t chunk), void* context);

/// Calls body(context, 0) on the calling thread and, until it returns, on up to threads() - 1 others that are not busy. These then stay awake for a while.
void help_from_pool(void (*body)(void* context, std::size_t), void* context);
/// Whether a thread of the pool is awake and waits for work.
bool pool_is_awake();

}  // namespace graze
