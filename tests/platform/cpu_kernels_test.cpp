// CPU levels: the level in force is the forced one, or the highest below it that the machine supports.
#include "platform/cpu.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <graze/version.hpp>

namespace graze {
namespace {

TEST(Cpu, ReportsForcedLevels) {
  const CpuLevel start = current_cpu_level();
  EXPECT_STREQ(cpu_level(), name(start));
  EXPECT_EQ(force_cpu_level(CpuLevel::scalar), CpuLevel::scalar);
  EXPECT_STREQ(cpu_level(), "scalar");
  for (int i = 1; i < kCpuLevels; ++i) {
    const CpuLevel got = force_cpu_level(static_cast<CpuLevel>(i));
    EXPECT_LE(static_cast<int>(got), i);
    EXPECT_STREQ(cpu_level(), name(got));
  }
  force_cpu_level(start);
  EXPECT_EQ(current_cpu_level(), start);
}

TEST(Version, MatchesTheHeaders) {
  EXPECT_EQ(std::string(version()),
            std::to_string(GRAZE_VERSION_MAJOR) + "." + std::to_string(GRAZE_VERSION_MINOR) + "." + std::to_string(GRAZE_VERSION_PATCH));
}

}  // namespace
}  // namespace graze
