// Whether one convex set contains another, and whether they share inner points; exact for any finite doubles.
#pragma once
#include <array>
#include <cstdint>
#include <graze/shapes/hull.hpp>
#include <optional>
#include <span>
#include <vector>

#include "convex/sets/convex_set.hpp"
#include "exact/exact_vectors.hpp"

namespace graze {

/// Calls f with each corner of a convex set's hull until f returns false; returns true if f never did. A corner is a convex set of one point, because its
/// coordinates may be sums of products.
template <class F>
bool for_each_hull_corner(const ConvexSet& c, const F& f) {
  for (std::uint32_t i = 0; i < c.points; ++i)
    for (std::uint32_t bits = 0; bits < (1u << c.segments); ++bits) {
      ConvexSet corner = convex_point(c.base(i));
      for (std::uint32_t k = 0; k < c.segments; ++k) {
        const double t = bits >> k & 1 ? c.hi[k] : c.lo[k];
        corner.add_segment(c.segment[k], t, t);
      }
      if (!f(corner)) return false;
    }
  return true;
}

/// Sets that together cover the boundary of a convex set without radius and of three dimensions; of a flat one that is a sum, they cover all of it.
class ConvexFaces {
 public:
  explicit ConvexFaces(const ConvexSet& c);
  /// At least that of the set; the same for hulls, planes and half-spaces.
  int dimension() const { return dimension_; }
  /// Calls f with each until it returns false; returns true if f never did. Requires dimension() == 3.
  template <class F>
  bool for_each(const F& f) const {
    if (half_space_) {
      ConvexSet face = c_;
      --face.directions;
      return f(face);
    }
    if (c_.outside) {
      for (const auto& t : triangles_) {
        ConvexSet face;
        for (const std::uint32_t i : t) face.add_point(c_.base(i));
        if (!f(face)) return false;
      }
      return true;
    }
    // A sum of a simplex and segments, three dimensions together: the sums without one of the points, or with a segment at one end.
    for (std::uint32_t i = 0; i < c_.points && c_.points > 1; ++i) {
      ConvexSet face = c_;
      face.own[i] = face.own[--face.points];
      if (!f(face)) return false;
    }
    for (std::uint32_t k = 0; k < c_.segments; ++k) {
      if (!(c_.lo[k] < c_.hi[k])) continue;
      for (const double t : {c_.lo[k], c_.hi[k]}) {
        ConvexSet face = c_;
        face.lo[k] = face.hi[k] = t;
        if (!f(face)) return false;
      }
    }
    return true;
  }

 private:
  const ConvexSet& c_;
  std::optional<Hull> placed_;  ///< built anew where a pose rounds the points
  std::span<const std::array<std::uint32_t, 3>> triangles_;
  bool half_space_ = false;
  int dimension_ = 0;
};

/// At most three independent vectors that point from first_corner() into the set.
std::vector<V3<Dyadic>> basis_of(const ConvexSet& c);
V3<Dyadic> first_corner(const ConvexSet& c);

/// Whether the set has inner points: it is round, or of three dimensions.
bool has_volume(const ConvexSet& c);

/// An inner point of a set that has any.
V3<Dyadic> some_inner_point(const ConvexSet& c);

/// Whether every point of a belongs to b.
bool is_subset(const ConvexSet& a, const ConvexSet& b);

/// Whether an inner point of one belongs to the other. Requires that the sets meet.
bool share_inner_points(const ConvexSet& a, const ConvexSet& b);

}  // namespace graze
