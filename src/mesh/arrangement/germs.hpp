// Two bodies near one point: which of them has points on either side of each piece of surface there. A body is a union of surfaces and solids: closed surfaces
// and what they wind around.
//
// The surfaces' germs at a point are sectors of triangles. The rays of all edges from the point cut the sectors into pieces; each piece has one region on
// either side, and the winding numbers of a point infinitely near to the piece tell whether a body fills it. Around an arrangement of triangles every face has
// a corner, so the corners of the arrangement tell all that a relation of two bodies depends on (docs/derivations/relation.md).
#pragma once
#include <cstdint>
#include <vector>

#include "mesh/queries/bodies.hpp"
#include "mesh/queries/winding.hpp"

namespace graze {

/// What the places examined so far have shown.
struct Findings {
  bool a_leaves_b = false;  ///< a point of A is not in B
  bool b_leaves_a = false;
  bool inner = false;  ///< an inner point of one is a point of the other
  bool met = false;    ///< a point lies on the surfaces of both
  bool all() const { return a_leaves_b && b_leaves_a && inner; }
};

struct PartOfBody {
  const BodyPart* part;
  int body;  ///< 0: A, 1: B
};

class Germs {
 public:
  /// The bodies must outlive the object. Parts that are empty do no harm.
  Germs(const Body& a, const Body& b);
  /// Adds what shows at a point. Points on neither surface show nothing.
  void examine(const Vec3& v, Findings& found) const;
  void examine(const ExactPoint& v, Findings& found) const;
  /// Whether, at the point, a piece of B's surface has points outside A beside it.
  bool borders(const Vec3& v) const;
  bool borders(const ExactPoint& v) const;

 private:
  bool needs_exact(const ExactPoint& v) const;
  std::vector<PartOfBody> parts_;
};

}  // namespace graze
