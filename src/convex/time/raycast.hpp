// The first contact of a ray, segment or line, or of any moving convex set, with a linear or round convex shape: an exact hit or miss, and a time rounded down.
#pragma once
#include <optional>

#include "convex/sets/convex_set.hpp"
#include "pairs/ray_triangle.hpp"

namespace graze {

/// Displacement per unit of t: `to`, or with `from` the exact difference to - from.
struct Motion {
  Vec3 to;
  const Vec3* from = nullptr;
};

struct ConvexHit {
  double t = 0;                 ///< the largest double not above the true first time T; -infinity for a line without a first contact
  TimeBounds bounds{0, 0};      ///< of T: both are t, or t and the next double
  bool started_inside = false;  ///< contact at t = 0 (never set for a line)
  Vec3 normal{0, 0, 0};         ///< unit length, against the ray, from the target to the ray; zero when started inside
};

/// The closed ray, segment or line with t in [t_min, t_max] against a convex set. t_min is 0 or -infinity.
std::optional<ConvexHit> raycast(const RayQuery& ray, const ConvexSet& target);

/// The same for sweeps: a convex set moving along t * motion, t in [0, t_max] (or for `whole_line` any t up to t_max), against one at rest.
std::optional<ConvexHit> first_contact(const ConvexSet& moving, const Motion& motion, double t_max, const ConvexSet& target, bool whole_line = false);

}  // namespace graze
