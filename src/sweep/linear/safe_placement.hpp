// Where a mover may be put after a way that was found free: placements certified after rounding.
#pragma once
#include "convex/raycast.hpp"
#include "parts/part_list.hpp"
#include "sweep/linear/earliest_contact.hpp"

namespace graze {

struct SafePlacement {
  Pose pose;            ///< in place of the shape's own
  Vec3 point{0, 0, 0};  ///< a Point so placed; else the translation
  double t = 0;         ///< how far along the motion, about
  bool moved = false;   ///< false: the placement is unchanged
};

/// The shape moved by about t * motion, at most: for a Point or Sphere the closed way from the old to the new centre, each a triple of doubles, meets nothing
/// but a start that parts at once; any other shape does not intersect the target at its new place. Steps back from t ever farther, beginning with `back` (0: at
/// t itself), until that is so; if it never is, nothing moves. `target` are the parts of `b`. `near`, if not null and known: what is near a ball's way up to t,
/// of the whole target.
SafePlacement place_safely(ShapeRef a, const Motion& motion, ShapeRef b, const SweptParts& target, double t, double back, const NearTriangles* near = nullptr,
                           const Vec3& normal = Vec3(0, 0, 0));

/// A first step back: some roundings of the coordinates over the speed against the contact.
double first_step_back(ShapeRef a, const Motion& motion, const Vec3& normal, double t);

}  // namespace graze
