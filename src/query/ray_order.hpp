// Rays as queries, and the order of two hits of one ray by their true parameters, for hits whose rounded parameters are equal.
#pragma once
#include <graze/query.hpp>
#include <optional>

#include "pairs/ray_triangle.hpp"

namespace graze {

/// Converts a Ray, Segment or Line to the query of raycast. Throws Error for other shapes and for a t_max that is NaN.
RayQuery ray_query(ShapeRef ray, const RayOptions& options);

/// raycast() for a query. Requires the default floating-point environment.
std::optional<Hit> first_hit_on(const RayQuery& ray, ShapeRef target);

/// Sign of T(x) - T(y), where x is a hit on `a` and y a hit on `b`, both reported by raycast or raycast_all of this ray; -1 means that x comes first. A hit
/// that started inside comes before all others. Exact for linear and round shapes and surfaces. For a curved shape the reported double is taken
/// as the exact time.
int compare_hits(const RayQuery& ray, ShapeRef a, const Hit& x, ShapeRef b, const Hit& y);

}  // namespace graze
