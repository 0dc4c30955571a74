// Batches: many points or rays against one shape, one shape at many poses, and many pairs within a distance. Further batches of pairs are in
// <graze/query/intersects.hpp>, <graze/query/closest.hpp> and <graze/query/relation.hpp>.
//
// Element i of the result answers element i of the spans, bit for bit as a single query would. Batches run on all cores; the
// number of threads does not change the result. Functions with `out` write to memory of the caller, which is faster when that
// memory is used again. Throws Error when the sizes of the spans differ.
#pragma once
#include <cstddef>
#include <cstdint>
#include <graze/query/classify.hpp>
#include <graze/query/closest.hpp>
#include <graze/query/intersects.hpp>
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
  double t_min = -std::numeric_limits<double>::infinity();

  /// The options of one of the rays.
  [[nodiscard]] RayOptions options() const { return {t_max, sides, accept, t_min}; }
};

/// All hits of many rays: those of ray i are hits[offsets[i]] .. hits[offsets[i + 1] - 1].
struct RayHits {
  std::vector<std::size_t> offsets;  ///< one more than there are rays; the first is 0
  std::vector<Hit> hits;
};

// ---- many points or rays against one shape -----------------------------------------------------------------------------------------------

[[nodiscard]] std::vector<Closest> closest(std::span<const Vec3> points, ShapeRef target);
[[nodiscard]] std::vector<std::uint8_t> contains(ShapeRef solid, std::span<const Vec3> points);
/// Whether each point is within `distance` of the shape.
[[nodiscard]] std::vector<std::uint8_t> within(std::span<const Vec3> points, ShapeRef target, double distance);
/// For a Solid, one search finds a distance and one short ray its sign: little more than closest(). Throws Error for the shapes that the single query
/// refuses, also when there are no points.
[[nodiscard]] std::vector<double> signed_distance(std::span<const Vec3> points, ShapeRef solid);
[[nodiscard]] std::vector<std::optional<Hit>> raycast(const RaySpan& rays, ShapeRef target);
[[nodiscard]] std::vector<std::uint8_t> raycast_any(const RaySpan& rays, ShapeRef target);
/// All hits of each ray, in the order of raycast_all().
[[nodiscard]] RayHits raycast_all(const RaySpan& rays, ShapeRef target);

// The same into memory of the caller.
void closest(std::span<const Vec3> points, ShapeRef target, std::span<Closest> out);
void contains(ShapeRef solid, std::span<const Vec3> points, std::span<std::uint8_t> out);
void within(std::span<const Vec3> points, ShapeRef target, double distance, std::span<std::uint8_t> out);
void signed_distance(std::span<const Vec3> points, ShapeRef solid, std::span<double> out);
void raycast(const RaySpan& rays, ShapeRef target, std::span<std::optional<Hit>> out);
void raycast_any(const RaySpan& rays, ShapeRef target, std::span<std::uint8_t> out);
/// Replaces what `out` holds, in its memory if that suffices.
void raycast_all(const RaySpan& rays, ShapeRef target, RayHits& out);

// ---- one shape at many poses -------------------------------------------------------------------------------------------------------------
// Element i answers at(a, poses[i]) against b. Throws Error if `a` is placed: two poses are not one to the bit (see compose()).

[[nodiscard]] std::vector<std::uint8_t> intersects(ShapeRef a, std::span<const Pose> poses, ShapeRef b);
[[nodiscard]] std::vector<std::uint8_t> within(ShapeRef a, std::span<const Pose> poses, ShapeRef b, double distance);
[[nodiscard]] std::vector<Closest> closest(ShapeRef a, std::span<const Pose> poses, ShapeRef b);

// The same into memory of the caller.
void intersects(ShapeRef a, std::span<const Pose> poses, ShapeRef b, std::span<std::uint8_t> out);
void within(ShapeRef a, std::span<const Pose> poses, ShapeRef b, double distance, std::span<std::uint8_t> out);
void closest(ShapeRef a, std::span<const Pose> poses, ShapeRef b, std::span<Closest> out);

// ---- many pairs --------------------------------------------------------------------------------------------------------------------------

/// Whether each pair of a[i] and b[i], placed or not, is within `distance`.
[[nodiscard]] std::vector<std::uint8_t> within(std::span<const ShapeRef> a, std::span<const ShapeRef> b, double distance);
void within(std::span<const ShapeRef> a, std::span<const ShapeRef> b, double distance, std::span<std::uint8_t> out);

}  // namespace graze
