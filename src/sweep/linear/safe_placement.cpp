// Certified placements of a mover after a sweep: candidates are rounded, tested, and stepped back until one is free.
#include "sweep/linear/safe_placement.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <graze/query.hpp>

#include "convex/convex_set_bounds.hpp"
#include "math/limits.hpp"
#include "math/vec3.hpp"
#include "sweep/linear/linear_sweep.hpp"

namespace graze {
namespace {

const Vec3* center_of(ShapeRef s) {
  if (const Point* p = s.get<Point>()) return &p->point;
  if (const Sphere* p = s.get<Sphere>()) return &p->center;
  return nullptr;
}

/// Whether a ball at p is certainly beyond all triangles as seen along n. Decided in doubles where they suffice: the difference, the product and the root err
/// by less than 2^-49 of the sizes (6 u); otherwise in pairs of doubles, which err by 2^-100 of them.
bool beyond(const NearTriangles& near, const Vec3& n, const Vec3& p, double radius) {
  const double norm = length(n);
  const Vec3* last[2] = {nullptr, nullptr};  // the last certain corners: triangles share them
  TwoDouble reach;                           // radius * |n|, computed on first use
  for (std::uint32_t i = 0; i < near.count; ++i)
    for (const Vec3& q : near.triangle[i]) {
      const double x = p.x - q.x, y = p.y - q.y, z = p.z - q.z, level = (n.x * x + n.y * y) + n.z * z - radius * norm;
      const double sizes = (std::fabs(x) + std::fabs(y) + std::fabs(z)) + radius;
      if (level > 0x1p-48 * sizes * 2) continue;
      if ((last[0] && *last[0] == q) || (last[1] && *last[1] == q)) continue;
      if (!moderate(p) || !moderate(q)) return false;
      if (reach.hi == 0) {
        if (!moderate(n) || !moderate(radius)) return false;
        reach = radius * square_root((two_product(n.x, n.x) + two_product(n.y, n.y)) + two_product(n.z, n.z));
      }
      const TwoDouble height = (n.x * two_sum(p.x, -q.x) + n.y * two_sum(p.y, -q.y)) + n.z * two_sum(p.z, -q.z);
      if (!((height - reach).hi > 0x1p-97 * sizes)) return false;
      last[1] = last[0];
      last[0] = &q;
    }
  return true;
}

/// Whether the path of a ball to its place under the pose `to`, which deviates from t * d by at most near.slack, is certainly free. The test is by the plane
/// perpendicular to the unit normal: for a path towards the plane, being beyond it at the end implies being beyond it throughout. False for other shapes.
bool free_by_plane(const NearTriangles& near, const Vec3& normal, ShapeRef a, const Pose& to, double t, const Vec3& d) {
  const Vec3* center = center_of(a);
  if (!center || normal == Vec3(0, 0, 0)) return false;
  const Vec3 old = placed_point(*center, a.pose()), now = to.apply(*center);
  if (old == now) return false;
  const double radius = a.get<Sphere>() ? a.get<Sphere>()->radius : 0;
  double off = 0, toward = 0;
  for (int i = 0; i < 3; ++i) {
    off = std::max(off, std::fabs(now[i] - (old[i] + t * d[i])));
    toward -= normal[i] * (now[i] - old[i]);
  }
  if (!(2 * off + 0x1p-49 * (max_norm(old) + max_norm(d)) < near.slack)) return false;  // 2: for the length of a vector of such coordinates
  const bool nearer = toward > 0x1p-49 * (std::fabs(now.x - old.x) + std::fabs(now.y - old.y) + std::fabs(now.z - old.z));
  return (nearer || beyond(near, normal, old, radius)) && beyond(near, normal, now, radius);
}

}  // namespace

bool is_free(ShapeRef a, const Pose& from, const Pose& to, ShapeRef target, const PartList* parts) {
  if (const Vec3* center = center_of(a)) {
    const Vec3 old = placed_point(*center, a.pose()), now = to.apply(*center);
    if (old == now) return false;
    const PartList ball(a);
    const Motion displacement{now, &old};
    EarliestContact first(displacement, true);
    if (parts)
      sweep_all(first, ball, *parts);
    else
      sweep_all(first, ball, PartList(target));
    return !first.found();
  }
  if (to.translation == from.translation) return false;
  const Placed placed{a.shape(), a.kind(), to};
  return !intersects(ShapeRef(placed), target);
}

double first_step_back(ShapeRef a, const Motion& motion, const Vec3& normal, double t) {
  const Vec3 d = rounded(motion);
  double size = a.pose() ? max_norm(a.pose()->translation) : 0;
  const double most = kLargest;
  if (const Vec3* center = center_of(a)) {
    size = std::max(size, max_norm(placed_point(*center, a.pose())));
    if (const Sphere* s = a.get<Sphere>()) size = std::max(size, s->radius);
  } else {
    const Box box = bounding_box(a);
    for (int i = 0; i < 3; ++i) {
      if (std::fabs(box.min[i]) < most) size = std::max(size, std::fabs(box.min[i]));
      if (std::fabs(box.max[i]) < most) size = std::max(size, std::fabs(box.max[i]));
    }
  }
  size += max_norm(d) * t;
  double rate = std::fabs(dot(normal, d));
  if (!(rate > 0)) rate = max_norm(d);
  const double step = size * (a.get<Point>() ? 0x1p-52 : 0x1p-50) / rate;  // 2^-50: to the precision at which doubles clearly separate bodies and balls
  return step < 1 ? std::max(step, t * 0x1p-53) : 1;
}

SafePlacement place_safely(ShapeRef a, const Motion& motion, ShapeRef b, const PartList& target, double t, double back, const NearTriangles* near,
                           const Vec3& normal) {
  const Pose from = pose_of(a);
  const Vec3 d = rounded(motion);
  return place_before(a, d, t, back, 8, [&](const Pose& to, double at) {
    return (near && near->known && free_by_plane(*near, normal, a, to, at, d)) || is_free(a, from, to, b, &target);
  });
}

}  // namespace graze
