// Lines that come from far away, brought into a tree's coordinates exactly and rounded only where they enter.
#pragma once
#include <optional>

#include "bvh/local_query.hpp"

namespace graze {

/// A piece of a line in a tree's coordinates: at + s * way, s in [from, to]. The greatest component of `way` has size in [1, 2). Every number is the true one,
/// rounded once.
struct LinePiece {
  double at[3], way[3], from, to;
};

/// The piece of the ray (whose direction is not zero) that may meet the box of half sizes `wall` around the tree's centre; nothing if it stays farther from it
/// than `slack` (finite) in a coordinate, or ends before or begins beyond that. The poses of placed trees are applied exactly: what remains is the rounding of
/// the items themselves, PlacedTree::error. Integers of many words: some microseconds.
std::optional<LinePiece> clip_far_line(const PlacedTree& placed, const RayInput& ray, const double wall[3], double slack);

/// A LocalSweep that may come from far away. There floats do not hold its box's place: a motion that is `exact`, not rounded, is clipped first, and what is
/// left is a sweep of its own, which no time of the whole shortens.
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
