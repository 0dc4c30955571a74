// How a long call reports its progress, and how its caller ends it.
#pragma once
#include <functional>

namespace graze {

/// Receives the fraction of a call's work that is done, from 0 to 1 and never decreasing. Returning false ends the call, which then
/// throws Error with ErrorCode::cancelled and leaves nothing behind. An exception ends the call too, and reaches its caller.
///
/// The function is called at the start and about a hundred times more, never concurrently, but from any of the library's threads.
/// At most one task runs between two calls; long calls have hundreds of tasks. Results do not depend on it. The last value may be less than 1. An empty
/// function reports nothing.
using Progress = std::function<bool(double done)>;

}  // namespace graze
