// Whether curved shapes contain convex sets and each other, and whether they share inner points. Bounds: docs/derivations/relation.md.
#pragma once
#include "convex/containment/containment.hpp"
#include "convex/decide/curved_decide.hpp"
#include "convex/minkowski/local_pair.hpp"

namespace graze {

/// Whether every point of a belongs to b. False only if a truly leaves b, true only if no point of a is farther than delta = 2^-40 of the largest curved extent
/// from b (at least 2^-81 of the largest distance between points of both). Exact for: linear convex sets b; corners of linear convex sets that are
/// doubles; cylinders, cones and truncated cones in balls, and in each other where their axes are parallel; balls and capsules in cylinders;
/// concentric ellipsoids of equal axes. A convex set b with radius must be a ball or a capsule.
bool is_subset(const Curved& a, const ConvexSet& b);
bool is_subset(const ConvexSet& a, const Curved& b);
bool is_subset(const Curved& a, const Curved& b);

/// Whether the shape has inner points.
bool has_volume(const Curved& c);

/// An inner point of a curved shape that has any.
V3<Dyadic> some_inner_point(const Curved& c);

/// Whether an inner point of one belongs to the other, up to the bound of penetration(). Requires that the shapes meet and that one is curved.
bool share_inner_points(const Operand& a, const Operand& b);

}  // namespace graze
