// relation() of curved shapes.
#pragma once
#include <graze/query/relation.hpp>

namespace graze {

/// The relation of a cylinder, cone, truncated cone or ellipsoid and any shape but a compound.
Relation relation_of_curved(const ShapeRef& a, const ShapeRef& b);

}  // namespace graze
