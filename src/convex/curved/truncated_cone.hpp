// Placed truncated cones as curved shapes.
#pragma once
#include <graze/shapes/truncated_cone.hpp>

#include "convex/curved/hull_of_discs.hpp"

namespace graze {

/// `a` and `b` are the centres of the ends.
struct CurvedTruncatedCone : HullOfDiscs {
  using PublicShape = TruncatedCone;
  CurvedTruncatedCone(const TruncatedCone& s, const Pose* pose) : HullOfDiscs(s.a, s.b, s.radius_a, s.radius_b, pose) {}
  DeepPoint deep_point() const { return HullOfDiscs::deep_point(0.5, 0.5); }
  void add_normals(const Vec3& p, FacingNormal& normal) const;
  double depth(const Vec3& p) const;
  Certain within_exactly(const ConvexSet& other, double extra) const;

  template <class N>
  struct Local : LocalAxial<N> {
    N radius_a, radius_b;
    Local(const CurvedTruncatedCone& shape, const MinkowskiFrame& frame)
        : LocalAxial<N>(shape, frame),
          radius_a(frame.pre_scaled(shape.radius_a) * frame.factor()),
          radius_b(frame.pre_scaled(shape.radius_b) * frame.factor()) {}
    /// The end is chosen as that of a cone whose base has the difference of the radii.
    V3<N> farthest(const V3<N>& x) const {
      const bool at_b = rounded(dot(x, this->b - (this->a + this->rim(x, radius_a - radius_b)))) > 0;
      return at_b ? this->b + this->rim(x, radius_b) : this->a + this->rim(x, radius_a);
    }
  };
};

}  // namespace graze
