// Sweeps among many members against a sweep with each member: first contact, ties, and placements certified against all members.
#include <gtest/gtest.h>

#include <graze/error.hpp>
#include <graze/scene.hpp>
#include <utility>

#include "support/random.hpp"
#include "support/random_shapes.hpp"

namespace graze::scene_sweep_test {
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

/// That sweep() agrees with the first of sweep_all(), which tests all members along the path and sorts them, and that its placement is free.
void expect_first_of_all(const Scene& scene, const AnyShape& shape, const Pose& pose, const Vec3& motion, bool skip_departing, const SceneFilter& filter = {}) {
  const Placed mover = at(shape, pose);
  const auto all = scene.sweep_all(mover, motion, {.skip_departing = skip_departing, .place = false}, filter);
  const auto bare = scene.sweep(mover, motion, {.skip_departing = skip_departing, .place = false}, filter);
  const auto got = scene.sweep(mover, motion, {.skip_departing = skip_departing}, filter);
  ASSERT_EQ(bare.has_value(), !all.empty());
  ASSERT_EQ(got.has_value(), !all.empty());
  if (!got) return;
  const SceneSweepHit& want = all[0];
  for (const SceneSweepHit* hit : {&*bare, &*got}) {
    EXPECT_EQ(hit->member, want.member);
    EXPECT_EQ(hit->hit.t, want.hit.t);
    EXPECT_EQ(hit->hit.point, want.hit.point);
    EXPECT_EQ(hit->hit.normal, want.hit.normal);
    EXPECT_EQ(hit->hit.triangle_b, want.hit.triangle_b);
    EXPECT_EQ(hit->hit.child_b, want.hit.child_b);
    EXPECT_EQ(hit->hit.started_inside, want.hit.started_inside);
  }
  const bool held = std::any_of(all.begin(), all.end(), [](const SceneSweepHit& h) { return h.hit.started_inside && !h.hit.departing; });
  EXPECT_EQ(got->hit.departing, want.hit.started_inside && !held);
  EXPECT_FALSE(bare->hit.moved);
  if (got->hit.moved && !shape.get<Point>()) {
    EXPECT_FALSE(scene.intersects(at(shape, got->hit.safe), filter));
  }
}

// Long and short paths, from free places and from inside members; some members were moved or removed after the index was built.
TEST(SceneSweep, FirstOfAllInDenseScenes) {
  Random random(23);
  for (int round = 0; round < 6; ++round) {
    Scene scene;
    const int count = round % 2 == 0 ? 600 : 60;
    for (int i = 0; i < count; ++i) {
      AnyShape shape = test_scene::random_shape(random, random.integer(0, 12));
      scene.add(std::move(shape), random.pose(4), {.group = 1u + i % 2});
    }
    (void)scene.intersects(Point{Vec3(0, 0, 0)});
    if (round >= 2)
      for (MemberId id = 0; id < 40; ++id) id % 4 == 0 ? scene.remove(id) : scene.move(id, random.pose(4));
    const SceneFilter odd{.groups = 2, .accept = [](MemberId id) { return id % 3 != 0; }};
    for (int k = 0; k < 60; ++k) {
      const AnyShape shape = test_scene::random_shape(random, random.integer(0, 11));
      const Vec3 motion = random.point(-1, 1) * (k % 3 == 0 ? .1 : k % 3 == 1 ? 1.0 : 12.0);
      expect_first_of_all(scene, shape, random.pose(4), motion, k % 4 == 0, k % 5 == 0 ? odd : SceneFilter{});
      if (HasFatalFailure()) return;
    }
  }
}

// Unit cubes on a lattice, in random order: a mover with corners on the lattice meets many at the same time, and touches others at the start.
TEST(SceneSweep, TiesAmongManyMembers) {
  Random random(24);
  int ties = 0;
  for (int round = 0; round < 8; ++round) {
    Scene scene;
    for (int i = 0; i < 150; ++i) {
      const Vec3 lo(random.integer(-8, 8), random.integer(-8, 8), random.integer(-8, 8));
      if (random.integer(0, 3) == 0)
        scene.add(Sphere{lo + Vec3(.5, .5, .5), .5});
      else
        scene.add(Box{lo, lo + Vec3(1, 1, 1)});
    }
    for (int k = 0; k < 100; ++k) {
      const Vec3 lo(random.integer(-9, 8), random.integer(-9, 8), random.integer(-9, 8)),
          size(random.integer(0, 2), random.integer(0, 2), random.integer(0, 2));
      const Vec3 motion(random.integer(-8, 8), random.integer(0, 1) * random.integer(-8, 8), random.integer(0, 1) * random.integer(-8, 8));
      const AnyShape shape = k % 4 == 0 ? AnyShape(Sphere{lo, .5 * size.x}) : AnyShape(Box{lo, lo + size});
      expect_first_of_all(scene, shape, Pose(), motion, k % 2 == 0);
      if (HasFatalFailure()) return;
      const auto all = scene.sweep_all(shape, motion, {.place = false});
      ties += all.size() > 1 && !all[0].hit.started_inside && all[0].hit.t == all[1].hit.t;
    }
  }
  EXPECT_GT(ties, 10);
}

// Balls that the path passes within a few roundings: some are met, and others only by the path to the rounded placement.
TEST(SceneSweep, BallAmongBallsThatItGrazes) {
  Random random(25);
  for (int round = 0; round < 60; ++round) {
    Scene scene;
    const Vec3 way = random.direction();
    const double square = way.x * way.x + way.y * way.y + way.z * way.z;
    for (int i = 0; i < 20; ++i) {
      const Vec3 v = random.direction(), side = v - way * ((v.x * way.x + v.y * way.y + v.z * way.z) / square);
      const double n = std::sqrt(side.x * side.x + side.y * side.y + side.z * side.z);
      if (n > .1) scene.add(Sphere{way * random.real(-.5, 3) + side * (.2 / n * (1 + random.integer(0, 4) * 0x1p-52)), .1});
    }
    scene.add(Sphere{way * 4.0, .1});
    const Sphere ball{way * -1.0, .1};
    expect_first_of_all(scene, ball, Pose(), way * 6.0, round % 2 == 0);
    if (HasFatalFailure()) return;
    const auto hit = scene.sweep(ball, way * 6.0);
    ASSERT_TRUE(hit);
    if (!hit->hit.moved) continue;
    const Vec3 end = hit->hit.safe.apply(ball.center);
    for (const MemberId id : scene.members()) EXPECT_FALSE(sweep(ball, end, scene.shape(id), ball.center, {.skip_departing = true, .place = false})) << id;
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
}  // namespace graze::scene_sweep_test
