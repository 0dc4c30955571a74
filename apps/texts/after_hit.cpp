// Rows U5 to U8 and U10: reflections within one step, friction, the program, its uses, and a camera that rides.
#include "texts/after_hit.hpp"
#include <algorithm>
#include <cmath>
#include <graze/graze.hpp>
#include <graze/io.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>
#include "texts/old_methods.hpp"

namespace graze::texts {

namespace {

Polygon square(double z) { return Polygon{Vec3(-9, -9, z), Vec3(9, -9, z), Vec3(9, 9, z), Vec3(-9, 9, z)}; }

WorldOptions weightless() {
  WorldOptions options;
  options.gravity = {0, 0, 0};
  return options;
}

std::string summary(std::size_t bounces, const Vec3& end, const Vec3& velocity) {
  return "bounces: " + std::to_string(bounces) + ", end " + show(end) + ", velocity " + show(velocity);
}

/// Rounds to millionths, for positions that result from several rounded operations.
Vec3 rounded(const Vec3& p) { return {std::round(p.x * 1e6) / 1e6, std::round(p.y * 1e6) / 1e6, std::round(p.z * 1e6) / 1e6}; }

const char* const kRock = R"(v 1.5 0 0
v -1.25 0 0.25
v 0 1.25 0
v 0.25 -1.5 0
v 0 0.25 1
v 0 0 -1
f 1 3 5
f 3 2 5
f 2 4 5
f 4 1 5
f 3 1 6
f 2 3 6
f 4 2 6
f 1 4 6
)";

}  // namespace

void u5(Cases& cases) {
  const Compound gap({{square(0), {}}, {square(1), {}}});
  const BounceStep three = bounce(Point{{0, 0, .5}}, {0, 0, -3}, 1, gap, {});
  const std::string right = summary(3, {0, 0, .5}, {0, 0, 3});
  cases.on("floor z = 0, ceiling z = 1, (0,0,.5) by (0,0,-3)")
      .old(old::has_stopped({0, 0, -3}) ? summary(0, {0, 0, .5}, {0, 0, 0}) : "moves")
      .graze(summary(three.hits.size(), rounded(three.position), three.velocity))
      .right(right, "path 3: .5 down, 1 up, 1 down, .5 up; the listing's stop test reads x twice and never z");
  World world(weightless());
  world.add_fixed(square(0));
  world.add_fixed(square(1));
  const BodyId body = world.add_moving(Point{}, translation({0, 0, .5}), {.velocity = {0, 0, -3}});
  world.step(1);
  cases.on("the same as a step of a World")
      .graze(summary(world.impacts().size(), rounded(world.position(body)), world.velocity(body)))
      .right(right, "as above");

  const Compound wall({{square(0), {}}, {Polygon{Vec3(1, -1, 0), Vec3(1, 1, 0), Vec3(1, 1, .25), Vec3(1, -1, .25)}, {}}});
  const BounceStep corner = bounce(Point{{0, 0, .875}}, {2, 0, -2}, 1, wall, {});
  const Vec3 start(0, 0, .875), hit(.875, 0, 0), middle = (start + hit) / 2.0,
                                                 past = middle + Vec3(2, 0, 2);  // the listing continues from the midpoint by the whole new vector
  const double height_at_wall = middle.z + (1 - middle.x);
  cases.on("floor z = 0, wall x = 1 for 0 <= z <= .25, (0,0,.875) by (2,0,-2)")
      .old(height_at_wall > .25 ? summary(1, past, {2, 0, 2}) : "hits the wall")
      .graze(summary(corner.hits.size(), rounded(corner.position), corner.velocity))
      .right(summary(2, {0, 0, 1.125}, {-2, 0, 2}), "hits (.875,0,0), then (1,0,.125), then 1 back and up");
  cases.on("... the second hit")
      .graze(corner.hits.size() > 1 ? Value(rounded(corner.hits[1].point)) : Value("none"))
      .right(Vec3(1, 0, .125), ".125 beyond the first in x and z");

  const BounceStep many = bounce(Point{{0, 0, .5}}, {0, 0, -1000}, 1, gap, {});
  cases.on("the same gap, (0,0,.5) by (0,0,-1000)")
      .graze(std::to_string(many.hits.size()) + " reflections, " + (many.stopped ? "stopped" : "moving") + ", velocity " + show(many.velocity))
      .right("10 reflections, stopped, velocity (0,0,0)", "at most 10 within one step");
  World fast(weightless());
  fast.add_fixed(square(0));
  fast.add_fixed(square(1));
  const BodyId stopped = fast.add_moving(Point{}, translation({0, 0, .5}), {.velocity = {0, 0, -1000}});
  fast.step(1);
  cases.on("... as a step of a World: reflections, velocity")
      .graze(std::to_string(fast.impacts().size()) + ", " + show(fast.velocity(stopped)))
      .right("10, (0,0,0)", "stopped at the eleventh contact");
  cases.on("... does it end between floor and ceiling").graze(many.position.z > 0 && many.position.z < 1).right(true, "each stop is certified on its side");
}

void u6(Cases& cases) {
  cases.on("(3,0,-4) at a floor that keeps .5 of the speed")
      .graze(respond({3, 0, -4}, {0, 0, 1}, {.restitution = 1, .friction = 0, .speed_kept = .5}))
      .right(Vec3(1.5, 0, 2), "reflected, then halved");
  cases.on("(4,0,-2), friction .25")
      .graze(respond({4, 0, -2}, {0, 0, 1}, {.restitution = 1, .friction = .25}))
      .right(Vec3(3, 0, 2), "normal impulse 4; a quarter of it along the floor");
  cases.on("(0,0,-4), restitution .5").graze(respond({0, 0, -4}, {0, 0, 1}, {.restitution = .5})).right(Vec3(0, 0, 2), "half of the normal speed is kept");
  World world(weightless());
  const Material half{.restitution = 1, .friction = 0, .speed_kept = .5};
  world.add_fixed(square(0), {}, half);
  const BodyId body = world.add_moving(Point{}, translation({0, 0, 1}), {.velocity = {0, 0, -4}});
  world.step(1);
  cases.on("World: (0,0,1) by (0,0,-4) for 1 s on that floor: velocity").graze(world.velocity(body)).right(Vec3(0, 0, 2), "one hit");
  cases.on("... and height").graze(world.position(body).z).right_within(1e-14, 1.5, "1/4 s down, 3/4 s up at 2");
}

// A rock from a file; 24 points from one emitter, each with its own origin. scenes/stones.json draws a polygon on each.
void u7(Cases& cases) {
  const std::string_view text = kRock;
  const Mesh rock(load_model(std::as_bytes(std::span<const char>(text.data(), text.size())), "rock.obj").data);
  const Solid inside = solid(rock);
  World world;
  world.add_fixed(rock, {}, {.restitution = .5, .friction = .25});
  constexpr std::size_t count = 24;
  BodyOptions stone;
  stone.material.restitution = .5;
  Emitter emitter;
  emitter.origin = {0, 0, 3.5};
  emitter.spread = {1.25, .75, .5};
  emitter.slow = .05;
  emitter.floor = -6;
  emitter.own_origin = true;
  world.add_emitter(Point{}, count, emitter, stone);
  std::vector<Vec3> origins;
  for (BodyId b = 0; b < count; ++b) origins.push_back(world.position(b));
  std::size_t bounces = 0, restarts = 0, at_origin = 0, in_rock = 0, below = 0;
  for (int i = 0; i < 500; ++i) {
    world.step(.01);
    bounces += world.impacts().size();
    for (const RespawnEvent& e : world.respawns()) {
      ++restarts;
      at_origin += world.position(e.body) == origins[e.body];
    }
    for (BodyId b = 0; b < origins.size(); ++b) {
      in_rock += contains(inside, world.position(b));
      below += world.position(b).z < -6;
    }
  }
  cases.on("24 bodies fall on a rock for 500 steps: does each of them bounce and start again, on average")
      .graze(bounces >= 24 && restarts >= 24)
      .right(true, "the fall from 4 to -6 takes 1.5 s of the 5 s");
  cases.on(std::to_string(restarts) + " restarts: how many not at the body's own origin")
      .graze(restarts - at_origin)
      .right(0, "own_origin: where it started the first time");
  cases.on("places inside the rock").graze(in_rock).right(0, "each piece of a path is an exact sweep");
  cases.on("places below -6 at the end of a step").graze(below).right(0, "a body that has fallen that far starts again");
}

void u8(Cases& cases) {
  World world(weightless());
  world.add_fixed(Box{{10, -5, 0}, {11, 5, 4}});
  const BodyId target = world.add_moving(Sphere{{0, 0, 0}, .5}, translation({5, 0, 1}));
  const auto shot = [&](const Vec3& from) {
    const auto hit = world.shoot(Ray{from, {1, 0, 0}});
    return !hit ? std::string("nothing") : (hit->body ? "body " : "wall ") + std::to_string(hit->id) + " at " + show(hit->hit.point);
  };
  cases.on("a shot from (0,0,1) along x at a sphere (5,0,1) r .5, wall x = 10 behind")
      .graze(shot({0, 0, 1}))
      .right("body " + std::to_string(target) + " at (4.5,0,1)", "5 - .5");
  cases.on("... from (0,0,1.5)").graze(shot({0, 0, 1.5})).right("body " + std::to_string(target) + " at (5,0,1.5)", "touches the top");
  cases.on("... from (0,0,1.5 + 1 ulp)")
      .graze(world.shoot(Ray{{0, 0, std::nextafter(1.5, 2.0)}, {1, 0, 0}})->body ? "body" : "wall")
      .right("wall", "an ulp above the top");
  cases.on("... from (0,0,9)").graze(shot({0, 0, 9})).right("nothing", "above the wall");

  World field;  // gravity 9.81
  field.add_fixed(square(0), {}, {.restitution = 0});
  BodyOptions throwing;
  throwing.velocity = {2, 0, 9.81};
  throwing.material.restitution = 0;
  throwing.fuse = 3;
  throwing.rest_speed = .1;
  const BodyId grenade = field.add_moving(Sphere{{0, 0, 0}, .25}, translation({0, 0, .5}), throwing);
  double highest = 0;
  std::optional<ExplodeEvent> end;
  for (int i = 0; i < 4096 && !end; ++i) {
    field.step(0x1p-10);
    if (field.explosions().empty())
      highest = std::max(highest, field.position(grenade).z);
    else
      end = field.explosions()[0];
  }
  cases.on("a grenade thrown from (0,0,.5) by (2,0,9.81): greatest height")
      .graze(highest)
      .right_within(.01, 5.405, ".5 + 9.81^2 / (2 * 9.81); steps of 2^-10 s are off by less than .01");
  cases.on("... height at which it goes off after 3 s")
      .graze(end ? Value(end->point.z) : Value("none"))
      .right_within(1e-9, .25, "it lies on the floor: its radius");
}

void u10(Cases& cases) {
  World world;
  world.add_fixed(square(0), {}, {.restitution = 1});
  const BodyId ride = world.add_moving(Sphere{{0, 0, 0}, .125}, translation({0, 0, 2}), {.velocity = {.5, 0, 0}, .material = {.restitution = .75}});
  std::size_t bounces = 0, frames_below = 0, blind = 0;
  for (int i = 0; i < 300; ++i) {
    world.step(.01);
    bounces += world.impacts().size();
    const Vec3 eye = world.position(ride);
    frames_below += eye.z <= .125;
    const auto below = world.fixed().raycast(Ray{eye, {0, 0, -1}});
    blind += !below || below->hit.point != Vec3(eye.x, eye.y, 0);
  }
  cases.on("a camera on a sphere r .125 that falls from 2 on z = 0, 300 frames: does it bounce more than once")
      .graze(bounces > 1)
      .right(true, "the first fall takes .62 s of the 3 s");
  cases.on("frames with the eye at the floor or below").graze(frames_below).right(0, "the sphere touches the floor first");
  cases.on("frames in which the floor under the eye is not seen there").graze(blind).right(0, "the ray straight down ends at z = 0, exactly below");
}

}  // namespace graze::texts
