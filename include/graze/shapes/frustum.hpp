// A view frustum: a hull of eight points with named planes.
#pragma once
#include <graze/shapes/hull.hpp>
#include <graze/shapes/plane.hpp>

namespace graze {

/// Names of the six planes of a frustum.
enum class FrustumPlane { near, far, left, right, bottom, top };

/// The hull of eight corners, the near face first: near (left,bottom) (right,bottom) (right,top) (left,top), then the far face in the same order.
class Frustum {
 public:
  /// Throws Error for other than 8 points, NaN or infinity.
  explicit Frustum(std::span<const Vec3> points);

  /// Symmetric perspective view: eye, looking at `target`, `up` roughly up; field of view given by tan(half its height) and width/height; distances near and
  /// far, 0 < near < far. Corners are rounded once.
  static Frustum perspective(const Vec3& eye, const Vec3& target, const Vec3& up, double tan_half_height, double aspect, double near, double far);

  std::span<const Vec3> points() const { return hull_.points(); }
  /// The plane through three corners of that face (rounded), normal outwards.
  Plane plane(FrustumPlane which) const;
  const Hull& hull() const { return hull_; }

  static constexpr const char* type_name = "frustum";

 private:
  Hull hull_;
};

}  // namespace graze
