// What cylinders and cones, whole or truncated, have in common: rotational symmetry about an axis.
#pragma once
#include <array>
#include <optional>
#include <vector>

#include "convex/curved/curved_kind.hpp"

namespace graze {

/// A point relative to the axis, everything scaled by 2^scale so that the shape's size is about 1.
struct AxialPoint {
  double length, radius;  ///< of the shape
  double height, rho;     ///< of the point above end a; its distance from the axis
  int scale;
};

/// The hull of two discs about the axis from `a` to `b`. No point of it is farther than `radius`, the larger of theirs, from that segment.
struct HullOfDiscs {
  Vec3 a{0, 0, 0}, b{0, 0, 0};
  Vec3 direction{0, 0, 0};  ///< replaces b - a when placing has made a and b equal
  double radius_a = 0, radius_b = 0, radius = 0;

  HullOfDiscs(const Vec3& end_a, const Vec3& end_b, double r_a, double r_b, const Pose* pose);
  Ends ends() const { return {a, b}; }
  double largest_radius() const { return radius; }
  double distance_from_ends() const { return radius; }
  static double coordinate_bound(double of_ends, double r) { return of_ends + 1.25 * r; }  // axes of poses have entries below 1 + 1e-12
  DeepPoint deep_point(double at_a, double at_b) const;
  V3<Dyadic> flat_normal() const;
  /// The segment, for radius 0.
  std::optional<ConvexSet> as_convex() const;
  /// Half the width in each coordinate of a disc of radius r about an end, at most a few units in the last place too large.
  Vec3 disc_extent(double r) const;
  /// An upper bound of the distance from `center` to the points of the disc of radius r about `end`.
  double disc_reach(const Vec3& end, double r, const Vec3& center) const;
  void translate(const Vec3& v) {
    a += v;
    b += v;
  }
  Box3 bounds() const;
  double reach(const Vec3& center) const;
  const HullOfDiscs* discs() const { return this; }
  /// b - a, or the direction that replaces it.
  V3<Dyadic> exact_axis() const { return a == b ? exact(direction) : exact(b) - exact(a); }
  int side(const V3<Dyadic>& n, const V3<Dyadic>& p) const;
  Certain is_in(const HullOfDiscs& other) const;
  bool is_in_ball(const V3<Dyadic>& center, const Dyadic& r) const;
  static Certain contains_ball(const Vec3&, double) { return Certain::unknown; }
  void add_pieces(const MinkowskiFrame& frame, std::vector<Piece>& out) const;
  bool contains(const Piece& piece, const MinkowskiFrame& frame, double delta) const;
  std::array<double, 3> extents() const;
  ConvexSet longest() const { return ConvexSet().add_point(a).add_point(b); }
  FlatDisc flat_disc() const { return {exact(a), exact_axis(), true, {radius, radius}, {}}; }
  CurvedFeature feature(const V3<double>& d) const;
  ConvexSet bounding_set() const;
  BoundingVolume bounding_volume() const;

  std::optional<V3<double>> nearest(const V3<double>& q) const;
  double height(const V3<double>& n) const;
  double size() const;

  /// The unit vector of the axis in a local frame; (0, 0, 1) for an axis without direction.
  template <class N>
  V3<N> unit_axis(const MinkowskiFrame& frame) const;
  /// Empty for a shape without volume.
  std::optional<AxialPoint> relative(const Vec3& p) const;
};
template <>
V3<double> HullOfDiscs::unit_axis(const MinkowskiFrame& frame) const;
template <>
V3<TwoDouble> HullOfDiscs::unit_axis(const MinkowskiFrame& frame) const;
int order_of(const HullOfDiscs& x, const HullOfDiscs& y);

/// Position of a point on or near the surface, for normals.
struct AxialPosition {
  Vec3 axis, out;  ///< unit vector of the axis; from the axis to the point, perpendicular to it
  double length, height, rho;
  AxialPosition(const HullOfDiscs& shape, const Vec3& p);
};

template <class N>
struct LocalAxial {
  V3<N> a, b, axis;
  N radius;
  LocalAxial(const HullOfDiscs& shape, const MinkowskiFrame& frame)
      : a(frame.local<N>(shape.a)), b(frame.local<N>(shape.b)), axis(shape.unit_axis<N>(frame)), radius(frame.pre_scaled(shape.radius) * frame.factor()) {}
  /// The part of x perpendicular to the axis, and its length.
  V3<N> across(const V3<N>& x, N& norm) const {
    const V3<N> p = cross(axis, cross(x, axis));
    norm = square_root(dot(p, p));
    return p;
  }
  /// The vector from the axis to the point farthest along x of a circle about it.
  V3<N> rim(const V3<N>& x) const { return rim(x, radius); }
  V3<N> rim(const V3<N>& x, const N& r) const {
    N norm;
    const V3<N> p = across(x, norm);
    if (rounded(norm) > 0) return (r / norm) * p;
    return {N(0), N(0), N(0)};
  }
};

// ---- exact decisions ---------------------------------------------------------------------------------------------------------------------

/// The point q (relative to a) in coordinates of the axis d = b - a.
struct AxisView {
  Dyadic dd, t, qq, radial;  ///< d . d, q . d, q . q, |q x d|^2: axial position t / |d|, distance from the axis sqrt(radial) / |d|
  AxisView(const V3<Dyadic>& q, const V3<Dyadic>& d);
};

/// Whether the distance of q from the disc of radius r centred at the origin, perpendicular to d, is at most rho.
bool near_disc(const AxisView& v, const Dyadic& r, const Dyadic& rho);

/// Whether the shape meets a plane or half-space; unknown for other convex sets.
Certain discs_meet_plane(const HullOfDiscs& shape, const ConvexSet& other);

}  // namespace graze
