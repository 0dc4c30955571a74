// Balls that nearly touch: doubles where they are exact, pairs of doubles, then the exact sign.
#include "pairs/sphere_sphere.hpp"

#include "exact/predicates.hpp"
#include "exact/two_double.hpp"
#include "pairs/certain.hpp"

namespace graze {

bool close_balls_meet(const Vec3& a, const Vec3& b, double r, double s) {
  const TwoDouble x = two_sum(a.x, -b.x), y = two_sum(a.y, -b.y), z = two_sum(a.z, -b.z), reach = two_sum(r, s);
  const double far = std::max(filter::size({x.hi, y.hi, z.hi}), reach.hi);
  if (far > 0x1p-300 && far < 0x1p300) {
    const double numbers[8] = {a.x, a.y, a.z, b.x, b.y, b.z, r, s};
    if (filter::on_grid(numbers, far, 25)) return (x.hi * x.hi + y.hi * y.hi) + z.hi * z.hi <= reach.hi * reach.hi;  // below 2^52 e^2
    // Products are off by 5 u^2, sums by 3 u^2 of what they add: 14 u^2 of all squares, and less than 2^-1000 by underflow. All squares are at least 2^-600.
    const TwoDouble square = (x * x + y * y) + z * z, bound = reach * reach, excess = square - bound;
    if (std::fabs(excess.hi) > (square.hi + bound.hi) * 0x1p-100) return excess.hi < 0;
  }
  return compare_squared_distance(a, b, r, s, 0) <= 0;
}

}  // namespace graze
