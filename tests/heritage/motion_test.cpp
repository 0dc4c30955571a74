// Rows U5 to U8, U10, S9 and the grids and trees of K13 of docs/heritage.md: the response to hits, including the text's defects with several bounces.
#include <gtest/gtest.h>
#include <graze/graze.hpp>

#include <cmath>
#include <graze/broad_phase.hpp>
#include <graze/mover.hpp>
#include <graze/world.hpp>

#include "support/random.hpp"

namespace graze::motion_test {
namespace {

void expect_near(const Vec3& got, const Vec3& want, double error = 1e-12) {
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(got[i], want[i], error) << "coordinate " << i;
}

WorldOptions weightless() {
  WorldOptions o;
  o.gravity = Vec3(0, 0, 0);
  return o;
}

Polygon square(double z) { return Polygon{Vec3(-9, -9, z), Vec3(9, -9, z), Vec3(9, 9, z), Vec3(-9, 9, z)}; }

// The stop test of the text reads x twice and never z: it would stop this point at once.
TEST(HeritageU5, DefectStopTestReadsAllCoordinates) {
  World world(weightless());
  world.add_fixed(square(0));
  world.add_fixed(square(1));
  const BodyId id = world.add_moving(Point{}, translation(Vec3(0, 0, .5)), {.velocity = Vec3(0, 0, -3)});
  world.step(1);
  EXPECT_EQ(world.impacts().size(), 3u);
  expect_near(world.position(id), Vec3(0, 0, .5));
  EXPECT_EQ(world.velocity(id), Vec3(0, 0, 3));
  // The same in one function, against one mesh of both.
  const Compound both({{square(0), {}}, {square(1), {}}});
  const BounceStep step = bounce(Point{Vec3(0, 0, .5)}, Vec3(0, 0, -3), 1, both, {});
  EXPECT_EQ(step.hits.size(), 3u);
  expect_near(step.position, Vec3(0, 0, .5));
  EXPECT_EQ(step.velocity, Vec3(0, 0, 3));
  EXPECT_FALSE(step.stopped);
}

// Continuing from the midpoint between start and hit, as the text does, flies over the wall.
TEST(HeritageU5, DefectMidpointRule) {
  World world(weightless());
  world.add_fixed(square(0));
  world.add_fixed(Polygon{Vec3(1, -1, 0), Vec3(1, 1, 0), Vec3(1, 1, .25), Vec3(1, -1, .25)});
  const BodyId id = world.add_moving(Point{}, translation(Vec3(0, 0, .875)), {.velocity = Vec3(2, 0, -2)});
  world.step(1);
  ASSERT_EQ(world.impacts().size(), 2u);
  expect_near(world.impacts()[0].point, Vec3(.875, 0, 0));
  expect_near(world.impacts()[1].point, Vec3(1, 0, .125));
  expect_near(world.position(id), Vec3(0, 0, 1.125));
  EXPECT_EQ(world.velocity(id), Vec3(-2, 0, 2));
}

// The same input for both: starting midway between floor and ceiling, so fast that the step has more than ten contacts. The point stops at the eleventh
// contact, on the floor, and stays there in later steps.
TEST(HeritageU5, TenReflectionsThenStoppedAtTheEleventhContact) {
  const Vec3 start(0, 0, .5), velocity(3, 0, -1000);
  World world(weightless());
  world.add_fixed(square(0));
  world.add_fixed(square(1));
  const BodyId id = world.add_moving(Point{}, translation(start), {.velocity = velocity});
  world.step(1);
  const BounceStep step = bounce(Point{start}, velocity, 1, Compound({{square(0), {}}, {square(1), {}}}), {});
  ASSERT_EQ(world.impacts().size(), 10u);
  ASSERT_EQ(step.hits.size(), 10u);
  for (std::size_t i = 0; i < 10; ++i) {
    expect_near(world.impacts()[i].point, Vec3(.003 * (.5 + double(i)), 0, i % 2 ? 1 : 0));
    expect_near(step.hits[i].point, world.impacts()[i].point);
    EXPECT_NEAR(step.hits[i].time, world.impacts()[i].time, 1e-12);
  }
  EXPECT_TRUE(step.stopped);
  ASSERT_EQ(world.stops().size(), 1u);
  EXPECT_EQ(world.stops()[0].a, 0u);
  EXPECT_EQ(world.stops()[0].b, id);
  EXPECT_NEAR(world.stops()[0].time, .0105, 1e-12);
  EXPECT_EQ(world.velocity(id), Vec3(0, 0, 0));
  EXPECT_EQ(step.velocity, Vec3(0, 0, 0));
  expect_near(world.position(id), Vec3(.0315, 0, 0));
  expect_near(step.position, world.position(id));
  EXPECT_GT(world.position(id).z, 0);
  EXPECT_GT(step.position.z, 0);
  const Vec3 stopped = world.position(id);
  world.step(1);
  EXPECT_EQ(world.position(id), stopped);
  EXPECT_TRUE(world.impacts().empty());
  EXPECT_TRUE(world.stops().empty());
}

// Any limit, any kind of body: exactly that many reflections, then a stop at the next contact, if the step reaches it.
TEST(HeritageU5, WorldAndBounceStopAtTheSameLimit) {
  const Compound walls({{square(0), {}}, {square(1), {}}});
  for (const AnyShape& body : {AnyShape(Point{}), AnyShape(Sphere{Vec3(0, 0, 0), .0625}), AnyShape(Box{Vec3(-.125, -.125, -.125), Vec3(.125, .125, .125)})})
    for (int limit = 0; limit < 13; ++limit)
      for (const double dt : {.25, .5, 1., 4.}) {
        WorldOptions options = weightless();
        options.max_bounces = limit;
        World world(options);
        world.add_fixed(square(0));
        world.add_fixed(square(1));
        const Pose pose = translation(Vec3(0, 0, .5));
        const Vec3 velocity(0, 0, -3);
        const BodyId id = world.add_moving(body, pose, {.velocity = velocity});
        world.step(dt);
        const BounceStep step = bounce(at(body, pose), velocity, dt, walls, {}, {.max_bounces = limit});
        const double room = 1 - 2 * (body.get<Sphere>() ? .0625 : body.get<Box>() ? .125 : 0), contacts = std::floor((3 * dt - room / 2) / room) + 1;
        const bool stops = contacts > limit;
        EXPECT_EQ(step.hits.size(), static_cast<std::size_t>(stops ? limit : contacts)) << limit << " " << dt;
        EXPECT_EQ(world.impacts().size(), step.hits.size()) << limit << " " << dt;
        EXPECT_EQ(step.stopped, stops) << limit << " " << dt;
        EXPECT_EQ(world.stops().size(), stops ? 1u : 0u) << limit << " " << dt;
        EXPECT_EQ(world.velocity(id), step.velocity) << limit << " " << dt;
        EXPECT_EQ(step.velocity == Vec3(0, 0, 0), stops) << limit << " " << dt;
        expect_near(world.pose(id).translation, step.pose.translation);
      }
}

TEST(HeritageU6, SpeedIsLostAtEachHit) {
  Material loss;
  loss.speed_kept = .9;
  const Vec3 v = respond(Vec3(3, 0, -4), Vec3(0, 0, 1), loss);
  expect_near(v, Vec3(2.7, 0, 3.6));
  World world(weightless());
  world.add_fixed(square(0), {}, loss);
  world.add_fixed(square(1), {}, loss);
  const BodyId id = world.add_moving(Point{}, translation(Vec3(0, 0, .5)), {.velocity = Vec3(1, 0, -3)});
  double speed = world.kinetic_energy();
  for (int i = 0; i < 20; ++i) {
    world.step(.3);
    if (world.impacts().empty()) continue;
    EXPECT_LT(world.kinetic_energy(), speed);
    speed = world.kinetic_energy();
  }
  EXPECT_LT(std::abs(world.velocity(id).z), 1.2);
}

// A rock and many points with a triangle each; slow and fallen bodies restart.
TEST(HeritageU7, StonesOnARock) {
  MeshData rock;
  rock.vertices = {Vec3(1.4, 0, 0), Vec3(-1.2, 0, .1), Vec3(0, 1.3, 0), Vec3(.1, -1.1, 0), Vec3(0, .1, 1), Vec3(0, 0, -1)};
  rock.triangles = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
  const Solid inside = solid(Mesh(rock));
  World world;
  world.add_fixed(Mesh(rock), {}, {.restitution = .5, .friction = .2});
  Emitter emitter;
  emitter.origin = Vec3(0, 0, 3);
  emitter.spread = Vec3(1, 1, .5);
  emitter.slow = .01;
  emitter.floor = -6;
  emitter.own_origin = true;
  BodyOptions stone;
  stone.material.restitution = .5;
  const BodyId first = world.add_emitter(Point{}, 50, emitter, stone);
  std::vector<Vec3> origins;
  for (BodyId id = first; id < 50; ++id) origins.push_back(world.position(id));
  std::size_t impacts = 0, respawns = 0;
  for (int i = 0; i < 400; ++i) {
    world.step(.01);
    impacts += world.impacts().size();
    for (const RespawnEvent& e : world.respawns()) ASSERT_EQ(world.position(e.body), origins[e.body]);
    respawns += world.respawns().size();
    for (BodyId id = first; id < 50; ++id) {
      ASSERT_FALSE(contains(inside, world.position(id)));
      ASSERT_GE(world.position(id).z, -6);
    }
  }
  EXPECT_GT(impacts, 50u);
  EXPECT_GT(respawns, 50u);
}

TEST(HeritageU8, ShotsAndAThrownGrenade) {
  World world;
  world.add_fixed(Box{Vec3(-5, -5, -1), Vec3(20, 5, 0)}, {}, {.restitution = .4, .friction = .3});
  world.add_fixed(Box{Vec3(10, -5, 0), Vec3(10.2, 5, 4)});
  BodyOptions o;
  o.velocity = Vec3(6, 0, 5);
  o.material.restitution = .4;
  o.fuse = 3;
  o.rest_speed = .05;
  const BodyId grenade = world.add_moving(Sphere{Vec3(0, 0, 0), .05}, translation(Vec3(0, 0, 1.5)), o);
  EXPECT_EQ(world.shoot(Ray{Vec3(-3, 0, 1.5), Vec3(1, 0, 0)})->id, grenade);
  int bounces = 0;
  double highest = 0;
  std::optional<ExplodeEvent> end;
  for (int i = 0; i < 400 && !end; ++i) {
    world.step(.01);
    bounces += static_cast<int>(world.impacts().size());
    if (!world.explosions().empty())
      end = world.explosions()[0];
    else
      highest = std::max(highest, world.position(grenade).z);
  }
  ASSERT_TRUE(end);
  EXPECT_NEAR(highest, 1.5 + 25 / 19.62, .05);
  EXPECT_GT(bounces, 1);
  EXPECT_LT(end->point.x, 10);
  const auto shot = world.shoot(Ray{Vec3(-3, 0, 1.5), Vec3(1, 0, 0)});
  EXPECT_FALSE(shot->body);
  EXPECT_EQ(shot->hit.point.x, 10);
}

// A camera that collides with the world in a room bounded by polygons.
TEST(HeritageS9, CameraNeverLeavesTheRoom) {
  Scene room;
  for (const double z : {0.0, 3.0}) room.add(square(z));
  for (const double s : {-9.0, 9.0}) {
    room.add(Polygon{Vec3(s, -9, 0), Vec3(s, 9, 0), Vec3(s, 9, 3), Vec3(s, -9, 3)});
    room.add(Polygon{Vec3(-9, s, 0), Vec3(9, s, 0), Vec3(9, s, 3), Vec3(-9, s, 3)});
  }
  const Sphere eye{Vec3(0, 0, 0), .2};
  Mover camera(room, eye, Vec3(0, 0, 1.5));
  double reached = 0;
  for (int i = 0; i < 500; ++i) {
    const double a = i * .7;
    camera.move(Vec3(2 * std::sin(a * .37) + .3, 2 * std::cos(a * .11), std::sin(a)));
    ASSERT_FALSE(room.intersects(at(eye, camera.pose())));
    const Vec3 p = camera.pose().translation;
    ASSERT_LT(std::max(std::abs(p.x), std::abs(p.y)), 8.8);
    ASSERT_LT(std::abs(p.z - 1.5), 1.3);
    reached = std::max(reached, std::abs(p.x));
  }
  EXPECT_GT(reached, 8.79);
}

// A camera that rides a bouncing body: the body's position is the camera's, and its line of sight an exact ray.
TEST(HeritageU10, CameraOnABouncingBody) {
  World world;
  world.add_fixed(square(0), {}, {.restitution = .9});
  const BodyId ride = world.add_moving(Sphere{Vec3(0, 0, 0), .1}, translation(Vec3(0, 0, 2)), {.velocity = Vec3(.5, 0, 0)});
  int bounces = 0;
  for (int i = 0; i < 300; ++i) {
    world.step(.01);
    bounces += static_cast<int>(world.impacts().size());
    const Vec3 eye = world.position(ride);
    ASSERT_GT(eye.z, .1);
    const auto below = world.fixed().raycast(Ray{eye, Vec3(0, 0, -1)});
    ASSERT_TRUE(below);
    EXPECT_EQ(below->hit.point.z, 0);
  }
  EXPECT_GT(bounces, 1);
}

// Interactions among objects of very different sizes; what grids, octrees and loose octrees are for. The comparison: docs/broad_phase.md.
TEST(HeritageK13, ObjectsOfVeryDifferentSizes) {
  std::vector<Box> boxes;
  test::Random random(9);
  for (int i = 0; i < 1500; ++i) {
    const double size = std::exp(-7 * random.unit());
    const Vec3 lo = random.point(0, 1);
    boxes.push_back({lo, lo + size * random.point(0, 1)});
  }
  BroadPhase phase;
  phase.assign(boxes);
  std::vector<BroadPhase::IdPair> want;
  for (std::uint32_t a = 0; a < boxes.size(); ++a)
    for (std::uint32_t b = a + 1; b < boxes.size(); ++b)
      if (intersects(boxes[a], boxes[b])) want.emplace_back(a, b);
  EXPECT_EQ(phase.pairs(), want);
  EXPECT_GT(want.size(), 1000u);
}

}  // namespace
}  // namespace graze::motion_test
