// What happens after a contact: restitution, friction, sliding, and a whole time step with several bounces.
#pragma once
#include <cstdint>
#include <graze/sweep.hpp>
#include <optional>
#include <vector>

namespace graze {

/// How a surface reflects a body. Two materials are combined by the larger restitution and the geometric mean of the frictions
/// (rounded).
struct Material {
  double restitution = 1;  ///< 0..1: the share of the normal speed that is kept
  double friction = 0;     ///< >= 0: Coulomb's coefficient; the tangential speed lost is at most friction times the normal impulse
  double speed_kept = 1;   ///< 0..1: the share of the whole speed that is kept at each hit; a simpler model of loss
};

/// Returns the velocity after a hit at a surface with that normal: the normal part times -restitution, the tangential part less
/// friction, both scaled by speed_kept.
///
/// The normal has any non-zero length and either orientation; the motion may be against it or along it. The result is never
/// longer than v: the sum of squares of its doubles is at most that of v's, compared exactly. Throws Error for a material out of
/// range.
[[nodiscard]] Vec3 respond(const Vec3& v, const Vec3& normal, const Material& material);

/// Returns v without its component into the surface. The normal has any non-zero length and either orientation. The result is never
/// longer than v.
[[nodiscard]] Vec3 slide(const Vec3& v, const Vec3& normal);

struct BounceOptions {
  int max_bounces = 10;  ///< reflections; at the next contact the body is stopped, with velocity 0
  bool sliding = false;  ///< slide along surfaces instead of bouncing
};

/// One reflection within a step.
struct BounceHit {
  double time = 0;       ///< within the step, 0..dt
  Vec3 point{0, 0, 0};   ///< rounded
  Vec3 normal{0, 0, 0};  ///< unit length, against the motion
  Vec3 velocity_before{0, 0, 0}, velocity_after{0, 0, 0};
  std::optional<std::uint32_t> triangle;
};

/// The state of a body after a step.
struct BounceStep {
  Pose pose;               ///< the placement after the step, certified as SweepHit::safe is
  Vec3 position{0, 0, 0};  ///< for a Point: its position; else the translation of `pose`
  Vec3 velocity{0, 0, 0};
  std::vector<BounceHit> hits;
  bool stopped = false;  ///< velocity 0: at the contact after `max_bounces` reflections, or deep inside from the start
};

/// Moves a shape with a velocity (length per unit of time) for the time `dt` among `target`, bouncing off what it meets.
///
/// The body moves to each contact and then continues with the rest of the displacement. It never ends on the wrong side of a surface: each
/// straight piece is a sweep, and each stop is the certified safe placement of that sweep. Throws Error for a material out of
/// range, a velocity that is not finite, and a dt that is negative or not finite.
[[nodiscard]] BounceStep bounce(ShapeRef body, const Vec3& velocity, double dt, ShapeRef target, const Material& material, const BounceOptions& options = {});

}  // namespace graze
