// Bounds for conservative advancement along a screw.
#include "sweep/screw/advance.hpp"

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <variant>

#include "convex/sets/plane_form.hpp"
#include "math/limits.hpp"

namespace graze::advance {
namespace {

/// Calls f(corner) for the corners of a convex set's hull (rounded by a few ulps of the sizes added).
template <class F>
void for_each_corner(const ConvexSet& c, F&& f) {
  for (std::uint32_t i = 0; i < c.points; ++i) {
    const Vec3 base = c.base(i);
    for (std::uint32_t bits = 0; bits < 1u << c.segments; ++bits) {
      Vec3 p = base;
      for (std::uint32_t k = 0; k < c.segments; ++k) p += (bits >> k & 1 ? c.hi[k] : c.lo[k]) * c.segment[k];
      f(p);
    }
  }
}

/// The greatest n . p over the convex set, in doubles.
double support(const ConvexSet& c, const Vec3& n) {
  double most = -kInfinity;
  for (std::uint32_t i = 0; i < c.points; ++i) most = std::max(most, dot(n, c.base(i)));
  for (std::uint32_t k = 0; k < c.segments; ++k) {
    const double d = dot(n, c.segment[k]);
    most += std::max(c.lo[k] * d, c.hi[k] * d);
  }
  return most + c.radius * scaled_length(n);
}

}  // namespace

double lever_of(const Vec3& p, double radius, const ScrewMotion& motion) {
  // The difference, the axis (4 u) and the products are off by less than 32 u of both sizes; p by a few u itself. 2^-45 = 256 u.
  return scaled_length(cross(p - motion.screw.center, motion.axis)) * (1 + 0x1p-40) + radius + 0x1p-45 * (max_norm(p) + radius + max_norm(motion.screw.center));
}

Extent::Extent(const PartList& parts, const ScrewMotion& motion, bool exact) : exact_(exact) {
  for (const ListedPart& p : parts) {
    std::visit(
        [&]<class Part>(const Part& part) {
          if constexpr (std::is_same_v<Part, SolidView>)
            add(part.surface, motion);
          else
            add(part, motion);
        },
        p.part);
  }
  if (!bounded) lever = kInfinity;
}

void Extent::add(const Vec3& p, double radius, const ScrewMotion& motion) {
  size = std::max(size, max_norm(p) + radius);
  lever = std::max(lever, lever_of(p, radius, motion));
  box.add(p - Vec3(radius));
  box.add(p + Vec3(radius));
}

void Extent::add(const ConvexSet& c, const ScrewMotion& motion) {
  bounded = bounded && c.bounded();
  for_each_corner(c, [&](const Vec3& p) { add(p, c.radius, motion); });
}

void Extent::add(const Curved& c, const ScrewMotion& motion) {
  if (c.convex()) return add(*c.convex(), motion);
  curved = true;
  const Ends ends = c.ends();
  const double radius = c.visit([](const auto& kind) { return kind.distance_from_ends(); });
  add(ends.a, radius, motion);
  add(ends.b, radius, motion);
}

void Extent::add(const MeshView& m, const ScrewMotion& motion) {
  const Box3 b = loose_bounds(m);
  bool finite = true;
  for (int i = 0; i < 3; ++i) finite = finite && b.lo[i] > -0x1p900 && b.hi[i] < 0x1p900;
  if (!exact_ && finite) {  // the lever is greatest at a corner
    for (int bits = 0; bits < 8; ++bits) add(Vec3(bits & 1 ? b.hi[0] : b.lo[0], bits & 2 ? b.hi[1] : b.lo[1], bits & 4 ? b.hi[2] : b.lo[2]), 0, motion);
    return;
  }
  m.mesh->complete();
  for (const Vec3& v : m.mesh->vertices) add(m.pose ? m.pose->apply(v) : v, 0, motion);
}

Setting::Setting(const ScrewMotion& m, const RigidSweepOptions& o, ExactWork& work, const Extent& a, const Vec3& start_translation, const Extent& b)
    : motion(m), options(o), work(work), steps(a.curved || b.curved ? o.budget / 10 : o.budget) {
  const Screw& s = m.screw;
  turn = std::fabs(s.angle);
  travel = scaled_length(s.displacement) * (1 + 0x1p-40);
  across = scaled_length(cross(s.displacement, m.axis)) * (1 + 0x1p-40) + 0x1p-45 * travel;
  const double sizes = a.size + max_norm(start_translation) + max_norm(s.center) + max_norm(s.displacement);
  // docs/derivations/rigid_motion.md: 2^-43 = 1024 u for at most 236 u of roundings; 2^-38 and 2^-80 for the bound of curved distances, 2^-40 E and 2^-85
  slack = a.bounded ? 0x1p-43 * sizes : 0x1p-41 * (sizes + b.size);
  if (a.curved || b.curved) slack += 0x1p-38 * ((a.curved ? a.size : 0) + (b.curved ? b.size : 0)) + 0x1p-80 * (sizes + b.size);
  gap_error = 0x1p-43 * (sizes + b.size);
}

double Setting::speed(double lever_a, double lever_b) const {
  const double lever = std::min(lever_a, lever_b + across);
  return (turn > 0 ? turn * lever + travel : travel) * (1 + 0x1p-40);
}

double time_along(const Setting& s, const ConvexSet& a, const ConvexSet& b, const ConvexClosest& closest, double lever_a, double lever_b) {
  if (!a.bounded() || !(s.turn * lever_a < 0x1p500) || !(s.travel < 0x1p500)) return 0;
  Vec3 n;
  double gap;
  PlaneForm plane;
  if (b.bounded()) {
    n = closest.on_b - closest.on_a;
  } else if (is_plane(b, plane)) {
    n = dot(closest.on_b - closest.on_a, plane.normal) < 0 || plane.solid ? -plane.normal : plane.normal;
  } else {
    return 0;
  }
  const double norm = scaled_length(n);
  if (!(norm > 0)) return 0;
  n = n * (1 / norm);
  // The normal n of a plane is rounded. Over the extent of A around the plane's point, that error is within gap_error, whose coordinates it counts.
  if (b.bounded())
    gap = -support(b, -n) - support(a, n) - s.gap_error - s.slack;
  else
    gap = dot(n, plane.point) - support(a, n) - s.gap_error - s.slack;
  return time_along(s, n, gap, lever_a, lever_b);
}

double time_along(const Setting& s, const Vec3& n, double gap, double lever_a, double lever_b) {
  if (!(s.turn * lever_a < 0x1p500) || !(s.travel < 0x1p500)) return 0;
  const double tilt = scaled_length(cross(n, s.motion.axis)) + 0x1p-48;  // 32 u: n is off by 16 u, the axis by 4 u, the cross product by 4 u
  const double by_a = std::max(dot(n, s.motion.screw.displacement), 0.0) + s.turn * lever_a * tilt + 0x1p-48 * s.travel;
  const double by_b = lever_b < kInfinity ? s.travel + s.turn * (lever_b + s.across) * tilt : kInfinity;
  const double speed = std::min(by_a, by_b) * (1 + 0x1p-40);
  return gap > 0 && speed > 0 ? gap / speed : 0;
}

}  // namespace graze::advance
