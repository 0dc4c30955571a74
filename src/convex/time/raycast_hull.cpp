// Rays against hulls of points: doubles propose the facet through which the line enters, exact signs prove it, and the cast continues against that triangle.
#include "convex/time/raycast_hull.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "convex/decide/decide.hpp"
#include "exact/double_parts.hpp"
#include "exact/predicates.hpp"
#include "math/limits.hpp"
#include "pairs/detail/certain.hpp"

namespace graze {
namespace {

/// A corner, and its coordinates in those of the ray: two perpendicular to it, and the depth along it.
struct Seen {
  double x, y, depth;
  Vec3 corner;
};

double cross(const Seen& a, const Seen& b) { return a.x * b.y - a.y * b.x; }

/// Finds the corners of a facet over the origin of the (x, y) plane, of least depth there: starts with a triangle that contains the origin, then adds the
/// corner deepest below its plane, one at a time. The result is a proposal; false when doubles find none.
bool propose_facet(const std::vector<Seen>& p, std::uint32_t facet[3]) {
  const std::uint32_t n = static_cast<std::uint32_t>(p.size());
  // p[0] and, seen from the origin, the nearest corners left and right of the opposite direction
  int left = -1, right = -1;
  for (std::uint32_t i = 1; i < n; ++i) {
    const double side = -cross(p[0], p[i]);
    if (side >= 0 && (left < 0 || cross(p[i], p[left]) > 0)) left = static_cast<int>(i);
    if (side <= 0 && (right < 0 || cross(p[i], p[right]) < 0)) right = static_cast<int>(i);
  }
  if (left < 0 || right < 0) return false;
  facet[0] = 0, facet[1] = static_cast<std::uint32_t>(left), facet[2] = static_cast<std::uint32_t>(right);
  constexpr int kMaxSteps = 100;  // a choice; at the cap there is no proposal, and the general cast decides
  for (int step = 0; step < kMaxSteps; ++step) {
    const Seen &a = p[facet[0]], &b = p[facet[1]], &c = p[facet[2]];
    const double ux = b.x - a.x, uy = b.y - a.y, uz = b.depth - a.depth, vx = c.x - a.x, vy = c.y - a.y, vz = c.depth - a.depth;
    const double nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
    if (nz == 0) return false;
    const double gx = nx / nz, gy = ny / nz;  // depth + gx x + gy y is constant on the plane
    double least = 0;
    std::uint32_t best = n;
    for (std::uint32_t i = 0; i < n; ++i) {
      if (i == facet[0] || i == facet[1] || i == facet[2]) continue;
      const double below = ((p[i].depth - a.depth) + gx * (p[i].x - a.x)) + gy * (p[i].y - a.y);
      if (below < least) {
        least = below;
        best = i;
      }
    }
    const double size = std::fabs(a.depth) + std::fabs(gx * a.x) + std::fabs(gy * a.y);
    if (best == n || !(least < -1e-14 * size)) return true;  // 90 u: what is left may be rounding; exact orientations test the facet
    // keep the two corners whose triangle with the new one contains the origin
    const Seen& q = p[best];
    const double s = nz > 0 ? 1 : -1;
    const double sa = s * cross(q, a), sb = s * cross(q, b), sc = s * cross(q, c);  // > 0: the corner is to the left of q's direction
    // origin in (q, b, c) replaces a, in (a, q, c) replaces b, in (a, b, q) replaces c
    if (sb >= 0 && sc <= 0)
      facet[0] = best;
    else if (sc >= 0 && sa <= 0)
      facet[1] = best;
    else if (sa >= 0 && sb <= 0)
      facet[2] = best;
    else
      return false;
  }
  return false;
}

/// Whether all corners certainly lie on one side of a line through the origin of the (x, y) plane: then the ray's line misses the hull. `size` bounds the
/// rounded differences of coordinates of the corners and the ray's origin. The ratio of two components of the direction, at most 1, errs by less than 4 u: u
/// for each component (a segment's are rounded) and the quotient. So x errs by u size (difference), 6 u size (product: ratio, depth, rounding) and 2 u size
/// (second difference), below 10 u size; so does y. The two products with w and their sum err by 4 u (|w_x| + |w_y|) size more, and the bound by 3 u of itself:
/// 14 u leave 2 u to spare, far more than products lose to underflow.
constexpr double kPassSlack = 16 * kUnitRoundoff;
bool passes_by(const std::vector<Seen>& p, double size) {
  if (!(size > 0x1p-400 && size < 0x1p400)) return false;
  double wx = 0, wy = 0;
  for (const Seen& q : p) {
    wx += q.x;
    wy += q.y;
  }
  // The nearest point so far to the origin, from the middle on, moves towards the corner that is farthest back: the proof holds for any w.
  constexpr int kMaxSteps = 3;  // a choice: more corners are left to the general cast
  for (int step = 0; step < kMaxSteps; ++step) {
    double least = kInfinity;
    const Seen* back = nullptr;
    for (const Seen& q : p) {
      const double along = wx * q.x + wy * q.y;
      back = along < least ? &q : back;
      least = along < least ? along : least;
    }
    const double scale = (std::fabs(wx) + std::fabs(wy)) * size;
    if (back == nullptr || !(scale > 0x1p-900)) return false;
    if (least > scale * kPassSlack) return true;
    if (step == 0) wx /= static_cast<double>(p.size()), wy /= static_cast<double>(p.size());
    const double ex = back->x - wx, ey = back->y - wy, ee = ex * ex + ey * ey, s = -(wx * ex + wy * ey);
    if (!(s > 0 && s < ee)) return false;  // no nearer point, or the corner itself
    wx += s / ee * ex;
    wy += s / ee * ey;
  }
  return false;
}

/// Whether all corners lie in the plane of the facet or on the side of it to which `side` times (b - a) x (c - a) points. In doubles first: with U, V, W the
/// largest components of b - a, c - a and p - a, each component of the normal errs by 8 u U V, each term of its product with p - a by 12 u U V W, and the sums
/// add 12 u U V W: 48 u in all.
constexpr double kFacetSlack = 64 * kUnitRoundoff;
bool supports(const Triangle& t, int side, const std::uint32_t (&facet)[3], const std::vector<Seen>& p) {
  using namespace filter;
  const auto& [a, b, c] = t.points;
  const Triple u = difference(b, a), v = difference(c, a), n = cross(u, v);
  const double area = max_norm(u) * max_norm(v);
  for (std::uint32_t i = 0; i < p.size(); ++i) {
    if (i == facet[0] || i == facet[1] || i == facet[2]) continue;
    const Triple w = difference(p[i].corner, a);
    const double volume = area * max_norm(w);
    if (volume > 0x1p-800 && dot(n, w) * side > volume * kFacetSlack) continue;  // nothing underflows
    if (orient3d(a, b, c, p[i].corner) * side < 0) return false;
  }
  return true;
}

}  // namespace

Certain raycast_hull(const RayQuery& ray, const ConvexSet& target, ConvexHit& hit) {
  const Vec3& o = ray.origin;
  const Vec3 d = ray.to_point ? Vec3(ray.direction.x - o.x, ray.direction.y - o.y, ray.direction.z - o.z) : ray.direction;
  const double size = std::max({std::fabs(d.x), std::fabs(d.y), std::fabs(d.z)});
  if (!(size > 0x1p-300 && size < 0x1p300)) return Certain::unknown;
  // two directions perpendicular to the ray, chosen by its largest component
  const int k = std::fabs(d.x) == size ? 0 : std::fabs(d.y) == size ? 1 : 2, i = (k + 1) % 3, j = (k + 2) % 3;
  const double fi = d[i] / d[k], fj = d[j] / d[k];
  thread_local std::vector<Seen> seen;
  seen.resize(target.points);
  double farthest = 0;
  for (std::uint32_t n = 0; n < target.points; ++n) {
    const Vec3 p = target.base(n);
    const double depth = p[k] - o[k];
    seen[n] = {(p[i] - o[i]) - fi * depth, (p[j] - o[j]) - fj * depth, depth / d[k], p};
    farthest = std::max({farthest, std::fabs(p.x - o.x), std::fabs(p.y - o.y), std::fabs(p.z - o.z)});
  }
  if (passes_by(seen, farthest)) return Certain::no;
  std::uint32_t facet[3];
  if (!propose_facet(seen, facet)) return Certain::unknown;
  const Triangle t{{seen[facet[0]].corner, seen[facet[1]].corner, seen[facet[2]].corner}};
  const RayQuery whole{o, ray.direction, ray.to_point, -kInfinity, kInfinity};
  const auto bounds = ray_hits(ray, t);
  if (!bounds && !ray_hits(whole, t)) return Certain::unknown;
  // All corners lie on the far side or in the plane, which the line must cross, so the line enters there.
  const int side = crossing_side(ray, t);
  if (side == 0 || !supports(t, side, facet, seen)) return Certain::unknown;
  const auto starts_inside = [&] {
    if (ray.t_min != 0 || !within(convex_point(o), target)) return false;
    hit = {0, {0, 0}, true, {0, 0, 0}};
    return true;
  };
  if (!bounds) return certain(starts_inside());  // the line enters before the start or beyond the end
  const Vec3 &a = t.points[0], &b = t.points[1], &c = t.points[2];
  const double ux = b.x - a.x, uy = b.y - a.y, uz = b.z - a.z, vx = c.x - a.x, vy = c.y - a.y, vz = c.z - a.z;
  const double x = uy * vz - uz * vy, y = uz * vx - ux * vz, z = ux * vy - uy * vx;
  const double most = std::max({std::fabs(x), std::fabs(y), std::fabs(z)});
  if (!(most > 0x1p-900 && most < 0x1p900)) return Certain::unknown;
  const double nx = x / most, ny = y / most, nz = z / most, length = (side > 0 ? -1 : 1) * std::sqrt((nx * nx + ny * ny) + nz * nz);
  hit.t = hit_time(ray, t);
  hit.bounds = {hit.t, next_up(hit.t)};
  if (hit.t == 0 && starts_inside()) return Certain::yes;
  hit.started_inside = false;
  hit.normal = {nx / length, ny / length, nz / length};
  return Certain::yes;
}

}  // namespace graze
