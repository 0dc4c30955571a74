// Rays, segments and lines against shapes: the first hit, any hit, all hits.
#pragma once
#include <cstdint>
#include <graze/query/triangle_filter.hpp>
#include <graze/shapes.hpp>
#include <limits>
#include <optional>
#include <vector>

namespace graze {

/// Where a ray meets a shape.
struct Hit {
  /// The largest double not above the true parameter, in lengths of the direction (Segment: a fraction 0..1).
  /// -infinity for a Line without a first point.
  double t = 0;
  Vec3 point{0, 0, 0};                    ///< rounded
  std::optional<Vec3> normal;             ///< unit length, against the ray; absent when the ray started inside
  std::optional<std::uint32_t> triangle;  ///< for a mesh, height field or polygon fan: the lowest triangle that is hit first
  std::optional<std::uint32_t> part;      ///< for a mesh: the MeshPart of that triangle
  std::optional<std::uint32_t> child;     ///< of a compound
  /// Weights of the triangle's corners, >= 0, within 2^-39 of those of the true point. A triangle without area counts as its
  /// longest edge.
  std::optional<Vec3> barycentric;
  /// For a triangle, polygon, mesh or plane: the direction is against the normal. For other shapes: the ray came from outside.
  bool front = false;
  bool started_inside = false;  ///< the closed sets intersect where the ray begins; never set for a Line without t_min
  std::uint32_t user = 0;       ///< for a mesh: MeshData::user of that triangle; 0 where the mesh has none
};

struct RayOptions {
  double t_max = std::numeric_limits<double>::infinity();  ///< inclusive, compared with the true t; a Segment ends at 1 anyway
  Sides sides = Sides::both;                               ///< the sides from which triangles are hit, also where the ray begins
  TriangleFilter accept = {};                              ///< the triangles that may be hit

  /// Inclusive, compared with the true t: the ray begins at origin + t_min * direction, taken exactly, and t counts from the origin nevertheless. A Ray and a
  /// Segment begin at 0 anyway. A shadow ray that starts at a hit leaves that hit out with the next double above its t.
  double t_min = -std::numeric_limits<double>::infinity();
};

/// Returns the first hit of a Ray, Segment or Line (placed or not) with any shape, or nothing.
///
/// Hit or miss is exact, and the hit is truly the first; exact ties go to the lowest index. On a Line t runs over all reals, and
/// the first hit is the one of smallest t. Curved shapes: see docs/accuracy.md. `point` and `normal` are rounded.
/// Nothing is hit where t_min > t_max. Throws Error if `ray` is of another kind, or t_min or t_max is NaN.
[[nodiscard]] std::optional<Hit> raycast(ShapeRef ray, ShapeRef target, const RayOptions& options = {});

/// Returns whether raycast() would find a hit. Faster: any hit ends the search.
[[nodiscard]] bool raycast_any(ShapeRef ray, ShapeRef target, const RayOptions& options = {});

/// Returns all hits in exact order of t, then index: one per triangle (at its first t), one per shape of another kind.
/// For a Solid that contains the start, the start comes first, then the hits of the surface. The hits of a Compound's children
/// are merged; exact ties go to the lowest child, and for curved children the returned t is compared.
[[nodiscard]] std::vector<Hit> raycast_all(ShapeRef ray, ShapeRef target, const RayOptions& options = {});

}  // namespace graze
