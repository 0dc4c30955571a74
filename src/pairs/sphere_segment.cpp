// Sphere against segment: the filter, then exact signs for pairs within rounding of touching.
#include "pairs/sphere_segment.hpp"

#include "exact/distance_predicates.hpp"
#include "pairs/detail/certain.hpp"

namespace graze {

namespace filter {
#include "pairs/sphere_segment-inl.hpp"
}

bool ball_meets_segment(const Vec3& a, const Vec3& b, const Vec3& c, double r, double s) {
  using namespace filter;
  const Decision<double> meet = decide_ball_segment(vector(a), vector(b), vector(c), r + s);
  if (meet.sure) [[likely]]
    return meet.yes;
  return within_segment(a, b, c, r, s);
}

}  // namespace graze
