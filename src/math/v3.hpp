// A vector over any number type with + - *. Where numbers round, sums are rounded from left to right.
#pragma once
#include <algorithm>
#include <cmath>

namespace graze {

inline int sign_of(double a) { return a > 0 ? 1 : a < 0 ? -1 : 0; }

template <class N>
struct V3 {
  N x, y, z;
  N& operator[](int i) { return i == 0 ? x : i == 1 ? y : z; }
  const N& operator[](int i) const { return i == 0 ? x : i == 1 ? y : z; }
};
template <class N>
V3<N> operator-(const V3<N>& a, const V3<N>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class N>
V3<N> operator+(const V3<N>& a, const V3<N>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class N>
V3<N> operator-(const V3<N>& a) {
  return {-a.x, -a.y, -a.z};
}
template <class N>
V3<N> operator*(const N& s, const V3<N>& a) {
  return {s * a.x, s * a.y, s * a.z};
}
template <class N>
N dot(const V3<N>& a, const V3<N>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class N>
V3<N> cross(const V3<N>& a, const V3<N>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class N>
bool is_zero(const V3<N>& a) {
  return sign_of(a.x) == 0 && sign_of(a.y) == 0 && sign_of(a.z) == 0;
}
inline double max_norm(const V3<double>& a) { return std::max(std::max(std::fabs(a.x), std::fabs(a.y)), std::fabs(a.z)); }
inline double taxicab(const V3<double>& a) { return (std::fabs(a.x) + std::fabs(a.y)) + std::fabs(a.z); }

}  // namespace graze
