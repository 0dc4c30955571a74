// The lengths of a translation in a given direction at which one surface crosses another, in doubles: proposals for where they come apart.
#pragma once
#include <cstdint>
#include <graze/shapes/triangle.hpp>
#include <span>
#include <vector>

namespace graze {

struct GapLimits {
  Vec3 origin;       ///< near the triangles, so that little is lost by rounding
  double most;       ///< no length beyond
  double tolerance;  ///< overlaps of this length are roundings
};

/// Lengths in (0, limits.most] along the unit vector u after which `a` may be clear of `b`, ascending, each up to rounding: where triangles of `a`, moved so
/// far, end to cross those of `b`, and between crossings where triangles end to slide along others. None where crossings reach to `most`. Takes its steps from
/// `budget`, about 10 nanoseconds each; with too few the answer is none.
///
/// For each pair of triangles whose boxes meet seen along u, the length is an interval: that between the separating axes of both triangles, as in
/// D. Eberly, Geometric Tools, Intersection of Convex Objects: The Method of Separating Axes.
std::vector<double> gaps_along(const Vec3& u, std::span<const Triangle> a, std::span<const Triangle> b, const GapLimits& limits, std::uint64_t& budget);

}  // namespace graze
