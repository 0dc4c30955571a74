// How a long call reports its progress, and how its caller ends it.
#pragma once
#include <functional>

namespace graze {

/// Receives the part of a call's work that is done, from 0 to 1 and never decreasing. Returning false ends the call, which then
/// throws Error with ErrorCode::cancelled and leaves nothing behind. An exception ends the call too, and reaches its caller.
///
/// The function is called at the start and about a hundred times more, never twice at once, but from any of the library's threads.
/// Between two calls lies at most one task; long calls have hundreds. Results do not depend on it. The last call may be with less
/// than 1. An empty function reports nothing.
using Progress = std::function<bool(double done)>;

}  // namespace graze
