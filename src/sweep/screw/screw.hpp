// A screw motion whose axis is normalised once.
#pragma once
#include <graze/sweep.hpp>

namespace graze {

/// axis / |axis|, each component with a relative error of 4 * 2^-53; the z axis for zero.
Vec3 unit_axis(const Vec3& axis);

struct ScrewMotion {
  Screw screw;
  Vec3 axis;

  explicit ScrewMotion(const Screw& screw);
  /// Screw::at. Entries of the rotation are off by at most 32 * 2^-53 (docs/derivations/rigid_motion.md).
  Pose at(double t) const;
};

}  // namespace graze
