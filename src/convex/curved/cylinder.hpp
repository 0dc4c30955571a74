// Placed cylinders as curved shapes.
#pragma once
#include <graze/shapes/cylinder.hpp>

#include "convex/curved/hull_of_discs.hpp"

namespace graze {

/// `a` and `b` are the centres of the ends.
struct CurvedCylinder : HullOfDiscs {
  using PublicShape = Cylinder;
  CurvedCylinder(const Cylinder& s, const Pose* pose) : HullOfDiscs(s.a, s.b, s.radius, s.radius, pose) {}
  DeepPoint deep_point() const { return HullOfDiscs::deep_point(0.5, 0.5); }
  void add_normals(const Vec3& p, FacingNormal& normal) const;
  Certain contains_ball(const Vec3& center, double r) const;
  double depth(const Vec3& p) const;
  Certain within_exactly(const ConvexSet& other, double extra) const;

  template <class N>
  struct Local : LocalAxial<N> {
    using LocalAxial<N>::LocalAxial;
    V3<N> farthest(const V3<N>& x) const { return (rounded(dot(x, this->axis)) > 0 ? this->b : this->a) + this->rim(x); }
  };
};

}  // namespace graze
