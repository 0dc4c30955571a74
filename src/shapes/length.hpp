// Lengths without overflow, and their exact comparison, for vectors that must not grow when they are rounded.
#pragma once
#include <graze/vec.hpp>

namespace graze {

/// |v|, without overflow or harmful underflow; relative error below 2^-50. Infinite if a coordinate is.
double scaled_length(const Vec3& v);

/// Returns true if |a| <= |b|, exactly.
bool not_longer(const Vec3& a, const Vec3& b);

/// Returns r if it is not longer than v; otherwise r with its largest coordinates decreased until it is not longer. r should exceed v by rounding at most.
Vec3 not_longer_than(const Vec3& v, Vec3 r);

}  // namespace graze
