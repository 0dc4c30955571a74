// The conditions for a matrix to be a rotation; the composition of poses and the test for the identity.
#pragma once
#include <graze/pose.hpp>
#include <string>

namespace graze {

/// Returns "" if every entry of R^T R differs from the identity's by at most 1e-12 (decided exactly) and the determinant is positive; otherwise a description
/// of the defect with the offending number.
std::string rotation_defect(const double (&rows)[3][3]);

/// The placed point. For use within public calls, whose floating-point environment is set.
inline Vec3 apply_pose(const Pose& pose, const Vec3& p) {
  const auto& r = pose.rotation;
  const Vec3& t = pose.translation;
  return Vec3(((r[0][0] * p.x + r[0][1] * p.y) + r[0][2] * p.z) + t.x, ((r[1][0] * p.x + r[1][1] * p.y) + r[1][2] * p.z) + t.y,
              ((r[2][0] * p.x + r[2][1] * p.y) + r[2][2] * p.z) + t.z);
}

/// `outer` after `inner`: the product of the matrices and the placed translation, with every operation rounded in the order of the contract.
Pose compose(const Pose& outer, const Pose& inner);

bool is_identity(const Pose& pose);

}  // namespace graze
