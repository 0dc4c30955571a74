// Decides whether sets that meet, although none of their convex pieces overlap, merely touch or share inner points. Examples: solids with faces in one plane,
// equal solids, a box against the same box as a solid.
#pragma once
#include <cstdint>

#include "convex/curved.hpp"
#include "mesh/queries/mesh_view.hpp"

namespace graze {

enum class Overlap : std::uint8_t {
  none,      ///< proven: no inner point of one set (for a set without volume: no point) is an inner point of the other
  proven,    ///< such a point was found, exactly
  undecided  ///< neither is proven
};

/// Requires that the sets meet and no triangle of `a` overlaps one of `b`. Complete for two solids, and for a solid and a surface, whose surfaces do not pierce
/// themselves where they touch. For two surfaces that are not solids `none` is proven if a plane separates them, or if both are closed and the solids that they
/// bound merely touch.
Overlap overlap_of_touching(const SurfaceOrSolid& a, const SurfaceOrSolid& b);
/// Requires that the sets meet and no triangle of `b` overlaps `a`. Complete where `a` has volume.
Overlap overlap_of_touching(const ConvexSet& a, const SurfaceOrSolid& b);
Overlap overlap_of_touching(const Curved& a, const SurfaceOrSolid& b);

}  // namespace graze
