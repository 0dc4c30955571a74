// Collide and slide: a sphere or capsule among the members of a scene. Every place it takes is certified by an exact sweep and an exact test.
#include <algorithm>
#include <cmath>
#include <graze/error.hpp>
#include <graze/world.hpp>

#include "core/fp_environment.hpp"

namespace graze {
namespace {

double dot(const Vec3& a, const Vec3& b) { return (a.x * b.x + a.y * b.y) + a.z * b.z; }
Vec3 cross(const Vec3& a, const Vec3& b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
double length(const Vec3& v) { return std::sqrt(dot(v, v)); }

/// One mover during one move.
class Walk {
 public:
  Walk(const Scene& scene, const AnyShape& body, const Pose& pose, const MoverOptions& options, const Vec3& up) : scene_(scene), body_(body), options_(options), up_(up), pose(pose) {
    const Sphere* sphere = body.get<Sphere>();
    gap_ = 1e-7 * (sphere ? sphere->radius : body.get<Capsule>()->radius);
  }

  struct Contact {
    double t;
    Vec3 normal, point;
    bool moved;
  };

  /// Goes as far as it can along a straight way; the contact that ended it.
  std::optional<Contact> go(const Vec3& motion) {
    Vec3 to = pose.translation + motion;
    if (to == pose.translation) return std::nullopt;
    const Vec3 from = pose.translation;
    const auto hit = scene_.sweep(at(body_, pose), to, from, {.skip_departing = true}, {});
    if (hit) {
      ++contacts;
      // Before the contact by a ten-millionth of the radius: a place that touches but for a rounding would make every later question one for the exact tiers.
      bool moved = false;
      const Vec3 normal = hit->hit.normal ? *hit->hit.normal : Vec3(0, 0, 0);
      const double rate = std::fabs(dot(normal, motion)), share = rate > 0 ? hit->hit.t - gap_ / rate : 0;
      Pose there = pose;
      there.translation = from + share * motion;
      if (share > 0 && there.translation != from && !scene_.intersects(at(body_, there))) {
        pose = there;
        moved = true;
      }
      return Contact{hit->hit.t, normal, hit->hit.point, moved};
    }
    // Free all the way; the place itself is rounded, and counts only if it is free as well.
    for (double share = 1; share > 0x1p-40; share *= share == 1 ? 1 - 0x1p-50 : 0.5) {
      Pose there = pose;
      there.translation = share == 1 ? to : from + share * motion;
      if (scene_.intersects(at(body_, there))) continue;
      pose = there;
      break;
    }
    return std::nullopt;
  }

  bool is_floor(const Vec3& normal) const { return dot(normal, up_) >= options_.steepest_slope; }

  /// The normal of the floor that carries a contact: of the contact itself, or of the surface just behind an edge that the round foot stands on.
  std::optional<Vec3> floor_of(const Contact& contact) const {
    if (is_floor(contact.normal)) return contact.normal;
    const double rise = dot(contact.normal, up_);
    if (rise < 0.05) return std::nullopt;
    const Vec3 level = contact.normal - rise * up_;
    const double reach = 0.02 * options_.step_height / length(level);
    const double high = 0.05 * options_.step_height;
    const auto hit = scene_.raycast(Ray{contact.point - reach * level + high * up_, -2 * high * up_}, {.t_max = 1});
    if (!hit || !hit->hit.normal || !is_floor(*hit->hit.normal)) return std::nullopt;
    return hit->hit.normal;
  }

  /// Slides along what it meets: off one surface along it, off two along their edge, in a corner of three it stops.
  void slide(Vec3 wish, bool walking) {
    std::vector<Vec3> planes;
    const Vec3 first = wish;
    for (int i = 0; i < options_.most_slides; ++i) {
      const auto contact = go(wish);
      if (!contact || contact->normal == Vec3(0, 0, 0)) return;
      Vec3 normal = contact->normal;
      // For a walker what is too steep to stand on is an upright wall: sliding does not carry it up.
      if (walking && !is_floor(normal) && dot(normal, up_) > 0) {
        const Vec3 level = normal - dot(normal, up_) * up_;
        if (length(level) > 1e-6) normal = level / length(level);
      }
      planes.push_back(normal);
      wish = wish * (1 - contact->t);
      Vec3 next = graze::slide(wish, normal);
      for (std::size_t k = 0; k + 1 < planes.size(); ++k) {
        if (dot(next, planes[k]) >= 0) continue;
        const Vec3 edge = cross(planes[k], normal);
        const double e = dot(edge, edge);
        next = e > 1e-12 ? edge * (dot(wish, edge) / e) : Vec3(0, 0, 0);
        for (std::size_t j = 0; j + 1 < planes.size(); ++j)
          if (j != k && dot(next, planes[j]) < -1e-12 * length(next)) next = Vec3(0, 0, 0);
      }
      if (dot(next, first) <= 0 || length(next) < 1e-9 * length(first)) return;
      wish = next;
    }
  }

  /// The floor below, at most so far down: goes there.
  std::optional<Vec3> drop(double height) {
    const Pose before = pose;
    const auto contact = go(-height * up_);
    if (contact)
      if (const auto floor = floor_of(*contact)) return floor;
    pose = before;
    return std::nullopt;
  }

  int contacts = 0;

 private:
  const Scene& scene_;
  const AnyShape& body_;
  const MoverOptions& options_;
  Vec3 up_;
  double gap_;

 public:
  Pose pose;
};

Vec3 unit(const Vec3& v) { return v / length(v); }

}  // namespace

Mover::Mover(const Scene& scene, AnyShape body, const Vec3& position, const MoverOptions& options) : scene_(&scene), body_(std::move(body)), pose_(translation(position)), options_(options) {
  const DefaultFloatEnvironment guard;
  if (!body_.get<Sphere>() && !body_.get<Capsule>()) throw Error(std::string("mover: a ") + type_name(body_.kind()) + " cannot walk, must be a sphere or capsule");
  validate(at(body_, pose_));
  if (!(length(options.up) > 0)) throw Error("mover: up has no direction");
  if (!(options.step_height >= 0)) throw Error("mover: step_height is " + std::to_string(options.step_height) + ", must be >= 0");
  if (options.most_slides < 1) throw Error("mover: most_slides is " + std::to_string(options.most_slides) + ", must be at least 1");
  if (scene.intersects(at(body_, pose_))) throw Error("mover: the body meets the scene where it starts");
}

MoverResult Mover::move(const Vec3& wish) {
  const DefaultFloatEnvironment guard;
  for (int i = 0; i < 3; ++i)
    if (!(std::fabs(wish[i]) <= std::numeric_limits<double>::max())) throw Error(std::string("move: wish.") + "xyz"[i] + " is not finite");
  const Vec3 up = unit(options_.up);
  const double rise = dot(wish, up);
  const Vec3 level = wish - rise * up;
  const double skin = options_.step_height * 0.05;
  Walk walk(*scene_, body_, pose_, options_, up);
  MoverResult result;

  // Does it stand? Then it walks: level, over ledges, down steps; else it flies where the wish says.
  Walk probe(*scene_, body_, pose_, options_, up);
  const auto ground = probe.drop(skin > 0 ? skin : 1e-3);
  const bool walking = ground && rise <= 0;
  if (!walking) {
    walk.slide(wish, false);
  } else {
    // Along the floor: up or down slopes at the pace of the wish.
    Vec3 way = level;
    const double facing = dot(*ground, up);
    if (facing > 0) way = level - (dot(level, *ground) / facing) * up;
    walk.slide(way, true);
    const double wished = length(level);
    const auto gone = [&](const Pose& pose) {
      const Vec3 d = pose.translation - pose_.translation;
      return wished > 0 ? dot(d, level) / wished : 0.0;
    };
    if (options_.step_height > 0 && gone(walk.pose) < 0.999 * wished) {
      // A ledge: up, on, and down again, if that leads to a floor farther on.
      Walk climb(*scene_, body_, pose_, options_, up);
      climb.go(options_.step_height * up);
      const double risen = dot(climb.pose.translation - pose_.translation, up);
      climb.slide(level, true);
      if (climb.drop(risen + skin) && gone(climb.pose) > gone(walk.pose) + 1e-6 * wished) {
        climb.contacts += walk.contacts;
        walk.pose = climb.pose;
        walk.contacts = climb.contacts;
      }
    }
    if (rise < 0) {  // the wish pulls down: keep to the floor, down steps as well
      if (!walk.drop(std::max(options_.step_height, -rise))) walk.slide(rise * up, false);
    } else {
      walk.drop(options_.step_height);
    }
  }
  result.contacts = walk.contacts;
  pose_ = walk.pose;
  Walk feet(*scene_, body_, pose_, options_, up);
  if (const auto floor = feet.drop(skin > 0 ? skin : 1e-3)) {
    result.grounded = true;
    result.ground_normal = *floor;
  }
  return result;
}

}  // namespace graze
