// The least translation that separates two convex operands, verified. Bounds: docs/derivations/penetration.md.
#pragma once
#include "convex/minkowski_local.hpp"

namespace graze {

struct ConvexPenetration {
  enum class Reason : std::uint8_t { none, apart, touching, unbounded };
  bool found = false;
  Reason reason = Reason::none;  ///< why not
  double depth = 0;              ///< > 0
  Vec3 normal{0, 0, 0};          ///< unit length, from B to A; of touching pairs too
  Vec3 vector{0, 0, 0};          ///< moving A by it separates: some plane has all of A + vector on one side and all of B on the other (balls included)
};

/// Up to this many base points a side, the facets of A - B are found among all pairs of edges.
inline constexpr std::uint32_t kFewCorners = 8;

/// Minimal for convex sets up to 1 + 1e-9, and exact about apart, touching and unbounded, whatever the exponents; each component of the vector may be the
/// smallest denormal longer. `unbounded` too where the least translation goes beyond the largest double. With a curved operand: apart and touching within the
/// bound of `within`, minimal as far as the search refines (1e-9 unless directions tie along a curve). Exchanging A and B negates normal and vector exactly
/// unless both are equal. `meet`: two convex sets are known to intersect, which is not decided again.
ConvexPenetration penetration(const Operand& a, const Operand& b, bool meet = false);

/// The operand moved by v, exactly for a convex set, rounded once per point for a curved shape.
ConvexSet moved(const ConvexSet& c, const Vec3& v);
Curved moved(const Curved& c, const Vec3& v);

}  // namespace graze
