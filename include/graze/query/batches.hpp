// Batches: many points or rays against one shape. Batches of pairs are in <graze/query/intersects.hpp>.
//
// Element i of the result answers element i of the spans, bit for bit as a single query would. Batches run on all cores; the
// number of threads does not change the result. Functions with `out` write to memory of the caller, which is faster when that
// memory is used again. Throws Error when the sizes of the spans differ.
#pragma once
#include <cstdint>
#include <graze/query/classify.hpp>
#include <graze/query/closest.hpp>
#include <graze/query/raycast.hpp>
#include <graze/shapes.hpp>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace graze {

/// Rays with common options, as in RayOptions.
struct RaySpan {
  std::span<const Ray> rays;
  double t_max = std::numeric_limits<double>::infinity();
  Sides sides = Sides::both;
  TriangleFilter accept = {};
};

// Many points or rays against one shape.
[[nodiscard]] std::vector<Closest> closest(std::span<const Vec3> points, ShapeRef target);
[[nodiscard]] std::vector<std::uint8_t> contains(ShapeRef solid, std::span<const Vec3> points);
/// For a Solid, one search finds a distance and one short ray its sign: little more than closest(). Throws Error for the shapes that the single query
/// refuses, also when there are no points.
[[nodiscard]] std::vector<double> signed_distance(std::span<const Vec3> points, ShapeRef solid);
[[nodiscard]] std::vector<std::optional<Hit>> raycast(const RaySpan& rays, ShapeRef target);
[[nodiscard]] std::vector<std::uint8_t> raycast_any(const RaySpan& rays, ShapeRef target);

// The same into memory of the caller.
void closest(std::span<const Vec3> points, ShapeRef target, std::span<Closest> out);
void contains(ShapeRef solid, std::span<const Vec3> points, std::span<std::uint8_t> out);
void signed_distance(std::span<const Vec3> points, ShapeRef solid, std::span<double> out);
void raycast(const RaySpan& rays, ShapeRef target, std::span<std::optional<Hit>> out);
void raycast_any(const RaySpan& rays, ShapeRef target, std::span<std::uint8_t> out);

}  // namespace graze
