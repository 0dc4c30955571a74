// How two shapes lie to each other: apart, touching, overlapping, one inside the other, or the same.
#pragma once
#include <cstdint>
#include <graze/progress.hpp>
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
/// With a cylinder, cone, truncated cone or ellipsoid the answer is the exact one for some shapes within 1e-12 of the largest extent of those given. Where the
/// numbers make a tie, as those of a ball inscribed in a cylinder or of a cylinder that stands on a box, it is the one of the tie. Exact without a
/// bound is whether a curved shape lies in a linear one, a ball in a cylinder, a cylinder or cone (whole or truncated) in a ball, or in
/// another whose axis is parallel.
///
/// A compound is the union of its children, and a surface if all of them are. Throws Error (unsupported_shape)
/// - where a child of a compound meets several children of the other, one of which is round or curved, lies in none of them, and has no point outside that
/// shows;
/// - where both shapes are unbounded, one is a compound, and more than pairs of children decide.
///
/// Solids that overlap or lie apart cost little more than intersects(); those that touch are compared where they do, in time about
/// proportional to the triangles that take part. Of two solids that touch, `progress` follows the search for self-intersections, which takes most of the
/// time; of other pairs it hears only of the start.
[[nodiscard]] Relation relation(ShapeRef a, ShapeRef b, const Progress& progress = {});

/// Returns for each i what relation(a[i], b[i]) returns. Runs on all cores; the number of threads does not change the result.
/// Throws Error when the sizes differ, and the Error of the lowest i whose pair relation() refuses.
[[nodiscard]] std::vector<Relation> relation(std::span<const ShapeRef> a, std::span<const ShapeRef> b);
/// The same into memory of the caller. When it throws for a pair, all pairs that relation() accepts have their answers, and the others' elements are unchanged.
void relation(std::span<const ShapeRef> a, std::span<const ShapeRef> b, std::span<Relation> out);

/// The name as it stands in Relation.
[[nodiscard]] const char* name_of(Relation r);

}  // namespace graze
