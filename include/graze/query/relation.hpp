// How two shapes lie to each other: apart, touching, overlapping, one inside the other, or the same.
#pragma once
#include <cstdint>
#include <graze/shapes.hpp>
#include <span>
#include <vector>

namespace graze {

enum class Relation : std::uint8_t {
  disjoint,     ///< no common point, or one set is empty
  touching,     ///< common points, but no inner point of one belongs to the other
  overlapping,  ///< an inner point of one belongs to the other, and neither contains the other
  a_in_b,       ///< every point of A belongs to B; A may touch B's boundary
  b_in_a,
  identical  ///< the same points
};

/// Returns how A lies to B: the first that holds of `disjoint`, `identical`, `a_in_b`, `b_in_a`, `overlapping`, `touching`.
///
/// Inner points are those of space: flat shapes and parts of solids without volume have none, so a triangle on a box's face is `a_in_b`, and two
/// boxes with a common face touch. Two surfaces (triangle, polygon, mesh, height field) are `disjoint` or `touching`, also where they are equal.
/// Exact: nothing is decided by a tolerance or by sampling. Exchanging the arguments exchanges `a_in_b` and `b_in_a`.
///
/// Takes all pairs but those with a cylinder, cone, truncated cone, ellipsoid or compound, and those of a plane, line or ray and a mesh, solid, height
/// field or polygon; throws Error (unsupported_shape) for these, and where a round shape, or a box with corners that are no doubles, lies across a
/// triangle of which only a part is inside the solid.
///
/// Solids that overlap or lie apart cost little more than intersects(); those that touch are compared where they do, in time about
/// proportional to the triangles that take part.
[[nodiscard]] Relation relation(ShapeRef a, ShapeRef b);

/// Returns for each i what relation(a[i], b[i]) returns. Runs on all cores; the number of threads does not change the result.
/// Throws Error when the sizes differ, and the Error of the lowest i whose pair relation() refuses.
[[nodiscard]] std::vector<Relation> relation(std::span<const ShapeRef> a, std::span<const ShapeRef> b);
/// The same into memory of the caller. When it throws for a pair, all pairs that relation() accepts have their answers, and the others' elements are unchanged.
void relation(std::span<const ShapeRef> a, std::span<const ShapeRef> b, std::span<Relation> out);

/// The name as it stands in Relation.
[[nodiscard]] const char* name_of(Relation r);

}  // namespace graze
