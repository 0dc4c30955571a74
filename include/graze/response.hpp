// What happens after a contact: restitution, friction, sliding, and a whole step of several bounces that never ends on the wrong side.
#pragma once
#include <graze/sweep.hpp>

namespace graze {

/// How a surface answers a body. Mixed from two materials: restitution by the larger, friction by the geometric mean (rounded).
struct Material {
  double restitution = 1;  ///< 0..1: the share of normal speed kept
  double friction = 0;     ///< >= 0: Coulomb's coefficient; the tangential speed lost is at most friction times the normal impulse
  double speed_kept = 1;   ///< 0..1: the share of the whole speed kept at each hit (the simple loss of the old texts)
};

/// The velocity after a hit at a surface of that normal (any non-zero length, either orientation), moving against it or along it: normal part times
/// -restitution, tangential part less friction. Never longer than before, exactly: the sum of squares of the result's doubles is at most that of v's.
Vec3 respond(const Vec3& v, const Vec3& normal, const Material& material);

/// v without its part into the surface (along -normal, taking the normal turned against v); never longer than before.
Vec3 slide(const Vec3& v, const Vec3& normal);

struct BounceOptions {
  int most_bounces = 10;  ///< reflections; at the next contact the body is stopped: velocity 0
  bool sliding = false;   ///< slide along instead of bouncing
};

struct BounceHit {
  double time = 0;  ///< within the step, 0..dt
  Vec3 point{0, 0, 0};
  Vec3 normal{0, 0, 0};  ///< unit, against the motion
  Vec3 velocity_before{0, 0, 0}, velocity_after{0, 0, 0};
  std::optional<std::uint32_t> triangle;
};

struct BounceStep {
  Pose pose;               ///< where the body is after the step: certified as SweepHit::safe
  Vec3 position{0, 0, 0};  ///< the same for a Point
  Vec3 velocity{0, 0, 0};
  std::vector<BounceHit> hits;
  bool stopped = false;  ///< velocity 0: at the contact after `most_bounces` reflections, or deep inside from the start
};

/// Moves a shape with a velocity for `dt` among `target`, bouncing at most n times: to each contact, then on with the remaining way. Never ends on the wrong
/// side: each straight piece is a sweep, each stop its certified safe placement.
BounceStep bounce(ShapeRef body, const Vec3& velocity, double dt, ShapeRef target, const Material& material, const BounceOptions& options = {});

}  // namespace graze
