// Rational arithmetic for tests: the reference for the exact code.
#pragma once
#include <array>
#include <boost/multiprecision/cpp_int.hpp>
#include <graze/vec.hpp>

namespace oracle {

using Rational = boost::multiprecision::cpp_rational;
struct R3 {
  Rational c[3];
  const Rational& operator[](int i) const { return c[i]; }
};

inline R3 r3(const graze::Vec3& v) { return {{Rational(v.x), Rational(v.y), Rational(v.z)}}; }
inline R3 operator-(const R3& a, const R3& b) { return {{a[0] - b[0], a[1] - b[1], a[2] - b[2]}}; }
inline R3 cross(const R3& a, const R3& b) { return {{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]}}; }
inline Rational dot(const R3& a, const R3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
inline bool is_zero(const R3& a) { return a[0] == 0 && a[1] == 0 && a[2] == 0; }
inline int orient(const graze::Vec3& a, const graze::Vec3& b, const graze::Vec3& c, const graze::Vec3& d) {
  return dot(cross(r3(b) - r3(a), r3(c) - r3(a)), r3(d) - r3(a)).sign();
}
inline Rational squared_distance(const graze::Vec3& a, const graze::Vec3& b) { return dot(r3(a) - r3(b), r3(a) - r3(b)); }

/// The message of the Error that `f` throws, or "(nothing thrown)".
template <class F>
std::string message_of(const F& f) {
  try {
    f();
  } catch (const std::exception& e) {
    return e.what();
  }
  return "(nothing thrown)";
}

}  // namespace oracle
