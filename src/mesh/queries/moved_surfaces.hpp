// Two surfaces of which one is moved by a vector: sums of coordinates and the vector are taken exactly.
#pragma once
#include <functional>

#include "convex/sets/convex_set.hpp"
#include "mesh/queries/mesh_view.hpp"

namespace graze {

/// Whether A + v and B have a common point.
bool meets_moved(const SurfaceOrSolid& a, const Vec3& v, const SurfaceOrSolid& b);

/// Calls f with each triangle of A, moved by v, and each of B that touch, and with some that almost do, until f returns true; returns whether it did.
bool for_moved_pairs(const MeshView& a, const Vec3& v, const MeshView& b, const std::function<bool(const ConvexSet&, const ConvexSet&)>& f);

}  // namespace graze
