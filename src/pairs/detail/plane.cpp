// Planes and half-spaces against simple shapes: signs of heights over the plane, in doubles with a bound, then exactly.
#include "pairs/detail/plane.hpp"

#include <array>
#include <cmath>

#include "exact/distance_predicates.hpp"

namespace graze {
namespace {

using namespace filter;

/// h = n . (c - p) in doubles and a bound of its error: rounding of each difference, each product and two sums, 4 u of the sum of sizes; underflow at most
/// 2^-1073.
struct Height {
  double value, error;
};
Height height(const Vec3& n, const Vec3& p, const Vec3& c) {
  const double x = n.x * (c.x - p.x), y = n.y * (c.y - p.y), z = n.z * (c.z - p.z);
  return {(x + y) + z, ((std::fabs(x) + std::fabs(y)) + std::fabs(z)) * (5 * kUnitRoundoff) + 0x1p-1070};
}

int side(const Vec3& n, const Vec3& p, const Vec3& c) {
  const Height h = height(n, p, c);
  if (h.value > h.error) return 1;
  if (-h.value > h.error) return -1;
  return plane_side(n, p, c);
}

/// Sign of |n . (c - p)| - r |n|.
int compare(const Vec3& n, const Vec3& p, const Vec3& c, double r) {
  const Height h = height(n, p, c);
  const Triple x = vector(n);
  const double xx = dot(x, x);
  if (proves_apart(std::fabs(h.value) - h.error, xx, r)) return 1;
  // |h| + error < r |n| squared: relative errors 3 u + 4 u + 3 u.
  const double top = std::fabs(h.value) + h.error, right = (r * r) * xx;
  if (r > 0x1p-400 && r < 0x1p400 && xx > 0x1p-400 && xx < 0x1p400 && right > 0x1p-1000 && (top * top) * (1 + 32 * kUnitRoundoff) < right) return -1;
  return compare_plane_distance(n, p, c, r);
}

/// The corner of the box farthest along n.
Vec3 farthest(const Box& b, const Vec3& n) { return Vec3(n.x > 0 ? b.max.x : b.min.x, n.y > 0 ? b.max.y : b.min.y, n.z > 0 ? b.max.z : b.min.z); }

template <class Points>
bool crosses(const Points& points, const Vec3& n, const Vec3& p) {
  bool front = false, behind = false;
  for (const Vec3& x : points) {
    const int s = side(n, p, x);
    front = front || s >= 0;
    behind = behind || s <= 0;
    if (front && behind) return true;
  }
  return false;
}
template <class Points>
bool reaches_behind(const Points& points, const Vec3& n, const Vec3& p) {
  for (const Vec3& x : points)
    if (side(n, p, x) <= 0) return true;
  return false;
}
bool ball_reaches_behind(const Vec3& c, double r, const HalfSpace& b) { return side(b.normal, b.point, c) <= 0 || compare(b.normal, b.point, c, r) <= 0; }

/// Centre height and half extent of an oriented box along n in doubles, with one bound for both. Extent: three terms half * |n . axis|, each of relative size
/// sum with error (1 + 2 + 1 + 2) u of the sums of sizes.
struct Extent {
  double center, half, error;
};
Extent extent(const OrientedBox& a, const Vec3& n, const Vec3& p) {
  const Height h = height(n, p, a.center);
  Extent r{h.value, 0, 0};
  double sizes = 0;
  for (int k = 0; k < 3; ++k) {
    const double x = n.x * a.axes[k].x, y = n.y * a.axes[k].y, z = n.z * a.axes[k].z;
    r.half += a.half[k] * std::fabs((x + y) + z);
    sizes += a.half[k] * ((std::fabs(x) + std::fabs(y)) + std::fabs(z));
  }
  // plus the comparison of centre with half: one rounding of each
  r.error = h.error + sizes * (16 * kUnitRoundoff) + 0x1p-1060 * (1 + ((a.half.x + a.half.y) + a.half.z));
  return r;
}

}  // namespace

bool intersects_pair(const Point& a, const Plane& b) { return side(b.normal, b.point, a.point) == 0; }
bool intersects_pair(const Point& a, const HalfSpace& b) { return side(b.normal, b.point, a.point) <= 0; }
bool intersects_pair(const Segment& a, const Plane& b) { return crosses(std::array{a.a, a.b}, b.normal, b.point); }
bool intersects_pair(const Segment& a, const HalfSpace& b) { return reaches_behind(std::array{a.a, a.b}, b.normal, b.point); }
bool intersects_pair(const Triangle& a, const Plane& b) { return crosses(a.points, b.normal, b.point); }
bool intersects_pair(const Triangle& a, const HalfSpace& b) { return reaches_behind(a.points, b.normal, b.point); }
bool intersects_pair(const Sphere& a, const Plane& b) { return compare(b.normal, b.point, a.center, a.radius) <= 0; }
bool intersects_pair(const Sphere& a, const HalfSpace& b) { return ball_reaches_behind(a.center, a.radius, b); }
bool intersects_pair(const Capsule& a, const Plane& b) {
  return crosses(std::array{a.a, a.b}, b.normal, b.point) || compare(b.normal, b.point, a.a, a.radius) <= 0 || compare(b.normal, b.point, a.b, a.radius) <= 0;
}
bool intersects_pair(const Capsule& a, const HalfSpace& b) { return ball_reaches_behind(a.a, a.radius, b) || ball_reaches_behind(a.b, a.radius, b); }
bool intersects_pair(const Box& a, const Plane& b) {
  return side(b.normal, b.point, farthest(a, b.normal)) >= 0 && side(b.normal, b.point, farthest(a, -b.normal)) <= 0;
}
bool intersects_pair(const Box& a, const HalfSpace& b) { return side(b.normal, b.point, farthest(a, -b.normal)) <= 0; }
Certain intersects_pair(const OrientedBox& a, const Plane& b) {
  const Extent e = extent(a, b.normal, b.point);
  if (std::fabs(e.center) > e.half + e.error) return Certain::no;
  if (std::fabs(e.center) + e.error < e.half) return Certain::yes;
  return Certain::unknown;
}
Certain intersects_pair(const OrientedBox& a, const HalfSpace& b) {
  const Extent e = extent(a, b.normal, b.point);
  if (e.center > e.half + e.error) return Certain::no;
  if (e.center + e.error < e.half) return Certain::yes;
  return Certain::unknown;
}

}  // namespace graze
