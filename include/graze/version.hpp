// The version of the headers, and that of the linked library.
#pragma once

#define GRAZE_VERSION_MAJOR 0
#define GRAZE_VERSION_MINOR 1
#define GRAZE_VERSION_PATCH 0

namespace graze {

/// Returns the version of the linked library, "major.minor.patch".
[[nodiscard]] const char* version();

/// Returns the CPU level in use: "scalar", "sse4", "avx2", "avx512" or "neon". The environment variable GRAZE_CPU lowers it.
/// Answers never depend on it.
[[nodiscard]] const char* cpu_level();

}  // namespace graze
