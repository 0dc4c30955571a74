// Normals of triangles, accurate to the last place for any exponents, and unit vectors.
#pragma once
#include <array>
#include <graze/vec.hpp>
#include <optional>

#include "exact/two_double.hpp"

namespace graze {

/// Returns (b - a) x (c - a), each component within one unit in its last place. The vector is scaled by a power of two if its largest component would leave
/// [2^-900, 2^900]. Returns nothing exactly if the triangle has no area.
std::optional<Vec3> triangle_normal(const Vec3& a, const Vec3& b, const Vec3& c);

/// Returns the direction perpendicular to the segment ab (a != b) that is nearest to from - to, up to its length; computed from exact numbers. Returns nothing
/// if from - to is parallel to the segment.
std::optional<Vec3> perpendicular_against(const Vec3& a, const Vec3& b, const Vec3& from, const Vec3& to);

/// Returns the direction, up to its length, from a triangle with area to the nearest point of a line of its plane just before the line enters it; computed from
/// exact numbers. The line leads through `origin` in the direction of to - from, and meets the triangle.
Vec3 entry_normal(const std::array<Vec3, 3>& triangle, const Vec3& origin, const Vec3& from, const Vec3& to);

/// Returns v scaled by a power of two so that its largest component lies in [1, 2). Requires that v is not zero.
Vec3 to_unit_range(const Vec3& v);

/// v / |v|, to about 100 bits. The largest component of v should be about 1.
V3<TwoDouble> normalized(const V3<TwoDouble>& v);
/// v / |v|, rounded, for any non-zero v.
Vec3 normalized(const Vec3& v);

}  // namespace graze
