// The mover: never inside a wall, never through a floor; steps, slopes, corners, and a long random walk through levels.
#include <gtest/gtest.h>

#include <cmath>
#include <graze/error.hpp>
#include <graze/io.hpp>
#include <graze/mover.hpp>

#include "support/paths.hpp"
#include "support/random.hpp"
#include "support/random_shapes.hpp"

namespace graze::mover_test {
namespace {

const Capsule kWalker{Vec3(0, 0, .3), Vec3(0, 0, 1.5), .3};

/// A floor with walls, a staircase, a ramp, a steep ramp and a narrow corner.
Scene hall() {
  Scene s;
  s.add("floor", Box{Vec3(-10, -10, -1), Vec3(10, 10, 0)});
  s.add("south", Box{Vec3(-10, -11, -1), Vec3(10, -10, 4)});
  s.add("north", Box{Vec3(-10, 10, -1), Vec3(10, 11, 4)});
  s.add("west", Box{Vec3(-11, -10, -1), Vec3(-10, 10, 4)});
  s.add("east", Box{Vec3(10, -10, -1), Vec3(11, 10, 4)});
  for (int i = 0; i < 8; ++i) s.add("step", Box{Vec3(2 + .5 * i, 4, 0), Vec3(2.5 + .5 * i, 8, .2 * (i + 1))});
  s.add("landing", Box{Vec3(6, 4, 0), Vec3(10, 8, 1.6)});
  s.add("ramp", Hull(std::vector<Vec3>{Vec3(2, -8, 0), Vec3(8, -8, 0), Vec3(8, -8, 2), Vec3(2, -4, 0), Vec3(8, -4, 0), Vec3(8, -4, 2)}));
  s.add("steep", Hull(std::vector<Vec3>{Vec3(-4, -8, 0), Vec3(-6, -8, 0), Vec3(-6, -8, 4), Vec3(-4, -4, 0), Vec3(-6, -4, 0), Vec3(-6, -4, 4)}));
  s.add("wedge", Hull(std::vector<Vec3>{Vec3(-9, 2, 0), Vec3(-2, 2, 0), Vec3(-9, 2.5, 0), Vec3(-9, 2, 3), Vec3(-2, 2, 3), Vec3(-9, 2.5, 3)}));
  s.add("wedge", Hull(std::vector<Vec3>{Vec3(-9, 6, 0), Vec3(-2, 2.7, 0), Vec3(-9, 6.5, 0), Vec3(-9, 6, 3), Vec3(-2, 2.7, 3), Vec3(-9, 6.5, 3)}));
  return s;
}

Vec3 place(const Mover& m) { return m.pose().translation; }

void walk(const Scene& scene, Mover& mover, const Vec3& wish, int times) {
  for (int i = 0; i < times; ++i) {
    mover.move(wish);
    ASSERT_FALSE(scene.intersects(at(kWalker, mover.pose())));
  }
}

TEST(Mover, StopsAtWallsAndSlidesAlongThem) {
  const Scene scene = hall();
  Mover mover(scene, kWalker, Vec3(0, 9, .01));
  walk(scene, mover, Vec3(.1, .1, -.05), 120);
  EXPECT_NEAR(place(mover).y, 9.7, 1e-6);
  EXPECT_NEAR(place(mover).x, 9.7, 1e-6);
  EXPECT_NEAR(place(mover).z, 0, 1e-6);
}

TEST(Mover, FallsToTheFloorAndStands) {
  const Scene scene = hall();
  Mover mover(scene, kWalker, Vec3(0, 0, 3));
  MoverResult r;
  for (int i = 0; i < 100; ++i) r = mover.move(Vec3(0, 0, -.1));
  EXPECT_TRUE(r.grounded);
  EXPECT_EQ(r.ground_normal, Vec3(0, 0, 1));
  EXPECT_NEAR(place(mover).z, 0, 1e-7);
  EXPECT_GE(place(mover).z, 0);
}

TEST(Mover, ClimbsStepsAndComesDown) {
  const Scene scene = hall();
  Mover mover(scene, kWalker, Vec3(0, 6, .01));
  walk(scene, mover, Vec3(.05, 0, -.05), 160);
  EXPECT_NEAR(place(mover).z, 1.6, 1e-6);
  EXPECT_GT(place(mover).x, 6.5);
  walk(scene, mover, Vec3(-.05, 0, -.05), 160);
  EXPECT_NEAR(place(mover).z, 0, 1e-6);
  EXPECT_LT(place(mover).x, 1.8);
}

TEST(Mover, DoesNotClimbHighLedges) {
  const Scene scene = hall();
  Mover mover(scene, kWalker, Vec3(8, 2, .01), {.step_height = .3});
  walk(scene, mover, Vec3(0, .05, -.05), 100);
  EXPECT_NEAR(place(mover).y, 3.7, 1e-6);
  EXPECT_NEAR(place(mover).z, 0, 1e-6);
}

TEST(Mover, WalksUpSlopesButNotSteepOnes) {
  const Scene scene = hall();
  Mover mover(scene, kWalker, Vec3(0, -6, .01));
  walk(scene, mover, Vec3(.05, 0, -.05), 120);
  EXPECT_GT(place(mover).z, 1);
  Mover other(scene, kWalker, Vec3(0, -6, .01));
  walk(scene, other, Vec3(-.05, 0, -.05), 200);
  EXPECT_LT(place(other).z, .35);
}

TEST(Mover, LongRandomWalkNeverEntersAWall) {
  const Scene scene = hall();
  test::Random random(41);
  Mover mover(scene, kWalker, Vec3(0, 0, .01));
  Vec3 wish(0, 0, 0);
  Vec3 reached(0, 0, 0);
  for (int i = 0; i < 3000; ++i) {
    if (i % 40 == 0) wish = random.point(-.2, .2);
    wish.z = i % 200 < 10 ? .2 : -.15;
    mover.move(wish);
    const Vec3 p = place(mover);
    ASSERT_FALSE(scene.intersects(at(kWalker, mover.pose()))) << "move " << i;
    ASSERT_GE(p.z, 0);
    ASSERT_LT(std::max(std::abs(p.x), std::abs(p.y)), 9.71);
    reached = Vec3(std::max(reached.x, std::abs(p.x)), std::max(reached.y, std::abs(p.y)), std::max(reached.z, p.z));
  }
  EXPECT_GT(reached.x, 8);
  EXPECT_GT(reached.y, 8);
}

TEST(Mover, SharedLevels) {
  const auto folder = test::shared_data() / "meshes" / "box3d";
  if (!std::filesystem::is_directory(folder)) GTEST_SKIP() << "no shared levels";
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".obj") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  int walked = 0;
  for (const auto& file : files) {
    const Mesh level = load_mesh(file.string());
    const Box box = bounding_box(level);
    Scene scene;
    scene.add(level);
    const Vec3 size = box.max - box.min;
    const int up_axis = size.y < size.z ? 1 : 2;  // levels are wider than they are high
    Vec3 up(0, 0, 0);
    up[up_axis] = 1;
    const double scale = std::max({size.x, size.y, size.z});
    const Sphere ball{Vec3(0, 0, 0), scale / 200};
    test::Random random(42);
    for (int start = 0; start < 20; ++start) {
      const Vec3 p = box.min + Vec3(random.unit() * size.x, random.unit() * size.y, random.unit() * size.z);
      if (scene.intersects(at(ball, translation(p)))) continue;
      const auto ground = scene.sweep(at(ball, translation(p)), -2 * scale * up);
      if (!ground || !ground->hit.moved) continue;
      Mover mover(scene, ball, p, {.up = up, .step_height = scale / 100});
      ++walked;
      for (int i = 0; i < 60; ++i) {
        mover.move(random.point(-scale / 50, scale / 50) - scale / 60 * up);
        ASSERT_FALSE(scene.intersects(at(ball, mover.pose()))) << file << " start " << start << " move " << i;
      }
    }
  }
  EXPECT_GT(walked, 0);
}

TEST(Mover, RefusesBodiesThatCannotWalk) {
  const Scene scene = hall();
  EXPECT_EQ(test_scene::message([&] { Mover(scene, Box{}, Vec3(0, 0, 1)); }), "mover: a box cannot walk, must be a sphere or capsule");
  EXPECT_EQ(test_scene::message([&] { Mover(scene, kWalker, Vec3(0, 0, -.5)); }), "mover: the body meets the scene where it starts");
  EXPECT_EQ(test_scene::message([&] { Mover(scene, kWalker, Vec3(0, 0, .01), {.steepest_slope = 2}); }),
            "mover: steepest_slope is 2.000000, must be from 0 to 1");
  EXPECT_THROW(Mover(scene, kWalker, Vec3(0, 0, .01), {.steepest_slope = NAN}), Error);
  Mover mover(scene, kWalker, Vec3(0, 0, .01));
  EXPECT_THROW(mover.move(Vec3(NAN, 0, 0)), Error);
}

}  // namespace
}  // namespace graze::mover_test
