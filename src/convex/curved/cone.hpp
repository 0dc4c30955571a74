// Placed cones as curved shapes.
#pragma once
#include <graze/shapes/cone.hpp>

#include "convex/curved/hull_of_discs.hpp"

namespace graze {

/// `a` is the centre of the base, `b` the tip.
struct CurvedCone : HullOfDiscs {
  using PublicShape = Cone;
  CurvedCone(const Cone& s, const Pose* pose) : HullOfDiscs(s.a, s.b, s.radius, 0, pose) {}
  DeepPoint deep_point() const { return HullOfDiscs::deep_point(0.75, 0.25); }
  void add_normals(const Vec3& p, FacingNormal& normal) const;
  double depth(const Vec3& p) const;
  Certain within_exactly(const ConvexSet& other, double extra) const;

  template <class N>
  struct Local : LocalAxial<N> {
    using LocalAxial<N>::LocalAxial;
    V3<N> farthest(const V3<N>& x) const {
      const V3<N> on_base = this->a + this->rim(x);
      return rounded(dot(x, this->b - on_base)) > 0 ? this->b : on_base;
    }
  };
};

}  // namespace graze
