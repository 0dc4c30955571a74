// Vectors of exact numbers.
#pragma once
#include <graze/vec.hpp>

#include "exact/big.hpp"
#include "math/v3.hpp"

namespace graze {

inline V3<Dyadic> exact(const Vec3& v) { return {v.x, v.y, v.z}; }

inline BigInt dot(const V3<BigInt>& a, const V3<BigInt>& b) { return product(a.x, b.x) + product(a.y, b.y) + product(a.z, b.z); }
inline V3<BigInt> cross(const V3<BigInt>& a, const V3<BigInt>& b) {
  return {product(a.y, b.z) - product(a.z, b.y), product(a.z, b.x) - product(a.x, b.z), product(a.x, b.y) - product(a.y, b.x)};
}
inline bool is_zero(const V3<BigInt>& a) { return sign_of(a.x) == 0 && sign_of(a.y) == 0 && sign_of(a.z) == 0; }

}  // namespace graze
