// The world: flights with closed-form results, materials, emitters, grenades, shots, snapshots, threads.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <graze/error.hpp>
#include <graze/threads.hpp>
#include <graze/world.hpp>

#include "support/random.hpp"
#include "support/random_shapes.hpp"

namespace graze::world_test {
namespace {

using test_scene::message;

const WorldOptions kNoGravity{Vec3(0, 0, 0), 1, 10, true};

Box room(double half) { return {Vec3(-half, -half, -half), Vec3(half, half, half)}; }

/// The six walls of a box as one mesh, seen from inside and outside.
Mesh walls(const Box& b) {
  MeshData d;
  for (int i = 0; i < 8; ++i) d.vertices.push_back(Vec3(i & 1 ? b.max.x : b.min.x, i & 2 ? b.max.y : b.min.y, i & 4 ? b.max.z : b.min.z));
  const std::uint32_t quads[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  for (const auto& q : quads) {
    d.triangles.push_back({q[0], q[1], q[2]});
    d.triangles.push_back({q[0], q[2], q[3]});
  }
  return Mesh(d);
}

// Row U5: floor z = 0, ceiling z = 1, start in the middle, displacement of three heights. Three bounces, then back in the middle, moving up.
TEST(World, ThreeBouncesInOneStep) {
  World world(kNoGravity);
  world.add_fixed(Plane{Vec3(0, 0, 0), Vec3(0, 0, 1)});
  world.add_fixed(Plane{Vec3(0, 0, 1), Vec3(0, 0, -1)});
  const BodyId id = world.add_moving(Point{}, translation(Vec3(0, 0, .5)), {.velocity = Vec3(0, 0, -3)});
  world.step(1);
  ASSERT_EQ(world.impacts().size(), 3u);
  EXPECT_NEAR(world.position(id).z, .5, 1e-12);
  EXPECT_EQ(world.velocity(id), Vec3(0, 0, 3));
  EXPECT_NEAR(world.impacts()[0].time, .5 / 3, 1e-12);
  EXPECT_NEAR(world.impacts()[1].time, 1.5 / 3, 1e-12);
  EXPECT_EQ(world.impacts()[1].a, 1u);
  EXPECT_EQ(world.impacts()[0].normal, Vec3(0, 0, 1));
  EXPECT_EQ(world.impacts()[0].speed, 3);
}

// Rows U3 and U4: at the border of a surface its plane reflects, and a motion within the plane is reflected by the edge.
TEST(World, BordersReflectAsTheirPlane) {
  const std::vector<Vec3> corners{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  const Triangle half{{corners[0], corners[1], corners[3]}};
  const struct {
    Vec3 from, velocity, after;
  } flights[] = {{{-1, .25, 1}, {2, 0, -2}, {2, 0, 2}}, {{-1, -1, 1}, {2, 2, -2}, {2, 2, 2}}, {{-1, .25, 0}, {2, 0, 0}, {-2, 0, 0}}};
  for (const AnyShape& fixed : {AnyShape(half), AnyShape(Polygon(corners)), AnyShape(Mesh({corners, {{0, 1, 2}, {0, 2, 3}}, {}}))}) {
    for (const auto& f : flights) {
      World world(kNoGravity);
      world.add_fixed(fixed);
      const BodyId id = world.add_moving(Point{}, translation(f.from), {.velocity = f.velocity});
      world.step(1);
      ASSERT_EQ(world.impacts().size(), 1u);
      EXPECT_EQ(world.velocity(id), f.after);
    }
  }
}

TEST(World, FallsAsSemiImplicitEulerDoes) {
  World world;
  const BodyId id = world.add_moving(Sphere{Vec3(0, 0, 0), .1}, translation(Vec3(1, 2, 100)), {.velocity = Vec3(1, 0, 0), .drag = .5});
  double z = 100, vz = 0, x = 1, vx = 1;
  for (int i = 0; i < 100; ++i) {
    world.step(.01);
    vz = vz * (1 - .5 * .01) + -9.81 * .01;
    vx *= 1 - .5 * .01;
    z += .01 * vz;
    x += .01 * vx;
  }
  EXPECT_EQ(world.position(id), Vec3(x, 2, z));
  EXPECT_EQ(world.velocity(id), Vec3(vx, 0, vz));
  EXPECT_EQ(world.steps(), 100u);
  EXPECT_NEAR(world.time(), 1, 1e-12);
}

TEST(World, AllKindsOfBodiesStayInTheRoom) {
  test::Random random(31);
  World world({Vec3(0, 0, -9.81), 1, 50, true});
  world.add_fixed(walls(room(2)), {}, {.restitution = .9});
  std::vector<BodyId> ids;
  for (const int kind : {0, 1, 2, 3, 5, 6, 7, 8})
    for (int i = 0; i < 4; ++i)
      ids.push_back(
          world.add_moving(test_scene::random_shape(random, kind), random.pose(1), {.velocity = random.point(-30, 30), .material = {.restitution = .8}}));
  for (int step = 0; step < 60; ++step) {
    world.step(.02);
    for (const BodyId id : ids) {
      const Vec3 p = world.position(id);
      ASSERT_LT(std::max({std::abs(p.x), std::abs(p.y), std::abs(p.z)}), 2) << type_name(world.shape(id).kind()) << " at step " << step;
      ASSERT_FALSE(world.fixed().intersects(at(world.shape(id), world.pose(id)))) << type_name(world.shape(id).kind()) << " at step " << step;
    }
  }
}

TEST(World, RestsWhenSlowAndWakesWhenDisturbed) {
  World world;
  world.add_fixed(HalfSpace{Vec3(0, 0, 0), Vec3(0, 0, 1)}, {}, {.restitution = .3});
  const BodyId id = world.add_moving(Sphere{Vec3(0, 0, 0), .5}, translation(Vec3(0, 0, 2)), {.material = {.restitution = .2}, .rest_speed = .2});
  for (int i = 0; i < 300; ++i) world.step(.01);
  EXPECT_EQ(world.velocity(id), Vec3(0, 0, 0));
  EXPECT_NEAR(world.position(id).z, .5, 1e-9);
  EXPECT_TRUE(world.impacts().empty());
  world.set_velocity(id, Vec3(0, 0, 3));
  world.step(.01);
  EXPECT_GT(world.position(id).z, .51);
}

TEST(World, GrenadeGoesOffInTime) {
  World world;
  world.add_fixed(Box{Vec3(-10, -10, -1), Vec3(10, 10, 0)}, {}, {.restitution = .4, .friction = .5});
  const BodyId id = world.add_moving(Sphere{Vec3(0, 0, 0), .05}, translation(Vec3(0, 0, 1.5)),
                                     {.velocity = Vec3(4, 0, 3), .material = {.restitution = .4, .friction = .5}, .fuse = 2.505});
  int bounces = 0;
  double when = 0;
  for (int i = 0; i < 300 && world.alive(id); ++i) {
    world.step(.01);
    bounces += static_cast<int>(world.impacts().size());
    if (!world.explosions().empty()) when = world.explosions()[0].time;
  }
  EXPECT_NEAR(when, 2.505, 1e-9);
  EXPECT_FALSE(world.alive(id));
  EXPECT_GT(bounces, 2);
  EXPECT_THROW((void)world.position(id), Error);
}

TEST(World, EmitterRestartsBodies) {
  World world({Vec3(0, 0, -10), 7, 10, true});
  world.add_fixed(Sphere{Vec3(0, 0, 0), 1}, {}, {.restitution = .5});
  const BodyId first = world.add_emitter(
      Point{}, 100,
      {.origin = Vec3(0, 0, 3), .spread = Vec3(1.5, 1.5, .2), .velocity = Vec3(0, 0, -1), .velocity_spread = Vec3(.1, .1, .1), .floor = -5, .life = 4},
      {.material = {.restitution = .5}});
  for (BodyId id = first; id < 100; ++id) {
    EXPECT_LE(std::abs(world.position(id).x), 1.5);
    EXPECT_LE(std::abs(world.position(id).z - 3), .2);
  }
  std::size_t respawns = 0, impacts = 0;
  for (int i = 0; i < 200; ++i) {
    world.step(.02);
    respawns += world.respawns().size();
    impacts += world.impacts().size();
    for (const RespawnEvent& e : world.respawns()) EXPECT_GT(world.position(e.body).z, 2.7);
    for (BodyId id = first; id < 100; ++id) ASSERT_FALSE(world.fixed().intersects(Point{world.position(id)}));
  }
  EXPECT_GT(respawns, 100u);
  EXPECT_GT(impacts, 50u);
}

TEST(World, BodiesRestartAtTheirOwnOrigins) {
  World world;
  const BodyId first = world.add_emitter(
      Point{}, 50,
      {.origin = Vec3(1, 2, 3), .spread = Vec3(.5, .25, 0), .velocity = Vec3(0, 0, 1), .velocity_spread = Vec3(1, 0, 0), .life = .25, .own_origin = true});
  std::vector<Vec3> places, velocities;
  for (BodyId id = first; id < first + 50; ++id) {
    places.push_back(world.position(id));
    velocities.push_back(world.velocity(id));
  }
  EXPECT_NE(places[0], places[1]);
  std::size_t respawns = 0;
  for (int i = 0; i < 40; ++i) {
    world.step(.1);
    for (const RespawnEvent& e : world.respawns()) {
      ++respawns;
      EXPECT_EQ(world.position(e.body), places[e.body]);
      EXPECT_EQ(world.velocity(e.body), velocities[e.body]);
    }
  }
  EXPECT_EQ(respawns, 50u * 13);
}

// The figures of docs/accuracy.md.
TEST(World, BouncesKeepTheEnergyWithoutATrend) {
  for (const auto& [dt, bound] : {std::pair(.01, .036), std::pair(.005, .025), std::pair(.0025, .015)}) {
    World world;
    world.add_fixed(Plane{Vec3(0, 0, 0), Vec3(0, 0, 1)});
    const BodyId body = world.add_moving(Point{}, translation(Vec3(0, 0, 1)));
    const double start = 9.81;
    double worst = 0;
    for (std::size_t bounces = 0; bounces < 22; bounces += world.impacts().size()) {
      world.step(dt);
      worst = std::max(worst, std::abs((world.kinetic_energy() + 9.81 * world.position(body).z) / start - 1));
    }
    EXPECT_LT(worst, bound) << dt;
    EXPECT_GT(worst, .9 * bound) << dt;
  }
}

TEST(World, OneFrictionlessSideIsEnough) {
  World world;
  world.add_fixed(Plane{Vec3(0, 0, 0), Vec3(0, 0, 1)}, {}, {.friction = INFINITY});
  const BodyId slippery = world.add_moving(Point{}, translation(Vec3(0, 0, 1)), {.velocity = Vec3(1, 0, -4)});
  const BodyId rough = world.add_moving(Point{}, translation(Vec3(0, 0, 1)), {.velocity = Vec3(1, 0, -4), .material = {.friction = .5}});
  world.step(.5);
  EXPECT_EQ(world.velocity(slippery).x, 1);
  EXPECT_EQ(world.velocity(rough).x, 0);
}

TEST(World, ShotHitsTheFirstOfFixedAndMoving) {
  World world(kNoGravity);
  world.add_fixed(Box{Vec3(10, -5, -5), Vec3(11, 5, 5)});
  const BodyId far = world.add_moving(Sphere{Vec3(0, 0, 0), .5}, translation(Vec3(8, 0, 0)));
  const BodyId near = world.add_moving(Capsule{Vec3(0, 0, -1), Vec3(0, 0, 1), .25}, translation(Vec3(4, 0, 0)));
  const auto a = world.shoot(Ray{Vec3(0, 0, 0), Vec3(1, 0, 0)});
  ASSERT_TRUE(a);
  EXPECT_TRUE(a->body);
  EXPECT_EQ(a->id, near);
  EXPECT_EQ(a->hit.t, 3.75);
  world.remove(near);
  EXPECT_EQ(world.shoot(Ray{Vec3(0, 0, 0), Vec3(1, 0, 0)})->id, far);
  const auto wall = world.shoot(Ray{Vec3(0, 0, 3), Vec3(1, 0, 0)});
  EXPECT_FALSE(wall->body);
  EXPECT_EQ(wall->hit.t, 10);
  EXPECT_FALSE(world.shoot(Ray{Vec3(0, 0, 3), Vec3(1, 0, 0)}, 9));
}

World busy_world() {
  test::Random random(33);
  World world({Vec3(0, 0, -9.81), 5, 10, true});
  world.add_fixed(walls(room(3)), {}, {.restitution = .9, .friction = .1});
  world.add_fixed(Sphere{Vec3(0, 0, -1), 1}, {}, {.restitution = .5});
  world.add_emitter(Point{}, 3000, {.origin = Vec3(0, 0, 2), .spread = Vec3(2, 2, .5), .velocity_spread = Vec3(20, 20, 20), .life = .5}, {.drag = .1});
  for (int i = 0; i < 20; ++i)
    world.add_moving(test_scene::random_shape(random, 2), translation(random.point(-1, 1) + Vec3(0, 0, 1.5)), {.velocity = random.point(-9, 9)});
  return world;
}

std::vector<std::uint8_t> run(World world, int steps) {
  for (int i = 0; i < steps; ++i) world.step(.02);
  return world.snapshot();
}

TEST(World, SameBytesForEveryNumberOfThreads) {
  const World start = busy_world();
  set_threads(1);
  const auto want = run(start, 40);
  for (const int n : {2, 5}) {
    set_threads(n);
    EXPECT_EQ(run(start, 40), want) << n << " threads";
  }
  set_threads(0);
}

TEST(World, SnapshotRestoresBitForBit) {
  World a = busy_world();
  for (int i = 0; i < 20; ++i) a.step(.02);
  const auto middle = a.snapshot();
  World b = busy_world();
  b.restore(middle);
  EXPECT_EQ(b.snapshot(), middle);
  EXPECT_EQ(run(b, 20), run(a, 20));
  const World copy = a;
  a.step(.02);
  EXPECT_EQ(copy.snapshot(), middle);

  EXPECT_EQ(message([&] { b.restore(std::vector<std::uint8_t>(20, 0)); }), "restore: these bytes are no snapshot of a world");
  auto broken = middle;
  broken.pop_back();
  EXPECT_THROW(b.restore(broken), Error);
  broken = middle;
  const double nan = NAN;
  std::memcpy(broken.data() + broken.size() - 15 * 8, &nan, 8);  // the last body's velocity
  const auto before = b.snapshot();
  EXPECT_EQ(message([&] { b.restore(broken); }), "restore: a velocity is not finite");
  EXPECT_EQ(b.snapshot(), before);
  broken = middle;
  const double far = 7;
  std::memcpy(broken.data() + 32 + 16 + 11 * 8, &far, 8);  // the first member has another position,
  std::memcpy(broken.data() + 32 + 112 + 16, &nan, 8);     // and the rotation of the second is NaN: neither moves
  EXPECT_THROW(b.restore(broken), Error);
  EXPECT_EQ(b.snapshot(), before);
  World other;
  EXPECT_EQ(message([&] { other.restore(middle); }), "restore: the snapshot has fixed members: 2, this world 0");
}

TEST(World, ErrorsNameTheField) {
  World world;
  EXPECT_EQ(message([&] { world.add_fixed(Sphere{}, {}, {.restitution = 2}); }), "add_fixed: material.restitution is 2.000000, must be from 0 to 1");
  EXPECT_EQ(message([&] { world.add_moving(Plane{Vec3(0, 0, 0), Vec3(0, 0, 1)}, {}); }), "add_moving: a plane without bounds or empty cannot move");
  EXPECT_THROW(world.step(-1), Error);
  EXPECT_THROW((void)world.velocity(3), Error);
  EXPECT_THROW(world.add_moving(Point{}, {}, {.velocity = Vec3(NAN, 0, 0)}), Error);
  EXPECT_EQ(message([&] { world.add_moving(Point{}, {}, {.rest_speed = -1}); }), "add_moving: rest_speed is -1.000000, must be >= 0");
  EXPECT_EQ(message([&] { world.add_emitter(Point{}, 1, {.spread = Vec3(0, -1, 0)}); }), "add_emitter: spread.y is -1.000000, must be >= 0");
  EXPECT_EQ(message([&] { world.add_emitter(Point{}, 1, {.origin = Vec3(0, 0, -1.5e308), .spread = Vec3(0, 0, 1e308)}); }),
            "add_emitter: origin.z with spread.z is infinite, must be finite");
  EXPECT_EQ(message([&] { world.add_emitter(Sphere{Vec3(0, 0, 0), -1}, 0, {}); }), "sphere: radius is -1, must be >= 0");
  EXPECT_EQ(world.bodies(), 0u);
}

TEST(World, EnergyDoesNotDependOnTheOrderOfCoordinates) {
  test::Random random(34);
  for (int i = 0; i < 1000; ++i) {
    const Vec3 v = random.point(-1, 1);
    World a(kNoGravity), b(kNoGravity);
    a.add_moving(Point{}, {}, {.velocity = v});
    b.add_moving(Point{}, {}, {.velocity = Vec3(-v.z, v.x, -v.y)});
    EXPECT_EQ(a.kinetic_energy(), b.kinetic_energy());
  }
}

}  // namespace
}  // namespace graze::world_test
