// Whether one convex set contains another, and whether they share inner points; exact for any finite doubles.
#pragma once
#include <cstdint>

#include "convex/convex_set.hpp"
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

/// Whether the set has inner points: it is round, or of three dimensions.
bool has_volume(const ConvexSet& c);

/// An inner point of a set that has any.
V3<Dyadic> some_inner_point(const ConvexSet& c);

/// Whether every point of a belongs to b.
bool is_subset(const ConvexSet& a, const ConvexSet& b);

/// Whether an inner point of one belongs to the other. Requires that the sets meet.
bool share_inner_points(const ConvexSet& a, const ConvexSet& b);

}  // namespace graze
