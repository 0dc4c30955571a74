// Contact manifolds: the points where two shapes meet, with their depths, for solvers of contact forces.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <graze/pair_hint.hpp>
#include <graze/shapes.hpp>
#include <optional>
#include <span>
#include <vector>

namespace graze {

struct ManifoldPoint {
  Vec3 point{0, 0, 0};  ///< halfway between the surfaces of both shapes along the normal: as near to both as Contact::point, with this depth
  double depth = 0;     ///< overlap of both shapes along the normal at this point: length, >= 0
};

struct Manifold {
  Vec3 normal{0, 0, 0};               ///< of all points: unit length, from B to A; zero where the depth is infinite
  std::vector<ManifoldPoint> points;  ///< one at least, in order around the common part of both surfaces
  std::optional<std::uint32_t> triangle_a, triangle_b;
};

/// A manifold of at most four points in a place of fixed size.
struct FixedManifold {
  Vec3 normal{0, 0, 0};                ///< as of Manifold
  std::array<ManifoldPoint, 4> place;  ///< of the points, of which the first `count` are set
  std::uint32_t count = 0;
  std::optional<std::uint32_t> triangle_a, triangle_b;

  [[nodiscard]] std::span<const ManifoldPoint> points() const { return std::span<const ManifoldPoint>(place.data(), count); }
};

enum class ManifoldPoints : std::uint8_t {
  four,  ///< at most four: the deepest, the farthest from it, the one that spans the largest triangle with both, and the one that adds most to its area
  all,
};

/// Returns the manifolds of two shapes: one for a convex pair that intersects; otherwise one for each touching pair of convex parts
/// or triangles, in the order of `contacts`. Empty exactly when the shapes do not intersect.
///
/// The normal and the greatest depth are those of `contacts` (0 where the shapes merely touch). Each shape meets the other with a feature: at its
/// farthest corner along the normal, the face that faces the other shape most; for segments and capsules the edge if it is within 45 degrees of
/// perpendicular to the normal; else the corner. The points are the corners of the common part of both features, seen along the normal, at which the
/// shapes overlap:
/// - two boxes face on face: four corners (`all`: up to eight); a box that rests on an edge: two; on a corner: one; two crossing edges: one;
/// - a capsule that lies on a box: two; on its end: one; two capsules side by side: two, within 3.6 degrees and as far as they overlap; a sphere: one;
/// - a cylinder, cone or truncated cone that stands on its flat end: of the octagon inscribed in the end's rim with one corner
///   at the deepest point; on its side: two; an ellipsoid: one;
/// - planes and half-spaces: the corners of the other shape's feature;
/// - a mesh: a manifold for each touching triangle, with that triangle's own normal and depth, not merged.
///
/// Guarantee: empty or not, normal and greatest depth as `contacts`; the points' distances from both shapes as of Contact::point. Other depths are computed in
/// doubles, or in pairs of doubles for shapes of very different sizes; rounding may add or remove points whose depth is 0 within 1e-11 of the smaller shape's
/// size, and points where faces are flat to no more than that. Exchanging the shapes negates the normal and changes nothing else, unless
/// both are equal. Takes the time of `contacts`.
[[nodiscard]] std::vector<Manifold> manifold(ShapeRef a, ShapeRef b, ManifoldPoints points = ManifoldPoints::four);
/// The same result, to the bit, with a hint from the last call about the same pair (see PairHint): faster for two shapes of which one is a hull, frustum or
/// wedge.
[[nodiscard]] std::vector<Manifold> manifold(ShapeRef a, ShapeRef b, PairHint& hint, ManifoldPoints points = ManifoldPoints::four);

/// The same manifolds with ManifoldPoints::four in memory of the caller, the first ones where `out` has no room for all. Returns the number of all: 0 or 1 for
/// two shapes of which none is a mesh, solid, height field, polygon or compound. Allocates nothing for points, segments, balls, capsules, boxes and hulls.
[[nodiscard]] std::size_t manifold(ShapeRef a, ShapeRef b, std::span<FixedManifold> out);
[[nodiscard]] std::size_t manifold(ShapeRef a, ShapeRef b, PairHint& hint, std::span<FixedManifold> out);

/// The same of many pairs of shapes, on all cores: the manifolds of the pair of a[i] and b[i] are out[offsets[i]] .. out[offsets[i + 1] - 1], bit for bit those
/// of the single call. Returns the number of all manifolds, which is offsets[a.size()].
///
/// Where `out` has no room for all, nothing else changes: all offsets are set, and `out` holds the first out.size() manifolds. A pair i with
/// offsets[i + 1] <= out.size() has all of its own; no call is needed but for the pairs after it.
///
/// Allocates nothing for the shapes named above with one thread. With more it allocates a list of the pieces of the batch, and room for the manifolds of pieces
/// of 64 pairs that have more manifolds than pairs, or whose pairs have no place of their own in `out` (out.size() < a.size()).
/// `hints` has one hint for each pair, or is empty. Throws Error when the numbers of shapes and hints differ, or `offsets` has not one element more.
[[nodiscard]] std::size_t manifold(std::span<const ShapeRef> a, std::span<const ShapeRef> b, std::span<std::size_t> offsets, std::span<FixedManifold> out,
                                   std::span<PairHint> hints = {});

}  // namespace graze
