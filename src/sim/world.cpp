// The members and bodies of a world, its step, its energy and its shots.
#include <algorithm>
#include <cmath>
#include <graze/error.hpp>
#include <graze/world.hpp>
#include <string>
#include <utility>

#include "exact/double_parts.hpp"
#include "exact/two_double.hpp"
#include "math/limits.hpp"
#include "math/vec3.hpp"
#include "platform/fp_environment.hpp"
#include "platform/parallel.hpp"
#include "platform/watch.hpp"
#include "scene/particle_path.hpp"
#include "sim/world_state.hpp"

namespace graze {
namespace {

void require_finite(const std::string& what, double x) {
  if (!(std::fabs(x) <= kLargest)) throw Error(ErrorCode::invalid_argument, what + " is " + (x != x ? "NaN" : "infinite") + ", must be finite");
}
void require_finite(const std::string& what, const Vec3& v) {
  for (int i = 0; i < 3; ++i) require_finite(what + "." + "xyz"[i], v[i]);
}
/// Requires half sizes of a box about `middle` whose points are all finite.
void require_spread(const std::string& middle_name, const Vec3& middle, const std::string& name, const Vec3& spread) {
  for (int i = 0; i < 3; ++i) {
    const std::string k = std::string(".") + "xyz"[i];
    if (spread[i] < 0) throw Error(ErrorCode::invalid_argument, "add_emitter: " + name + k + " is " + std::to_string(spread[i]) + ", must be >= 0");
    require_finite("add_emitter: " + middle_name + k + " with " + name + k, std::fabs(middle[i]) + spread[i]);
  }
}
void require_material(const std::string& what, const Material& m) {
  if (!(m.restitution >= 0 && m.restitution <= 1))
    throw Error(ErrorCode::invalid_argument, what + ".restitution is " + std::to_string(m.restitution) + ", must be from 0 to 1");
  if (!(m.friction >= 0)) throw Error(ErrorCode::invalid_argument, what + ".friction is " + std::to_string(m.friction) + ", must be >= 0");
  if (!(m.speed_kept >= 0 && m.speed_kept <= 1))
    throw Error(ErrorCode::invalid_argument, what + ".speed_kept is " + std::to_string(m.speed_kept) + ", must be from 0 to 1");
}

bool is_bounded(const Box& b) {
  for (int k = 0; k < 3; ++k)
    if (!(b.min[k] >= -kLargest && b.max[k] <= kLargest && b.min[k] <= b.max[k])) return false;
  return true;
}

/// True if the bodies can share a kind, as many points or spheres added one after the other do.
bool same_kind(const BodyKind& a, const BodyKind& b) {
  if (a.emitter || b.emitter) return false;
  const Sphere *sa = a.shape.get<Sphere>(), *sb = b.shape.get<Sphere>();
  if (!(a.point && b.point) && !(sa && sb && sa->radius == sb->radius)) return false;
  const BodyOptions &x = a.options, &y = b.options;
  return x.material.restitution == y.material.restitution && x.material.friction == y.material.friction && x.material.speed_kept == y.material.speed_kept &&
         x.drag == y.drag && x.gravity_scale == y.gravity_scale && x.meets == y.meets && x.fuse == y.fuse && x.rest_speed == y.rest_speed;
}

}  // namespace

double kinetic_energy_of(const Vec3& v) {
  double x[3] = {std::fabs(v.x), std::fabs(v.y), std::fabs(v.z)};
  std::sort(x, x + 3);
  const TwoDouble s = two_product(x[0], x[0]) + two_product(x[1], x[1]) + two_product(x[2], x[2]);
  return 0.5 * (s.hi + s.lo);
}

const Body& World::State::at(BodyId id) const {
  if (id >= bodies.size() || !bodies[id].alive) throw Error(ErrorCode::unknown_id, "world: no body has the id " + std::to_string(id));
  return bodies[id];
}

World::World(const WorldOptions& options) : state_(std::make_unique<State>()) {
  require_finite("world: gravity", options.gravity);
  if (options.max_bounces < 0) throw Error(ErrorCode::invalid_argument, "world: max_bounces is " + std::to_string(options.max_bounces) + ", must be >= 0");
  state_->options = options;
}
World::~World() = default;
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;
World::World(const World& o) : state_(std::make_unique<State>(*o.state_)) {}
World& World::operator=(const World& o) {
  if (this != &o) state_ = std::make_unique<State>(*o.state_);
  return *this;
}

MemberId World::add_fixed(AnyShape shape, const Pose& pose, const Material& material, const MemberOptions& options) {
  const Uninterrupted whole;
  require_material("add_fixed: material", material);
  const MemberId id = state_->fixed.add(std::move(shape), pose, options);
  state_->materials.resize(id + 1);
  state_->materials[id] = material;
  state_->fixed_changed();
  return id;
}
void World::move_fixed(MemberId id, const Pose& pose) {
  const Uninterrupted whole;
  state_->fixed.move(id, pose);
  state_->fixed_changed();
  for (Body& b : state_->bodies) b.resting = false;
}
const Scene& World::fixed() const { return state_->fixed; }
const WorldOptions& World::options() const { return state_->options; }

BodyId World::add_moving(AnyShape shape, const Pose& pose, const BodyOptions& options) {
  const DefaultFloatEnvironment guard;
  const Uninterrupted whole;
  validate(at(shape, pose));
  require_finite("add_moving: velocity", options.velocity);
  require_material("add_moving: material", options.material);
  require_finite("add_moving: gravity_scale", options.gravity_scale);
  if (!(options.drag >= 0)) throw Error(ErrorCode::invalid_argument, "add_moving: drag is " + std::to_string(options.drag) + ", must be >= 0");
  if (!(options.rest_speed >= 0))
    throw Error(ErrorCode::invalid_argument, "add_moving: rest_speed is " + std::to_string(options.rest_speed) + ", must be >= 0");
  if (!(options.fuse >= 0)) throw Error(ErrorCode::invalid_argument, "add_moving: fuse is " + std::to_string(options.fuse) + ", must be >= 0");
  Body body;
  body.pose = pose;
  body.velocity = options.velocity;
  // Points and spheres have their centre at the pose's translation. Their paths are then segments of doubles, and every sweep along them is exact.
  const Point* point = shape.get<Point>();
  const Sphere* sphere = shape.get<Sphere>();
  if (point || sphere) {
    body.pose = translation(pose.apply(point ? point->point : sphere->center));
    const double radius = point ? 0 : sphere->radius;
    if (radius == 0)
      shape = Point{};
    else
      shape = Sphere{Vec3(0, 0, 0), radius};
  }
  const Box box = bounding_box(shape);
  if (!is_bounded(box)) throw Error(ErrorCode::unsupported_shape, "add_moving: " + article_name(shape.kind()) + " without bounds or empty cannot move");
  BodyKind kind{std::move(shape), box.center(), 0, 0, false, options, std::nullopt};
  kind.point = kind.shape.get<Point>() != nullptr;
  kind.reach = kind.point ? 0 : bounding_sphere(kind.shape).radius * (1 + 0x1p-40);
  // The matrices of poses are rotations within 1e-12.
  const Vec3 c = kind.center;
  kind.extent = (kind.reach + std::fabs(c.x) + std::fabs(c.y) + std::fabs(c.z)) * (1 + 0x1p-20);
  State& s = *state_;
  if (s.kinds.empty() || !same_kind(s.kinds.back(), kind)) s.kinds.push_back(std::move(kind));
  body.kind = static_cast<std::uint32_t>(s.kinds.size() - 1);
  s.bodies.push_back(body);
  return static_cast<BodyId>(s.bodies.size() - 1);
}

BodyId World::add_emitter(AnyShape shape, std::size_t count, const Emitter& emitter, const BodyOptions& options) {
  const DefaultFloatEnvironment guard;
  const Uninterrupted whole;
  for (const auto& [name, v] : {std::pair("origin", emitter.origin), std::pair("spread", emitter.spread), std::pair("velocity", emitter.velocity),
                                std::pair("velocity_spread", emitter.velocity_spread)})
    require_finite(std::string("add_emitter: ") + name, v);
  require_spread("origin", emitter.origin, "spread", emitter.spread);
  require_spread("velocity", emitter.velocity, "velocity_spread", emitter.velocity_spread);
  if (!(emitter.slow >= 0)) throw Error(ErrorCode::invalid_argument, "add_emitter: slow is " + std::to_string(emitter.slow) + ", must be >= 0");
  if (!(emitter.life > 0)) throw Error(ErrorCode::invalid_argument, "add_emitter: life is " + std::to_string(emitter.life) + ", must be > 0");
  if (emitter.floor != emitter.floor) throw Error(ErrorCode::invalid_argument, "add_emitter: floor is NaN");
  State& s = *state_;
  const auto first = static_cast<BodyId>(s.bodies.size());
  if (count == 0) {
    validate(shape);
    return first;
  }
  add_moving(std::move(shape), {}, options);
  if (s.bodies[first].kind + 1 < s.kinds.size() || (first > 0 && s.bodies[first - 1].kind == s.bodies[first].kind)) {
    s.kinds.push_back(s.kinds[s.bodies[first].kind]);  // a kind of its own
    s.bodies[first].kind = static_cast<std::uint32_t>(s.kinds.size() - 1);
  }
  s.kinds.back().emitter = emitter;
  s.bodies.resize(first + count, s.bodies[first]);
  for (std::size_t i = 0; i < count; ++i) s.start(static_cast<BodyId>(first + i), s.bodies[first + i]);
  return first;
}

void World::State::start(BodyId id, Body& body) const {
  const Emitter& e = *kinds[body.kind].emitter;
  const auto uniform = [&](std::uint64_t k) {
    return static_cast<double>(random_bits(options.seed, id, e.own_origin ? 0 : body.lives, k) >> 11) * 0x1p-52 - 1;
  };  // in [-1, 1]
  for (int i = 0; i < 3; ++i) {
    const auto k = static_cast<std::uint64_t>(i);
    body.pose.translation[i] = e.origin[i] + uniform(k) * e.spread[i];
    body.velocity[i] = e.velocity[i] + uniform(3 + k) * e.velocity_spread[i];
  }
  ++body.lives;
  body.age = 0;
  body.resting = false;
}

void World::remove(BodyId id) {
  state_->at(id);
  state_->bodies[id].alive = false;
}
std::size_t World::bodies() const { return state_->bodies.size(); }
bool World::alive(BodyId id) const { return id < state_->bodies.size() && state_->bodies[id].alive; }
const AnyShape& World::shape(BodyId id) const { return state_->kinds[state_->at(id).kind].shape; }
const Pose& World::pose(BodyId id) const { return state_->at(id).pose; }
Vec3 World::position(BodyId id) const { return state_->position(state_->at(id)); }
Vec3 World::velocity(BodyId id) const { return state_->at(id).velocity; }
void World::set_velocity(BodyId id, const Vec3& v) {
  state_->at(id);
  require_finite("set_velocity: v", v);
  state_->bodies[id].velocity = v;
  state_->bodies[id].resting = false;
}

void World::step(double dt) {
  const DefaultFloatEnvironment guard;
  const Uninterrupted whole;
  if (!(dt >= 0 && dt <= kLargest)) throw Error(ErrorCode::invalid_argument, "step: dt is " + std::to_string(dt) + ", must be finite and >= 0");
  State& s = *state_;
  constexpr std::size_t chunk = State::kTogether;
  std::vector<Events> events((s.bodies.size() + chunk - 1) / chunk);
  if (dt > 0) s.expect_paths(s.bodies.size());
  const Vec3 g = s.options.gravity;
  const double strength = length(g);
  parallel_for(s.bodies.size(), chunk, [&](std::size_t begin, std::size_t end) {
    Events& here = events[begin / chunk];
    s.fly(begin, end, dt, here);
    for (std::size_t i = begin; i < end; ++i) {
      Body& body = s.bodies[i];
      if (!body.alive) continue;
      const auto id = static_cast<BodyId>(i);
      const BodyKind& kind = s.kinds[body.kind];
      const double left = kind.options.fuse - body.age;
      const double flight = s.flight_of(body, dt);
      body.age += dt;
      if (left <= dt) {
        here.explosions.push_back({s.time + flight, id, s.position(body)});
        body.alive = false;
        continue;
      }
      if (!kind.emitter) continue;
      const Emitter& e = *kind.emitter;
      const Vec3 p = s.position(body), v = body.velocity;
      const double height = strength > 0 ? -dot(g, p) / strength : p.z;
      const bool slow = dot(v, v) < e.slow * e.slow;
      if (slow || height < e.floor || body.age >= e.life) {
        s.start(id, body);
        here.respawns.push_back({s.time + dt, id});
      }
    }
  });
  s.events.clear();
  const auto append = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
  for (const Events& e : events) {
    append(s.events.impacts, e.impacts);
    append(s.events.stops, e.stops);
    append(s.events.respawns, e.respawns);
    append(s.events.explosions, e.explosions);
  }
  const auto by_time_then_body = [](const auto& a, const auto& b) { return a.time != b.time ? a.time < b.time : a.b < b.b; };
  std::stable_sort(s.events.impacts.begin(), s.events.impacts.end(), by_time_then_body);
  std::stable_sort(s.events.stops.begin(), s.events.stops.end(), by_time_then_body);
  std::stable_sort(s.events.explosions.begin(), s.events.explosions.end(), [](const ExplodeEvent& a, const ExplodeEvent& b) { return a.time < b.time; });
  s.time += dt;
  ++s.steps;
}

double World::time() const { return state_->time; }
std::uint64_t World::steps() const { return state_->steps; }

double World::kinetic_energy() const {
  const DefaultFloatEnvironment guard;
  const std::vector<Body>& bodies = state_->bodies;
  return parallel_reduce(
      bodies.size(), std::size_t{4096}, 0.0,
      [&](std::size_t begin, std::size_t end) {
        double sum = 0;
        for (std::size_t i = begin; i < end; ++i)
          if (bodies[i].alive) sum += kinetic_energy_of(bodies[i].velocity);
        return sum;
      },
      [](double a, double b) { return a + b; });
}

const std::vector<ImpactEvent>& World::impacts() const { return state_->events.impacts; }
const std::vector<StopEvent>& World::stops() const { return state_->events.stops; }
const std::vector<RespawnEvent>& World::respawns() const { return state_->events.respawns; }
const std::vector<ExplodeEvent>& World::explosions() const { return state_->events.explosions; }

std::optional<ShotHit> World::shoot(const Ray& ray, double t_max) const {
  const DefaultFloatEnvironment guard;
  validate(ray);
  const State& s = *state_;
  std::optional<ShotHit> best;
  if (auto hit = s.fixed.raycast(ray, {.t_max = t_max})) best = ShotHit{false, hit->member, std::move(hit->hit)};
  // Skips bodies whose bounding ball certainly misses the line: squared distance in doubles against a radius with room for rounding.
  const Vec3 d = ray.direction;
  const double dd = dot(d, d);
  const bool plain = dd > 1e-200 && dd < 1e200;  // else the squares below might overflow or underflow
  for (BodyId id = 0; id < s.bodies.size(); ++id) {
    const Body& body = s.bodies[id];
    if (!body.alive) continue;
    const BodyKind& kind = s.kinds[body.kind];
    if (plain) {
      const Vec3 p = s.position(body), w = p - ray.origin;
      const double size = std::max(max_norm(p), max_norm(ray.origin));
      const Vec3 c = cross(w, d);
      const double off = dot(c, c), room = 2 * kind.reach + size * 0x1p-30;
      if (off > room * room * dd) continue;  // 2^-30 is far above the roundings, a few u of the sizes
    }
    RayOptions options{t_max};
    if (best) options.t_max = std::min(options.t_max, next_up(best->hit.t));
    const Placed target = graze::at(kind.shape, body.pose);
    auto hit = raycast(ray, target, options);
    if (!hit) continue;
    if (best) {
      const Placed other =
          best->body ? graze::at(s.kinds[s.bodies[best->id].kind].shape, s.bodies[best->id].pose) : graze::at(s.fixed.shape(best->id), s.fixed.pose(best->id));
      if (!SceneAccess::is_before(ray, target, *hit, other, best->hit)) continue;
    }
    best = ShotHit{true, id, std::move(*hit)};
  }
  return best;
}

}  // namespace graze
