// Two bodies near one point: which of them has points on either side of each piece of surface there. A body is a surface, or a solid: a closed surface and what
// it winds around.
//
// The surfaces' germs at a point are sectors of triangles. The rays of all edges from the point cut the sectors into pieces; each piece has one region on
// either side, and the winding number of a point infinitely near to the piece tells whether a body fills it. Around an arrangement of triangles every face has
// a corner, so the corners of the arrangement tell all that a relation of two bodies depends on (docs/derivations/relation.md).
#pragma once
#include <cstdint>

#include "mesh/queries/mesh_view.hpp"
#include "mesh/queries/winding.hpp"

namespace graze {

/// What the places examined so far have shown.
struct Findings {
  bool a_leaves_b = false;  ///< a point of A is not in B
  bool b_leaves_a = false;
  bool inner = false;  ///< an inner point of one is a point of the other
  bool all() const { return a_leaves_b && b_leaves_a && inner; }
};

class Germs {
 public:
  Germs(const SurfaceOrSolid& a, const SurfaceOrSolid& b) : body_{&a, &b} {}
  /// Adds what shows at a point. Points on neither surface show nothing.
  void examine(const Vec3& v, Findings& found) const;
  void examine(const ExactPoint& v, Findings& found) const;
  /// Whether, at the point, a piece of B's surface has points outside A beside it.
  bool borders(const Vec3& v) const;
  bool borders(const ExactPoint& v) const;

 private:
  const SurfaceOrSolid* body_[2];
};

}  // namespace graze
