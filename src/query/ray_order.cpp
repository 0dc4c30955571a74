// Exact order of hits. Doubles decide where they differ, since rounding down preserves order; otherwise the exact times are compared.
#include "query/ray_order.hpp"

#include <cstdint>
#include <optional>
#include <variant>

#include "convex/time/exact_time.hpp"
#include "exact/double_parts.hpp"
#include "math/limits.hpp"
#include "parts/parts.hpp"

namespace graze {
namespace {

/// The geometry that determines the time of a hit; std::monostate for curved shapes.
using HitGeometry = std::variant<std::monostate, ConvexSet, Triangle>;

template <class S>
HitGeometry part_of(const S& s, const Pose* pose, const Hit& hit) {
  constexpr Form form = form_of<S>();
  if constexpr (std::is_same_v<S, Triangle>) {
    return Triangle{{placed_point(s.points[0], pose), placed_point(s.points[1], pose), placed_point(s.points[2], pose)}};
  } else if constexpr (form == Form::convex) {
    return convex_set_of(s, pose);
  } else if constexpr (form == Form::curved) {
    const Curved c = curved_of(s, pose);
    if (c.convex()) return *c.convex();
    return std::monostate();
  } else if constexpr (form == Form::fan) {
    return fan_triangle(s, *hit.triangle, pose);
  } else if constexpr (form == Form::mesh) {
    return MeshView(s, pose).triangle(*hit.triangle);
  } else {
    static_assert(form == Form::solid);
    return MeshView(s.mesh(), pose).triangle(*hit.triangle);
  }
}

/// The geometry of a hit as a copy. The pose of a compound's child exists only during the visit.
struct Struck {
  Struck(ShapeRef target, const Hit& hit) {
    visit_shape(target, [&](const auto& s) {
      visit_children(s, target.pose(), [&](std::optional<std::uint32_t> child, const auto& c, const Pose* pose) {
        if (child && child != hit.child) return true;
        take(part_of(c, pose, hit));
        return false;
      });
    });
  }
  Struck(const Struck&) = delete;

  /// The triangle, unless the ray misses it: then a seam beside it was hit, whose place is not kept.
  const Triangle* met_triangle(const RayQuery& ray) const {
    const Triangle* triangle = std::get_if<Triangle>(&part);
    return triangle && ray_hits(ray, *triangle) ? triangle : nullptr;
  }
  ExactTime time(const RayQuery& ray, double t) const {
    if (part.index() == 0 || (part.index() == 2 && !met_triangle(ray))) return ExactTime(t);
    ConvexSet point, corners;
    point.add_point(ray.origin);
    if (const Triangle* triangle = std::get_if<Triangle>(&part)) corners = convex_set_of(*triangle, nullptr);
    Motion motion{ray.direction};
    if (ray.to_point) motion.from = &ray.origin;
    // No contact at the next double below t; none where the ray begins either.
    return ExactTime(point, motion, part.index() == 1 ? std::get<ConvexSet>(part) : corners, t == ray.t_min ? t : next_down(t));
  }

  HitGeometry part;

 private:
  void take(HitGeometry p) {
    part = std::move(p);
    ConvexSet* convex = std::get_if<ConvexSet>(&part);
    if (!convex || !convex->pose) return;
    pose_ = *convex->pose;
    convex->pose = &pose_;
  }
  Pose pose_;
};

}  // namespace

int compare_hits(const RayQuery& ray, ShapeRef a, const Hit& x, ShapeRef b, const Hit& y) {
  if (x.started_inside || y.started_inside) return static_cast<int>(y.started_inside) - static_cast<int>(x.started_inside);
  if (x.t != y.t) return x.t < y.t ? -1 : 1;
  if (!(x.t >= -kLargest)) return 0;  // lines without a first point of contact
  const Struck p(a, x), q(b, y);
  const Triangle *s = p.met_triangle(ray), *t = q.met_triangle(ray);
  if (s && t) return compare_hits(ray, *s, *t);
  if (p.part.index() == 0 && q.part.index() == 0) return 0;
  return compare(p.time(ray, x.t), q.time(ray, y.t));
}

}  // namespace graze
