// A riding camera is never separated from its body by a fixed member: every frame of every demonstration and example in which one can ride.
#include <gtest/gtest.h>

#include <graze/query.hpp>
#include "scene_file/scene_file.hpp"
#include "viewer/open.hpp"

namespace graze::view {
namespace {

/// Returns whether the demonstration has something to ride on.
bool every_frame_is_free(Demo& demo, int frames) {
  demo.key(Key::other, 'r');
  if (!demo.ride()) return false;
  for (int i = 0; i < frames; ++i) {
    const auto ride = demo.ride();
    if (!ride) {
      ADD_FAILURE() << "frame " << i << ": the ride has ended";
      return true;
    }
    EXPECT_FALSE(ride->fixed.intersects(Segment{ride->seat, ride->camera.eye})) << "frame " << i;
    EXPECT_NE(ride->camera.eye, ride->camera.target) << "frame " << i;
    if (testing::Test::HasFailure()) return true;
    demo.one_step();
  }
  return true;
}

std::unique_ptr<Demo> named(const std::string& name) {
  for (const DemoEntry& entry : demos())
    if (entry.name == name) return entry.make();
  return nullptr;
}

TEST(Ride, ExampleScenes) {
  std::vector<std::string> ridden;
  for (const auto& [name, title] : scene_file::example_scenes()) {
    SCOPED_TRACE(name);
    if (every_frame_is_free(*make_scene_demo(scene_file::load_scene(name)), 500)) ridden.push_back(name);
  }
  for (const char* name : {"room", "stones", "walk", "grenade", "lift"}) EXPECT_NE(std::find(ridden.begin(), ridden.end(), name), ridden.end()) << name;
}

TEST(Ride, Demonstrations) {
  std::vector<std::string> ridden;
  for (const DemoEntry& entry : demos()) {
    SCOPED_TRACE(entry.name);
    const auto demo = entry.make();
    if (demo->moves() && every_frame_is_free(*demo, 500)) ridden.push_back(entry.name);
  }
  EXPECT_NE(std::find(ridden.begin(), ridden.end(), "stones"), ridden.end());
}

// Other stones, one after the other, and a walker along walls.
TEST(Ride, OtherStonesAndAWalker) {
  const auto stones = named("stones");
  stones->key(Key::other, 'r');
  for (int i = 0; i < 400; ++i) {
    if (i % 7 == 0) stones->key(Key::other, 'n');
    stones->one_step();
    const auto ride = stones->ride();
    ASSERT_TRUE(ride);
    ASSERT_FALSE(ride->fixed.intersects(Segment{ride->seat, ride->camera.eye})) << i;
  }
  const auto walk = named("walk");
  for (int i = 0; i < 300; ++i) {
    walk->key(i % 5 < 3 ? Key::up : i / 50 % 2 ? Key::left : Key::right, 0);
    const auto ride = walk->ride();
    ASSERT_TRUE(ride);
    ASSERT_FALSE(ride->fixed.intersects(Segment{ride->seat, ride->camera.eye})) << i;
  }
}

TEST(Ride, TheEyeStopsBeforeAWall) {
  Scene scene;
  scene.add(Box{Vec3(1, -5, -5), Vec3(2, 5, 5)});
  EXPECT_EQ(eye_behind(scene, Vec3(0, 0, 0), Vec3(-3, 0, 0), .1), Vec3(-3, 0, 0));
  const Vec3 eye = eye_behind(scene, Vec3(0, 0, 0), Vec3(3, 0, 0), .125);
  EXPECT_NEAR(eye.x, .875, 1e-12);
  const Vec3 near_wall = eye_behind(scene, Vec3(.99, 0, 0), Vec3(3, 1, 0), .125);  // nearer than the ball's radius
  EXPECT_LT(near_wall.x, 1);
  EXPECT_EQ(eye_behind(scene, Vec3(1 - 1e-9, 0, 0), Vec3(3, 0, 0), .125), Vec3(1 - 1e-9, 0, 0));
}

}  // namespace
}  // namespace graze::view
