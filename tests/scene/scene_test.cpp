// The scene against brute force over its members: every query, while members are added, moved and removed.
#include <gtest/gtest.h>

#include <algorithm>
#include <graze/error.hpp>
#include <graze/scene.hpp>
#include <graze/threads.hpp>

#include "support/random.hpp"
#include "support/random_shapes.hpp"

namespace graze::scene_test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
using test_scene::random_shape;

struct Brute {
  const Scene& scene;
  std::vector<MemberId> overlapping(ShapeRef shape) const {
    std::vector<MemberId> r;
    for (const MemberId id : scene.members())
      if (intersects(shape, at(scene.shape(id), scene.pose(id)))) r.push_back(id);
    return r;
  }
  std::optional<SceneHit> raycast(ShapeRef ray, const RayOptions& o) const {
    std::optional<SceneHit> best;
    for (const MemberId id : scene.members()) {
      const auto hit = graze::raycast(ray, at(scene.shape(id), scene.pose(id)), o);
      if (hit && (!best || hit->t < best->hit.t || (hit->t == best->hit.t && hit->started_inside && !best->hit.started_inside))) best = SceneHit{id, *hit};
    }
    return best;
  }
  std::optional<SceneClosest> closest(ShapeRef shape) const {
    std::optional<SceneClosest> best;
    for (const MemberId id : scene.members()) {
      const Closest c = graze::closest(shape, at(scene.shape(id), scene.pose(id)));
      if (!best || c.distance < best->closest.distance) best = SceneClosest{id, c};
    }
    return best;
  }
  std::vector<std::pair<MemberId, MemberId>> pairs(double within) const {
    std::vector<std::pair<MemberId, MemberId>> r;
    const auto ids = scene.members();
    for (std::size_t i = 0; i < ids.size(); ++i)
      for (std::size_t j = i + 1; j < ids.size(); ++j) {
        const MemberOptions &a = scene.options(ids[i]), &b = scene.options(ids[j]);
        if ((a.group & b.meets) == 0 || (b.group & a.meets) == 0) continue;
        if (graze::within(at(scene.shape(ids[i]), scene.pose(ids[i])), at(scene.shape(ids[j]), scene.pose(ids[j])), within)) r.emplace_back(ids[i], ids[j]);
      }
    return r;
  }
};

void compare(const Scene& scene, test::Random& random) {
  const Brute brute{scene};
  for (int round = 0; round < 6; ++round) {
    const AnyShape shape = random_shape(random, random.integer(0, test_scene::kShapes - 1));
    const Pose pose = random.pose(2);
    EXPECT_EQ(scene.overlapping(at(shape, pose)), brute.overlapping(at(shape, pose)));
    EXPECT_EQ(scene.intersects(at(shape, pose)), !brute.overlapping(at(shape, pose)).empty());
    const auto nearest = scene.closest(at(shape, pose)), want = brute.closest(at(shape, pose));
    ASSERT_EQ(nearest.has_value(), want.has_value());
    if (nearest) {
      EXPECT_EQ(nearest->member, want->member);
      EXPECT_EQ(nearest->closest.distance, want->closest.distance);
      EXPECT_EQ(nearest->closest.on_a, want->closest.on_a);
    }
    const Ray ray{random.point(-3, 3), random.direction()};
    const std::vector<AnyShape> rays = {ray, Segment{random.point(-3, 3), random.point(-3, 3)}, Line{random.point(-3, 3), random.direction()}};
    for (const AnyShape& r : rays) {
      const RayOptions o{random.integer(0, 2) == 0 ? random.real(0, 3) : kInfinity};
      const auto hit = scene.raycast(r, o), expected = brute.raycast(r, o);
      ASSERT_EQ(hit.has_value(), expected.has_value());
      if (!hit) continue;
      EXPECT_EQ(hit->member, expected->member);
      EXPECT_EQ(hit->hit.t, expected->hit.t);
      EXPECT_EQ(hit->hit.triangle, expected->hit.triangle);
    }
  }
  const Frustum frustum = Frustum::perspective(random.point(-4, -3), random.point(-1, 1), Vec3(0, 0, 1), .5, 1.3, .1, 6);
  EXPECT_EQ(scene.visible(frustum), brute.overlapping(frustum));
  for (const double within : {0.0, 0.25}) {
    const auto pairs = scene.pairs({.within = within});
    std::vector<std::pair<MemberId, MemberId>> got;
    for (const ScenePair& p : pairs) {
      got.emplace_back(p.a, p.b);
      const Closest c = closest(at(scene.shape(p.a), scene.pose(p.a)), at(scene.shape(p.b), scene.pose(p.b)));
      EXPECT_EQ(p.distance, c.distance);
      EXPECT_EQ(p.on_a, c.on_a);
    }
    EXPECT_EQ(got, brute.pairs(within));
  }
}

TEST(Scene, QueriesMatchBruteForceWhileMembersChange) {
  test::Random random(11);
  for (const int size : {1, 5, 12, 60}) {
    Scene scene;
    std::vector<MemberId> ids;
    for (int i = 0; i < size; ++i) {
      const MemberOptions options{1u << random.integer(0, 2), random.integer(0, 3) ? ~0u : 1u << random.integer(0, 2)};
      ids.push_back(scene.add("m" + std::to_string(i), random_shape(random, random.integer(0, test_scene::kShapes - 1)), random.pose(2), options));
    }
    compare(scene, random);
    for (int step = 0; step < 4; ++step) {
      for (int k = 0; k < size / 4 + 1; ++k) {
        const auto members = scene.members();
        if (members.empty()) break;
        const MemberId id = members[random.below(members.size())];
        const int what = random.integer(0, 3);
        if (what == 0) scene.remove(id);
        if (what == 1) scene.move(id, random.pose(2));
        if (what == 2) scene.replace(id, random_shape(random, random.integer(0, test_scene::kShapes - 1)));
        if (what == 3) {
          EXPECT_EQ(scene.add(random_shape(random, 0), random.pose(2)), ids.emplace_back(static_cast<MemberId>(ids.size())));
        }
      }
      compare(scene, random);
      const Scene copy = scene;
      compare(copy, random);
    }
  }
}

TEST(Scene, FiltersByGroupAndByFunction) {
  Scene scene;
  for (int i = 0; i < 20; ++i) scene.add(Sphere{Vec3(i, 0, 0), .25}, {}, {1u << (i % 3), ~0u});
  const Ray ray{Vec3(-5, 0, 0), Vec3(1, 0, 0)};
  EXPECT_EQ(scene.raycast(ray)->member, 0u);
  EXPECT_EQ(scene.raycast(ray, {}, {.groups = 4})->member, 2u);
  EXPECT_EQ(scene.raycast(ray, {}, {.accept = [](MemberId id) { return id >= 7; }})->member, 7u);
  EXPECT_EQ(scene.overlapping(Box{Vec3(-1, -1, -1), Vec3(30, 1, 1)}, {.groups = 2}).size(), 7u);
  EXPECT_EQ(scene.closest(Point{Vec3(0, 0, 0)}, {.groups = 4})->member, 2u);
  EXPECT_FALSE(scene.intersects(Point{Vec3(0, 0, 0)}, {.groups = 4}));
}

TEST(Scene, TiesGoToTheLowestId) {
  Scene scene;
  for (int i = 0; i < 12; ++i) scene.add(Box{Vec3(-1, -1, -1), Vec3(1, 1, 1)});
  scene.remove(0);
  EXPECT_EQ(scene.raycast(Ray{Vec3(5, 0, 0), Vec3(-1, 0, 0)})->member, 1u);
  EXPECT_EQ(scene.closest(Point{Vec3(5, 0, 0)})->member, 1u);
  EXPECT_EQ(scene.raycast(Ray{Vec3(0, 0, 0), Vec3(-1, 0, 0)})->member, 1u);
}

TEST(Scene, ErrorsNameTheMember) {
  Scene scene;
  const MemberId id = scene.add("wall", Box{Vec3(0, 0, 0), Vec3(1, 1, 1)});
  EXPECT_EQ(scene.name(id), "wall");
  EXPECT_THROW(scene.add(Sphere{Vec3(0, 0, 0), -1}), Error);
  EXPECT_THROW(scene.move(id, Pose{{{1, 0, 0}, {0, 1, 0}, {0, 0, std::nan("")}}, Vec3(0, 0, 0)}), Error);
  EXPECT_EQ(test_scene::message([&] { scene.remove(7); }), "scene: no member has the id 7");
  EXPECT_EQ(test_scene::message([&] { (void)scene.pairs({.within = INFINITY}); }), "pairs: within is inf, must be finite and >= 0");
  EXPECT_THROW((void)scene.pairs({.within = NAN}), Error);
  scene.remove(id);
  EXPECT_FALSE(scene.has(id));
  EXPECT_EQ(scene.add(Point{}), 1u);
  EXPECT_FALSE(Scene().closest(Point{}).has_value());
  EXPECT_FALSE(Scene().raycast(Ray{Vec3(0, 0, 0), Vec3(1, 0, 0)}).has_value());
}

TEST(Scene, MovesAllOrNothing) {
  test::Random random(13);
  Scene scene, single;
  std::vector<MemberId> ids;
  std::vector<Pose> poses;
  for (int i = 0; i < 40; ++i) {
    const AnyShape shape = random_shape(random, i % test_scene::kShapes);
    ids.push_back(scene.add(shape));
    single.add(shape);
    poses.push_back(random.pose(2));
  }
  scene.move(ids, poses);
  for (std::size_t i = 0; i < ids.size(); ++i) single.move(ids[i], poses[i]);
  const auto pairs = [](const Scene& s) {
    std::vector<std::pair<MemberId, MemberId>> r;
    for (const ScenePair& p : s.pairs({.within = .1})) r.emplace_back(p.a, p.b);
    return r;
  };
  EXPECT_EQ(pairs(scene), pairs(single));
  EXPECT_GT(pairs(scene).size(), 10u);
  std::vector<Pose> others = poses;
  for (Pose& p : others) p.translation += Vec3(100, 0, 0);
  others[7].rotation[1][1] = -9;
  EXPECT_EQ(test_scene::message([&] { scene.move(ids, others); }).substr(0, 60),
            std::string("move: pose 7 (member 7): segment: pose: matrix[1][1] is -9: not a rotation").substr(0, 60));
  others[7] = poses[7];
  std::vector<MemberId> unknown = ids;
  unknown.back() = 99;
  EXPECT_EQ(test_scene::message([&] { scene.move(unknown, others); }), "scene: no member has the id 99");
  EXPECT_EQ(test_scene::message([&] { scene.move(ids, std::span(others).first(3)); }), "move: 3 poses for 40 members, must be one for each");
  for (std::size_t i = 0; i < ids.size(); ++i) EXPECT_EQ(scene.pose(ids[i]).translation, poses[i].translation);
  EXPECT_EQ(pairs(scene), pairs(single));
  const MemberId twice[] = {3, 3};
  const Pose two[] = {translation(Vec3(9, 0, 0)), translation(Vec3(50, 0, 0))};
  scene.move(twice, two);
  EXPECT_EQ(scene.pose(3).translation.x, 50);
}

TEST(Scene, NothingHitsEmptyShapes) {
  Scene scene;
  scene.add(Mesh(MeshData{}));
  for (int i = 0; i < 10; ++i) scene.add(Sphere{Vec3(3 * i, 0, 0), 1});
  EXPECT_EQ(scene.size(), 11u);
  EXPECT_EQ(scene.closest(Point{Vec3(0, 0, 0)})->member, 1u);
  EXPECT_EQ(scene.overlapping(HalfSpace{Vec3(0, 0, 0), Vec3(1, 0, 0)}).size(), 1u);
  EXPECT_EQ(scene.pairs().size(), 0u);
  scene.replace(0, Sphere{Vec3(0, 0, 0), 1});
  EXPECT_EQ(scene.pairs().size(), 1u);
}

TEST(Scene, SamePairsForAnyNumberOfThreads) {
  test::Random random(12);
  Scene scene;
  for (int i = 0; i < 400; ++i) scene.add(Sphere{random.point(-2, 2), random.real(0, .3)});
  std::vector<ScenePair> first;
  for (const int n : {1, 2, 4}) {
    set_threads(n);
    const auto pairs = scene.pairs({.within = .05});
    if (n == 1) first = pairs;
    ASSERT_EQ(pairs.size(), first.size());
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      EXPECT_EQ(pairs[i].a, first[i].a);
      EXPECT_EQ(pairs[i].b, first[i].b);
      EXPECT_EQ(pairs[i].distance, first[i].distance);
    }
  }
  set_threads(0);
  EXPECT_GT(first.size(), 100u);
}

}  // namespace
}  // namespace graze::scene_test
