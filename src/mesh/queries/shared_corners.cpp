// Decides whether the intersection of two triangles of one mesh is more than the corners and edges that they share.
#include "mesh/queries/shared_corners.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "exact/exact_vectors.hpp"
#include "exact/predicates.hpp"
#include "mesh/polygon_rules.hpp"
#include "mesh/queries/winding.hpp"
#include "pairs/detail/flat.hpp"
#include "pairs/point_triangle.hpp"
#include "pairs/triangle_triangle.hpp"
#include "platform/expects.hpp"

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

/// Where a triangle meets the plane of another, on the line of both planes.
struct Cut {
  ExactPoint low, high;    ///< in order along the line
  Dyadic at_low, at_high;  ///< their places along it, times their scales
  bool inner;              ///< the points in between are inner points of the triangle, else of an edge
};

bool is_before(const Dyadic& a, const Dyadic& scale_a, const Dyadic& b, const Dyadic& scale_b) { return compare(a * scale_b, b * scale_a) < 0; }

Cut cut_of(const ExactTriangle& t, const ExactTriangle& plane, const V3<Dyadic>& normal, const V3<Dyadic>& along) {
  Dyadic height[3];
  for (std::size_t k = 0; k < 3; ++k) height[k] = dot(t.points[k] - plane.points[0], normal);
  std::vector<ExactPoint> ends;
  for (std::size_t k = 0; k < 3; ++k) {
    const std::size_t n = (k + 1) % 3;
    if (sign_of(height[k]) == 0) ends.push_back({t.points[k]});
    if (sign_of(height[k]) * sign_of(height[n]) >= 0) continue;
    const std::size_t above = sign_of(height[k]) > 0 ? k : n, under = above == k ? n : k;
    ends.push_back({height[above] * t.points[under] - height[under] * t.points[above], height[above] - height[under]});
  }
  GRAZE_EXPECTS(!ends.empty() && ends.size() < 3);
  Cut cut{ends.front(), ends.back(), dot(ends.front().at, along), dot(ends.back().at, along), false};
  if (is_before(cut.at_high, cut.high.scale, cut.at_low, cut.low.scale)) {
    std::swap(cut.low, cut.high);
    std::swap(cut.at_low, cut.at_high);
  }
  int most = -1, least = 1;
  for (const Dyadic& h : height) most = std::max(most, sign_of(h)), least = std::min(least, sign_of(h));
  cut.inner = most > 0 && least < 0;
  return cut;
}

/// Whether the part of `t` that lies in `s`, both on one line and with common points, is at most an end of t.
bool is_at_end(const Cut& t, const Cut& s) {
  if (!t.inner) return true;
  return !is_before(s.at_low, s.low.scale, t.at_high, t.high.scale) || !is_before(t.at_low, t.low.scale, s.at_high, s.high.scale);
}

/// Whether an edge of s separates two triangles of one plane, which then have no inner points in common.
bool separated_by_edge(const Triangle& s, const Triangle& t, int drop) {
  const int turn = orient2d(s.points[0], s.points[1], s.points[2], drop);
  for (int k = 0; k < 3; ++k) {
    bool apart = true;
    for (const Vec3& p : t.points) apart = apart && orient2d(s.points[k], s.points[(k + 1) % 3], p, drop) * turn <= 0;
    if (apart) return true;
  }
  return false;
}

}  // namespace

bool meet_in_edges(const Triangle& a, const Triangle& b) {
  const auto sides = [](const Triangle& plane, const Triangle& t) {
    const auto& p = plane.points;
    std::array<int, 3> s;
    for (std::size_t k = 0; k < 3; ++k) s[k] = orient3d(p[0], p[1], p[2], t.points[k]);
    return std::pair(std::min({s[0], s[1], s[2]}), std::max({s[0], s[1], s[2]}));
  };
  const auto [low_a, high_a] = sides(b, a);
  if (low_a == 0 && high_a == 0) {  // in one plane
    const int drop = flat::drop_axis(a.points[0], a.points[1], a.points[2]);
    return separated_by_edge(a, b, drop) || separated_by_edge(b, a, drop);
  }
  const auto [low_b, high_b] = sides(a, b);
  if ((low_a >= 0 || high_a <= 0) && (low_b >= 0 || high_b <= 0)) return true;  // neither has an inner point in the plane of the other
  const ExactTriangle s = exact(a), t = exact(b);
  const V3<Dyadic> normal_s = cross(s.points[1] - s.points[0], s.points[2] - s.points[0]),
                   normal_t = cross(t.points[1] - t.points[0], t.points[2] - t.points[0]);
  const V3<Dyadic> along = cross(normal_s, normal_t);
  const Cut of_s = cut_of(s, t, normal_t, along), of_t = cut_of(t, s, normal_s, along);
  return is_at_end(of_s, of_t) && is_at_end(of_t, of_s);
}

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

bool is_flat(const MeshView& view, std::uint32_t triangle) {
  return all_collinear(view.mesh->triangle(triangle).points) || (view.pose && all_collinear(view.triangle(triangle).points));
}

bool cross_beyond_edges(const MeshView& view, bool solid, std::uint32_t a, std::uint32_t b) {
  if (meet_in_edges(view.triangle(a), view.triangle(b))) return false;
  if (!solid || !view.pose) return true;
  const Triangle s = view.mesh->triangle(a), t = view.mesh->triangle(b);
  return !intersect_beyond_shared(s, t) || !meet_in_edges(s, t);
}

}  // namespace graze
