// Curved shapes in motion: the decision "contact by time s" of the swept set is monotone in s up to its own bound; bisection to neighbouring doubles.
#include <cmath>

#include "convex/core_bounds.hpp"
#include "query/ray_targets.hpp"
#include "sweep/walks.hpp"

namespace graze {
namespace {

double size_of(const Vec3& v) { return std::max({std::fabs(v.x), std::fabs(v.y), std::fabs(v.z)}); }

Core swept(const Core& c, const Vec3& d, double from, double to) {
  Core r = c;
  r.add_segment(d, from, to);
  return r;
}
Curved swept(const Curved& c, const Vec3& d, double from, double to) {
  Curved r = c;
  if (c.kind == Curved::Kind::core) {
    r.core = swept(c.core, d, from, to);
  } else {
    r.motion = d;
    r.motion_from = from;
    r.motion_to = to;
  }
  return r;
}

double largest_extent(const Core&) { return 0; }
double largest_extent(const Curved& c) {
  if (c.kind == Curved::Kind::core) return 0;
  return std::max({c.radius, c.radii[0], c.radii[1], c.radii[2], size_of(c.b - c.a)});
}
Vec3 direction_between(const Curved& a, const Vec3& d, double t, const Core& b) {
  const CoreClosest c = closest(swept(a, d, t, t), b);
  return c.on_a - c.on_b;
}
Vec3 direction_between(const Core& a, const Vec3& d, double t, const Curved& b) {
  const CoreClosest c = closest(swept(a, d, t, t), b);
  return c.on_a - c.on_b;
}
Vec3 direction_between(const Curved& a, const Vec3& d, double t, const Curved& b) {
  const CoreClosest c = closest(swept(a, d, t, t), b);
  return c.on_a - c.on_b;
}

Vec3 unit(const Vec3& v) {
  const double m = size_of(v);
  if (!(m > 0)) return Vec3(0, 0, 0);
  const double x = v.x / m, y = v.y / m, z = v.z / m, length = std::sqrt((x * x + y * y) + z * z);
  return Vec3(x / length, y / length, z / length);
}

/// Doubles >= 0 in order as integers.
std::int64_t order(double x) { return std::bit_cast<std::int64_t>(x); }
double from_order(std::int64_t i) { return std::bit_cast<double>(i); }

template <class A, class B>
std::optional<PairContact> contact(const A& a, const Motion& motion, const B& b, double limit) {
  const Vec3 d = rounded(motion);
  PairContact c;
  c.exact = true;
  const auto by = [&](double s) { return within(swept(a, d, 0, s), b); };
  // A time in which the motion covers 2^-40 of the curved extents: what lies as near counts as touching, so a normal and a parting are looked for that far away.
  const double extent = std::max(largest_extent(a), largest_extent(b)), speed = size_of(d);
  const double step = speed > 0 ? std::min(1.0, extent / speed * 0x1p-38) : 1;
  if (within(a, b)) {
    c.inside = true;
    if (speed > 0 && !within(swept(a, d, step, step), b)) {
      c.departing = true;
      c.normal = unit(direction_between(a, d, step, b));
    } else if (speed > 0 && !within(swept(a, d, -step, -step), b)) {
      c.normal = unit(direction_between(a, d, -step, b));
    }
    return c;
  }
  if (speed == 0 || !by(limit)) return std::nullopt;
  std::int64_t low = 0, high = order(limit);
  // Lower bounds of the distance over the speed come near soon; then bisection.
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (by(from_order(middle)) ? high : low) = middle;
  }
  c.t = from_order(low);
  const double before = std::max(0.0, c.t - step);
  Vec3 n = direction_between(a, d, before, b);
  if (n == Vec3(0, 0, 0)) n = -d;
  c.normal = unit(n);
  return c;
}

/// A point that starts outside moves along a ray, and its time is raycast's.
std::optional<PairContact> point_contact(const Vec3& point, const Vec3& d, const Curved& target, double limit) {
  const auto hit = first_hit(RayQuery{point, d}, target);
  if (!hit || hit->t > limit) return std::nullopt;
  PairContact c;
  c.t = hit->t;
  c.exact = true;
  c.normal = *hit->normal;
  c.point = hit->point;
  return c;
}

bool is_ray(const Core& point, const Motion& motion, const Curved& target) {
  return point.is_point() && is_exact(motion) && rounded(motion) != Vec3(0, 0, 0) && !within(point, target);
}

}  // namespace

std::optional<PairContact> curved_contact(const Curved& a, const Motion& motion, const Core& b, double limit) {
  if (a.kind == Curved::Kind::core) return pair_contact(a.core, motion, b, limit);
  if (is_ray(b, motion, a)) {
    auto c = point_contact(b.base(0), -rounded(motion), a, limit);
    if (c) {
      c->normal = -c->normal;
      c->point = b.base(0);
    }
    return c;
  }
  return contact(a, motion, b, limit);
}
std::optional<PairContact> curved_contact(const Core& a, const Motion& motion, const Curved& b, double limit) {
  if (b.kind == Curved::Kind::core) return pair_contact(a, motion, b.core, limit);
  if (is_ray(a, motion, b)) return point_contact(a.base(0), rounded(motion), b, limit);
  return contact(a, motion, b, limit);
}
std::optional<PairContact> curved_contact(const Curved& a, const Motion& motion, const Curved& b, double limit) {
  if (a.kind == Curved::Kind::core) return curved_contact(a.core, motion, b, limit);
  if (b.kind == Curved::Kind::core) return curved_contact(a, motion, b.core, limit);
  return contact(a, motion, b, limit);
}

}  // namespace graze
