// Plane equations and planes of polygons, computed exactly and rounded once.
#include <graze/heritage/plane_equation.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <graze/error.hpp>
#include <string>
#include <utility>

#include "exact/big.hpp"
#include "platform/fp_environment.hpp"
#include "shapes/message.hpp"

namespace graze {
namespace {

/// Returns an exponent with |x| < 2^exponent; -100000 for 0.
int exponent_above(const Dyadic& x) { return sign_of(x) == 0 ? -100000 : bit_length(x.m) + x.e; }

double shifted(const Dyadic& x, int shift) { return to_double(Dyadic(x.m, x.e + shift)); }

}  // namespace

PlaneEquation equation_of(const Plane& plane) {
  const DefaultFloatEnvironment guard;
  Dyadic d;
  for (int k = 0; k < 3; ++k) d = d - Dyadic(plane.normal[k]) * Dyadic(plane.point[k]);
  const int shift = std::min(0, 1023 - exponent_above(d));  // |d| < 2^1023, so that rounding cannot overflow
  return {shifted(plane.normal.x, shift), shifted(plane.normal.y, shift), shifted(plane.normal.z, shift), shifted(d, shift)};
}

Plane plane_of(const PlaneEquation& equation) {
  const DefaultFloatEnvironment guard;
  const Vec3 n(equation.a, equation.b, equation.c);
  require_finite("plane_of: the normal (a, b, c)", n);
  require_finite("plane_of: d", equation.d);
  int k = 0;
  for (int i = 1; i < 3; ++i)
    if (std::fabs(n[i]) > std::fabs(n[k])) k = i;
  if (n[k] == 0) throw Error(ErrorCode::invalid_shape, "plane_of: the normal (a, b, c) is (0, 0, 0), must not be zero");
  Plane plane{Vec3(0, 0, 0), n};
  if (equation.d != 0) plane.point[k] = -equation.d / n[k];
  if (!is_finite(plane.point[k]))
    throw Error(ErrorCode::overflow, "plane_of: d is " + text(equation.d) + " with the normal " + text(n) + ": the plane is beyond the largest double");
  return plane;
}

std::optional<Plane> plane_of(std::span<const Vec3> corners) {
  const DefaultFloatEnvironment guard;
  for (std::size_t i = 0; i < corners.size(); ++i) require_finite("plane_of: point " + std::to_string(i), corners[i]);
  if (corners.size() < 3) return std::nullopt;
  std::array<Dyadic, 3> n, last, now;
  const auto from_first = [&](std::size_t i, std::array<Dyadic, 3>& v) {
    for (int k = 0; k < 3; ++k) v[static_cast<std::size_t>(k)] = Dyadic(corners[i][k]) - Dyadic(corners[0][k]);
  };
  from_first(1, last);
  for (std::size_t i = 2; i < corners.size(); ++i, std::swap(last, now)) {
    from_first(i, now);
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t x = (k + 1) % 3, y = (k + 2) % 3;
      n[k] = n[k] + (last[x] * now[y] - last[y] * now[x]);
    }
  }
  const int top = std::max(exponent_above(n[0]), std::max(exponent_above(n[1]), exponent_above(n[2])));
  if (top == -100000) return std::nullopt;
  const int shift = top > 900 || top < -900 ? -top : 0;
  return Plane{corners[0], Vec3(shifted(n[0], shift), shifted(n[1], shift), shifted(n[2], shift))};
}

}  // namespace graze
