// Poses: rotation matrix and translation, applied once per vertex in a fixed order of rounded operations.
#pragma once
#include <array>
#include <graze/vec.hpp>

namespace graze {

enum class Axis { x = 0, y = 1, z = 2 };

/// Places a shape in the world. A vertex (x, y, z) moves to ((R_i0 x + R_i1 y) + R_i2 z) + T_i. Every operation is rounded to
/// double, and none is contracted. Exact decisions are about the resulting world coordinates. See docs/conventions.md, "Poses".
struct Pose {
  double rotation[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};  ///< rotation[row][column]
  Vec3 translation{0, 0, 0};                                  ///< length

  /// Returns the pose of a quaternion of any non-zero length. Equal components give exact quarter, half and third turns, because
  /// the quaternion is only scaled by a power of two and then used in the homogeneous form.
  /// Throws Error for zero, NaN or infinity.
  [[nodiscard]] static Pose from_quaternion(double w, double x, double y, double z, const Vec3& translation = Vec3(0, 0, 0));

  /// Returns the pose of a matrix, given by rows. Throws Error unless every entry of R^T R differs from the identity's by at most 1e-12, and for a reflection,
  /// which the message reports.
  [[nodiscard]] static Pose from_matrix(const std::array<double, 9>& rows, const Vec3& translation = Vec3(0, 0, 0));

  /// Returns `n` exact quarter turns about an axis, counter-clockwise seen from its positive end. n may be negative.
  [[nodiscard]] static Pose quarter_turn(Axis axis, int n, const Vec3& translation = Vec3(0, 0, 0));

  /// Returns the placed point.
  [[nodiscard]] Vec3 apply(const Vec3& point) const;

  /// Returns the rotated direction, (R_i0 x + R_i1 y) + R_i2 z, without the translation.
  [[nodiscard]] Vec3 rotate(const Vec3& direction) const;
};

/// Returns the pose that only translates.
[[nodiscard]] Pose translation(const Vec3& t);

}  // namespace graze
