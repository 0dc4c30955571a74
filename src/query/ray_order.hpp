// The ray of a query that runs over several shapes: its conversion, its hits with one shape, and the order of two hits whose rounded parameters are equal.
#pragma once
#include <graze/query.hpp>
#include <optional>
#include <vector>

#include "pairs/ray_triangle.hpp"

namespace graze {

/// Converts a Ray, Segment or Line to the query of raycast. Throws Error for other shapes and for limits that are NaN.
RayQuery ray_query(ShapeRef ray, double t_min, double t_max, const TriangleChoice* choice = nullptr);

/// raycast() and raycast_all() of a ray that is converted.
std::optional<Hit> raycast(const RayQuery& ray, ShapeRef target);
std::vector<Hit> raycast_all(const RayQuery& ray, ShapeRef target);

/// Sign of T(x) - T(y), where x is a hit on `a` and y a hit on `b`, both reported by raycast or raycast_all of this ray; -1 means that x comes first. A hit
/// that started inside comes before all others. Exact for linear and round shapes and surfaces. For a curved shape the reported double is taken
/// as the exact time.
int compare_hits(const RayQuery& ray, ShapeRef a, const Hit& x, ShapeRef b, const Hit& y);

}  // namespace graze
