// Triangles of meshes: those that intersect, as pairs or as a number, and those near a shape.
#pragma once
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <graze/progress.hpp>
#include <graze/query/closest.hpp>
#include <graze/shapes.hpp>
#include <limits>
#include <vector>

namespace graze {

// ---- pairs ------------------------------------------------------------------------------------------------------------------------------

/// The indices of a triangle of A and a triangle of B.
struct TrianglePair {
  std::uint32_t a, b;
  bool operator==(const TrianglePair&) const = default;
  auto operator<=>(const TrianglePair&) const = default;
};
struct PairOptions {
  std::size_t limit = std::numeric_limits<std::size_t>::max();        ///< maximum number; the first ones in order
  std::function<bool(std::uint32_t a, std::uint32_t b)> filter = {};  ///< drops pairs for which it returns false; may run on several threads
  std::function<bool(const TrianglePair&)> visit = {};                ///< called in order; returning false ends the query
  Progress progress = {};                                             ///< of the triangles of A (or of the mesh) whose pairs are listed
};

/// Returns all pairs of triangles of A and B that share a point, ascending. Exact. A and B are each a Mesh, HeightField or the
/// surface of a Solid, placed or not. Throws Error for other kinds.
std::vector<TrianglePair> intersecting_triangles(ShapeRef a, ShapeRef b, const PairOptions& options = {});

/// Returns whether two triangles cross: they lie in different planes and share a point inside both, on no edge and
/// no corner. Exact. False where they only touch, overlap in one plane or have no area.
[[nodiscard]] bool crosses(const Triangle& a, const Triangle& b);

/// Returns all pairs (a < b) of triangles of one mesh that intersect in more than the corners or the edge that both share by
/// equal coordinates, ascending. Exact. Throws Error for other kinds than intersecting_triangles().
std::vector<TrianglePair> self_intersections(ShapeRef mesh, const PairOptions& options = {});

/// Those of self_intersections() because of which a volume is not defined: it leaves out pairs with a triangle that has no area, and pairs that only touch in
/// their edges and corners, as where a corner lies on an edge. Exact. Of a placed Solid, pairs that do so before the pose rounds them are left out, too.
[[nodiscard]] std::vector<TrianglePair> self_crossings(ShapeRef mesh, const PairOptions& options = {});

// ---- numbers of pairs --------------------------------------------------------------------------------------------------------------------

/// A number of pairs: exactly `count`, or more than `count` if `more` is set.
struct PairCount {
  std::uint64_t count = 0;
  bool more = false;
};

/// Returns how many pairs intersecting_triangles() and self_intersections() would list, counted up to `most`
/// (or 2^53 if that is less). Throws Error for the same kinds of shapes.
///
/// Groups of equal triangles are counted at once. Memory is O(n), however many pairs there are. Time is that of listing `most`
/// pairs, and at most that of testing all pairs of triangles whose boxes overlap; triangles around one corner take O(n log n).
[[nodiscard]] PairCount count_intersecting_triangles(ShapeRef a, ShapeRef b, std::uint64_t most = 10'000'000, const Progress& progress = {});
[[nodiscard]] PairCount count_self_intersections(ShapeRef mesh, std::uint64_t most = 10'000'000, const Progress& progress = {});

// ---- triangles near a shape --------------------------------------------------------------------------------------------------------------

/// Returns the triangles of a mesh within `distance` (length, >= 0, compared exactly) of a shape, ascending. Distance 0 selects
/// those that intersect the shape. `mesh` is a Mesh, HeightField or the surface of a Solid, placed or not. Throws Error for a
/// mesh of another kind, and for a negative or NaN distance.
[[nodiscard]] std::vector<std::uint32_t> triangles_within(ShapeRef shape, ShapeRef mesh, double distance = 0);

/// Returns the `count` triangles of a mesh nearest to a shape, none farther than `distance`, ordered by distance; ties go to the
/// lowest triangle. Each entry has its own closest points: on_a on the shape, triangle_b the number of the triangle.
///
/// Distances are those of closest(). The shape is a convex shape, a Polygon or a Compound of these. Throws Error for other
/// shapes, and for a negative or NaN distance.
[[nodiscard]] std::vector<Closest> closest_triangles(ShapeRef shape, ShapeRef mesh, std::size_t count,
                                                     double distance = std::numeric_limits<double>::infinity());

}  // namespace graze
