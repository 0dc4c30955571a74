// A mover for cameras and characters: slides along walls, climbs steps, is carried and pushed by moving members.
#pragma once
#include <cstdint>
#include <graze/scene.hpp>
#include <optional>
#include <span>
#include <vector>

namespace graze {

struct MoverOptions {
  Vec3 up{0, 0, 1};             ///< any non-zero length
  double step_height = 0.3;     ///< length, >= 0: ledges up to this height are climbed
  double steepest_slope = 0.7;  ///< 0..1: least cosine between `up` and the normal of a floor that the body stands on
  int max_slides = 6;           ///< per move, >= 1
};
struct MoverResult {
  bool grounded = false;
  Vec3 ground_normal{0, 0, 0};
  std::optional<MemberId> ground;  ///< the member that the body stands on
  int contacts = 0;
  Vec3 carried{0, 0, 0};  ///< length: displacement by moved members, before the requested motion
  bool enclosed = false;  ///< a member meets the body and no push frees it; the body did not move, and each later move tries again
};

/// A camera or character: a sphere or upright capsule that slides along walls, climbs steps and is never inside a wall.
///
/// Refers to its scene, which must outlive it. Members may move between the moves of the body (Scene::move). The next move()
/// follows each moved member in small steps along the screw between its two poses. A member that the body stands on carries the body by the motion of the point
/// under its feet. A member that meets the body pushes it away along the shortest line between the two. Other members stop the body, and it slides along them.
/// Moved members never rotate the body.
///
/// Movers of one scene may move concurrently while nothing changes the scene. Only one thread at a time may use a mover.
///
/// The motion of a member is unknown when the member was farther from the body than four times the body's size at the last move,
/// or has moved by more than 32 radii at once. Such a member pushes the body out by penetration().
class Mover {
 public:
  /// Throws Error when the body meets the scene at `position` or is not a Sphere or Capsule, and for options that are not valid.
  Mover(const Scene& scene, AnyShape body, const Vec3& position, const MoverOptions& options = {});

  /// Follows the members that have moved, then moves the body by `wish` (length): sliding along what it meets, climbing steps and
  /// keeping to the floor. Afterwards the body meets nothing, by the exact test, or `enclosed` is true. Throws Error when `wish`
  /// has NaN or infinity.
  MoverResult move(const Vec3& wish);

  [[nodiscard]] const Pose& pose() const { return pose_; }
  /// Returns whether the body meets the scene, as of the last move() or set_position().
  [[nodiscard]] bool enclosed() const { return enclosed_; }
  /// Puts the body at `position`, standing on whatever is under it. Throws Error, without moving the body, when it would meet the scene.
  void set_position(const Vec3& position);

  /// Returns the bytes that a copy needs, besides the scene, to continue with the same bits.
  [[nodiscard]] std::vector<std::uint8_t> snapshot() const;
  /// Continues from a snapshot of a mover with the same body and scene. Throws Error for other bytes.
  void restore(std::span<const std::uint8_t> snapshot);

 private:
  /// A member near the body, at the end of the last move.
  struct Neighbor {
    MemberId id;
    Pose pose;
    std::optional<Vec3> side;  // while the member encloses the body: the direction out of it, in the frame of the member
  };
  class Follower;
  void follow();
  std::optional<Vec3> settle();  ///< returns the normal of the floor
  void remember();
  const Scene* scene_;
  AnyShape body_;
  Pose pose_;
  MoverOptions options_;
  [[nodiscard]] bool is_near(const Neighbor& n) const;
  std::vector<Neighbor> near_;   // all near the body, and perhaps others
  std::optional<Box> vicinity_;  // of the body at the end of the last move: members that met it were near; if nothing, all of near_ were
  Box region_;                   // near_ are the members that met this region in the version of the scene
  std::uint64_t version_ = 0;    // 0: of none
  std::optional<MemberId> ground_;
  Vec3 foot_{0, 0, 0};   // where the body touches the ground
  Vec3 floor_{0, 0, 0};  // the ground's normal there, while the scene has version_
  bool enclosed_ = false;
};

}  // namespace graze
