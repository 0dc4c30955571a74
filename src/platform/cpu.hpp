// Which CPU level the wide kernels run at: the best of the machine, or the one that the environment's GRAZE_CPU asks for if that is lower.
#pragma once
#include <cstdint>

namespace graze {

enum class CpuLevel : std::uint8_t { scalar = 0, sse4 = 1, avx2 = 2, avx512 = 3, neon = 4 };
inline constexpr int kCpuLevels = 5;

const char* name(CpuLevel level);

/// The level in force. The first call reads GRAZE_CPU and limits Highway's dispatch in this process accordingly; a word that is no level counts as not set.
CpuLevel current_cpu_level();

/// Changes the level (to the highest at or below `level` that the machine has; that one is returned), for tests and benchmarks; not while queries run.
CpuLevel force_cpu_level(CpuLevel level);

/// Grows by one at every change, so that tables of kernels chosen for a level know when to choose again.
std::uint32_t cpu_level_generation();

}  // namespace graze
