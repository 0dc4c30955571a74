// A mover's own moves: walking, flying, steps and floors.
#include <algorithm>
#include <cmath>
#include <graze/error.hpp>
#include <graze/mover.hpp>
#include <string>

#include "math/limits.hpp"
#include "platform/fp_environment.hpp"
#include "platform/watch.hpp"
#include "scene/particle_path.hpp"
#include "sim/bytes.hpp"
#include "sim/mover_path.hpp"

namespace graze {

using mover::Path;

Mover::Mover(const Scene& scene, AnyShape body, const Vec3& position, const MoverOptions& options)
    : scene_(&scene), body_(std::move(body)), pose_(translation(position)), options_(options) {
  const DefaultFloatEnvironment guard;
  if (!body_.get<Sphere>() && !body_.get<Capsule>())
    throw Error(ErrorCode::unsupported_shape, "mover: " + article_name(body_.kind()) + " cannot walk, must be a sphere or capsule");
  validate(at(body_, pose_));
  if (!(length(options.up) > 0)) throw Error(ErrorCode::invalid_argument, "mover: up has no direction");
  if (!(options.step_height >= 0)) throw Error(ErrorCode::invalid_argument, "mover: step_height is " + std::to_string(options.step_height) + ", must be >= 0");
  if (!(options.steepest_slope >= 0 && options.steepest_slope <= 1))
    throw Error(ErrorCode::invalid_argument, "mover: steepest_slope is " + std::to_string(options.steepest_slope) + ", must be from 0 to 1");
  if (options.max_slides < 1) throw Error(ErrorCode::invalid_argument, "mover: max_slides is " + std::to_string(options.max_slides) + ", must be at least 1");
  if (scene.intersects(at(body_, pose_))) throw Error(ErrorCode::invalid_argument, "mover: the body meets the scene where it starts");
  settle();
}

void Mover::set_position(const Vec3& position) {
  const DefaultFloatEnvironment guard;
  const Uninterrupted whole;
  const Pose there = translation(position);
  validate(at(body_, there));
  if (scene_->intersects(at(body_, there))) throw Error(ErrorCode::invalid_argument, "set_position: the body meets the scene there");
  pose_ = there;
  enclosed_ = false;
  settle();
}

std::optional<Vec3> Mover::settle() {
  const auto ground = Path(*scene_, body_, pose_, options_).feet();
  ground_.reset();
  if (ground) {
    ground_ = ground->member;
    foot_ = ground->point;
    floor_ = ground->normal;
  }
  remember();
  return ground ? std::optional(ground->normal) : std::nullopt;
}

MoverResult Mover::move(const Vec3& wish) {
  const DefaultFloatEnvironment guard;
  const Uninterrupted whole;
  for (int i = 0; i < 3; ++i)
    if (!(std::fabs(wish[i]) <= kLargest)) throw Error(ErrorCode::invalid_argument, std::string("move: wish.") + "xyz"[i] + " is not finite");
  MoverResult result;
  const Vec3 start = pose_.translation;
  // Where nothing has changed, no member carries or pushes the body, which was free after the last move, and it stands on what it stood on.
  const bool rests = !enclosed_ && version_ == SceneAccess::version(*scene_);
  if (!rests) follow();
  result.carried = pose_.translation - start;
  result.enclosed = enclosed_;
  if (enclosed_) return result;
  const Vec3 up = options_.up / length(options_.up);
  const double rise = dot(wish, up);
  const Vec3 level = wish - rise * up;
  const double skin = options_.step_height * 0.05;  // a choice: a ledge may end this far below the height that the climb began at
  Path path(*scene_, body_, pose_, options_);

  // A mover that stands walks: level, over ledges, down steps. Otherwise it flies in the direction of the wish.
  std::optional<Vec3> floor = rests && ground_ ? std::optional(floor_) : std::nullopt;
  if (!rests)
    if (const auto ground = Path(*scene_, body_, pose_, options_).feet()) floor = ground->normal;
  const bool walking = floor && rise <= 0;
  if (!walking) {
    path.slide(wish, false);
  } else {
    // Follows the floor up or down slopes, at the speed of the wish.
    Vec3 displacement = level;
    const double facing = dot(*floor, up);
    if (facing > 0) displacement = level - (dot(level, *floor) / facing) * up;
    path.slide(displacement, true);
    const double wished = length(level);
    const auto gone = [&](const Pose& pose) {
      const Vec3 d = pose.translation - pose_.translation;
      return wished > 0 ? dot(d, level) / wished : 0.0;
    };
    // The fractions are choices: they keep the gap and the roundings of a free walk from counting as an obstacle, and those of a climb from counting as
    // progress.
    if (options_.step_height > 0 && gone(path.pose) < 0.999 * wished) {
      // A ledge: moves up, forward and down again, if that ends on a floor farther on.
      Path climb(*scene_, body_, pose_, options_);
      climb.go(options_.step_height * up);
      const double risen = dot(climb.pose.translation - pose_.translation, up);
      climb.slide(level, true);
      if (climb.drop(risen + skin) && gone(climb.pose) > gone(path.pose) + 1e-6 * wished) {
        climb.contacts += path.contacts;
        path.pose = climb.pose;
        path.contacts = climb.contacts;
      }
    }
    if (rise < 0) {  // the wish pulls down: stay on the floor, including down steps
      if (!path.drop(std::max(options_.step_height, -rise))) path.slide(rise * up, false);
    } else {
      path.drop(options_.step_height);
    }
  }
  result.contacts = path.contacts;
  pose_ = path.pose;
  if (const auto below = settle()) {
    result.grounded = true;
    result.ground_normal = *below;
    result.ground = ground_;
  }
  return result;
}

std::vector<std::uint8_t> Mover::snapshot() const {
  const DefaultFloatEnvironment guard;
  ByteWriter w;
  w.put(pose_.translation);
  w.put(std::uint64_t{enclosed_});
  w.put(ground_ ? std::uint64_t{*ground_} + 1 : 0);
  w.put(foot_);
  std::vector<Neighbor> near;
  std::copy_if(near_.begin(), near_.end(), std::back_inserter(near), [&](const Neighbor& n) { return is_near(n); });
  w.put(near.size());
  for (const Neighbor& n : near) {
    w.put(std::uint64_t{n.id});
    w.put(n.pose);
    w.put(std::uint64_t{n.side.has_value()});
    w.put(n.side.value_or(Vec3(0, 0, 0)));
  }
  return w.bytes;
}

void Mover::restore(std::span<const std::uint8_t> snapshot) {
  const Uninterrupted whole;
  ByteReader r{snapshot};
  const Pose pose = graze::translation(r.vector());
  validate(at(body_, pose));
  const bool enclosed = r.number() != 0;
  const std::uint64_t ground = r.number();
  const Vec3 foot = r.vector();
  constexpr std::size_t kNeighborBytes = 8 * (1 + 12 + 1 + 3);
  const std::uint64_t count = r.number();
  if ((snapshot.size() - r.at) % kNeighborBytes != 0 || (snapshot.size() - r.at) / kNeighborBytes != count)
    throw Error(ErrorCode::bad_snapshot, "restore: these bytes are no snapshot of a mover");
  std::vector<Neighbor> near(count);
  for (Neighbor& n : near) {
    n.id = static_cast<MemberId>(r.number());
    n.pose = r.pose();
    const bool known = r.number() != 0;
    const Vec3 side = r.vector();
    if (known) n.side = side;
  }
  pose_ = pose;
  enclosed_ = enclosed;
  ground_ = ground ? std::optional(static_cast<MemberId>(ground - 1)) : std::nullopt;
  foot_ = foot;
  near_ = std::move(near);
  vicinity_.reset();
  version_ = 0;
}

}  // namespace graze
