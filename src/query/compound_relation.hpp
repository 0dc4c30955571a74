// The relation of compounds, and what it shares with that of other shapes.
#pragma once
#include <graze/query/relation.hpp>
#include <optional>
#include <span>

#include "parts/body_of_shape.hpp"

namespace graze {

/// With A and B exchanged.
inline Relation mirrored(Relation r) { return r == Relation::a_in_b ? Relation::b_in_a : r == Relation::b_in_a ? Relation::a_in_b : r; }

struct BodyPair {
  ShapeBody a, b;
  bool in_doubles() const;  ///< whether the corners of both are doubles
};
/// Two unions of shapes as bodies; nothing if a shape is round or curved, or both are unbounded.
std::optional<BodyPair> bodies_of(std::span<const ShapeRef> a, std::span<const ShapeRef> b);

/// The relation of a convex shape that has inner points and the union of linear shapes; nothing if the shape is another, the union is none of one mesh or
/// solid, or only exact triangles can tell (convex_relation.hpp).
std::optional<Relation> relation_of_volume(const ShapeRef& a, std::span<const ShapeRef> b);

/// The relation of two shapes of which one is a compound. Throws Error (unsupported_shape) if it depends on what several round or curved children contain
/// together, or if both shapes are unbounded and it depends on more than pairs of children.
Relation relation_of_compounds(const ShapeRef& a, const ShapeRef& b);

}  // namespace graze
