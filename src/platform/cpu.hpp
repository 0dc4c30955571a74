// The CPU level that the SIMD kernels run at: the best level of the machine, or the level named by the environment variable GRAZE_CPU if that is lower.
#pragma once
#include <cstdint>

namespace graze {

enum class CpuLevel : std::uint8_t { scalar = 0, sse4 = 1, avx2 = 2, avx512 = 3, neon = 4 };
inline constexpr int kCpuLevels = static_cast<int>(CpuLevel::neon) + 1;

const char* name(CpuLevel level);

/// Returns the level in force. The first call reads GRAZE_CPU and limits Highway's dispatch in this process accordingly; an unknown name is ignored.
CpuLevel current_cpu_level();

/// Sets the level to the highest one at or below `level` that the machine supports, and returns it. For tests and benchmarks; must not be called while queries
/// run.
CpuLevel force_cpu_level(CpuLevel level);

/// Incremented at every change of level, so that tables of kernels chosen for a level can be refreshed.
std::uint32_t cpu_level_generation();

}  // namespace graze
