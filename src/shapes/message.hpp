// Text of numbers and points in messages, and tests for finite values.
#pragma once
#include <graze/vec.hpp>
#include <string>

namespace graze {

/// The shortest text that reads back to the same double; "NaN", "infinity", "-infinity".
std::string text(double x);
/// "(x, y, z)".
std::string text(const Vec3& v);
/// True if neither NaN nor infinite.
bool is_finite(double x);
bool is_finite(const Vec3& v);
/// "" if all coordinates are finite; otherwise text such as "y is NaN".
std::string non_finite_coordinate(const Vec3& v);
/// Throws Error "<what>: <coordinate> is <value>, must be finite" unless finite.
void require_finite(const std::string& what, const Vec3& v);
void require_finite(const std::string& what, double x);

}  // namespace graze
