// relation() of curved shapes.
#pragma once
#include <graze/query/relation.hpp>

namespace graze {

/// The relation of a cylinder, cone, truncated cone or ellipsoid and any shape but a compound.
Relation relation_of_curved(const ShapeRef& a, const ShapeRef& b);

inline Relation mirrored(Relation r) { return r == Relation::a_in_b ? Relation::b_in_a : r == Relation::b_in_a ? Relation::a_in_b : r; }

}  // namespace graze
