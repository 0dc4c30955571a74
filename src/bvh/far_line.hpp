// Clips lines that start far away from a tree: the line is transformed exactly and rounded only where it enters the tree's box.
#pragma once
#include <optional>

#include "bvh/local_query.hpp"

namespace graze {

/// A piece of a line in a tree's coordinates: at + s * direction, s in [from, to]. The largest component of `direction` has magnitude in [1, 2). Every number
/// is the exact value, rounded once.
struct LinePiece {
  double at[3], direction[3], from, to;
};

/// Returns the piece of the ray that may meet the box of half sizes `wall` around the tree's centre. Returns nothing if the ray stays farther than `slack`
/// (finite) from that box in a coordinate, ends before it or begins beyond it. The ray's direction must not be zero. Poses of placed trees are applied exactly;
/// the only remaining error is the rounding of the items themselves, PlacedTree::error. Uses multi-word integers and takes a few microseconds.
std::optional<LinePiece> clip_far_line(const PlacedTree& placed, const RayQuery& ray, const double wall[3], double slack);

/// A LocalSweep that may start far away, where floats cannot represent the position of its box. If the motion is `exact` (not rounded), it is clipped first;
/// the clipped piece is a sweep of its own, and times of the whole motion do not shorten it.
class PathSweep {
 public:
  PathSweep(const PlacedTree& placed, const Box3& world, const Vec3& motion, bool exact);
  bool misses() const { return !sweep_ || sweep_->misses(); }
  const QueryRay& lanes() const { return sweep_->lanes(); }
  void shrink(double t) {
    if (sweep_ && !clipped_) sweep_->shrink(t);
  }

 private:
  bool clip(const PlacedTree& placed, const Box3& world, const Vec3& motion);
  std::optional<LocalSweep> sweep_;
  bool clipped_ = false;
};

}  // namespace graze
