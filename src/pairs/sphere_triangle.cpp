// Sphere against triangle: the filter, then exact signs for pairs within rounding of touching.
#include "pairs/sphere_triangle.hpp"

#include <bit>

#include "exact/distance_predicates.hpp"
#include "pairs/detail/certain.hpp"

namespace graze {

namespace filter {

/// The value of the first region that holds, or else the last. By a table: the processor cannot predict the region.
template <class T>
inline T first_of(const bool (&regions)[6], const T (&values)[7]) {
  unsigned bits = 1u << 6;
  for (unsigned k = 0; k < 6; ++k) bits |= static_cast<unsigned>(regions[k]) << k;
  return values[std::countr_zero(bits)];
}

#include "pairs/sphere_triangle-inl.hpp"

}  // namespace filter

bool intersects_pair(const Triangle& triangle, const Sphere& sphere) {
  using namespace filter;
  const Vec3 &a = triangle.points[0], &b = triangle.points[1], &c = triangle.points[2], &p = sphere.center;
  const Decision<double> meet = decide_ball_triangle(vector(a), vector(b), vector(c), vector(p), sphere.radius);
  if (meet.sure) [[likely]]
    return meet.yes;
  return within_triangle(a, b, c, p, sphere.radius);
}

}  // namespace graze
