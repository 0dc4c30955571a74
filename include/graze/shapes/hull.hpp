// The convex hull of points.
#pragma once
#include <array>
#include <cstdint>
#include <graze/progress.hpp>
#include <graze/shapes/fields.hpp>
#include <initializer_list>
#include <memory>
#include <span>
#include <vector>

namespace graze {

struct HullData;

/// The solid convex hull of one or more points in any arrangement. A hull may be degenerate: a point, a segment or a flat polygon.
/// The construction is exact: the corners are precisely the extreme points. A placed hull is the hull of its placed points.
/// A cheap handle to immutable data.
class Hull {
 public:
  /// Builds the hull in O(n log n) expected time. Throws Error for no points, and for NaN or infinity, naming the point.
  explicit Hull(std::span<const Vec3> points, const Progress& progress = {});
  Hull(std::initializer_list<Vec3> points);

  /// Returns all points as given. A pose applies to every one of them, because rounding may change which are extreme.
  [[nodiscard]] std::span<const Vec3> points() const;
  /// Returns the extreme points as indices into points(), ascending; of equal points the first.
  [[nodiscard]] std::span<const std::uint32_t> corners() const;
  /// Returns the triangles of the boundary as indices into points(), counter-clockwise seen from outside. Faces with more corners
  /// are cut into triangles. A flat hull has both sides; a segment or point has none.
  [[nodiscard]] std::span<const std::array<std::uint32_t, 3>> triangles() const;
  /// Returns 0 for a point, 1 for a segment, 2 for a flat hull, 3 for a hull with volume.
  [[nodiscard]] int dimension() const;

  static constexpr const char* type_name = "convex";
  [[nodiscard]] const HullData& data() const { return *data_; }

 private:
  std::shared_ptr<const HullData> data_;
};

}  // namespace graze
