// Sweeps among many members against a sweep with each member: first contact, ties, and placements certified against all members.
#include <gtest/gtest.h>

#include <graze/error.hpp>
#include <graze/scene.hpp>

#include "support/random.hpp"
#include "support/random_shapes.hpp"

namespace graze {
namespace {

using test::Random;

TEST(SceneSweep, FirstContactMatchesSingleMembers) {
  Random random(21);
  int hits = 0;
  for (const int size : {1, 3, 40}) {
    for (int round = 0; round < 25; ++round) {
      Scene scene;
      for (int i = 0; i < size; ++i) scene.add(test_scene::random_shape(random, random.integer(0, test_scene::kShapes - 1)), random.pose(3));
      for (int k = 0; k < 6; ++k) {
        const AnyShape shape = test_scene::random_shape(random, random.integer(0, 8));
        const Pose pose = random.pose(3);
        const Vec3 motion = random.point(-3, 3);
        const SweepOptions options{random.integer(0, 1) == 1};
        const auto got = scene.sweep(at(shape, pose), motion, options);
        std::optional<SceneSweepHit> want;
        for (const MemberId id : scene.members()) {
          const auto hit = sweep(at(shape, pose), motion, at(scene.shape(id), scene.pose(id)), options);
          if (hit && (!want || (hit->started_inside && !want->hit.started_inside) || (hit->started_inside == want->hit.started_inside && hit->t < want->hit.t)))
            want = SceneSweepHit{id, *hit};
        }
        ASSERT_EQ(got.has_value(), want.has_value());
        if (!got) continue;
        ++hits;
        EXPECT_EQ(got->member, want->member);
        EXPECT_EQ(got->hit.t, want->hit.t);
        EXPECT_EQ(got->hit.started_inside, want->hit.started_inside);
        if (!got->hit.moved) {
          EXPECT_EQ(got->hit.safe.translation, pose.translation);
          continue;
        }
        if (!shape.get<Point>()) {
          EXPECT_FALSE(scene.intersects(at(shape, got->hit.safe)));
        }
      }
    }
  }
  EXPECT_GT(hits, 100);
}

// Walls whose contact times round to the same double: the hit names the one with the first exact time, and the safe placement is in front of all.
TEST(SceneSweep, MembersWithinAnUlp) {
  Scene scene;
  for (int i = 0; i < 12; ++i) {
    const double x = i == 7 ? std::nextafter(1.0, 0.0) : 1.0;
    scene.add(Box{Vec3(x, -1, -1), Vec3(2, 1, 1)});
  }
  const auto hit = scene.sweep(Point{Vec3(0, 0, 0)}, Vec3(3e5, 0, 0));
  ASSERT_TRUE(hit);
  EXPECT_EQ(hit->member, 7u);
  EXPECT_TRUE(hit->hit.moved);
  EXPECT_LT(hit->hit.safe_point.x, std::nextafter(1.0, 0.0));
  EXPECT_EQ(scene.sweep(Point{Vec3(0, 0, 0)}, Vec3(3e5, 0, 0), {}, {.accept = [](MemberId id) { return id != 7; }})->member, 0u);
}

// The path leads from its start to its end, whichever is named first, and is exact where the difference is no double.
TEST(SceneSweep, PathBetweenTwoPoints) {
  Scene scene;
  scene.add(Box{Vec3(1, -1, -1), Vec3(2, 1, 1)});
  const Vec3 start(1e16, 0, 0), end(1e16 + 4, 0, 0);
  const auto there = scene.sweep(Point{Vec3(0, 0, 0)}, {start, end});
  ASSERT_TRUE(there);
  EXPECT_EQ(there->hit.t, .25);
  EXPECT_EQ(there->hit.normal, Vec3(-1, 0, 0));
  EXPECT_FALSE(scene.sweep(Point{Vec3(0, 0, 0)}, {.from = end, .to = start}));
  // 1 - 2^-60 is no double; a motion rounded to 1 would touch
  EXPECT_FALSE(scene.sweep(Point{Vec3(0, 0, 0)}, {.from = Vec3(0x1p-60, 0, 0), .to = Vec3(1, 0, 0)}));
  EXPECT_TRUE(scene.sweep(Point{Vec3(0, 0, 0)}, {.to = Vec3(1, 0, 0)}));
}

// Members that touch the ball at nearly the same time: a placement that is safe for the first one alone would touch another.
TEST(SceneSweep, PlacementTouchesNoMember) {
  Random random(22);
  for (int round = 0; round < 200; ++round) {
    Scene scene;
    const double r = random.real(.1, 1);
    const Vec3 offset = random.point(-1, 1) * (round % 2 ? 1e6 : 1.0);
    for (int i = 0; i < 10; ++i) {
      const Vec3 d = random.direction();
      const double n = std::sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
      scene.add(Sphere{offset + d * ((r + .5) / n), .5});  // all touch the ball of radius r at the origin, up to rounding
    }
    const Vec3 motion = random.direction() * 7.0;
    const Sphere ball{offset - motion, r};
    if (scene.intersects(ball)) continue;
    const auto hit = scene.sweep(ball, motion * 2.0);
    if (!hit || !hit->hit.moved) continue;
    EXPECT_FALSE(scene.intersects(at(ball, hit->hit.safe)));
  }
}

TEST(SceneSweep, DepartingMeansDepartingFromEveryMember) {
  Scene scene;
  scene.add(Box{Vec3(0, 0, -1), Vec3(1, 1, 0)});
  scene.add(Box{Vec3(2, 0, -1), Vec3(3, 1, 0)});
  const Box plate{Vec3(0, 0, 0), Vec3(3, 1, 1)};
  EXPECT_TRUE(scene.sweep(plate, Vec3(0, 0, 1))->hit.departing);
  EXPECT_FALSE(scene.sweep(plate, Vec3(0, 0, 1), {.skip_departing = true}).has_value());
  EXPECT_FALSE(scene.sweep(plate, Vec3(0, 0, -1))->hit.departing);
  EXPECT_FALSE(scene.sweep(plate, Vec3(0, 0, -1))->hit.moved);
  scene.add(Box{Vec3(1, 0, 1), Vec3(2, 1, 2)});
  const auto blocked = scene.sweep(plate, Vec3(0, 0, 1));
  EXPECT_FALSE(blocked->hit.departing);
  EXPECT_EQ(scene.sweep(plate, Vec3(0, 0, 1), {.skip_departing = true})->member, 2u);
  EXPECT_THROW((void)scene.sweep(plate, Vec3(0, std::numeric_limits<double>::infinity(), 1)), Error);
}

}  // namespace
}  // namespace graze
