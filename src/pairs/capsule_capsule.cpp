// Capsule against capsule: the filter, then exact signs for pairs within rounding of touching.
#include "pairs/capsule_capsule.hpp"

#include "exact/distance_predicates.hpp"
#include "pairs/detail/certain.hpp"

namespace graze {

namespace filter {
#include "pairs/capsule_capsule-inl.hpp"
}

bool thick_segments_meet(const Vec3& p, const Vec3& q, const Vec3& v, const Vec3& w, double r, double s) {
  using namespace filter;
  const Decision<double> meet = decide_thick_segments(vector(p), vector(q), vector(v), vector(w), r + s);
  if (meet.sure) [[likely]]
    return meet.yes;
  return segments_within(p, q, v, w, r, s);
}

}  // namespace graze
