// A rigid placement: rotation matrix and translation, applied once per vertex in a fixed order of rounded operations.
#pragma once
#include <graze/vec.hpp>

namespace graze {

enum class Axis { x = 0, y = 1, z = 2 };

/// Places a shape in the world. A vertex p goes to ((R_i0 x + R_i1 y) + R_i2 z) + T_i, every operation rounded to double, nothing contracted;
/// exact decisions are about those world coordinates. See docs/conventions.md, "Poses".
struct Pose {
  double rotation[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};  ///< rows first
  Vec3 translation{0, 0, 0};                                  ///< length

  /// From a quaternion of any non-zero length (scaled by a power of two, then the homogeneous form: equal components give exact quarter, half and third turns).
  /// Throws Error for zero, NaN or infinity.
  static Pose from_quaternion(double w, double x, double y, double z, const Vec3& translation = Vec3(0, 0, 0));

  /// From a matrix, rows first. Every entry of R^T R may differ from the identity's by at most 1e-12; throws Error otherwise, and names a reflection as such.
  static Pose from_matrix(const std::array<double, 9>& rows, const Vec3& translation = Vec3(0, 0, 0));

  /// `n` exact quarter turns about an axis, counter-clockwise seen from its positive end; n may be negative.
  static Pose quarter_turn(Axis axis, int n, const Vec3& translation = Vec3(0, 0, 0));

  /// The placed point.
  Vec3 apply(const Vec3& point) const;

  /// The rotated direction: ((R_i0 x + R_i1 y) + R_i2 z).
  Vec3 rotate(const Vec3& direction) const;
};

/// The pose that only moves.
Pose translation(const Vec3& t);

}  // namespace graze
