// How many threads the library uses.
#pragma once

namespace graze {

/// Sets how many threads the library uses from now on; 0 means all cores. Results never depend on the
/// number. May be called at any time, on any thread; running calls keep the number with which they started.
void set_threads(int n);

}  // namespace graze
