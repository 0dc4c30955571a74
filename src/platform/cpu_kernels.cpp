// Maps CPU levels to Highway's targets and so selects the code that every *_kernels.cpp dispatches to.
#include "platform/cpu.hpp"

#include <hwy/targets.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <graze/version.hpp>
#include <mutex>

namespace graze {
namespace {

constexpr std::int64_t kScalar = HWY_SCALAR | HWY_EMU128;

struct Level {
  const char* name;
  std::int64_t target;  // the best target of the level
  std::int64_t allowed;
};
constexpr Level kLevels[kCpuLevels] = {
    {"scalar", kScalar, kScalar},
    {"sse4", HWY_SSE4, kScalar | HWY_SSE4},
    {"avx2", HWY_AVX2, kScalar | HWY_SSE4 | HWY_AVX2},
    {"avx512", HWY_AVX3, kScalar | HWY_SSE4 | HWY_AVX2 | HWY_AVX3},
    {"neon", HWY_NEON, kScalar | HWY_NEON},
};

std::once_flag g_once;
std::atomic<int> g_level{0};
std::atomic<std::uint32_t> g_generation{0};
std::int64_t g_machine = 0;

bool has(int level) { return level == 0 || (g_machine & kLevels[level].target) != 0; }

void set(int wanted) {
  int level = wanted;
  while (!has(level)) --level;
  hwy::SetSupportedTargetsForTest(kLevels[level].allowed);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  g_level.store(level);
  g_generation.fetch_add(1);
}

void initialise() {
  if (g_generation.load(std::memory_order_acquire) != 0) return;  // faster than call_once, and kernels for single pairs call it each time
  std::call_once(g_once, [] {
    g_machine = hwy::SupportedTargets();
    int level = kCpuLevels - 1;
    if (const char* requested = std::getenv("GRAZE_CPU")) {
      for (int i = 0; i < kCpuLevels; ++i) {
        if (std::strcmp(requested, kLevels[i].name) == 0) level = i;
      }
      // "neon" is last in the list but does not rank above the x86 levels. Where it is missing, the machine's best level is used, as for any level above the
      // machine's.
    }
    set(level);
  });
}

// Static initialiser: fixes the level before any HWY_DYNAMIC_DISPATCH, including dispatches of kernels that never query the level.
const bool g_at_start = (initialise(), true);

}  // namespace

const char* name(CpuLevel level) { return kLevels[static_cast<int>(level)].name; }

CpuLevel current_cpu_level() {
  initialise();
  return static_cast<CpuLevel>(g_level.load(std::memory_order_relaxed));
}

CpuLevel force_cpu_level(CpuLevel level) {
  initialise();
  set(static_cast<int>(level));
  return current_cpu_level();
}

std::uint32_t cpu_level_generation() {
  (void)g_at_start;
  initialise();
  return g_generation.load(std::memory_order_relaxed);
}

const char* cpu_level() { return name(current_cpu_level()); }

}  // namespace graze
