// Postures against scenes whose members were moved: every pair, for all kinds of shapes, with and without a distance, few and many resting members, at each CPU
// level and for any number of threads.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <graze/error.hpp>
#include <graze/postures.hpp>
#include <graze/threads.hpp>
#include <limits>
#include <string>
#include <vector>

#include "platform/cpu.hpp"
#include "support/random.hpp"
#include "support/random_shapes.hpp"

namespace graze::postures_test {
namespace {

using test::Random;
using test_scene::message;
using test_scene::random_shape;
using Pairs = std::vector<std::pair<MemberId, MemberId>>;

/// The pairs of one posture, by moving the members of a copy.
Pairs by_moving(const Scene& scene, const std::vector<MemberId>& moving, const PairsOptions& options, std::span<const Pose> posture) {
  Scene moved = scene;
  moved.move(moving, posture);
  PairsOptions plain = options;
  plain.witnesses = false;
  Pairs pairs;
  const auto moves = [&](MemberId id) { return std::find(moving.begin(), moving.end(), id) != moving.end(); };
  for (const ScenePair& p : moved.pairs(plain))
    if (moves(p.a) || moves(p.b)) pairs.emplace_back(p.a, p.b);
  return pairs;
}

/// Compares all postures; returns how many touch.
std::size_t compare(const Scene& scene, const std::vector<MemberId>& moving, const PairsOptions& options, const std::vector<Pose>& poses) {
  const Postures postures(scene, moving, options);
  const auto touching = postures.touching(poses);
  const PosturePairs all = postures.pairs(poses);
  const std::size_t n = poses.size() / moving.size();
  EXPECT_EQ(touching.size(), n);
  EXPECT_EQ(all.offsets.size(), n + 1);
  std::size_t count = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const Pairs want = by_moving(scene, moving, options, std::span(poses).subspan(i * moving.size(), moving.size()));
    const auto at = [&](std::size_t k) { return all.pairs.begin() + static_cast<std::ptrdiff_t>(k); };
    EXPECT_EQ(Pairs(at(all.offsets[i]), at(all.offsets[i + 1])), want) << "posture " << i;
    EXPECT_EQ(touching[i], !want.empty()) << "posture " << i;
    count += !want.empty();
  }
  return count;
}

/// A chain of balls about the z axis.
Compound beads(Random& random, int count, double size) {
  std::vector<Compound::Child> children;
  for (int i = 0; i < count; ++i) {
    const Vec3 center(random.real(-.1, .1) * size, random.real(-.1, .1) * size, size * i / count);
    const double radius = size * random.real(.05, .15);
    if (random.coin())
      children.push_back({Sphere{center, radius}, {}});
    else if (random.coin())
      children.push_back({Sphere{Vec3(0, 0, 0), radius}, translation(center)});
    else
      children.push_back({Sphere{.5 * center, radius}, random.pose(.3 * size)});
  }
  return Compound(std::move(children));
}

AnyShape obstacle(Random& random, int kind, double size) {
  const double s = size * random.real(.1, .5);
  const Vec3 p = random.point(-size, size);
  switch (kind) {
    case 0:
      return Sphere{p, s};
    case 1:
      return Box{p, p + s * Vec3(1, .5, .3)};
    case 2:
      return Box{-s * Vec3(.2, .5, .9), s * Vec3(.2, .5, .9)};
    case 3:
      return Capsule{p, p + random.point(-s, s), .5 * s};
    case 4:
      return Cylinder{p, p + random.point(.1 * s, s), .5 * s};
    case 5:
      return Segment{p, p + random.point(-s, s)};
    case 6:
      return Point{p};
    default:
      return Compound({{Sphere{p, s}, {}}, {Box{Vec3(0, 0, 0), Vec3(s, s, s)}, random.pose(size)}});
  }
}

TEST(Postures, OfBallsMatchTheScene) {
  Random random(71);
  std::size_t touching = 0, postures = 0;
  for (int round = 0; round < 24; ++round) {
    const double size = round % 4 == 3 ? std::vector{1e-30, 1e-6, 1e30}[static_cast<std::size_t>(round / 4 % 3)] : 1;
    const bool many = round % 6 == 5;  // more boxes than are tested one after the other
    Scene scene;
    std::vector<MemberId> moving;
    const int resting = many ? 400 : random.integer(0, 30);
    for (int i = 0; i < resting; ++i) {
      const AnyShape shape = obstacle(random, random.integer(0, 7), (many ? .2 : 1) * size);
      Pose pose = random.pose((many ? 6 : 2) * size);
      if (random.coin()) pose = translation(pose.translation);
      scene.add(shape, pose, {.group = 1u << random.integer(0, 2)});
      if (i % 3 == 0 && moving.size() < 6)
        moving.push_back(scene.add(beads(random, random.integer(1, 9), size), {}, {.meets = 1u | 1u << random.integer(0, 2)}));
    }
    while (moving.size() < 4) moving.push_back(scene.add(random.coin() ? AnyShape(Sphere{random.point(-size, size), .2 * size}) : beads(random, 5, size)));
    random.shuffle(moving);
    std::vector<Pose> poses;
    const std::size_t n = std::vector<std::size_t>{0, 1, 7, 64, 65, 150}[static_cast<std::size_t>(round % 6)];
    for (std::size_t i = 0; i < n * moving.size(); ++i) poses.push_back(random.pose(random.coin() ? 2.5 * size : 8 * size));
    const PairsOptions options{.within = round % 3 == 2 ? .1 * size : 0, .excluded = {{moving[0], moving[1]}, {moving[2], moving[1]}}};
    touching += compare(scene, moving, options, poses);
    postures += n;
  }
  EXPECT_GT(touching, 100u);
  EXPECT_GT(postures - touching, 100u);
}

TEST(Postures, OfAllShapesMatchTheScene) {
  Random random(72);
  std::size_t touching = 0, postures = 0;
  for (int round = 0; round < 30; ++round) {
    Scene scene;
    std::vector<MemberId> moving;
    const int kinds = round % 5 == 0 ? test_scene::kShapes - 1 : 12;  // planes and lines meet nearly everything
    for (int i = 0; i < 6; ++i) {
      const AnyShape shape = random_shape(random, random.integer(0, round % 2 ? test_scene::kShapes - 1 : kinds));
      moving.push_back(scene.add(shape));
      if (shape.kind() == Kind::plane || shape.kind() == Kind::half_space || shape.kind() == Kind::line)
        scene.replace(moving.back(), Sphere{Vec3(0, 0, 0), .1});
    }
    moving.push_back(scene.add(Compound({{random_shape(random, random.integer(0, 12)), random.pose(.5)},
                                         {Sphere{random.point(-.3, .3), .2}, {}},
                                         {test_scene::random_mesh(random), random.pose(.4)},
                                         {Sphere{random.point(-.3, .3), .1}, random.pose(.2)}})));
    moving.push_back(scene.add(Mesh(MeshData{})));  // meets nothing
    moving.push_back(scene.add(beads(random, 4, .5)));
    for (int i = 0; i < 8; ++i) scene.add(random_shape(random, random.integer(0, kinds)), random.pose(3));
    scene.add(Mesh(MeshData{}));
    std::vector<Pose> poses;
    for (std::size_t i = 0; i < 40 * moving.size(); ++i) poses.push_back(random.pose(4));
    touching += compare(scene, moving, {.within = round % 3 == 2 ? .05 : 0}, poses);
    postures += 40;
  }
  EXPECT_GT(touching, 100u);
  EXPECT_GT(postures - touching, 100u);
}

// Balls that touch exactly, on a grid: nothing that doubles decide with a bound.
TEST(Postures, DecideContactsExactly) {
  Random random(73);
  for (const double scale : {1.0, 0x1p-400, 0x1p400}) {
    Scene scene;
    scene.add(Box{scale * Vec3(4, 0, 0), scale * Vec3(6, 3, 3)});
    scene.add(Sphere{scale * Vec3(0, 4, 0), scale});
    scene.add(Capsule{scale * Vec3(0, 0, 5), scale * Vec3(3, 0, 5), scale});
    scene.add(Cylinder{scale * Vec3(-5, 0, 0), scale * Vec3(-5, 0, 3), scale});
    scene.add(Box{scale * Vec3(-1, -1, -1), scale * Vec3(1, 1, 1)}, Pose::quarter_turn(Axis::z, 1, scale * Vec3(0, 0, -5)));
    scene.add(Box{Vec3(0, 0, 0), scale * Vec3(2, 2, 2)}, translation(scale * Vec3(-6, -6, -6)));
    const std::vector<MemberId> moving{scene.add(Compound({{Sphere{Vec3(0, 0, 0), scale}, {}}, {Sphere{scale * Vec3(2, 0, 0), scale}, {}}})),
                                       scene.add(Sphere{Vec3(0, 0, 0), 2 * scale}), scene.add(Sphere{Vec3(0, 0, 0), 0})};
    std::vector<Pose> poses;
    for (int i = 0; i < 900; ++i) {
      const Vec3 t = scale * random.grid(-7, 7);
      poses.push_back(Pose::quarter_turn(static_cast<Axis>(random.integer(0, 2)), random.integer(0, 3), t));
    }
    EXPECT_GT(compare(scene, moving, {}, poses), 20u);
    EXPECT_GT(compare(scene, moving, {.within = scale}, poses), 20u);
    for (Pose& p : poses) p.translation = random.nudge(p.translation);
    EXPECT_GT(compare(scene, moving, {}, poses), 20u);
  }
}

TEST(Postures, DependNeitherOnTheCpuLevelNorOnThreads) {
  Random random(74);
  Scene scene;
  std::vector<MemberId> moving;
  for (int i = 0; i < 5; ++i) moving.push_back(scene.add(i == 3 ? AnyShape(test_scene::random_mesh(random)) : beads(random, 7, 1)));
  for (int i = 0; i < 40; ++i) scene.add(obstacle(random, i % 8, 1), random.pose(2.5));
  std::vector<Pose> poses;
  for (std::size_t i = 0; i < 3000 * moving.size(); ++i) poses.push_back(random.pose(4));
  const Postures postures(scene, moving);
  const auto touching = postures.touching(poses);
  const PosturePairs pairs = postures.pairs(poses);
  const CpuLevel before = current_cpu_level();
  for (const CpuLevel level : {CpuLevel::scalar, CpuLevel::sse4, CpuLevel::avx2, CpuLevel::avx512, CpuLevel::neon}) {
    if (force_cpu_level(level) != level) continue;
    EXPECT_EQ(postures.touching(poses), touching);
    EXPECT_EQ(postures.pairs(poses).pairs, pairs.pairs);
  }
  force_cpu_level(before);
  for (const int threads : {1, 2, 5}) {
    set_threads(threads);
    EXPECT_EQ(postures.touching(poses), touching);
    EXPECT_EQ(postures.pairs(poses).offsets, pairs.offsets);
  }
  set_threads(0);
}

TEST(Postures, KeepWhatTheyWereMadeOf) {
  Scene scene;
  const MemberId ball = scene.add(Sphere{Vec3(0, 0, 0), 1}), wall = scene.add(Box{Vec3(2, -9, -9), Vec3(3, 9, 9)});
  const Postures postures(scene, std::vector{ball});
  scene.remove(wall);
  const std::vector<Pose> poses{translation(Vec3(1, 0, 0)), translation(Vec3(.5, 0, 0))};
  EXPECT_EQ(postures.touching(poses), (std::vector<std::uint8_t>{1, 0}));
  EXPECT_EQ(postures.members(), std::vector{ball});
  const Postures copy = postures;
  EXPECT_EQ(copy.pairs(poses).pairs, (Pairs{{ball, wall}}));
}

TEST(Postures, WithoutMembersOrPairs) {
  Scene scene;
  const MemberId a = scene.add(Sphere{Vec3(0, 0, 0), 1}), b = scene.add(Sphere{Vec3(0, 0, 0), 1});
  EXPECT_TRUE(Postures(scene, {}).touching({}).empty());
  EXPECT_EQ(Postures(scene, {}).pairs({}).offsets, std::vector<std::size_t>{0});
  const Postures none(scene, std::vector{a, b}, {.accept = [](MemberId, MemberId) { return false; }});
  EXPECT_EQ(none.touching(std::vector<Pose>(2)), std::vector<std::uint8_t>{0});
  const Postures self(scene, std::vector{b, a});
  EXPECT_EQ(self.pairs(std::vector<Pose>(2)).pairs, (Pairs{{a, b}}));
}

TEST(Postures, RefuseWhatDoesNotFit) {
  Scene scene;
  const MemberId a = scene.add(Sphere{Vec3(0, 0, 0), 1}), b = scene.add(Sphere{Vec3(3, 0, 0), 1});
  EXPECT_EQ(message([&] { Postures(scene, std::vector<MemberId>{a, 7}); }), "scene: no member has the id 7");
  EXPECT_EQ(message([&] { Postures(scene, std::vector{a, b, a}); }), "postures: member 0 is given twice");
  EXPECT_EQ(message([&] { Postures(scene, std::vector{a}, {.within = -1}); }), "postures: within is -1.000000, must be finite and >= 0");
  const Postures both(scene, std::vector{a, b});
  EXPECT_EQ(message([&] { (void)both.touching(std::vector<Pose>(3)); }), "postures: 3 poses for 2 moving members, must be one for each member of each posture");
  EXPECT_EQ(message([&] { (void)both.pairs(std::vector<Pose>(1)); }), "postures: 1 poses for 2 moving members, must be one for each member of each posture");
  EXPECT_EQ(message([&] {
              std::vector<std::uint8_t> out(3);
              both.touching(std::vector<Pose>(4), out);
            }),
            "postures: 2 postures, room for 3 answers");
  EXPECT_EQ(message([&] { (void)Postures(scene, {}).touching(std::vector<Pose>(1)); }),
            "postures: 1 poses for 0 moving members, must be one for each member of each posture");
}

// Poses that are none: the answer means nothing, but there is one.
TEST(Postures, EndForInvalidPoses) {
  Scene scene;
  Random random(75);
  const std::vector<MemberId> moving{scene.add(beads(random, 5, 1)), scene.add(test_scene::random_mesh(random))};
  for (int i = 0; i < 300; ++i) scene.add(obstacle(random, i % 8, 1), random.pose(3));
  Pose pose;
  for (const double x : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), 1e308}) {
    pose.translation.x = pose.rotation[1][2] = x;
    EXPECT_EQ(Postures(scene, moving).touching(std::vector(6, pose)).size(), 3u);
  }
}

}  // namespace
}  // namespace graze::postures_test
