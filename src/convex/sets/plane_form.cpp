// Recognition of planes and half-spaces.
#include "convex/sets/plane_form.hpp"

namespace graze {

bool is_plane(const ConvexSet& c, PlaneForm& out) {
  if (c.points != 1 || c.segments != 0 || (c.directions != 4 && c.directions != 5)) return false;
  if (c.direction[1] != -c.direction[0] || c.direction[3] != -c.direction[2]) return false;
  const Vec3 &d = c.direction[0], &e = c.direction[2];
  for (int k = 0; k < 3; ++k) {
    const int i = k == 0 ? 1 : 0, j = k == 2 ? 1 : 2;
    if (d[i] == 0 || d[i] != e[j] || d[j] != 0 || e[i] != 0) continue;
    out.normal[k] = -d[i];
    out.normal[i] = d[k];
    out.normal[j] = e[k];
    out.point = c.base(0);
    out.solid = c.directions == 5;
    if (!out.solid) return c.radius == 0;
    if (c.direction[4] != -out.normal) {
      if (c.direction[4] != out.normal) return false;
      out.normal = -out.normal;
    }
    return c.radius == 0;
  }
  return false;
}

}  // namespace graze
