// A screw motion with its axis made a unit vector once.
#pragma once
#include <graze/sweep.hpp>

namespace graze {

/// axis / |axis|, each component within 4 * 2^-53 of itself; z for zero.
Vec3 unit_axis(const Vec3& axis);

struct ScrewMotion {
  Screw screw;
  Vec3 axis;

  explicit ScrewMotion(const Screw& screw);
  /// Screw::at. Entries of the rotation are off by at most 32 * 2^-53 (docs/derivations/rigid_motion.md).
  Pose at(double t) const;
};

}  // namespace graze
