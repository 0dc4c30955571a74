// What each kind of curved shape provides to the generic code. The list of kinds is in curved.hpp. Generic code calls a kind by Curved::visit, so a kind
// without one of these functions does not compile.
#pragma once
#include <array>
#include <cmath>
#include <concepts>
#include <graze/vec.hpp>
#include <optional>
#include <vector>

#include "convex/curved/piece.hpp"
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

/// A flat end, a line on the side, or a point: corners in order, each `offset` from a point.
struct CurvedFeature {
  struct Corner {
    Vec3 from;
    V3<double> offset;
  };
  int count = 0;  ///< 0 where the surface is round in every direction
  std::array<Corner, 8> corner;
  void add(const Vec3& from, const V3<double>& offset) { corner[static_cast<std::size_t>(count++)] = {from, offset}; }
};

/// The disc or ellipse that a shape without volume is: the points center + x axis[0] + y axis[1] of a plane with (x / radius[0])^2 + (y / radius[1])^2 <= 1. A
/// disc has no axes.
struct FlatDisc {
  V3<Dyadic> center, normal;
  bool is_round;
  double radius[2];
  Vec3 axis[2];
};

struct HullOfDiscs;

/// Sign of u + v sqrt(p), p >= 0.
int sign_of_sum(const Dyadic& u, const Dyadic& v, const Dyadic& p);

template <class K>
concept CurvedKind = requires(const K& k, K& changed, const typename K::PublicShape& shape, const Pose* pose, const Vec3& p, const ConvexSet& convex,
                              const MinkowskiFrame& frame, FacingNormal& normal, double x, const V3<Dyadic>& exact_normal, const Piece& piece,
                              std::vector<Piece>& some) {
  K(shape, pose);
  { k.as_convex() } -> std::same_as<std::optional<ConvexSet>>;  // of a shape without curvature; empty for others
  { k.ends() } -> std::same_as<Ends>;
  { k.largest_radius() } -> std::same_as<double>;
  { k.distance_from_ends() } -> std::same_as<double>;     // no point of the shape is farther from the segment between its ends, rounding included
  { K::coordinate_bound(x, x) } -> std::same_as<double>;  // of the shape's points, given that of its ends and the largest radius, in some frame
  { k.deep_point() } -> std::same_as<DeepPoint>;
  { k.flat_normal() } -> std::same_as<V3<Dyadic>>;  // of a shape without volume; 0 for others
  { changed.translate(p) } -> std::same_as<void>;
  { k.bounds() } -> std::same_as<Box3>;                         // tight and rounded outward, as are distances to the farthest point; also without curvature
  { k.reach(p) } -> std::same_as<double>;                       // see query/reach.hpp
  { k.bounding_set() } -> std::same_as<ConvexSet>;              // contains the shape; its box is the shape's box
  { k.bounding_volume() } -> std::same_as<BoundingVolume>;      // for sweeps
  { k.add_normals(p, normal) } -> std::same_as<void>;           // pieces of the surface, for p on or near it
  { k.depth(p) } -> std::same_as<double>;                       // see depth_in
  { k.within_exactly(convex, x) } -> std::same_as<Certain>;     // see within_exactly
  { order_of(k, k) } -> std::same_as<int>;                      // a strict order by numbers, see order.hpp
  { k.discs() } -> std::same_as<const HullOfDiscs*>;            // the shape as the hull of two discs about an axis; null for others
  { k.side(exact_normal, exact_normal) } -> std::same_as<int>;  // sign of the greatest n . (x - p) over the points x of the shape
  { k.is_in(k) } -> std::same_as<Certain>;                      // whether the shape lies in another of its kind, where that is decided exactly
  { k.contains_ball(p, x) } -> std::same_as<Certain>;           // where that is decided exactly
  { k.add_pieces(frame, some) } -> std::same_as<void>;          // pieces whose hull is the shape
  { k.contains(piece, frame, x) } -> std::same_as<bool>;        // see are_inside
  { k.nearest(V3<double>{}) } -> std::same_as<std::optional<V3<double>>>;  // see NearestPlace; these are relative to ends().a
  { k.height(V3<double>{}) } -> std::same_as<double>;
  { k.size() } -> std::same_as<double>;
  { k.extents() } -> std::same_as<std::array<double, 3>>;
  { k.longest() } -> std::same_as<ConvexSet>;                  // the segment along the largest extent
  { k.flat_disc() } -> std::same_as<FlatDisc>;                 // of a shape with flat_normal()
  { k.feature(V3<double>{}) } -> std::same_as<CurvedFeature>;  // the farthest along a unit vector, see feature_along
  // Support: the shape in a local frame, in doubles and pairs of doubles, with the farthest point along a direction.
  { typename K::template Local<double>(k, frame).farthest(V3<double>{}) } -> std::same_as<V3<double>>;
  { typename K::template Local<TwoDouble>(k, frame).farthest(V3<TwoDouble>{}) } -> std::same_as<V3<TwoDouble>>;
};

}  // namespace graze
