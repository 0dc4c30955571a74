// Placed ellipsoids as curved shapes.
#pragma once
#include <algorithm>
#include <array>
#include <graze/shapes/ellipsoid.hpp>
#include <optional>
#include <vector>

#include "convex/curved/curved_kind.hpp"

namespace graze {

/// The set { center + sum t_i radii_i axis_i : |t| <= 1 }.
struct CurvedEllipsoid {
  Vec3 center, axis[3];
  double radii[3];

  using PublicShape = Ellipsoid;
  CurvedEllipsoid(const Ellipsoid& s, const Pose* pose);
  std::optional<ConvexSet> as_convex() const;
  Ends ends() const { return {center, center}; }
  double largest_radius() const { return std::max({radii[0], radii[1], radii[2]}); }
  double least_radius() const { return std::min({radii[0], radii[1], radii[2]}); }
  double distance_from_ends() const;
  static double coordinate_bound(double of_ends, double r) { return of_ends + 1.25 * r + r; }  // entries of axes below 1 + 1e-12 have sums below 1.75
  DeepPoint deep_point() const { return {center, least_radius()}; }
  V3<Dyadic> flat_normal() const;
  void translate(const Vec3& v) { center += v; }
  ConvexSet bounding_set() const;
  BoundingVolume bounding_volume() const;
  Box3 bounds() const;
  double reach(const Vec3& from) const;
  void add_normals(const Vec3& p, FacingNormal& normal) const;
  double depth(const Vec3& p) const;
  static const HullOfDiscs* discs() { return nullptr; }
  int side(const V3<Dyadic>& n, const V3<Dyadic>& p) const;
  Certain is_in(const CurvedEllipsoid& other) const;
  static Certain contains_ball(const Vec3&, double) { return Certain::unknown; }
  void add_pieces(const MinkowskiFrame& frame, std::vector<Piece>& out) const;
  bool contains(const Piece& piece, const MinkowskiFrame& frame, double delta) const;
  std::array<double, 3> extents() const { return {radii[0], radii[1], radii[2]}; }
  ConvexSet longest() const;
  FlatDisc flat_disc() const;
  std::optional<V3<double>> nearest(const V3<double>& q) const;
  double height(const V3<double>& n) const;
  double size() const { return radii[0] + radii[1] + radii[2]; }
  CurvedFeature feature(const V3<double>& d) const;
  Certain within_exactly(const ConvexSet& other, double extra) const;

  template <class N>
  struct Local {
    V3<N> center, column[3];
    Local(const CurvedEllipsoid& shape, const MinkowskiFrame& frame);
    V3<N> farthest(const V3<N>& x) const {
      const N t[3] = {dot(x, column[0]), dot(x, column[1]), dot(x, column[2])};
      const N norm = square_root(t[0] * t[0] + t[1] * t[1] + t[2] * t[2]);
      if (!(rounded(norm) > 0)) return center;
      return center + ((t[0] / norm) * column[0] + (t[1] / norm) * column[1] + (t[2] / norm) * column[2]);
    }
  };
};
int order_of(const CurvedEllipsoid& x, const CurvedEllipsoid& y);

template <>
inline CurvedEllipsoid::Local<double>::Local(const CurvedEllipsoid& shape, const MinkowskiFrame& frame) : center(frame.local<double>(shape.center)) {
  for (int i = 0; i < 3; ++i) {
    const double f = frame.pre_scaled(shape.radii[i]) * frame.factor();
    column[i] = {f * shape.axis[i].x, f * shape.axis[i].y, f * shape.axis[i].z};
  }
}
template <>
inline CurvedEllipsoid::Local<TwoDouble>::Local(const CurvedEllipsoid& shape, const MinkowskiFrame& frame) : center(frame.local<TwoDouble>(shape.center)) {
  for (int i = 0; i < 3; ++i) {
    const double f = frame.pre_scaled(shape.radii[i]);
    const Vec3& axis = shape.axis[i];
    column[i] = times(V3<TwoDouble>{two_product(f, axis.x), two_product(f, axis.y), two_product(f, axis.z)}, frame.factor());
  }
}

}  // namespace graze
