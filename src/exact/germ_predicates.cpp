// The signs of germs: one formula each, in all tiers.
#include "exact/germ_predicates.hpp"

#include <array>

#include "exact/predicates-inl.hpp"
#include "exact/tiered.hpp"

namespace graze {
namespace {

template <class... P>
std::array<double, 3 * sizeof...(P)> coordinates(const P&... points) {
  std::array<double, 3 * sizeof...(P)> x;
  std::size_t n = 0;
  ((x[n] = points.x, x[n + 1] = points.y, x[n + 2] = points.z, n += 3), ...);
  return x;
}

/// (p - v) . (q - w), by the places of the four points.
template <std::size_t P, std::size_t V, std::size_t Q, std::size_t W, class X>
auto dot_of(const X& x) {
  return (x[3 * P] - x[3 * V]) * (x[3 * Q] - x[3 * W]) + (x[3 * P + 1] - x[3 * V + 1]) * (x[3 * Q + 1] - x[3 * W + 1]) +
         (x[3 * P + 2] - x[3 * V + 2]) * (x[3 * Q + 2] - x[3 * W + 2]);
}

/// Coordinate k of (p - v) + (q - v).
template <std::size_t V, std::size_t P, std::size_t Q, class X>
auto sum_of(const X& x, std::size_t k) {
  return (x[3 * P + k] - x[3 * V + k]) + (x[3 * Q + k] - x[3 * V + k]);
}

}  // namespace

int turn_in_plane(const Vec3& v, const Vec3& a, const Vec3& b, const Vec3& x, const Vec3& y) {
  // Binet and Cauchy: (x . a)(y . b) - (x . b)(y . a), all from v
  return sign_by_tiers(coordinates(v, a, b, x, y), kNoOthers, [](const auto& c, const auto&) {
    return formula::det2(dot_of<3, 0, 1, 0>(c), dot_of<3, 0, 2, 0>(c), dot_of<4, 0, 1, 0>(c), dot_of<4, 0, 2, 0>(c));
  });
}

int shadow_turn_of_sum(const Vec3& u, const Vec3& w, const Vec3& v, const Vec3& p, const Vec3& q) {
  return sign_by_tiers(coordinates(u, w, v, p, q), kNoOthers,
                       [](const auto& c, const auto&) { return formula::det2(c[4] - c[1], c[5] - c[2], sum_of<2, 3, 4>(c, 1), sum_of<2, 3, 4>(c, 2)); });
}

int shadow_turn_of_normal(const Vec3& u, const Vec3& w, const Vec3& v, const Vec3& a, const Vec3& b) {
  return sign_by_tiers(coordinates(u, w, v, a, b), kNoOthers, [](const auto& c, const auto&) {
    const auto ax = c[9] - c[6], ay = c[10] - c[7], az = c[11] - c[8], bx = c[12] - c[6], by = c[13] - c[7], bz = c[14] - c[8];
    return formula::det2(c[4] - c[1], c[5] - c[2], formula::det2(az, ax, bz, bx), formula::det2(ax, ay, bx, by));
  });
}

int side_of_sum(const Vec3& t0, const Vec3& t1, const Vec3& t2, const Vec3& v, const Vec3& p, const Vec3& q) {
  return sign_by_tiers(coordinates(t0, t1, t2, v, p, q), kNoOthers, [](const auto& c, const auto&) {
    return formula::det3(c[3] - c[0], c[4] - c[1], c[5] - c[2], c[6] - c[0], c[7] - c[1], c[8] - c[2], sum_of<3, 4, 5>(c, 0), sum_of<3, 4, 5>(c, 1),
                         sum_of<3, 4, 5>(c, 2));
  });
}

int side_of_normal(const Vec3& t0, const Vec3& t1, const Vec3& t2, const Vec3& v, const Vec3& a, const Vec3& b) {
  return sign_by_tiers(coordinates(t0, t1, t2, v, a, b), kNoOthers, [](const auto& c, const auto&) {
    return formula::det2(dot_of<4, 3, 1, 0>(c), dot_of<4, 3, 2, 0>(c), dot_of<5, 3, 1, 0>(c), dot_of<5, 3, 2, 0>(c));
  });
}

}  // namespace graze
