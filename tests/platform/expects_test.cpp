// Contracts: checked in debug builds and with GRAZE_CHECKS, compiled but not evaluated elsewhere.
#include "platform/expects.hpp"

#include <gtest/gtest.h>

#include "convex/sets/convex_set.hpp"

using namespace graze;

namespace {

#if !defined(NDEBUG) || defined(GRAZE_CHECKS)
TEST(ExpectsDeathTest, ABrokenContractPrintsConditionAndLocation) {
  EXPECT_DEATH(GRAZE_EXPECTS(1 + 1 == 3), "expects_test.cpp:[0-9]+: a contract is broken: 1 \\+ 1 == 3");
}

TEST(ExpectsDeathTest, TheLibraryChecksItsOwnContracts) {
  EXPECT_DEATH(
      {
        ConvexSet set;
        for (int i = 0; i < 5; ++i) set.add_point({0, 0, 0});
      },
      "convex_set.hpp");
}
#else
TEST(Expects, AreNotEvaluatedInOptimisedBuilds) {
  int calls = 0;
  GRAZE_EXPECTS(++calls > 0);
  EXPECT_EQ(calls, 0);
}
#endif

TEST(Expects, SatisfiedContractsDoNothing) {
  GRAZE_EXPECTS(true);
  SUCCEED();
}

}  // namespace
