// Contact manifolds: the points where two shapes meet, with their depths, for solvers of contact forces.
#pragma once
#include <cstdint>
#include <graze/shapes.hpp>
#include <optional>
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

}  // namespace graze
