// Ray and line against a sphere: compares |d x (c - o)| with r |d|. A ray that starts outside the sphere must also point towards the centre.
#include "pairs/line_sphere.hpp"

#include <cmath>

#include "exact/distance_predicates.hpp"
#include "pairs/detail/certain.hpp"
#include "pairs/sphere_sphere.hpp"

namespace graze {
namespace {

using namespace filter;

/// Whether the distance of c from the line o + t d is at most r. n = d x e, e = c - o: each component has an error of 3 u (e, product, difference) of 2 |d| |e|
/// (largest components): 6 u |d| |e|, the vector below 11 u |d| |e|, and |n| from it 4 u more.
bool line_meets_ball(const Vec3& o, const Vec3& direction, const Vec3& c, double r) {
  const Triple d = vector(direction), e = difference(c, o), n = cross(d, e);
  const double nn = dot(n, n), dd = dot(d, d), slack = max_norm(d) * max_norm(e) * (16 * kUnitRoundoff);
  const double far = std::sqrt(nn), reach = r * std::sqrt(dd);  // relative errors 3 u each
  if (dd > 0x1p-400 && dd < 0x1p400 && far < 0x1p400 && reach < 0x1p400) {
    if (far > 0x1p-400 && far * (1 - 16 * kUnitRoundoff) - slack > reach + 0x1p-500) return false;
    if (reach > 0x1p-400 && reach * (1 - 16 * kUnitRoundoff) - slack > far + 0x1p-500) return true;
  }
  return compare_axis_distance(o, direction, c, r) <= 0;
}

}  // namespace

bool intersects_pair(const Line& a, const Sphere& b) { return line_meets_ball(a.origin, a.direction, b.center, b.radius); }

bool intersects_pair(const Ray& a, const Sphere& b) {
  if (balls_meet(a.origin, b.center, b.radius, 0)) return true;
  const double x = a.direction.x * (b.center.x - a.origin.x), y = a.direction.y * (b.center.y - a.origin.y), z = a.direction.z * (b.center.z - a.origin.z);
  const double ahead = (x + y) + z, error = ((std::fabs(x) + std::fabs(y)) + std::fabs(z)) * (5 * kUnitRoundoff) + 0x1p-1070;  // as in plane.cpp
  if (-ahead > error || (!(ahead > error) && plane_side(a.direction, a.origin, b.center) <= 0)) return false;
  return line_meets_ball(a.origin, a.direction, b.center, b.radius);
}

}  // namespace graze
