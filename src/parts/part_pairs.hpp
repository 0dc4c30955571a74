// within(P, Q, distance) for solids, and closest_of(P, Q) for all parts. Together with the overloads of convex/ and mesh/queries/, they give every
// pair of parts functions of the same names, over which the dispatch tables fold.
#pragma once
#include <graze/query.hpp>

#include "convex/decide/closest.hpp"
#include "convex/decide/curved_decide.hpp"
#include "convex/decide/decide.hpp"
#include "convex/sets/order.hpp"
#include "math/limits.hpp"
#include "mesh/queries/mesh_view.hpp"

namespace graze {

/// A closed surface and the volume that it encloses.
struct SolidView {
  MeshView surface;
};

bool within(const SolidView& a, const ConvexSet& b, double distance);
bool within(const SolidView& a, const Curved& b, double distance);
bool within(const SolidView& a, const MeshView& b, double distance);
bool within(const SolidView& a, const SolidView& b, double distance);

Closest closest_of(const ConvexSet& a, const ConvexSet& b, PairHint* hint = nullptr);
Closest closest_of(const Curved& a, const ConvexSet& b);
Closest closest_of(const Curved& a, const Curved& b);
/// `bound` must be at least the distance that is returned.
Closest closest_of(const MeshView& a, const ConvexSet& b, double bound = kInfinity);
Closest closest_of(const MeshView& a, const Curved& b);
Closest closest_of(const MeshView& a, const MeshView& b);
Closest closest_of(const SolidView& a, const ConvexSet& b);
Closest closest_of(const SolidView& a, const Curved& b);
Closest closest_of(const SolidView& a, const MeshView& b);
Closest closest_of(const SolidView& a, const SolidView& b);

/// The distance of a point from the surface, negative inside.
double signed_distance(const Vec3& p, const SolidView& solid);
/// The same for a distance that is known.
double with_sign(double distance, const Vec3& p, const SolidView& solid);

Closest flipped(Closest c);
Closest public_form(const SurfaceClosest& c);

/// A strict order of surfaces by their placed coordinates: -1, 0 or 1. Two operands of one kind are sorted by it, so that swapping the arguments swaps the
/// result.
int order_of(const MeshView& a, const MeshView& b);

}  // namespace graze
