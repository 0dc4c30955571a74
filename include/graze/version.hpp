// The version of the headers; `version()` tells that of the library that was linked.
#pragma once

#define GRAZE_VERSION_MAJOR 0
#define GRAZE_VERSION_MINOR 1
#define GRAZE_VERSION_PATCH 0

namespace graze {

/// The linked library's version, "major.minor.patch".
const char* version();

/// The CPU level in force: "scalar", "sse4", "avx2", "avx512" or "neon". The environment variable GRAZE_CPU lowers it; answers never depend on it.
const char* cpu_level();

}  // namespace graze
