// The overload set on parts that the tables fold over: within(P, Q, distance) and closest_of(P, Q) for convex sets, curved shapes, surfaces and solids. What
// convex/ and mesh/ decide under other names is named alike here.
#pragma once
#include <graze/query.hpp>

#include "convex/curved.hpp"
#include "convex/decide.hpp"
#include "convex/order.hpp"
#include "mesh/queries/mesh_queries.hpp"

namespace graze {

/// A closed surface and all it encloses.
struct SolidView {
  MeshView surface;
};

bool within(const SolidView& a, const ConvexSet& b, double distance);
bool within(const SolidView& a, const Curved& b, double distance);
bool within(const SolidView& a, const MeshView& b, double distance);
bool within(const SolidView& a, const SolidView& b, double distance);

Closest closest_of(const ConvexSet& a, const ConvexSet& b);
Closest closest_of(const Curved& a, const ConvexSet& b);
Closest closest_of(const Curved& a, const Curved& b);
/// `bound`: a distance that is known not to be less than the answer's.
Closest closest_of(const MeshView& a, const ConvexSet& b, double bound = std::numeric_limits<double>::infinity());
Closest closest_of(const MeshView& a, const Curved& b);
Closest closest_of(const MeshView& a, const MeshView& b);
Closest closest_of(const SolidView& a, const ConvexSet& b);
Closest closest_of(const SolidView& a, const Curved& b);
Closest closest_of(const SolidView& a, const MeshView& b);
Closest closest_of(const SolidView& a, const SolidView& b);

Closest flipped(Closest c);
Closest public_form(const SurfaceClosest& c);

/// A strict order of parts by their placed numbers: -1, 0 or 1. Operands of one kind are taken in it, so that exchanging them exchanges the result.
int order_of(const Curved& a, const Curved& b);
int order_of(const MeshView& a, const MeshView& b);

}  // namespace graze
