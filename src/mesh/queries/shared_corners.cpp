// Decides whether the intersection of two triangles of one mesh is more than the corners and edges that they share.
#include "mesh/queries/shared_corners.hpp"

#include <utility>

#include "pairs/point_triangle.hpp"
#include "pairs/triangle_triangle.hpp"

namespace graze {
namespace {

/// Writes the distinct corners of a triangle and returns their number.
int distinct(const Triangle& t, Vec3* out) {
  int n = 0;
  for (const Vec3& p : t.points) {
    bool seen = false;
    for (int i = 0; i < n; ++i) seen = seen || out[i] == p;
    if (!seen) out[n++] = p;
  }
  return n;
}

Triangle segment(const Vec3& a, const Vec3& b) { return {{a, b, b}}; }

/// Segment ab (a != b) and the hull of a, c, d share a (c and d differ from a and b; c == d is possible). Tests whether they share more.
/// If all points lie on one line, the common part has no end other than a, b, c and d. Otherwise, if the segment leaves the plane of a, c and d at a, they
/// share only a. In that plane, a common part beyond a ends at b, inside the hull, or where the segment crosses cd, which does not contain a in that case.
bool segment_beyond_corner(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const Triangle ab = segment(a, b), cd = segment(c, d);
  if (triangle_contains({{a, c, d}}, b) || triangle_contains(ab, c) || triangle_contains(ab, d)) return true;
  return !triangle_contains(cd, a) && triangles_intersect(ab, cd);
}

}  // namespace

bool intersect_beyond_shared(const Triangle& a, const Triangle& b) {
  Vec3 pa[3], pb[3];
  const int na = distinct(a, pa), nb = distinct(b, pb);
  // Moves common corners to the front, in a's order.
  int shared = 0;
  for (int i = 0; i < na; ++i) {
    for (int j = shared; j < nb; ++j) {
      if (pa[i] != pb[j]) continue;
      std::swap(pa[i], pa[shared]);
      std::swap(pb[j], pb[shared]);
      ++shared;
      break;
    }
  }
  if (shared == 0) return triangles_intersect(a, b);
  if (na == 3 && nb == 3) {
    if (shared == 3) return true;
    const Triangle ta{{pa[0], pa[1], pa[2]}}, tb{{pb[0], pb[1], pb[2]}};
    return shared == 2 ? intersect_beyond_edge(ta, tb) : intersect_beyond_vertex(ta, tb);
  }
  // At least one triangle degenerates to a segment or a point by equal corners. A point shares only itself, a shared corner, with the other triangle. A segment
  // with both ends shared is an edge of the other.
  if (na == 1 || nb == 1 || shared == 2) return false;
  const Vec3 *s = pa, *t = pb;
  int nt = nb;
  if (na != 2) {
    s = pb;
    t = pa;
    nt = na;
  }
  return segment_beyond_corner(s[0], s[1], t[1], nt == 3 ? t[2] : t[1]);
}

}  // namespace graze
