// The face, edge or vertex with which a convex operand meets another: what contact manifolds are clipped from. In doubles: a feature describes a contact and
// decides nothing.
#pragma once
#include <optional>

#include "convex/minkowski_local.hpp"

namespace graze {

/// Up to kMostCorners corners in order around a face; two for an edge, one for a vertex. `level` counts for a plane, which has no corners.
struct Feature {
  static constexpr int kMostCorners = 64;
  int count = 0;
  V3<double> corner[kMostCorners];
  V3<double> normal{0, 0, 0};  ///< of a face, of any length
  double level = 0;            ///< of a plane: normal . x
  Feature() {}                 // leaves the corners uninitialised
  bool is_plane() const { return count == 0; }
};

/// A frame for features: coordinates relative to `origin`, times `scale`, a power of two that brings the operands to a size of about 1.
struct FeatureFrame {
  Vec3 origin{0, 0, 0};
  double scale = 1;
  FeatureFrame(const Operand& a, const Operand& b);
  V3<double> local(const Vec3& p) const { return {(p.x - origin.x) * scale, (p.y - origin.y) * scale, (p.z - origin.z) * scale}; }
  V3<double> local_direction(const Vec3& v, double times) const { return {(v.x * times) * scale, (v.y * times) * scale, (v.z * times) * scale}; }
};

/// The feature farthest along d, a unit vector: of the faces at the farthest corner the one that faces d most, unless its plane is steeper than 86 degrees;
/// else of the edges there the one that is nearest to perpendicular to d, unless it is steeper than 45 degrees; else the corner. A face of more than
/// kMostCorners corners is represented by every second, third, ... of them. The flat ends of cylinders and cones are octagons with a corner farthest along d.
/// Without the ball of round shapes. Nothing for ellipsoids, and for rays and lines, whose features are unbounded.
std::optional<Feature> feature_along(const Operand& o, const V3<double>& d, const FeatureFrame& frame);

/// The corners that are as far along d as any, up to 2^-30 of the size, as a face, an edge or a corner. Nothing for curved and unbounded operands.
std::optional<Feature> farthest_feature(const Operand& o, const V3<double>& d, const FeatureFrame& frame);

}  // namespace graze
