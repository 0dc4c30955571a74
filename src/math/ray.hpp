// The ray of a query, in the caller's coordinates.
#pragma once
#include <graze/vec.hpp>

#include "math/limits.hpp"

namespace graze {

struct TriangleChoice;

/// origin + t * direction, or with `to_point` origin + t * (direction - origin) with the exact difference (a Segment: `direction` holds its other end). t in
/// [t_min, t_max], closed, compared with the true t.
struct RayQuery {
  Vec3 origin, direction;
  bool to_point = false;
  double t_min = 0;  ///< -infinity for a line
  double t_max = kInfinity;
  const TriangleChoice* choice = nullptr;  ///< the triangles that count (mesh/queries/triangle_choice.hpp); null: all

  /// The same with a choice, or (null) without one.
  RayQuery with(const TriangleChoice* c) const {
    RayQuery q = *this;
    q.choice = c;
    return q;
  }
  bool has_start() const { return t_min > -kInfinity; }
  bool is_empty() const { return t_max < t_min; }
  /// The displacement per unit of t, rounded.
  Vec3 displacement() const { return to_point ? direction - origin : direction; }
};

}  // namespace graze
