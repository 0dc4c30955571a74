// The same bits for any number of threads and any CPU level: overlapping boxes, sweeps in a scene, worlds in time.
#include <gtest/gtest.h>

#include <graze/broad_phase.hpp>
#include <graze/threads.hpp>
#include <graze/world.hpp>

#include "platform/cpu.hpp"
#include "sim/leak_scenes.hpp"
#include "support/random.hpp"
#include "support/random_shapes.hpp"

namespace graze {
namespace {

std::vector<std::uint8_t> answers() {
  test::Random random(61);
  std::vector<std::uint8_t> out;
  const auto add = [&](const auto& x) {
    const auto* p = reinterpret_cast<const std::uint8_t*>(&x);
    out.insert(out.end(), p, p + sizeof x);
  };
  for (const double spread : {1.0, 1e-4}) {
    std::vector<Box> boxes;
    for (int i = 0; i < 4000; ++i) {
      const Vec3 lo = random.point(0, 1) * (i % 3 ? 1 : spread);
      boxes.push_back({lo, lo + random.point(0, .1) * (i % 5 ? 1 : .01)});
    }
    BroadPhase phase;
    phase.assign(boxes);
    for (const auto& [a, b] : phase.pairs()) add(a), add(b);
    for (const auto id : phase.overlapping(Sphere{Vec3(.5, .5, .5), .2})) add(id);
  }
  Scene scene;
  for (int i = 0; i < 60; ++i) scene.add(test_scene::random_shape(random, i % test_scene::kShapes), random.pose(3));
  for (int i = 0; i < 100; ++i) {
    const auto hit = scene.sweep(at(test_scene::random_shape(random, i % 9), random.pose(3)), random.point(-3, 3));
    if (!hit) continue;
    add(hit->member), add(hit->hit.t), add(hit->hit.point), add(hit->hit.safe.translation), add(hit->hit.normal.value_or(Vec3(0, 0, 0)));
  }
  World world;
  world.add_fixed(Mesh(test_sim::building()), {}, {.restitution = .9, .friction = .1});
  world.add_emitter(Point{}, 600, {.origin = Vec3(0, 0, .5), .spread = Vec3(.8, .8, .2), .velocity_spread = Vec3(5, 5, 5), .life = .3},
                    {.material = {.restitution = .8}});
  for (int i = 0; i < 20; ++i)
    world.add_moving(Capsule{Vec3(0, 0, 0), Vec3(.02, 0, .01), .004}, translation(random.point(-.5, .5) * Vec3(1, 1, .3) + Vec3(0, 0, .6)),
                     {.velocity = random.point(-3, 3)});
  for (int i = 0; i < 25; ++i) world.step(.02);
  add(world.kinetic_energy());
  const auto bytes = world.snapshot();
  out.insert(out.end(), bytes.begin(), bytes.end());
  return out;
}

TEST(DeterminismOfMotion, SameBitsForAnyNumberOfThreads) {
  set_threads(1);
  const auto truth = answers();
  for (const int n : {2, 7}) {
    set_threads(n);
    EXPECT_TRUE(answers() == truth) << n << " threads";
  }
  set_threads(0);
}

TEST(DeterminismOfMotion, SameBitsAtEveryCpuLevel) {
  const CpuLevel best = current_cpu_level();
  const auto truth = answers();
  for (int level = 0; level < kCpuLevels; ++level) {
    const CpuLevel got = force_cpu_level(static_cast<CpuLevel>(level));
    EXPECT_TRUE(answers() == truth) << name(got);
  }
  force_cpu_level(best);
}

}  // namespace
}  // namespace graze
