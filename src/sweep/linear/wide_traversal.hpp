// The SIMD traversal of a surface's tree with a moving ball, capsule or box.
#pragma once

#include "mesh/kernels/sweep_kernels.hpp"
#include "mesh/queries/mesh_view.hpp"

namespace graze {

namespace wide {

/// Finds the triangles that a convex set may touch first on its path d. `slack`: an additional error bound of the path, as a length. `encloses`: the set is
/// only a bounding volume of what moves, so hits prove no contact.
class Traversal {
 public:
  Traversal(const MeshView& view, const ConvexSet& convex, const Vec3& d, double slack, bool encloses = false);
  bool usable() const { return usable_; }
  bool misses() const { return misses_; }
  SweepEvent next() { return go_(state); }
  SweepTraversal state;

 private:
  bool usable_ = false, misses_ = false;
  SweepEvent (*go_)(SweepTraversal&) = nullptr;
};

double slack_of(const ConvexSet& convex, const Vec3& d);

}  // namespace wide

}  // namespace graze
