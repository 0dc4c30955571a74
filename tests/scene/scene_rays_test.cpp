// All hits of rays with all members, batches of rays, and all contacts of sweeps, against one query on each member.
#include <gtest/gtest.h>

#include <algorithm>
#include <graze/error.hpp>
#include <graze/scene.hpp>
#include <graze/threads.hpp>

#include "support/random.hpp"
#include "support/random_shapes.hpp"

namespace graze::scene_rays_test {
namespace {

using test::Random;

Scene random_scene(Random& random, int size, double space) {
  Scene scene;
  for (int i = 0; i < size; ++i) scene.add(test_scene::random_shape(random, random.integer(0, test_scene::kShapes - 1)), random.pose(space));
  return scene;
}

void expect_same(const Hit& got, const Hit& want) {
  EXPECT_EQ(got.t, want.t);
  EXPECT_EQ(got.point, want.point);
  EXPECT_EQ(got.normal, want.normal);
  EXPECT_EQ(got.triangle, want.triangle);
  EXPECT_EQ(got.child, want.child);
  EXPECT_EQ(got.started_inside, want.started_inside);
}

TEST(SceneRays, AllHitsMatchThoseOfTheMembers) {
  Random random(41);
  std::size_t count = 0;
  for (const int size : {1, 6, 50}) {
    const Scene scene = random_scene(random, size, 2);
    for (int round = 0; round < 40; ++round) {
      const std::vector<AnyShape> rays = {Ray{random.point(-3, 3), random.direction()}, Segment{random.point(-3, 3), random.point(-3, 3)},
                                          Line{random.point(-3, 3), random.direction()}};
      for (const AnyShape& ray : rays) {
        RayOptions o;
        if (round % 3 == 0) o.t_max = random.real(0, 3);
        if (round % 2 == 0) o.t_min = random.real(-2, 2);
        std::vector<SceneHit> want;
        for (const MemberId id : scene.members())
          for (const Hit& hit : raycast_all(ray, at(scene.shape(id), scene.pose(id)), o)) want.push_back({id, hit});
        std::stable_sort(want.begin(), want.end(), [](const SceneHit& x, const SceneHit& y) {
          return x.hit.started_inside != y.hit.started_inside ? x.hit.started_inside : x.hit.t < y.hit.t;
        });
        const auto got = scene.raycast_all(ray, o);
        ASSERT_EQ(got.size(), want.size());
        count += got.size();
        for (std::size_t i = 0; i < got.size(); ++i) {
          EXPECT_EQ(got[i].member, want[i].member);
          expect_same(got[i].hit, want[i].hit);
        }
        const auto first = scene.raycast(ray, o);
        ASSERT_EQ(first.has_value(), !got.empty());
        if (first) {
          EXPECT_EQ(first->member, got[0].member);
        }
      }
    }
  }
  EXPECT_GT(count, 300u);
}

// Two members whose hits differ by less than a double resolves, and equal ones.
TEST(SceneRays, AllHitsAreInExactOrder) {
  const double t = 3, up = std::nextafter(t, 4);
  Scene scene;
  const auto lid = [&](double z) { return Triangle{{Vec3(-1, -1, t), Vec3(1, -1, t), Vec3(0, z, up)}}; };
  for (const double z : {1.0, 3.0, 1.0, 2.0}) scene.add(lid(z));  // the ray meets them at 1/2, 1/4, 1/2 and 1/3 of the step
  scene.add(Box{Vec3(-1, -1, -1), Vec3(1, 1, 1)});
  for (int i = 0; i < 10; ++i) scene.add(Sphere{Vec3(30, 30, i), 1});
  std::vector<MemberId> order;
  for (const SceneHit& h : scene.raycast_all(Ray{Vec3(0, 0, 0), Vec3(0, 0, 1)})) order.push_back(h.member);
  EXPECT_EQ(order, (std::vector<MemberId>{4, 1, 3, 0, 2}));
}

TEST(SceneRays, BatchesAnswerAsSingleRays) {
  Random random(42);
  const Scene scene = random_scene(random, 80, 3);
  std::vector<Ray> rays;
  for (int i = 0; i < 700; ++i) rays.push_back({random.point(-4, 4), random.direction()});
  const SceneFilter filter{.accept = [](MemberId id) { return id % 5 != 0; }};
  for (const int n : {1, 2, 4}) {
    set_threads(n);
    RaySpan span{rays, 5};
    span.t_min = 0.5;
    const auto got = scene.raycast(span, filter);
    ASSERT_EQ(got.size(), rays.size());
    for (std::size_t i = 0; i < rays.size(); ++i) {
      const auto want = scene.raycast(rays[i], span.options(), filter);
      ASSERT_EQ(got[i].has_value(), want.has_value());
      if (!want) continue;
      EXPECT_EQ(got[i]->member, want->member);
      expect_same(got[i]->hit, want->hit);
    }
  }
  set_threads(0);
  std::vector<std::optional<SceneHit>> out(3);
  EXPECT_EQ(test_scene::message([&] { scene.raycast({rays}, out); }), "raycast: 700 rays, room for 3 answers");
  EXPECT_THROW((void)scene.raycast({rays, std::nan("")}), Error);
}

void expect_first_of_all(const Scene& scene, const AnyShape& ray, const RayOptions& options, const SceneFilter& filter) {
  const auto all = scene.raycast_all(ray, options, filter);
  const auto first = scene.raycast(ray, options, filter);
  ASSERT_EQ(first.has_value(), !all.empty());
  if (!first) return;
  ASSERT_EQ(first->member, all[0].member) << "at t " << first->hit.t << " and " << all[0].hit.t;
  expect_same(first->hit, all[0].hit);
}

// Shapes without end among others: a line may lie in several of them from the beginning, and a ray may leave the range of the doubles before it meets one. All
// numbers are small integers, so that many hits tie.
TEST(SceneRays, TheFirstHitIsTheFirstOfAllAlsoAmongShapesWithoutEnd) {
  Random random(45);
  const auto direction = [&] {
    for (;;) {
      const Vec3 v = random.grid(-1, 1);
      if (v != Vec3(0, 0, 0)) return v;
    }
  };
  const auto shape = [&]() -> AnyShape {
    switch (random.integer(0, 7)) {
      case 0:
      case 1:
        return HalfSpace{random.grid(-2, 2), direction()};
      case 2:
        return Plane{random.grid(-2, 2), direction()};
      case 3:
        return Sphere{random.grid(-3, 3), 1};
      case 4:
        return test_scene::random_mesh(random);
      case 5:
        return Line{random.grid(-2, 2), direction()};
      case 6:
        return Compound({{HalfSpace{random.grid(-2, 2), direction()}, {}}, {Sphere{random.grid(-2, 2), 1}, translation(random.grid(-2, 2))}});
      default: {
        const Vec3 lo = random.grid(-3, 2);
        return Box{lo, lo + Vec3(1, 1, 1)};
      }
    }
  };
  for (int round = 0; round < 150; ++round) {
    Scene scene;
    const int size = random.integer(1, 40);
    for (int i = 0; i < size; ++i) scene.add(shape(), round % 3 == 0 ? translation(random.grid(-2, 2)) : Pose{});
    if (round % 5 == 0) scene.add(Sphere{Vec3(1e300, 0, 0), 1e299});
    for (const double length : {1.0, 2.0, round % 10 == 0 ? 1e-300 : 0.5, round % 10 == 1 ? 1e300 : 4}) {
      const std::vector<AnyShape> rays = {Ray{random.grid(-4, 4), length * direction()}, Segment{random.grid(-4, 4), random.grid(-4, 4)},
                                          Line{random.grid(-4, 4), length * direction()}};
      const RayOptions options{random.integer(0, 2) == 0 ? random.integer(0, 3) / length : std::numeric_limits<double>::infinity()};
      const SceneFilter filter{.accept = [&](MemberId id) { return round % 2 == 0 || id % 3 != 0; }};
      for (const AnyShape& ray : rays) ASSERT_NO_FATAL_FAILURE(expect_first_of_all(scene, ray, options, filter));
    }
  }
}

// The box of a half space ends at the largest double; the half space does not.
TEST(SceneRays, RaysMeetShapesBeyondTheRangeOfTheDoubles) {
  const HalfSpace far{Vec3(0, 1e305, 0), Vec3(0, -1, 0)};
  const Ray ray{Vec3(0, 0, 0), Vec3(1e10, 1, 0)};
  const auto alone = raycast(ray, far);
  ASSERT_TRUE(alone);
  Scene scene;
  scene.add(far);
  for (int i = 0; i < 20; ++i) scene.add(HalfSpace{Vec3(0, 0, 1e300 + i * 1e290), Vec3(0, 0, -1)});
  const auto hit = scene.raycast(ray);
  ASSERT_TRUE(hit);
  EXPECT_EQ(hit->member, 0u);
  EXPECT_EQ(hit->hit.t, alone->t);
}

// Boxes that a ray runs along, touches in a corner, or only just misses, near and far from the origin.
TEST(SceneRays, GrazingRaysMatchTheMembers) {
  Random random(43);
  for (const double far : {0.0, 1e6, 1e15}) {
    Scene scene;
    std::vector<Box> boxes;
    for (int i = 0; i < 60; ++i) {
      const Vec3 lo = random.grid(0, 8) + Vec3(far, -far, 0);
      boxes.push_back({lo, lo + Vec3(random.integer(0, 2), random.integer(0, 2), random.integer(0, 2))});
      scene.add(boxes.back());
    }
    int hits = 0;
    for (int round = 0; round < 400; ++round) {
      const Vec3 a = random.grid(-2, 10) + Vec3(far, -far, 0), b = random.grid(-2, 10) + Vec3(far, -far, 0);
      if (a == b) continue;
      const Ray ray{a, b - a};
      std::vector<MemberId> want;
      for (MemberId id = 0; id < boxes.size(); ++id)
        if (raycast_any(ray, boxes[id])) want.push_back(id);
      std::vector<MemberId> got;
      for (const SceneHit& h : scene.raycast_all(ray)) got.push_back(h.member);
      std::sort(got.begin(), got.end());
      EXPECT_EQ(got, want);
      hits += static_cast<int>(got.size());
    }
    EXPECT_GT(hits, 100);
  }
}

TEST(SceneSweepAll, MatchesSingleMembersInExactOrder) {
  Random random(44);
  std::size_t count = 0;
  for (const int size : {1, 5, 40}) {
    for (int round = 0; round < 60; ++round) {
      const Scene scene = random_scene(random, size, 2);
      const AnyShape shape = test_scene::random_shape(random, random.integer(0, 8));
      const Pose pose = random.pose(3);
      const Vec3 motion = random.point(-3, 3);
      const SweepOptions options{random.integer(0, 1) == 1};
      std::vector<SceneSweepHit> want;
      for (const MemberId id : scene.members())
        if (const auto hit = sweep(at(shape, pose), motion, at(scene.shape(id), scene.pose(id)), options)) want.push_back({id, *hit});
      std::stable_sort(want.begin(), want.end(), [](const SceneSweepHit& x, const SceneSweepHit& y) {
        return x.hit.started_inside != y.hit.started_inside ? x.hit.started_inside : x.hit.t < y.hit.t;
      });
      const auto got = scene.sweep_all(at(shape, pose), motion, options);
      ASSERT_EQ(got.size(), want.size());
      count += got.size();
      for (std::size_t i = 0; i < got.size(); ++i) {
        EXPECT_EQ(got[i].member, want[i].member);
        EXPECT_EQ(got[i].hit.t, want[i].hit.t);
        EXPECT_EQ(got[i].hit.departing, want[i].hit.departing);
        EXPECT_EQ(got[i].hit.safe.translation, want[i].hit.safe.translation);
      }
      const auto first = scene.sweep(at(shape, pose), motion, options);
      ASSERT_EQ(first.has_value(), !got.empty());
      if (first) {
        EXPECT_EQ(first->member, got[0].member);
      }
    }
  }
  EXPECT_GT(count, 100u);
  Scene walls;  // contact times that round to the same double: the second is the first
  walls.add(Box{Vec3(1, -1, -1), Vec3(2, 1, 1)});
  walls.add(Box{Vec3(std::nextafter(1.0, 0.0), -1, -1), Vec3(2, 1, 1)});
  const auto hits = walls.sweep_all(Point{Vec3(0, 0, 0)}, Vec3(3e5, 0, 0));
  ASSERT_EQ(hits.size(), 2u);
  EXPECT_EQ(hits[0].member, 1u);
  EXPECT_THROW((void)walls.sweep_all(Point{Vec3(0, 0, 0)}, Vec3(INFINITY, 0, 0)), Error);
}

}  // namespace
}  // namespace graze::scene_rays_test
