// Capsule against oriented box. Along the capsule's axis, the squared distance from a rectangular box is convex, and its derivative is piecewise linear with
// breaks at the (at most six) points where the axis crosses the planes of the faces. The derivative at the breaks and at both ends encloses its zero within one
// piece. The zero proposes a nearest pair, which is proven from both sides for any axes (docs/derivations/round_boxes.md).
#include "pairs/capsule_obb.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "pairs/detail/obb_generators.hpp"

namespace graze {

Certain intersects_pair(const OrientedBox& box, const Capsule& capsule) {
  using namespace filter;
  const Triple p = difference(capsule.a, box.center), d = difference(capsule.b, capsule.a), u[3] = {generator(box, 0), generator(box, 1), generator(box, 2)};
  // The axis of the capsule is y + t z in coordinates along the generators; the box is the set within +-h.
  double y[3], z[3], h[3], by_h[3], slope[3], t[8];
#pragma GCC unroll 3
  for (int k = 0; k < 3; ++k) {
    y[k] = dot(p, u[k]), z[k] = dot(d, u[k]), h[k] = dot(u[k], u[k]) + kTinySquare;
    by_h[k] = 1 / h[k], slope[k] = z[k] * by_h[k];
    const double by_z = 1 / z[k];
    t[2 * k] = clamped((-h[k] - y[k]) * by_z), t[2 * k + 1] = clamped((h[k] - y[k]) * by_z);
  }
  t[6] = 0, t[7] = 1;
  // The processor cannot predict the signs of g, so they are handled by masks on the bits, which are in the order of the numbers from 0 on. Finds the last t
  // with g <= 0, the first t with g > 0, and these g, of which only the sizes are needed.
  constexpr auto one = std::bit_cast<std::uint64_t>(1.0), much = std::bit_cast<std::uint64_t>(0x1p1000);
  std::uint64_t low = 0, high = one, g_low = much, g_high = much;
#pragma GCC unroll 8
  for (const double at : t) {
    double g = 0;
#pragma GCC unroll 3
    for (int k = 0; k < 3; ++k) {
      const double v = y[k] + at * z[k], excess = std::fabs(v) - h[k];
      g += slope[k] * std::copysign(excess + std::fabs(excess), v);  // twice the excess, or 0
    }
    const std::uint64_t falls = -static_cast<std::uint64_t>(g <= 0), place = std::bit_cast<std::uint64_t>(at),
                        size = std::bit_cast<std::uint64_t>(std::fabs(g));
    low = std::max(low, place & falls), g_low = std::min(g_low, size | ~falls);
    high = std::min(high, place | falls), g_high = std::min(g_high, size | falls);
  }
  const double from = std::bit_cast<double>(low), part = std::bit_cast<double>(g_low) / (std::bit_cast<double>(g_low) + std::bit_cast<double>(g_high));
  const double along = clamped(from + (std::bit_cast<double>(high) - from) * part);
  Triple x{p.x + along * d.x, p.y + along * d.y, p.z + along * d.z};
#pragma GCC unroll 3
  for (int k = 0; k < 3; ++k) {
    const double s = clamped_symmetric((y[k] + along * z[k]) * by_h[k]);
    x = {x.x - s * u[k].x, x.y - s * u[k].y, x.z - s * u[k].z};
  }
  const double m = (max_norm(p) + max_norm(d)) + ((max_norm(u[0]) + max_norm(u[1])) + max_norm(u[2])), xx = dot(x, x);
  // Each coordinate of x: 2 u m (p, products) + 4 u m (sums); the vector sqrt(3) 6 u m < 11 u m.
  const bool inside = proves_within(xx, capsule.radius, kCapsuleBoxSlack * m);
  // Over all points of both: x . p + min(0, x . d) - sum |x . u_k|. Each product 4 u |x|_1 of its size, sums 4 u |x|_1 m: below 9 u |x|_1 m.
  const double far = (std::fabs(dot(x, u[0])) + std::fabs(dot(x, u[1]))) + std::fabs(dot(x, u[2]));
  const double level = ((dot(x, p) + std::min(0.0, dot(x, d))) - far) - kCapsuleBoxSlack * (taxicab(x) * m);
  if (either(inside, proves_apart(level, xx, capsule.radius))) [[likely]]
    return certain(inside);
  return Certain::unknown;
}

}  // namespace graze
