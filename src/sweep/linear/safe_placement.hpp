// Where a mover may be placed after a path that was found free: placements certified after rounding.
#pragma once
#include "convex/raycast.hpp"
#include "parts/part_list.hpp"
#include "sweep/linear/earliest_contact.hpp"

namespace graze {

struct SafePlacement {
  Pose pose;            ///< replaces the shape's own pose
  Vec3 point{0, 0, 0};  ///< a Point after placement; for other shapes the translation
  double t = 0;         ///< approximate position along the motion
  bool moved = false;   ///< false: the placement is unchanged
};

/// Moves the shape by at most about t * motion. For a Point or Sphere, the closed path from the old to the new centre, each a triple of doubles, meets nothing
/// except a start that separates at once; any other shape does not intersect the target at its new placement. Steps back from t by growing amounts, beginning
/// with `back` (0: at t itself), until that holds; if it never does, nothing moves. `target` are the parts of `b`. `near`, if not null and known: the triangles
/// near a ball's path up to t, of the whole target.
SafePlacement place_safely(ShapeRef a, const Motion& motion, ShapeRef b, const SweptParts& target, double t, double back, const NearTriangles* near = nullptr,
                           const Vec3& normal = Vec3(0, 0, 0));

/// The first step back: a few roundings of the coordinates, divided by the speed against the contact.
double first_step_back(ShapeRef a, const Motion& motion, const Vec3& normal, double t);

}  // namespace graze
