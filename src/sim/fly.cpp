// The way of one body in one step: straight pieces between contacts, every piece free by an exact decision, every stop certified.
#include <algorithm>
#include <cmath>

#include "scene/way.hpp"
#include "sim/world_state.hpp"

namespace graze {
namespace {

constexpr double kLargest = std::numeric_limits<double>::max();

double dot(const Vec3& a, const Vec3& b) { return (a.x * b.x + a.y * b.y) + a.z * b.z; }

Vec3 ahead(const Vec3& p, double t, const Vec3& v) {
  Vec3 r;
  for (int i = 0; i < 3; ++i) r[i] = std::clamp(p[i] + t * v[i], -kLargest, kLargest);
  return r;
}

double largest(const Vec3& v) { return std::max({std::fabs(v.x), std::fabs(v.y), std::fabs(v.z)}); }

/// What a piece of the way met.
struct Stop {
  MemberId member;
  double t;          // fraction of the piece
  Vec3 point;
  std::optional<Vec3> normal;
  std::optional<std::uint32_t> triangle;
};

std::optional<Stop> stop_of(const SceneSweepHit& hit) { return Stop{hit.member, hit.hit.t, hit.hit.point, hit.hit.normal, hit.hit.triangle_b}; }

/// A point, from place to place along segments of doubles: moves `p` to `to`, or to before the first contact.
std::optional<Stop> point_piece(const Scene& scene, std::uint32_t groups, Vec3& p, const Vec3& to) {
  if (SceneAccess::way_is_free(scene, p, to, groups)) {
    p = to;
    return std::nullopt;
  }
  const SceneFilter filter{groups};
  const auto hit = scene.raycast(Segment{p, to}, {}, filter);
  if (!hit) return std::nullopt;  // cannot be
  if (hit->hit.started_inside || !hit->hit.normal) {  // starts on a surface: what the motion leaves at once does not stop it
    const auto swept = scene.sweep(Point{p}, to, p, {.skip_departing = true}, filter);
    if (!swept) {
      p = to;
      return std::nullopt;
    }
    if (swept->hit.moved) p = swept->hit.safe_point;
    return stop_of(*swept);
  }
  // Before the contact by a few roundings, farther until the way there is free: another segment than the one just asked for.
  const Vec3 d = to - p;
  const double rate = std::fabs(dot(*hit->hit.normal, d)), size = std::max(largest(p), largest(to));
  double back = rate > 0 ? size * 0x1p-51 / rate : 1;
  for (int i = 0; i < 600 && back < hit->hit.t; ++i, back *= 4) {
    const Vec3 q = ahead(p, hit->hit.t - back, d);
    if (q == p) break;
    if (!SceneAccess::way_is_free(scene, p, q, groups)) continue;
    p = q;
    break;
  }
  return Stop{hit->member, hit->hit.t, hit->hit.point, hit->hit.normal, hit->hit.triangle};
}

/// Any other shape: moves the pose.
std::optional<Stop> shape_piece(const Scene& scene, std::uint32_t groups, const AnyShape& shape, Pose& pose, const Vec3& to) {
  const SceneFilter filter{groups};
  const auto swept = scene.sweep(at(shape, pose), to, pose.translation, {.skip_departing = true}, filter);
  if (swept) {
    if (swept->hit.moved) pose = swept->hit.safe;
    return stop_of(*swept);
  }
  Pose there = pose;
  there.translation = to;
  if (shape.get<Sphere>()) {
    pose = there;
    return std::nullopt;
  }
  // Corners are placed one by one, so that the place may differ from the way by a rounding: it counts only if it is free, too.
  const Vec3 d = to - pose.translation;
  double back = 0;
  for (int i = 0; i < 600 && back < 1; ++i, back = std::max(back * 4, 0x1p-52)) {
    there.translation = back == 0 ? to : ahead(pose.translation, 1 - back, d);
    if (scene.intersects(at(shape, there), filter)) continue;
    pose = there;
    break;
  }
  return std::nullopt;
}

Material mixed(const Material& a, const Material& b) {
  return {std::max(a.restitution, b.restitution), std::sqrt(a.friction * b.friction), a.speed_kept * b.speed_kept};
}

}  // namespace

void World::State::fly(BodyId id, Body& body, double dt, std::vector<ImpactEvent>& impacts) const {
  const BodyKind& kind = kinds[body.kind];
  const BodyOptions& how = kind.options;
  // Semi-implicit Euler: the velocity first. Drag never turns it round.
  const double kept = std::max(0.0, 1 - how.drag * dt);
  for (int i = 0; i < 3; ++i) {
    const double g = options.gravity[i] * how.gravity_scale;
    if (g == 0 && kept == 1) continue;
    double v = body.velocity[i] * kept;
    if (g != 0) v += g * dt;
    body.velocity[i] = std::clamp(v, -kLargest, kLargest);
  }
  double left = dt;
  for (int bounce = 0; left > 0; ++bounce) {
    const Vec3 from = body.pose.translation, to = ahead(from, left, body.velocity);
    if (to == from) break;
    const auto stop = kind.point ? point_piece(fixed, how.meets, body.pose.translation, to) : shape_piece(fixed, how.meets, kind.shape, body.pose, to);
    if (!stop) break;
    left *= 1 - stop->t;
    const Vec3 before = body.velocity;
    // Deeper than touching at its start, as when a member was moved onto it: it stays where it is.
    if (!stop->normal) break;
    const Vec3 normal = *stop->normal;
    body.velocity = respond(before, normal, mixed(how.material, materials[stop->member]));
    if (options.record_impacts) {
      ImpactEvent event;
      event.time = time + (dt - left);
      event.a = stop->member;
      event.b = id;
      event.point = stop->point;
      event.normal = normal;
      event.speed = std::fabs(dot(before, normal));
      event.triangle = stop->triangle;
      impacts.push_back(event);
    }
    if (how.rest_speed > 0 && dot(body.velocity, body.velocity) < how.rest_speed * how.rest_speed) {
      body.velocity = Vec3(0, 0, 0);
      body.resting = true;
      break;
    }
    if (bounce + 1 > options.most_bounces) break;
  }
}

}  // namespace graze
