// Segment against triangle: sides of the plane, then of the three edges. Coplanar and degenerate cases go to the exact planar tests.
#include "pairs/segment_triangle.hpp"

#include "exact/predicates.hpp"
#include "pairs/detail/flat.hpp"

namespace graze {

bool intersects_pair(const Segment& s, const Triangle& triangle) {
  const auto& t = triangle.points;
  const int p = orient3d(t[0], t[1], t[2], s.a), q = orient3d(t[0], t[1], t[2], s.b);
  if (p * q > 0) return false;
  if (p != 0 || q != 0) {  // there is a plane, and the line crosses it in one point of the segment
    const int s0 = orient3d(s.a, s.b, t[0], t[1]), s1 = orient3d(s.a, s.b, t[1], t[2]);
    if (s0 * s1 < 0) return false;
    const int s2 = orient3d(s.a, s.b, t[2], t[0]);
    return s0 * s2 >= 0 && s1 * s2 >= 0;
  }
  const int drop = flat::drop_axis(t[0], t[1], t[2]);
  return drop >= 0 ? flat::segment_meets_triangle({s.a, s.b}, triangle, drop) : flat::segments_meet({s.a, s.b}, flat::ends_of(triangle));
}

}  // namespace graze
