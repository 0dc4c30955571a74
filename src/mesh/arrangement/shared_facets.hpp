// The flat facets that two surfaces share, in whatever triangulation. Where both surfaces consist of shared facets, one place tells how they lie to each other.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "mesh/queries/mesh_view.hpp"
#include "mesh/queries/pair_lists.hpp"

namespace graze {

/// A facet is a set of triangles in one plane, joined by edges that two triangles use, one in each direction. Facets of two surfaces are shared if their
/// outlines are equal: then they cover the same points. Shared facets that meet along edges of no other triangle form a region, on which each side of the
/// surfaces has one winding number.
struct SharedFacets {
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  std::vector<std::uint32_t> region[2];  ///< of each triangle of either surface; kNone: in no shared facet
  std::uint32_t regions = 0;
};

/// Triangles without area, and those of the self pairs of either surface (self_pairs()), which meet others beyond edges and corners, are in no facet.
SharedFacets shared_facets(const MeshView& a, const MeshView& b, std::span<const TrianglePair> self_a, std::span<const TrianglePair> self_b);

}  // namespace graze
