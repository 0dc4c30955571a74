// The conditions for a matrix to be a rotation, placing without a guard.
#pragma once
#include <graze/pose.hpp>
#include <string>

namespace graze {

/// Returns "" if every entry of R^T R differs from the identity's by at most 1e-12 (decided exactly) and the determinant is positive; otherwise a description
/// of the defect with the offending number.
std::string rotation_defect(const double (&rows)[3][3]);

/// Pose::rotate and Pose::apply for use within public calls, whose floating-point environment is set.
inline Vec3 rotated(const Pose& pose, const Vec3& d) {
  const auto& r = pose.rotation;
  return {(r[0][0] * d.x + r[0][1] * d.y) + r[0][2] * d.z, (r[1][0] * d.x + r[1][1] * d.y) + r[1][2] * d.z, (r[2][0] * d.x + r[2][1] * d.y) + r[2][2] * d.z};
}
inline Vec3 apply_pose(const Pose& pose, const Vec3& p) {
  const Vec3 r = rotated(pose, p);
  return {r.x + pose.translation.x, r.y + pose.translation.y, r.z + pose.translation.z};
}

}  // namespace graze
