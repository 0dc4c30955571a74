// The first contact of a ray, segment or line, or of any moving core, with a linear or round convex shape: exact hit or miss, time rounded down.
#pragma once
#include <optional>

#include "convex/convex_set.hpp"
#include "pairs/ray_triangle.hpp"

namespace graze {

/// Displacement per unit of t: `to`, or with `from` the exact difference to - from.
struct Motion {
  Vec3 to;
  const Vec3* from = nullptr;
};

struct CoreHit {
  double t = 0;                 ///< the largest double not above the true first T; -infinity for a line that has no first
  TimeBounds bounds{0, 0};      ///< of T: t and t or the next double
  bool started_inside = false;  ///< contact at t = 0 (not said for a line)
  Vec3 normal{0, 0, 0};         ///< unit length, against the ray, from the target to the ray; zero when started inside
};

/// The closed ray, segment or line with t in [t_min, t_max] against a core. t_min is 0 or -infinity.
std::optional<CoreHit> raycast(const RayQuery& ray, const Core& target);

/// A core moving along t * motion, t in [0, t_max] (or for `whole_line` any t up to t_max), against one at rest: the same, for sweeps.
std::optional<CoreHit> first_contact(const Core& moving, const Motion& motion, double t_max, const Core& target, bool whole_line = false);

}  // namespace graze
