// Volume, area and centroid.
#pragma once
#include <graze/shapes.hpp>
#include <optional>

namespace graze {

/// Returns the volume (length^3) of a Solid, Box, OrientedBox, Hull or Frustum, placed or not: the double nearest to the exact volume of the set. A positive
/// volume never rounds to 0, and saturates at the largest double.
///
/// A Solid's volume is that of all points of non-zero winding number: space that several shells contain counts once, cavities do not count, and a surface that
/// is wound inwards has the same volume. Throws Error (unsupported_shape), naming a pair of triangles, if the placed surface meets itself beyond corners and
/// edges, as self_crossings() lists; signed_volume() accepts such a solid. Triangles without area, and edges that touch others, are accepted. What only the
/// rounding of a pose lets overlap beside a corner on an edge counts as often as the surface winds around it. Throws it for other kinds of shapes, too.
///
/// O(n log n) for a Solid, nearly all of it for that test; on all cores.
[[nodiscard]] double volume(ShapeRef solid);

/// Returns the integral of the winding number over space (length^3) for a Solid, placed or not: the double nearest to the exact sum over the tetrahedra of all
/// triangles. For a surface that does not meet itself and winds outwards around each part, with inward cavities, it is the volume. Space inside several shells
/// counts as often, and a surface that is wound inwards has a negative sum. O(n). Throws Error (unsupported_shape) for other kinds of shapes.
[[nodiscard]] double signed_volume(ShapeRef solid);

/// Returns the area (length^2), with a relative error below 2^-52 or within one denormal; 0 exactly if there is none. It saturates at the largest double.
///
/// Of a Triangle, Polygon, Mesh, HeightField or Solid: the sum of the areas of all triangles, as often as each is listed, one side each. Of a Box, OrientedBox,
/// Hull or Frustum: the area of the surface, where a flat one has both sides. Throws Error (unsupported_shape) for other kinds of shapes. O(n), for a placed
/// Hull O(n log n).
[[nodiscard]] double area(ShapeRef shape);

/// Returns the centroid: of the volume of a shape that volume() accepts, of the area of a Triangle, Polygon, Mesh or HeightField. Each coordinate has an error
/// of at most 2^-52 of the greatest coordinate of the shape. Nothing if the volume or area is exactly 0. Throws Error as volume() and area() do.
[[nodiscard]] std::optional<Vec3> centroid(ShapeRef shape);

}  // namespace graze
