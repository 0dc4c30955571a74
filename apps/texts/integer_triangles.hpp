// Triangles with small integer coordinates, decided without the library and without rounding.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

namespace graze::texts {

using IntegerPoint = std::array<std::int64_t, 3>;
using IntegerTriangle = std::array<IntegerPoint, 3>;

bool has_area(const IntegerTriangle& t);
/// Whether two triangles with area share a point. Separating axes: both normals, the cross products of their edges and, for coplanar triangles, of normals and
/// edges. No rounding up to coordinates of about 2^12.
bool share_a_point(const IntegerTriangle& a, const IntegerTriangle& b);

/// Random pairs of triangles with area on the grid -2..2, the same ones each time.
struct GridCount {
  std::size_t hits = 0;                  ///< pairs that share a point
  std::size_t old_misses = 0;            ///< hits that the old listing misses
  std::size_t missed = 0, invented = 0;  ///< wrong answers of the library
};
GridCount count_grid_pairs(std::size_t pairs);

/// Random points of the grid -2.25..2.25 in steps of 1/2 that fall straight onto such triangles in the plane z = 0.
struct MoveCount {
  std::size_t hits = 0;
  std::size_t missed = 0, invented = 0;  ///< wrong answers of the library
};
MoveCount count_grid_moves(std::size_t moves);

}  // namespace graze::texts
