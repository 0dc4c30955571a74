// Cylinders, cones, truncated cones and ellipsoids for the queries. Each kind has a file of its own; curved_kind.hpp lists what a kind provides. Bounds and
// their derivations: docs/derivations/curved.md.
#pragma once
#include <cstdlib>
#include <optional>
#include <type_traits>
#include <variant>

#include "convex/curved/cone.hpp"
#include "convex/curved/cylinder.hpp"
#include "convex/curved/ellipsoid.hpp"
#include "convex/curved/truncated_cone.hpp"
#include "convex/sets/convex_set.hpp"
#include "platform/expects.hpp"

namespace graze {

template <CurvedKind... K>
struct CurvedKindList {
  using Shape = std::variant<ConvexSet, K...>;
  template <class N>
  using Local = std::variant<typename K::template Local<N>...>;
  template <class S, class OneKind>
  struct IsKindOf : std::is_same<S, typename OneKind::PublicShape> {
    using Kind = OneKind;
  };
  template <class S>
  using Find = std::disjunction<IsKindOf<S, K>...>;
  /// The kind of a public shape.
  template <class S>
  using Of = typename Find<S>::Kind;
};

/// The list of kinds.
using CurvedKinds = CurvedKindList<CurvedCylinder, CurvedCone, CurvedEllipsoid, CurvedTruncatedCone>;

/// A placed curved shape. A shape without curvature (radius 0, or an ellipsoid with at most one positive radius, or with three equal radii after placement) is
/// a convex set and keeps the exact answers of that set.
struct Curved {
  CurvedKinds::Shape shape;
  /// the shape is swept along this vector: the union of the shape moved by t * motion for motion_from <= t <= motion_to (for `within` and `closest`; a convex
  /// set has a segment instead)
  Vec3 motion{0, 0, 0};
  double motion_from = 0, motion_to = 0;

  /// Null for a shape that is curved.
  const ConvexSet* convex() const { return std::get_if<ConvexSet>(&shape); }
  bool moves() const { return motion_from != 0 || motion_to != 0; }
  /// Returns f(kind). Requires a shape that is curved.
  template <class F>
  decltype(auto) visit(F&& f) const {
    using Result = std::invoke_result_t<F&, const CurvedCylinder&>;
    return std::visit(
        [&f]<class S>(const S& s) -> Result {
          if constexpr (std::is_same_v<S, ConvexSet>) {
            GRAZE_EXPECTS(!"a convex set");
            std::abort();
          } else {
            return f(s);
          }
        },
        shape);
  }
  Ends ends() const {
    return visit([](const auto& kind) { return kind.ends(); });
  }
  double largest_radius() const {
    return visit([](const auto& kind) { return kind.largest_radius(); });
  }
  /// A point of the shape, unless it moves.
  Vec3 point() const { return convex() ? convex()->base(0) : ends().a; }
  /// A convex set within the shape, for queries that need any of its points.
  ConvexSet inner_set() const {
    if (convex()) return *convex();
    ConvexSet set = convex_point(point());
    if (moves()) set.add_segment(motion, motion_from, motion_to);
    return set;
  }
};

/// A public shape that has a curved kind.
template <class S>
concept CurvedShape = CurvedKinds::Find<S>::value;

template <CurvedShape S>
Curved curved_of(const S& s, const Pose* pose) {
  const CurvedKinds::Of<S> kind(s, pose);
  if (const std::optional<ConvexSet> convex = kind.as_convex()) return {*convex};
  return {kind};
}

/// Distance of a point inside `solid`, which is curved, from its surface, within 2^-40 of the largest extent; 0 for a point on the surface or outside.
double depth_in(const Curved& solid, const Vec3& p);

/// The place of a shape nearest to a point p outside. `at`, relative to ends().a, is within 32 u of `size` of a point of the shape, and no point y of it has x
/// . (p - y) less than `level` by more than that times |x|, x from the place to p. Derived in docs/derivations/curved.md.
struct NearestPlace {
  V3<double> at, x;
  double level, size;
};
/// Nothing for a point inside, or a shape that moves.
std::optional<NearestPlace> nearest_place(const Curved& solid, const Vec3& p);

/// The answers of `within` in integers, for pairs that have one.
Certain within_exactly(const Curved& a, const ConvexSet& b, double extra);

std::optional<BoundingVolume> bounding_volume(const Curved& c);

/// Returns a box that contains the shape. For rotated ellipsoids it is up to sqrt(3) times the smallest box.
Box3 bounds(const Curved& curved);

/// Returns the shape moved by v: exactly for a convex set, rounded once per point for a curved shape.
ConvexSet moved(const ConvexSet& c, const Vec3& v);
Curved moved(const Curved& c, const Vec3& v);

/// Returns the shape moved by v, exactly, for `within` and `closest`: rounded points would turn the axis of a flat shape.
inline ConvexSet displaced(const ConvexSet& c, const Vec3& v) { return moved(c, v); }
Curved displaced(const Curved& c, const Vec3& v);

/// A strict order by kind and numbers, as that of convex sets (order.hpp).
int order_of(const Curved& a, const Curved& b);

}  // namespace graze
