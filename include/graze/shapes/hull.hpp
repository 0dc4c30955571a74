// The convex hull of any points.
#pragma once
#include <array>
#include <cstdint>
#include <graze/shapes/fields.hpp>
#include <initializer_list>
#include <memory>
#include <span>
#include <vector>

namespace graze {

struct HullData;

/// The solid convex hull of one or more points in any arrangement, degenerate ones included (a hull may be a point, segment or flat polygon).
/// Built exactly: the stored corners are just the extreme points, in input order. A cheap handle to immutable data. Placed, it is the hull of its placed
/// points.
class Hull {
 public:
  /// Exact hull in O(n log n) expected. Throws Error for no points, NaN or infinity (naming the point).
  explicit Hull(std::span<const Vec3> points);
  Hull(std::initializer_list<Vec3> points);

  /// All points given, as given: placed by a pose, every one of them counts.
  std::span<const Vec3> points() const;
  /// The extreme points (corners), as indices into points(), ascending; of equal points the first.
  std::span<const std::uint32_t> corners() const;
  /// Triangles of the boundary, counter-clockwise seen from outside, as indices into points(); flat faces are cut into triangles. A flat hull has both sides, a
  /// segment or point none.
  std::span<const std::array<std::uint32_t, 3>> triangles() const;
  /// 0 a point, 1 a segment, 2 flat, 3 with volume.
  int dimension() const;

  static constexpr const char* type_name = "convex";
  const HullData& data() const { return *data_; }

 private:
  std::shared_ptr<const HullData> data_;
};

}  // namespace graze
