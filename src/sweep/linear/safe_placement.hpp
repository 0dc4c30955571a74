// Where a mover may be placed after a path that was found free: placements certified after rounding.
#pragma once
#include "convex/time/raycast.hpp"
#include "exact/double_parts.hpp"
#include "math/step_back.hpp"
#include "math/vec3.hpp"
#include "parts/part_list.hpp"
#include "sweep/linear/earliest_contact.hpp"

namespace graze {

struct SafePlacement {
  Pose pose;            ///< replaces the shape's own pose
  Vec3 point{0, 0, 0};  ///< a Point after placement; for other shapes the translation
  double t = 0;         ///< approximate position along the motion
  bool moved = false;   ///< false: the placement is unchanged
};

/// The centre of a Point or Sphere, whose paths are certified; null for other shapes, of which the last placement is.
const Vec3* center_of(ShapeRef s);

/// Whether the shape may move from its place, whose pose is `from`, to the pose `to`. For a Point or Sphere, the closed path between both centres must meet
/// nothing except a start that separates at once; any other shape must not intersect the target at `to`. False if it does not move. `parts` are those of the
/// target; if null, they are listed where needed. `line`: of SweepChoice; only the triangles that count are met.
bool is_free(ShapeRef a, const Pose& from, const Pose& to, ShapeRef target, const PartList* parts = nullptr, const RayQuery* line = nullptr);

/// Moves the shape by t * d, or less: steps back by `first`, then by `factor` times as much each time, until is_free(pose, time) holds; see step_back(). If it
/// never does, nothing moves.
template <class IsFree>
SafePlacement place_before(ShapeRef a, const Vec3& d, double t, double first, double factor, IsFree&& is_free) {
  const Pose from = pose_of(a);
  SafePlacement r;
  r.pose = from;
  const auto at = step_back(t, first, factor, t * kUnitRoundoff, [&](double time) {
    r.pose.translation = clamped_to_finite(point_along(from.translation, time, d));
    return is_free(r.pose, time);
  });
  r.moved = at.has_value();
  r.t = at.value_or(0);
  if (!r.moved) r.pose = from;
  const Point* p = a.get<Point>();
  r.point = !p ? r.pose.translation : r.moved ? r.pose.apply(p->point) : placed_point(p->point, a.pose());
  return r;
}

/// What a sweep has found out about a contact at t: the triangles near the path of the mover up to t, of the whole target, and the normal.
struct Surroundings {
  const ConvexSet* mover;  ///< null for a curved shape
  const NearTriangles& near;
  Vec3 normal;
};

/// Moves the shape by at most about t * motion, to where it is free of `b`. Steps back from t, beginning with `back` (0: at t itself). `target` are the parts
/// of `b`.
SafePlacement place_safely(ShapeRef a, const Motion& motion, ShapeRef b, const PartList& target, double t, double back,
                           const Surroundings* surroundings = nullptr, const RayQuery* line = nullptr);

/// The first step back: a few roundings of the coordinates, divided by the speed against the contact.
double first_step_back(ShapeRef a, const Motion& motion, const Vec3& normal, double t);

}  // namespace graze
