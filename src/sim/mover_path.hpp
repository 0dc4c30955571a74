// Collide and slide: moves a sphere or capsule among the members of a scene. Every pose that it takes is certified by an exact sweep and an exact test.
#pragma once
#include <algorithm>
#include <cmath>
#include <graze/mover.hpp>
#include <graze/response.hpp>
#include <optional>
#include <vector>

#include "math/vec3.hpp"

namespace graze::mover {

/// The body of a mover during one move, among the members that the filter accepts.
class Path {
 public:
  Path(const Scene& scene, const AnyShape& body, const Pose& pose, const MoverOptions& options, SceneFilter filter = {})
      : pose(pose), scene_(scene), body_(body), options_(options), filter_(std::move(filter)), up_(options.up / length(options.up)), gap_(gap_of(body)) {}

  static double radius_of(const AnyShape& body) {
    const Sphere* sphere = body.get<Sphere>();
    return sphere ? sphere->radius : body.get<Capsule>()->radius;
  }
  /// The gap kept from what the body touches. A pose that touches within rounding would send every later query to the exact tiers. 1e-7 is a choice: too small
  /// to be seen, and far above the roundings of a pose unless it is 10^8 radii from the origin.
  static double gap_of(const AnyShape& body) { return 1e-7 * radius_of(body); }

  struct Contact {
    double t;
    Vec3 normal, point;
    bool moved;
    MemberId member;
  };
  struct Ground {
    Vec3 normal, point;
    MemberId member;
  };

  /// Moves as far as possible along a straight path; returns the contact that stopped it.
  std::optional<Contact> go(const Vec3& motion) {
    Vec3 to = pose.translation + motion;
    if (to == pose.translation) return std::nullopt;
    const Vec3 from = pose.translation;
    const auto hit = scene_.sweep(at(body_, pose), {from, to}, {.skip_departing = true, .place = false}, filter_);
    if (hit) {
      ++contacts;
      bool moved = false;
      const Vec3 normal = hit->hit.normal ? *hit->hit.normal : Vec3(0, 0, 0);
      const double rate = std::fabs(dot(normal, motion)), share = rate > 0 ? hit->hit.t - gap_ / rate : 0;
      Pose there = pose;
      there.translation = from + share * motion;
      if (share > 0 && there.translation != from && !scene_.intersects(at(body_, there), filter_)) {
        pose = there;
        moved = true;
      }
      return Contact{hit->hit.t, normal, hit->hit.point, moved, hit->member};
    }
    // The whole path is free. The end pose is rounded, so it must be tested as well.
    // Ends after 41 tests at most; then the body stays where it is.
    for (double share = 1; share > 0x1p-40; share *= share == 1 ? 1 - 0x1p-50 : 0.5) {
      Pose there = pose;
      there.translation = share == 1 ? to : from + share * motion;
      if (scene_.intersects(at(body_, there), filter_)) continue;
      pose = there;
      break;
    }
    return std::nullopt;
  }

  bool is_floor(const Vec3& normal) const { return dot(normal, up_) >= options_.steepest_slope; }

  /// The normal of the floor that carries a contact: the normal of the contact itself, or of the surface just behind an edge that the round foot stands on. The
  /// fractions are choices: near enough to the edge for a step's tread, and a normal that hardly rises is a wall's.
  std::optional<Vec3> floor_of(const Contact& contact) const {
    if (is_floor(contact.normal)) return contact.normal;
    const double rise = dot(contact.normal, up_);
    if (rise < 0.05) return std::nullopt;
    const Vec3 level = contact.normal - rise * up_;
    const double reach = 0.02 * options_.step_height / length(level);
    const double high = 0.05 * options_.step_height;
    const auto hit = scene_.raycast(Ray{contact.point - reach * level + high * up_, -2 * high * up_}, {.t_max = 1}, filter_);
    if (!hit || !hit->hit.normal || !is_floor(*hit->hit.normal)) return std::nullopt;
    return hit->hit.normal;
  }

  /// Slides along obstacles: along one surface, along the edge of two; it stops in a corner of three. The thresholds are choices, all far above the roundings
  /// of unit vectors, 2^-50: normals within 1e-6 of each other (1e-12 squared) have no edge, and a remainder below 1e-9 of the wish is none.
  void slide(Vec3 wish, bool walking) {
    std::vector<Vec3> planes;
    const Vec3 first = wish;
    for (int i = 0; i < options_.max_slides; ++i) {
      const auto contact = go(wish);
      if (!contact || contact->normal == Vec3(0, 0, 0)) return;
      Vec3 normal = contact->normal;
      // A walker treats a surface too steep to stand on as a vertical wall, so that sliding does not carry it up.
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

  /// Moves down to the floor, at most by `height`.
  std::optional<Ground> drop(double height) {
    const Pose before = pose;
    const auto contact = go(-height * up_);
    if (contact)
      if (const auto floor = floor_of(*contact)) return Ground{*floor, contact->point, contact->member};
    pose = before;
    return std::nullopt;
  }

  /// The floor that the body stands on.
  std::optional<Ground> feet() {
    const double skin = options_.step_height * 0.05;
    return drop(skin > 0 ? skin : 1e-3);
  }

  Pose pose;
  int contacts = 0;

 private:
  const Scene& scene_;
  const AnyShape& body_;
  const MoverOptions& options_;
  SceneFilter filter_;
  Vec3 up_;
  double gap_;
};

}  // namespace graze::mover
