// Spheres that nearly touch: decided in doubles with their rounding errors, then by the exact sign.
#include "pairs/sphere_sphere.hpp"

#include "exact/predicates.hpp"

namespace graze {

bool close_balls_meet(const Vec3& a, const Vec3& b, double r, double s) {
  const filter::Decision<double> meet = filter::decide_close_balls(filter::vector(a), filter::vector(b), r, s);
  if (meet.sure) [[likely]]
    return meet.yes;
  return compare_squared_distance(a, b, r, s, 0) <= 0;
}

}  // namespace graze
