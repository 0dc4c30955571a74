// No particle ever gets to the other side of a surface: particles in closed meshes, asked by exact ray parity; energy, travel and bytes beside it. Large with GRAZE_FULL_TESTS=1.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <graze/io.hpp>
#include <graze/world.hpp>

#include "leak_scenes.hpp"
#include "support/paths.hpp"

namespace graze {
namespace {

using test_scene::Random;

bool full() { return std::getenv("GRAZE_FULL_TESTS") != nullptr; }

struct Result {
  std::size_t outside = 0, still = 0, steps = 0, bounces = 0;
  double path = 0, plain_path = 0;
  bool energy_grew = false;
};

/// Particles inside a closed mesh that fly without gravity and bounce without loss.
Result run(const MeshData& data, std::size_t count, int steps, double speed, std::uint64_t seed) {
  const Mesh mesh(data);
  const Solid inside = solid(mesh);
  Random random(seed);
  Box box = bounding_box(mesh);
  World world({Vec3(0, 0, 0), seed, 400, false});
  world.add_fixed(mesh);
  std::vector<Vec3> last;
  while (last.size() < count) {
    std::vector<Vec3> candidates;
    for (std::size_t i = 0; i < count; ++i) {
      const Vec3 size = box.max - box.min;
      candidates.push_back(box.min + Vec3(random.unit() * size.x, random.unit() * size.y, random.unit() * size.z));
    }
    const auto in = contains(inside, candidates);
    for (std::size_t i = 0; i < count && last.size() < count; ++i) {
      if (!in[i] || world.fixed().intersects(Point{candidates[i]})) continue;
      const Vec3 d = random.direction();
      const double n = std::sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
      world.add_moving(Point{}, translation(candidates[i]), {.velocity = d * (random.real(.01, 1) * speed / n)});
      last.push_back(candidates[i]);
    }
  }
  Result result;
  double energy = world.kinetic_energy();
  for (int step = 1; step <= steps; ++step) {
    world.step(1.0 / 64);
    const double now = world.kinetic_energy();
    result.energy_grew = result.energy_grew || now > energy;
    energy = now;
    std::vector<Vec3> places(count);
    for (BodyId i = 0; i < count; ++i) {
      places[i] = world.position(i);
      result.still += places[i] == last[i];
    }
    result.steps += count;
    last = places;
    if (step % (full() ? 100 : 10) == 0 || step == steps) {
      const auto in = contains(inside, places);
      for (const auto b : in) result.outside += !b;
    }
  }
  return result;
}

void expect_tight(const char* name, const Result& r) {
  EXPECT_EQ(r.outside, 0u) << name;
  EXPECT_FALSE(r.energy_grew) << name;
  EXPECT_LT(static_cast<double>(r.still), 1e-4 * static_cast<double>(r.steps) + 1) << name << ": " << r.still << " of " << r.steps << " steps without travel";
}

TEST(Leak, OwnClosedMeshes) {
  const std::size_t count = full() ? 100000 : 500;
  const int steps = full() ? 1000 : 30;
  for (const double offset : {0.0, 1e6}) {
    for (const double speed : {2.0, 128.0}) {  // .02 and 1 size of the rock a step; in the building up to 125 distances of its walls
      expect_tight("rock", run(test_sim::moved(test_sim::rock(4, .3), Vec3(offset, -offset, offset)), count, steps, speed, 1));
      expect_tight("building", run(test_sim::moved(test_sim::building(), Vec3(offset, -offset, offset)), count, steps, speed / 16, 2));
    }
  }
}

TEST(Leak, SharedMeshes) {
  bool any = false;
  for (const char* name : {"spot.obj", "nefertiti.obj"}) {
    const auto path = test::shared_data() / "meshes" / name;
    if (!std::filesystem::exists(path)) continue;
    const MeshData data = load_model(path.string()).data;
    if (!check(Mesh(data)).solid) continue;
    any = true;
    const Box box = bounding_box(Mesh(data));
    const double size = box.max.x - box.min.x;
    expect_tight(name, run(data, full() ? 100000 : 1000, full() ? 1000 : 40, 32 * size, 3));
  }
  if (!any) GTEST_SKIP() << "no shared meshes";
}

TEST(Leak, BallsAndCapsulesInTheBuilding) {
  const Mesh mesh(test_sim::building());
  const Solid inside = solid(mesh);
  Random random(5);
  World world({Vec3(0, 0, -9.81), 5, 50, false});
  world.add_fixed(mesh, {}, {.restitution = .9});
  while (world.bodies() < 60) {
    const Vec3 p = random.point(-.95, .95) * Vec3(1, 1, .4) + Vec3(0, 0, .4);
    const AnyShape shape = world.bodies() % 2 ? AnyShape(Sphere{Vec3(0, 0, 0), .01}) : AnyShape(Capsule{Vec3(0, 0, 0), Vec3(.02, 0, .01), .004});
    if (world.fixed().intersects(at(shape, translation(p))) || contains(inside, p)) continue;  // in the hall, between the walls
    world.add_moving(shape, translation(p), {.velocity = random.point(-50, 50), .material = {.restitution = .9}});
  }
  for (int step = 0; step < 60; ++step) {
    world.step(1.0 / 64);
    for (BodyId i = 0; i < world.bodies(); ++i) {
      const Vec3 p = world.position(i);
      ASSERT_FALSE(world.fixed().intersects(at(world.shape(i), world.pose(i))));
      ASSERT_FALSE(contains(inside, p));
      ASSERT_LT(std::max(std::abs(p.x), std::abs(p.y)), .999);
      ASSERT_LT(std::abs(p.z - .4), .4);
    }
  }
}

}  // namespace
}  // namespace graze
