// The minimal enclosing sphere of points.
#pragma once
#include <graze/shapes/sphere.hpp>
#include <span>

namespace graze {

/// Returns the minimal enclosing sphere of the points, its radius rounded outward, so that it contains all of them.
/// The radius is at most (1 + 1e-12) times the least, plus 2^-52 of the largest coordinate of the centre, which is rounded to
/// doubles. Throws Error for no points, and for a radius beyond the largest double.
[[nodiscard]] Sphere minimal_sphere(std::span<const Vec3> points);

}  // namespace graze
