// Boxes and spheres that contain a shape.
#pragma once
#include <graze/shapes.hpp>

namespace graze {

/// Returns the smallest box of doubles that contains the shape, rounded outward; for curved shapes it is at most a few ulp
/// larger. The box is infinite for unbounded shapes, and has min > max for an empty mesh.
[[nodiscard]] Box bounding_box(ShapeRef shape);

/// Returns a sphere that contains the shape. The centre is the middle of the bounding box, the radius is the greatest distance
/// of a vertex, rounded outward. A Sphere and an Ellipsoid keep their own centre, because the middle of the rounded box may be
/// an ulp off. Throws Error for an empty or unbounded shape, and for a radius beyond the largest double.
[[nodiscard]] Sphere bounding_sphere(ShapeRef shape);

}  // namespace graze
