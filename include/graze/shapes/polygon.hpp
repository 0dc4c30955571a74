// A convex polygon with any number of corners.
#pragma once
#include <graze/shapes/fields.hpp>
#include <initializer_list>
#include <memory>
#include <span>
#include <vector>

namespace graze {

/// The union of the triangles (p0, p1, p2), (p0, p2, p3), ...: the fan from the first corner. For an exactly planar convex polygon
/// the union is the polygon itself; a nearly planar one has an exact meaning, too.
///
/// A polygon is accepted when, projected along the largest component of its exact area vector, all turns have one weak sign and it
/// winds once. With zero area all corners must be collinear. A concave simple polygon is refused with the advice to use
/// `triangulate`. A cheap handle to immutable data.
class Polygon {
 public:
  /// Throws Error, naming the corner, for fewer than 3 corners, NaN or infinity, and a concave or self-crossing outline.
  explicit Polygon(std::span<const Vec3> points);
  Polygon(std::initializer_list<Vec3> points);

  [[nodiscard]] std::span<const Vec3> points() const { return *points_; }

  static constexpr const char* type_name = "polygon";

 private:
  std::shared_ptr<const std::vector<Vec3>> points_;
};

}  // namespace graze
