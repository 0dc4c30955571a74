// The number of threads in force.
#pragma once

namespace graze {

/// Returns how many threads the library uses, >= 1: what set_threads() set, or all cores.
int threads();
/// Returns the number of CPU cores, >= 1.
int all_cores();

}  // namespace graze
