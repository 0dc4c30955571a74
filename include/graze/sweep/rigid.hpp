// First contact of shapes that translate and rotate.
#pragma once
#include <cstddef>
#include <graze/shapes.hpp>
#include <graze/sweep/linear.hpp>
#include <optional>

namespace graze {

/// A screw motion: a rotation about a line together with a translation, both uniform in t of [0, 1].
struct Screw {
  Vec3 center{0, 0, 0};        ///< a point of the line
  Vec3 axis{0, 0, 1};          ///< direction of the line, of any non-zero length
  double angle = 0;            ///< radians, of any size
  Vec3 displacement{0, 0, 0};  ///< length

  /// Returns the screw about `center` (a world point fixed to the body) that starts at `from` and ends at `to` up to rounding,
  /// rotating by the smaller angle.
  [[nodiscard]] static Screw between(const Pose& from, const Pose& to, const Vec3& center);

  /// Returns the pose of the motion at fraction t, rounded. It is applied after the pose of the start.
  [[nodiscard]] Pose at(double t) const;
};

struct RigidSweepOptions {
  double tolerance = 1e-6;  ///< length, > 0: at the reported t the distance is at most this (unless budget_ended)
  /// Steps of advancement per pair of parts; a tenth of them where a part is curved. Over all pairs of parts, a hundredth as many
  /// decisions that need unlimited integers.
  std::size_t budget = 10000;
};

/// Returns the first contact of `a`, which moves along a screw, with `b` at rest, or nothing.
///
/// No contact is missed, and t is never above the true time. At t the distance is at most `tolerance`, or `budget_ended` is set. So a pass within
/// the tolerance may be a hit. t is not certified as the largest double, and `departing` is never set.
///
/// All triangles count from both sides: the side from which a turning shape meets a triangle changes along its path.
///
/// Throws Error for NaN, infinity, a zero axis, a tolerance that is not positive, and for two unbounded shapes that do not touch
/// at the start.
///
/// Method: conservative advancement with proven bounds of the motion; see docs/derivations/rigid_motion.md.
[[nodiscard]] std::optional<SweepHit> sweep(ShapeRef a, const Screw& motion, ShapeRef b, const RigidSweepOptions& options = {});

}  // namespace graze
