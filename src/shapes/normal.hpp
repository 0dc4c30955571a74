// Normals of triangles, right to the last place for any exponents, and unit vectors.
#pragma once
#include <graze/vec.hpp>
#include <optional>

#include "exact/two_double.hpp"

namespace graze {

/// (b - a) x (c - a), each component within one unit in its last place; scaled by a power of two when its largest component would leave [2^-900, 2^900].
/// Nothing exactly when the triangle has no area.
std::optional<Vec3> triangle_normal(const Vec3& a, const Vec3& b, const Vec3& c);

/// v scaled by a power of two so that its largest component lies in [1, 2); v must not be zero.
/// The direction perpendicular to the segment ab (a != b) that is nearest to from - to, up to its length; from exact numbers. Nothing when the two are
/// parallel.
std::optional<Vec3> perpendicular_against(const Vec3& a, const Vec3& b, const Vec3& from, const Vec3& to);

Vec3 to_unit_range(const Vec3& v);

/// A vector of TwoDoubles, for rounded results.
struct Vec3TwoDouble {
  TwoDouble x, y, z;
};
Vec3TwoDouble cross(const Vec3TwoDouble& a, const Vec3TwoDouble& b);
TwoDouble dot(const Vec3TwoDouble& a, const Vec3TwoDouble& b);
/// v / |v|, to about 100 bits; the largest component of v should be about 1.
Vec3TwoDouble normalized(const Vec3TwoDouble& v);
/// v / |v|, rounded, for any non-zero v.
Vec3 normalized(const Vec3& v);

}  // namespace graze
