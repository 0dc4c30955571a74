// The data of a hull: its points and their exact combinatorics.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <graze/shapes/hull.hpp>
#include <vector>

#include "math/box3.hpp"

namespace graze {

/// Points by coordinate, for support functions in SIMD lanes: x, then y and z `stride` and 2 * stride later. The last ones up to `stride` are the first again.
struct PointArrays {
  static constexpr std::size_t kBlock = 8;  ///< `stride` is a multiple of it
  std::vector<double> coordinates;
  std::size_t stride = 0;
  std::vector<std::uint32_t> index;  ///< of each among the points of the hull
};

/// The corners of a hull and which of them are joined by an edge; hints for placed hulls, whose verdicts are certified against all points.
struct HullData {
  std::vector<Vec3> points;  ///< as given
  int dimension = 0;
  std::vector<std::uint32_t> corners;                    ///< extreme points, ascending
  std::vector<std::array<std::uint32_t, 3>> triangles;   ///< facets in canonical order, each as the fan from its lowest corner
  std::vector<std::array<std::uint32_t, 3>> neighbours;  ///< per triangle: the triangle across the edge from its corner k to its corner k + 1
  std::vector<std::uint32_t> facet;                      ///< per triangle: its facet; triangles of one facet are consecutive
  std::vector<std::uint32_t> edge_begin,
      edge_ends;  ///< corner i (index into `corners`) is joined to the corners edge_ends[edge_begin[i]] ... edge_ends[edge_begin[i + 1] - 1], ascending

  // For support functions.
  std::vector<Vec3> corner_points;          ///< coordinates of the corners
  PointArrays corner_arrays, other_arrays;  ///< of the corners, in the order of `corners`, and of all points different from them
  double size = 0, extent = 0;              ///< the largest of the absolute coordinates; of those of differences from corner 0, rounded
  Vec3 middle{0, 0, 0};                     ///< of the bounding box, rounded
  Box3 bounds;                              ///< of all points
};

}  // namespace graze
