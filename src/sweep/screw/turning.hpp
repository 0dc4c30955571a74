// A convex shape and a surface, one of which moves along a screw: for a span of time, the triangles that may be met, with times before which they are not met.
// Uses the wide traversal of a bounding volume of the shape. Derivation: docs/derivations/rigid_motion.md.
#pragma once
#include <cstdint>
#include <vector>

#include "sweep/linear/linear_sweep.hpp"
#include "sweep/screw/advance.hpp"

namespace graze {

class TurningTraversal {
 public:
  struct Candidate {
    double t;  ///< no contact before
    std::uint32_t triangle;
  };

  /// `shape` is at its start if it moves, and `surface` is placed there if it moves; `error`: bound on the rounding of placing.
  TurningTraversal(const MeshView& surface, const BoundingVolume& shape, const ScrewMotion& motion, bool surface_moves, double error);
  TurningTraversal(MeshView&&, const BoundingVolume&, const ScrewMotion&, bool, double) = delete;  // the surface is held by reference

  /// Stores the candidates of [begin, end], the earliest first. Returns false if there are more than `most`, or if the numbers do not allow a traversal (then
  /// !usable()).
  bool gather(double begin, double end, std::size_t most, std::vector<Candidate>& out);
  bool usable() const { return usable_; }
  /// A span in which the shape's rotation and deviation from a straight path are a small fraction of its size.
  double good_span() const { return good_span_; }

 private:
  /// The pose as seen from the surface.
  Pose view(double t) const;

  const MeshView& surface_;
  const ScrewMotion& motion_;
  ConvexSet convex_;
  Vec3 center_;
  bool surface_moves_, usable_ = true;
  double error_, turn_, spread_, bend_, good_span_ = 1;
};

}  // namespace graze
