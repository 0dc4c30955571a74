// A view frustum: the hull of eight points, with named planes.
#pragma once
#include <graze/shapes/hull.hpp>
#include <graze/shapes/plane.hpp>
#include <span>

namespace graze {

/// The six planes of a frustum.
enum class FrustumPlane { near, far, left, right, bottom, top };

/// The convex hull of eight corners: the near face with (left,bottom) (right,bottom) (right,top) (left,top), then the far face in
/// the same order.
class Frustum {
 public:
  /// Throws Error for any other number of points than 8, for NaN and for infinity.
  explicit Frustum(std::span<const Vec3> points);

  /// Returns the frustum of a symmetric perspective view from `eye` towards `target`, with `up` roughly upwards.
  ///
  /// The field of view is given by the tangent of half its vertical angle and by width / height (`aspect`). `near` and `far` are
  /// distances, 0 < near < far. Corners are rounded once.
  [[nodiscard]] static Frustum perspective(const Vec3& eye, const Vec3& target, const Vec3& up, double tan_half_height, double aspect, double near, double far);

  [[nodiscard]] std::span<const Vec3> points() const { return hull_.points(); }
  /// Returns the plane through three corners of a face, rounded. The normal points outwards.
  [[nodiscard]] Plane plane(FrustumPlane which) const;
  [[nodiscard]] const Hull& hull() const { return hull_; }

  static constexpr const char* type_name = "frustum";

 private:
  Hull hull_;
};

}  // namespace graze
