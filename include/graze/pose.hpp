// Poses: rotation matrix and translation, applied once per vertex in a fixed order of rounded operations.
#pragma once
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <glm/fwd.hpp>
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

  /// Returns the pose of the rotation nearest to a matrix, given by rows: a rounding step for matrices in single precision, from files or of products, which
  /// from_matrix() refuses.
  ///
  /// A matrix that from_matrix() accepts is returned unchanged. Otherwise the result is the rotation of the polar decomposition, which is nearest by the sum of
  /// squares: six Newton steps X <- (X + X^-T) / 2 in doubles, in a fixed order of operations, so with the same bits everywhere. It passes the test of
  /// from_matrix(), and each entry differs from the given one by at most `tolerance`.
  ///
  /// Throws Error for a tolerance outside [0, 0.1], NaN or infinity, a reflection, and a matrix without such a rotation; the message names the entry. For
  /// single precision 1e-6 is enough; a larger tolerance accepts scaling or shear as if it were rounding.
  [[nodiscard]] static Pose nearest(const std::array<double, 9>& rows, double tolerance, const Vec3& translation = Vec3(0, 0, 0));

  /// Returns the pose of a 4x4 matrix for column vectors, given by rows: rotation and translation side by side above (0, 0, 0, 1). With `tolerance` 0 the
  /// rotation is read as by from_matrix(), otherwise as by nearest(). Throws Error as they do, and for another last row.
  [[nodiscard]] static Pose from_matrix4(const std::array<double, 16>& rows, double tolerance = 0);

  /// The same for a GLM matrix, glm::dmat4 for example, which stores columns.
  template <glm::qualifier Q>
  [[nodiscard]] static Pose from_glm(const glm::mat<4, 4, double, Q>& m, double tolerance = 0) {
    std::array<double, 16> rows;
    for (int i = 0; i < 16; ++i) rows[static_cast<std::size_t>(i)] = m[i % 4][i / 4];
    return from_matrix4(rows, tolerance);
  }

  /// Returns `n` exact quarter turns about an axis, counter-clockwise seen from its positive end. n may be negative.
  [[nodiscard]] static Pose quarter_turn(Axis axis, int n, const Vec3& translation = Vec3(0, 0, 0));

  /// Returns the placed point.
  [[nodiscard]] Vec3 apply(const Vec3& point) const;

  /// Returns the rotated direction, (R_i0 x + R_i1 y) + R_i2 z, without the translation.
  [[nodiscard]] Vec3 rotate(const Vec3& direction) const;

  /// Returns the 4x4 matrix by rows, for column vectors; its last row is (0, 0, 0, 1). Exact: from_matrix4() of it is this pose.
  [[nodiscard]] std::array<double, 16> matrix4() const;

  /// The same as a GLM matrix: to_glm<glm::dmat4>().
  template <class Matrix>
  [[nodiscard]] Matrix to_glm() const {
    const std::array<double, 16> rows = matrix4();
    Matrix m;
    for (int i = 0; i < 16; ++i) m[i % 4][i / 4] = rows[static_cast<std::size_t>(i)];
    return m;
  }
};

/// Whether a pose leaves every point where it is. By bits, so that it does not depend on how the caller treats denormals.
[[nodiscard]] inline bool is_identity(const Pose& p) {
  const auto zero = [](double x) { return std::bit_cast<std::uint64_t>(x) << 1 == 0; };
  const auto one = [](double x) { return std::bit_cast<std::uint64_t>(x) == std::uint64_t{1023} << 52; };
  const Vec3& t = p.translation;
  const auto& r = p.rotation;
  return zero(t.x) && zero(t.y) && zero(t.z) && one(r[0][0]) && zero(r[0][1]) && zero(r[0][2]) && zero(r[1][0]) && one(r[1][1]) && zero(r[1][2]) &&
         zero(r[2][0]) && zero(r[2][1]) && one(r[2][2]);
}

/// Returns the pose that only translates.
[[nodiscard]] Pose translation(const Vec3& t);

/// Returns the pose that places by `inner` and then by `outer`: the product of the matrices and the placed translation, each operation rounded in the order of
/// Pose::rotate() and Pose::apply(). Applying it is not applying `inner` and then `outer` to the bit: each rounds on its own. Every product of two poses adds
/// rounding errors to the rotation; nearest() removes them from a long chain.
[[nodiscard]] Pose compose(const Pose& outer, const Pose& inner);

/// Returns the pose that undoes a pose up to rounding: the transposed rotation, exactly, and the translation -(R^T T), rounded. Applying both in turn does not
/// return a point to the bit.
[[nodiscard]] Pose inverse(const Pose& pose);

}  // namespace graze
