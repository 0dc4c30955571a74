// A convex shape in the coordinates of a mesh's tree, known by its support function, and what it is searched against there: boxes and triangles.
#pragma once
#include "bvh/local_query.hpp"
#include "convex/minkowski/local_pair.hpp"
#include "mesh/queries/mesh_view.hpp"

namespace graze {

/// A bounded convex shape in the coordinates of a mesh's tree.
class LocalSupport {
 public:
  LocalSupport(const MeshView& a, const PlacedTree& placed, const Operand& b);
  LocalSupport(const LocalSupport&) = delete;  // the pair refers to `origin_`
  LocalSupport& operator=(const LocalSupport&) = delete;

  /// Whether doubles suffice; nothing else may be called where not.
  bool usable() const { return usable_; }
  /// The point of the shape without its ball that is farthest along d, up to error() |d|.
  V3<double> farthest(const V3<double>& d) const;
  double error() const { return error_; }
  double relative() const { return relative_; }
  double radius() const { return radius_; }  ///< of the ball, up to a factor 1 -+ relative()

 private:
  ConvexSet origin_;
  LocalPair pair_;
  const ConvexSet* hull_ = nullptr;  // a hull, whose support function needs no placed points
  const double (*rotation_)[3] = nullptr;
  V3<double> at_{0, 0, 0};  // of the pair's origin
  double ratio_ = 0;        // the pair's unit in the tree's
  double error_ = 0, relative_ = 0, radius_ = 0;
  bool usable_ = false;
};

/// By how much a computed distance of the shape in that box may be off, apart from 1e-15 of itself: for curved shapes 2^-40 of the largest extent, which the
/// box's sides exceed.
double distance_slack(const Operand& b, const Box3& box);

/// The least value along d of a box in the tree's coordinates.
inline V3<double> least_corner(const double* lo, const double* hi, const V3<double>& d) {
  return {d.x > 0 ? lo[0] : hi[0], d.y > 0 ? lo[1] : hi[1], d.z > 0 ? lo[2] : hi[2]};
}

struct BoxTarget {
  double lo[3], hi[3];
  V3<double> least(const V3<double>& d) const { return least_corner(lo, hi, d); }
};

struct TriangleTarget {
  V3<double> corner[3];
  V3<double> least(const V3<double>& d) const {
    const double x0 = dot(d, corner[0]), x1 = dot(d, corner[1]), x2 = dot(d, corner[2]);
    return corner[x0 <= x1 ? (x0 <= x2 ? 0 : 2) : (x1 <= x2 ? 1 : 2)];
  }
};

}  // namespace graze
