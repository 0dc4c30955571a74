// Advances bodies by one step. A path consists of straight pieces between contacts; every piece is proved free by an exact decision, every stop is certified.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

#include "math/limits.hpp"
#include "math/step_back.hpp"
#include "math/vec3.hpp"
#include "scene/particle_path.hpp"
#include "sim/world_state.hpp"

namespace graze {
namespace {

Vec3 ahead(const Vec3& p, double t, const Vec3& v) { return clamped_to_finite(point_along(p, t, v)); }

/// The contact that ended a piece of the path.
struct Stop {
  MemberId member;
  double t;  // fraction of the piece
  Vec3 point;
  std::optional<Vec3> normal;
  std::optional<std::uint32_t> triangle;
};

std::optional<Stop> stop_of(const SceneSweepHit& hit) { return Stop{hit.member, hit.hit.t, hit.hit.point, hit.hit.normal, hit.hit.triangle_b}; }

/// Moves a point along a segment of doubles whose first hit is given: moves `p` to `to`, or to just before the first contact.
std::optional<Stop> point_piece(const Scene& scene, std::uint32_t groups, Vec3& p, const Vec3& to, const std::optional<SceneHit>& hit) {
  const SceneFilter filter{groups};
  if (!hit) return std::nullopt;                      // cannot happen
  if (hit->hit.started_inside || !hit->hit.normal) {  // starts on a surface: a contact that the motion leaves at once does not stop it
    const auto swept = scene.sweep(Point{p}, {p, to}, {.skip_departing = true}, filter);
    if (!swept) {
      p = to;
      return std::nullopt;
    }
    if (swept->hit.moved) p = swept->hit.safe_point;
    return stop_of(*swept);
  }
  // Stops short of the contact by a few roundings, and farther until the path to there is free: it is a different segment from the one just tested.
  const Vec3 d = to - p;
  const double rate = std::fabs(dot(*hit->hit.normal, d)), size = std::max(max_norm(p), max_norm(to));
  const auto free = step_back(hit->hit.t, rate > 0 ? size * 0x1p-51 / rate : 1, 4, 0, [&](double t) {
    const Vec3 q = ahead(p, t, d);
    return q != p && SceneAccess::path_is_free(scene, p, q, groups);
  });
  if (free) p = ahead(p, *free, d);
  return Stop{hit->member, hit->hit.t, hit->hit.point, hit->hit.normal, hit->hit.triangle};
}

/// Moves the pose of any other shape.
std::optional<Stop> shape_piece(const Scene& scene, std::uint32_t groups, const AnyShape& shape, Pose& pose, const Vec3& to) {
  const SceneFilter filter{groups};
  const auto swept = scene.sweep(at(shape, pose), {pose.translation, to}, {.skip_departing = true}, filter);
  if (swept) {
    if (swept->hit.moved) pose = swept->hit.safe;
    return stop_of(*swept);
  }
  if (shape.get<Sphere>()) {
    pose.translation = to;
    return std::nullopt;
  }
  // Corners are placed one by one, so the pose may differ from the path by a rounding. The pose must be free as well.
  const Vec3 d = to - pose.translation;
  Pose there = pose;
  const auto free = step_back(1, 0, 4, 0x1p-52, [&](double t) {
    there.translation = t == 1 ? to : ahead(pose.translation, t, d);
    return !scene.intersects(at(shape, there), filter);
  });
  if (free) pose = there;
  return std::nullopt;
}

Material mixed(const Material& a, const Material& b) {
  return {std::max(a.restitution, b.restitution), a.friction > 0 && b.friction > 0 ? std::sqrt(a.friction * b.friction) : 0, a.speed_kept * b.speed_kept};
}

}  // namespace

/// A piece of a body's path in a step.
struct World::State::Flight {
  BodyId id;
  int bounces;      // before this piece
  double dt, left;  // duration of the step, and what is left of it for this piece
  double extent;    // bound on the body's extent
  Vec3 from, to;
};

void World::State::expect_paths(std::uint64_t paths) {
  if (!paths_left) paths_left = FreeSpace::worth(fixed);
  if (*paths_left == 0) return;
  *paths_left -= std::min(*paths_left, paths);
  if (*paths_left == 0) free_space = FreeSpace::of(fixed);
}

std::size_t World::State::pass_clear(Flight* flights, std::size_t count) {
  const FreeSpace& space = *free_space;
  FreeSpace::Place place[2][kTogether];
  std::uint16_t left[kTogether];
  for (std::size_t k = 0; k < count; ++k) {
    const Flight& f = flights[k];
    place[0][k] = space.place_of(f.from, f.to, f.extent);
    space.prefetch(place[0][k]);
  }
  std::size_t n = 0, kept = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const Flight& f = flights[k];
    if (space.is_clear(place[0][k])) {
      bodies[f.id].pose.translation = f.to;
      continue;
    }
    const Vec3 middle = 0.5 * (f.from + f.to);
    place[0][n] = space.place_of(f.from, middle, f.extent);
    place[1][n] = space.place_of(middle, f.to, f.extent);
    space.prefetch(place[0][n]);
    space.prefetch(place[1][n]);
    left[n++] = static_cast<std::uint16_t>(k);
  }
  for (std::size_t i = 0; i < n; ++i) {
    const Flight& f = flights[left[i]];
    if (space.is_clear(place[0][i]) && space.is_clear(place[1][i]))
      bodies[f.id].pose.translation = f.to;
    else
      flights[kept++] = f;
  }
  return kept;
}

void World::State::fly(std::size_t begin, std::size_t end, double dt, Events& happened) {
  Flight flights[kTogether];
  std::size_t count = 0;
  for (std::size_t i = begin; i < end; ++i) {
    Body& body = bodies[i];
    if (!body.alive || body.resting) continue;
    const BodyKind& kind = kinds[body.kind];
    const BodyOptions& how = kind.options;
    const double flight = flight_of(body, dt);
    // Semi-implicit Euler: the velocity is updated first. Drag never reverses it.
    const double kept = std::max(0.0, 1 - how.drag * flight);
    for (int k = 0; k < 3; ++k) {
      const double g = options.gravity[k] * how.gravity_scale;
      if (g == 0 && kept == 1) continue;
      double v = body.velocity[k] * kept;
      if (g != 0) v += g * flight;
      body.velocity[k] = std::clamp(v, -kLargest, kLargest);
    }
    if (!(flight > 0)) continue;
    const Vec3 from = body.pose.translation, to = ahead(from, flight, body.velocity);
    if (to == from) continue;
    flights[count++] = {static_cast<BodyId>(i), 0, flight, flight, kind.extent, from, to};
  }
  if (free_space) count = pass_clear(flights, count);
  // The remaining flights: points are queried together, piece after piece, where they meet the same members.
  constexpr std::size_t together = 64;
  Vec3 from[together], to[together];
  std::optional<SceneHit> hit[together];
  while (count > 0) {
    std::size_t left = 0;
    for (std::size_t first = 0; first < count;) {
      const BodyKind& kind = kinds[bodies[flights[first].id].kind];
      std::size_t n = 0;
      for (; n < together && first + n < count; ++n) {
        const Flight& f = flights[first + n];
        const BodyKind& other = kinds[bodies[f.id].kind];
        if (other.point != kind.point || other.options.meets != kind.options.meets) break;
        from[n] = f.from;
        to[n] = f.to;
      }
      if (kind.point) SceneAccess::first_on_paths(fixed, {from, n}, {to, n}, kind.options.meets, {hit, n});
      for (std::size_t k = 0; k < n; ++k) {
        Flight& f = flights[first + k];
        if (kind.point && !hit[k])
          bodies[f.id].pose.translation = f.to;
        else if (meet(f, hit[k], happened))
          flights[left++] = f;
      }
      first += n;
    }
    count = left;
  }
}

bool World::State::meet(Flight& flight, const std::optional<SceneHit>& hit, Events& happened) {
  Body& body = bodies[flight.id];
  const BodyKind& kind = kinds[body.kind];
  const BodyOptions& how = kind.options;
  const auto stop =
      kind.point ? point_piece(fixed, how.meets, body.pose.translation, flight.to, hit) : shape_piece(fixed, how.meets, kind.shape, body.pose, flight.to);
  if (!stop) return false;
  flight.left *= 1 - stop->t;
  const Vec3 before = body.velocity;
  const double now = time + (flight.dt - flight.left);
  // Stops as bounce() does: after the maximum number of reflections, or if it starts deeper than touching, as when a member was moved onto it.
  if (flight.bounces >= options.max_bounces || !stop->normal) {
    body.velocity = Vec3(0, 0, 0);
    if (stop->normal && options.record_impacts) happened.stops.push_back({now, stop->member, flight.id, stop->point});
    return false;
  }
  ++flight.bounces;
  const Vec3 normal = *stop->normal;
  body.velocity = respond(before, normal, mixed(how.material, materials[stop->member]));
  if (options.record_impacts) {
    ImpactEvent event;
    event.time = now;
    event.a = stop->member;
    event.b = flight.id;
    event.point = stop->point;
    event.normal = normal;
    event.speed = std::fabs(dot(before, normal));
    event.triangle = stop->triangle;
    happened.impacts.push_back(event);
  }
  if (how.rest_speed > 0 && dot(body.velocity, body.velocity) < how.rest_speed * how.rest_speed) {
    body.velocity = Vec3(0, 0, 0);
    body.resting = true;
    return false;
  }
  if (!(flight.left > 0)) return false;
  flight.from = body.pose.translation;
  flight.to = ahead(flight.from, flight.left, body.velocity);
  return flight.to != flight.from;
}

}  // namespace graze
