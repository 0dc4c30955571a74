// Which of two hits of one ray comes first when their rounded parameters are equal: by the true ones.
#pragma once
#include <graze/query.hpp>

#include "pairs/ray_triangle.hpp"

namespace graze {

/// A Ray, Segment or Line as the question that raycast asks. Throws Error for other shapes and a t_max that is NaN.
RayQuery ray_query(ShapeRef ray, const RayOptions& options);

/// Sign of T(x) - T(y), where x is a hit that raycast or raycast_all of this ray reported on `a`, and y one on `b`: -1, x comes first. A hit that started
/// inside comes before all others. Exact for linear and round shapes and surfaces; the time of a cylinder, cone or ellipsoid counts as the double that was
/// reported.
int compare_hits(const RayQuery& ray, ShapeRef a, const Hit& x, ShapeRef b, const Hit& y);

}  // namespace graze
