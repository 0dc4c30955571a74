// What each kind of curved shape provides to the generic code. The list of kinds is in curved.hpp. Generic code calls a kind by Curved::visit, so a kind
// without one of these functions does not compile.
#pragma once
#include <cmath>
#include <concepts>
#include <graze/vec.hpp>
#include <optional>

#include "convex/sets/bounding_volume.hpp"
#include "convex/sets/generators.hpp"
#include "convex/sets/minkowski_frame.hpp"
#include "exact/exact_vectors.hpp"
#include "math/box3.hpp"
#include "math/limits.hpp"
#include "pairs/detail/certain.hpp"
#include "shapes/normal.hpp"

namespace graze {

/// The ends of a segment within the shape.
struct Ends {
  Vec3 a, b;
};

/// A point well within the shape, and a length of the order of its distance from the surface.
struct DeepPoint {
  Vec3 point;
  double depth;
};

/// Of the pieces of a surface that face against a ray, the normal of the one nearest to a point.
class FacingNormal {
 public:
  explicit FacingNormal(const Vec3& ray) : back_(normalized(-ray)), best_(back_) {}
  const Vec3& back() const { return back_; }
  /// `distance`: of the point from the piece; n: the outward normal of the piece there.
  void add(double distance, Vec3 n) {
    if (n == Vec3(0, 0, 0) || n != n) return;
    n = normalized(n);
    distance = std::fabs(distance);
    if (!((n.x * back_.x + n.y * back_.y + n.z * back_.z) > 0 && distance < least_)) return;
    least_ = distance;
    best_ = n;
  }
  /// Against the ray where every piece faces along it: the ray only touches.
  const Vec3& normal() const { return best_; }

 private:
  Vec3 back_, best_;
  double least_ = kInfinity;
};

template <class K>
concept CurvedKind = requires(const K& k, K& changed, const typename K::PublicShape& shape, const Pose* pose, const Vec3& p, const ConvexSet& convex,
                              const MinkowskiFrame& frame, FacingNormal& normal, double x) {
  K(shape, pose);
  { k.as_convex() } -> std::same_as<std::optional<ConvexSet>>;  // of a shape without curvature; empty for others
  { k.ends() } -> std::same_as<Ends>;
  { k.largest_radius() } -> std::same_as<double>;
  { k.distance_from_ends() } -> std::same_as<double>;     // no point of the shape is farther from the segment between its ends, rounding included
  { K::coordinate_bound(x, x) } -> std::same_as<double>;  // of the shape's points, given that of its ends and the largest radius, in some frame
  { k.deep_point() } -> std::same_as<DeepPoint>;
  { k.flat_normal() } -> std::same_as<V3<Dyadic>>;  // of a shape without volume; 0 for others
  { changed.translate(p) } -> std::same_as<void>;
  { k.bounds() } -> std::same_as<Box3>;                      // tight and rounded outward, as are distances to the farthest point; also without curvature
  { k.reach(p) } -> std::same_as<double>;                    // see query/reach.hpp
  { k.bounding_set() } -> std::same_as<ConvexSet>;           // contains the shape; its box is the shape's box
  { k.bounding_volume() } -> std::same_as<BoundingVolume>;   // for sweeps
  { k.add_normals(p, normal) } -> std::same_as<void>;        // pieces of the surface, for p on or near it
  { k.depth(p) } -> std::same_as<double>;                    // see depth_in
  { k.within_exactly(convex, x) } -> std::same_as<Certain>;  // see within_exactly
  { order_of(k, k) } -> std::same_as<int>;                   // a strict order by numbers, see order.hpp
  // Support: the shape in a local frame, in doubles and pairs of doubles, with the farthest point along a direction.
  { typename K::template Local<double>(k, frame).farthest(V3<double>{}) } -> std::same_as<V3<double>>;
  { typename K::template Local<TwoDouble>(k, frame).farthest(V3<TwoDouble>{}) } -> std::same_as<V3<TwoDouble>>;
};

}  // namespace graze
