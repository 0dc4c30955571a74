// The answers about two models that a thread finds: the same as those of the library, however often it is interrupted.
#include "viewer/pair_verdict.hpp"
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace graze::view {
namespace {

Pose pose_of(int i) { return turned_about(translation(Vec3(2.6 - 0.2 * i, 0.1, 0.3)), Vec3(0, 0, 0), Vec3(0, 0, 1), 0.1 * i); }

void expect_same(const PairVerdict::Answer& x, const PairVerdict::Answer& y) {
  EXPECT_EQ(contact::text_of(x.verdict), contact::text_of(y.verdict));
  EXPECT_EQ(x.facts.pairs.size(), y.facts.pairs.size());
  ASSERT_EQ(x.facts.closest.has_value(), y.facts.closest.has_value());
  if (x.facts.closest) {
    EXPECT_EQ(x.facts.closest->distance, y.facts.closest->distance);
  }
}

TEST(PairVerdict, SameAnswersInAHurry) {
  const Mesh a = torus_mesh(1, 0.38, 128, 64), b = rock_mesh(0.8, 5, 5);
  PairVerdict patient(a, b), hurried(a, b);
  hurried.hurry();
  std::vector<std::string> seen;
  for (int i = 0; i < 16; ++i) {
    (void)hurried.at_poses(Pose{}, pose_of(i + 1));  // work on it ends at the next line
    const PairVerdict::Answer* found = hurried.at_poses(Pose{}, pose_of(i));
    while (!found) {
      EXPECT_NE(hurried.progress(), "");
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      if (hurried.arrived()) found = hurried.at_poses(Pose{}, pose_of(i));
    }
    EXPECT_EQ(hurried.progress(), "");
    const PairVerdict::Answer* known = patient.at_poses(Pose{}, pose_of(i));
    ASSERT_NE(known, nullptr);
    expect_same(*found, *known);
    seen.push_back(contact::text_of(known->verdict));
  }
  std::sort(seen.begin(), seen.end());
  seen.erase(std::unique(seen.begin(), seen.end()), seen.end());
  EXPECT_GE(seen.size(), 2u);
}

TEST(PairVerdict, EndsWithItsWork) {
  const Mesh a = torus_mesh(1, 0.38, 256, 128), b = rock_mesh(0.8, 6, 5);
  for (int i = 0; i < 3; ++i) {
    PairVerdict verdict(a, b);
    verdict.hurry();
    (void)verdict.at_poses(Pose{}, pose_of(8));
  }
}

}  // namespace
}  // namespace graze::view
