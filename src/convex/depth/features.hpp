// The face, edge or vertex with which a convex operand meets another: what contact manifolds are clipped from. In doubles, or in pairs of doubles where one
// operand is much smaller than the other: a feature describes a contact and decides nothing.
#pragma once
#include <optional>

#include "convex/minkowski/local_pair.hpp"

namespace graze {

inline constexpr double kSteepFace = 0x1p-4;  ///< cosine of the angle between a face's normal and d below which its edges are used instead
inline constexpr double kSteepEdge = 0.5;     ///< square of the sine of an edge's angle to the plane perpendicular to d above which its corner is used instead

/// Up to kMostCorners corners in order around a face; two for an edge, one for a vertex. `level` counts for a plane, which has no corners.
inline constexpr int kMostCorners = 64;
template <class N>
struct Feature {
  int count = 0;
  V3<N> corner[kMostCorners];
  V3<N> normal{N(0), N(0), N(0)};  ///< of a face or plane, of any length
  N level = N(0);                  ///< of a plane: normal . x
  Feature() {}                     // leaves the corners uninitialised
  bool is_plane() const { return count == 0; }
};

/// A frame for features: coordinates relative to `origin`, a point of the smaller operand, times `scale`, a power of two that brings the larger bounded one to
/// a size of about 1. Sizes are those of the operands themselves, wherever they are.
struct FeatureFrame {
  Vec3 origin{0, 0, 0};
  double scale = 1;
  double small = 0;          ///< the size of the smaller operand, in the frame
  bool a_is_smaller = true;  ///< not larger than B
  double coordinates = 0;    ///< of the smaller operand's place in the world, in the frame: what the rounding of world coordinates is relative to
  FeatureFrame(const Operand& a, const Operand& b);
  template <class N>
  V3<N> local(const Vec3& p) const;
};
template <>
inline V3<double> FeatureFrame::local(const Vec3& p) const {
  return {(p.x - origin.x) * scale, (p.y - origin.y) * scale, (p.z - origin.z) * scale};
}
template <>
inline V3<TwoDouble> FeatureFrame::local(const Vec3& p) const {
  return times(exact_difference(p, origin), scale);
}

/// The feature farthest along d, a unit vector: of the faces at the farthest corner the one that faces d most, unless its plane is steeper than 86 degrees;
/// else of the edges there the one that is nearest to perpendicular to d, unless it is steeper than 45 degrees; else the corner. A face of more than
/// kMostCorners corners is represented by every second, third, ... of them. The flat ends of cylinders and cones are octagons with a corner farthest along d.
/// Without the ball of round shapes. Nothing for ellipsoids, and for rays and lines, whose features are unbounded. N: double or TwoDouble.
template <class N>
std::optional<Feature<N>> feature_along(const Operand& o, const V3<double>& d, const FeatureFrame& frame);

/// The corners that are as far along d as any, up to 2^-46 of the size, as a face, an edge or a corner. Nothing for curved and unbounded operands.
template <class N>
std::optional<Feature<N>> farthest_feature(const Operand& o, const V3<double>& d, const FeatureFrame& frame);

}  // namespace graze
