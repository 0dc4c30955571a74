// What a hull stores: its points and their exact combinatorics.
#pragma once
#include <graze/shapes/hull.hpp>

namespace graze {

/// The corners of a hull and which of them are joined by an edge; hints for placed hulls, whose verdicts are certified against all points.
struct HullData {
  std::vector<Vec3> points;  ///< as given
  int dimension = 0;
  std::vector<std::uint32_t> corners;                    ///< extreme points, ascending
  std::vector<std::array<std::uint32_t, 3>> triangles;   ///< facets in canonical order, each the fan from its lowest corner
  std::vector<std::array<std::uint32_t, 3>> neighbours;  ///< of a triangle: the triangle across the edge from its corner k to its corner k + 1
  std::vector<std::uint32_t> facet;                      ///< of a triangle: its facet; triangles of one facet follow each other
  std::vector<std::uint32_t> edge_begin,
      edge_ends;  ///< corner number i (place in `corners`) is joined to corner numbers edge_ends[edge_begin[i]] ... edge_ends[edge_begin[i + 1] - 1], ascending
};

}  // namespace graze
