// Simple bounding volumes of convex sets.
#include "convex/sets/bounding_volume.hpp"

#include <algorithm>

#include "convex/sets/convex_set_bounds.hpp"
#include "math/limits.hpp"

namespace graze {

std::optional<BoundingVolume> bounding_volume(const ConvexSet& c) {
  if (!c.bounded()) return std::nullopt;
  BoundingVolume r;
  if (c.points <= 2 && c.points + c.segments <= 4 && (c.radius == 0 || c.points + c.segments <= 2)) {
    r.convex = c;
    return r;
  }
  const Box3 box = bounds(c);
  Vec3 middle;
  for (int i = 0; i < 3; ++i) middle[i] = box.lo[i] * 0.5 + box.hi[i] * 0.5;
  r.convex.add_point(middle);
  for (int i = 0; i < 3; ++i) {
    Vec3 axis(0, 0, 0);
    axis[i] = 1;
    const double half = std::max(box.hi[i] - middle[i], middle[i] - box.lo[i]);
    if (!(half <= kLargest)) return std::nullopt;
    r.convex.add_segment(axis, -half, half);
    r.more = std::max(r.more, half * 0x1p-50);
  }
  return r;
}

}  // namespace graze
