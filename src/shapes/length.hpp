// Lengths compared exactly: vectors that must not grow when they are rounded.
#pragma once
#include <graze/vec.hpp>

namespace graze {

/// Is |a| <= |b|, exactly?
bool not_longer(const Vec3& a, const Vec3& b);

/// r, or if it is longer than v (by rounding: it should hardly be), r with its largest coordinates stepped back until it is not.
Vec3 not_longer_than(const Vec3& v, Vec3 r);

}  // namespace graze
