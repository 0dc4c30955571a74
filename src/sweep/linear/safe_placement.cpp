// Certified placements of a mover after a sweep: candidates are rounded, tested, and stepped back until one is free.
#include "sweep/linear/safe_placement.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <graze/query.hpp>
#include <optional>
#include <variant>

#include "convex/decide/decide.hpp"
#include "convex/sets/convex_set_bounds.hpp"
#include "exact/certain.hpp"
#include "math/limits.hpp"
#include "math/vec3.hpp"
#include "mesh/queries/mesh_view.hpp"
#include "parts/parts.hpp"
#include "sweep/linear/linear_sweep.hpp"

namespace graze {
namespace {

/// The plane perpendicular to n that touches a convex set from below. Decides whether it has points below itself: in doubles where they suffice, whose
/// differences, products, sums and root err by less than 2^-48 of the sizes (16 u); otherwise in pairs of doubles, which err by 2^-97 of them.
class SupportPlane {
 public:
  SupportPlane(const Vec3& n, const ConvexSet& c) : n_(n), c_(c), least_(-(c.radius * length(n))), sizes_(c.radius) {
    for (std::uint32_t k = 0; k < c.segments; ++k) {
      const double rate = dot(n, c.segment[k]);
      least_ += std::min(c.lo[k] * rate, c.hi[k] * rate);
      sizes_ += std::max(std::fabs(c.lo[k]), std::fabs(c.hi[k])) * taxicab(c.segment[k]);
    }
  }
  /// Whether the whole triangle is certainly below.
  bool is_above(const Vec3 (&triangle)[3]) {
    for (const Vec3& q : triangle)
      if (!is_above(q)) return false;
    return true;
  }

 private:
  bool is_above(const Vec3& q) {
    for (std::uint32_t i = 0; i < c_.points; ++i) {
      const Vec3 d = c_.base(i) - q;
      if (dot(n_, d) + least_ > 0x1p-47 * (taxicab(d) + sizes_)) continue;
      if ((last_[0] && *last_[0] == q) || (last_[1] && *last_[1] == q)) return true;
      if (!is_above_in_pairs(q)) return false;
      last_[1] = last_[0];
      last_[0] = &q;
      return true;
    }
    return true;
  }
  bool is_above_in_pairs(const Vec3& q) {
    if (state_ == Certain::unknown) prepare_pairs();
    if (state_ == Certain::no || !moderate(q)) return false;
    for (std::uint32_t i = 0; i < c_.points; ++i) {
      if (!moderate(c_.base(i))) return false;
      const V3<TwoDouble> d = exact_difference(c_.base(i), q);
      const TwoDouble level = ((n_.x * d.x + n_.y * d.y) + n_.z * d.z) + least_pair_;
      if (!(level.hi > 0x1p-96 * (taxicab(c_.base(i) - q) + sizes_))) return false;
    }
    return true;
  }
  void prepare_pairs() {
    state_ = moderate(n_) && all_moderate(c_) ? Certain::yes : Certain::no;
    if (state_ == Certain::no) return;
    least_pair_ = -(c_.radius * square_root((two_product(n_.x, n_.x) + two_product(n_.y, n_.y)) + two_product(n_.z, n_.z)));
    for (std::uint32_t k = 0; k < c_.segments; ++k) {
      const Vec3& g = c_.segment[k];
      const TwoDouble rate = (two_product(n_.x, g.x) + two_product(n_.y, g.y)) + two_product(n_.z, g.z), low = c_.lo[k] * rate, high = c_.hi[k] * rate;
      least_pair_ = least_pair_ + (sign_of(high - low) < 0 ? high : low);
    }
  }

  const Vec3 n_;
  const ConvexSet& c_;
  double least_, sizes_;                      ///< least n . p without the base point, and the sizes added to it
  TwoDouble least_pair_;                      ///< the same, in pairs
  Certain state_ = Certain::unknown;          ///< whether pairs suffice; unknown: not yet computed
  const Vec3* last_[2] = {nullptr, nullptr};  ///< the last corners below it in pairs: triangles share them
};

bool all_below(const NearTriangles& near, SupportPlane plane) {
  for (std::uint32_t i = 0; i < near.count; ++i)
    if (!plane.is_above(near.triangle[i])) return false;
  return true;
}

/// Whether `now` is `old` displaced by t * d, up to `slack` in length.
bool follows(const ConvexSet& now, const ConvexSet& old, double t, const Vec3& d, double slack) {
  constexpr std::uint32_t kFew = 128;  // a choice: more points take longer than a general test
  if (now.points != old.points || now.points > kFew || now.segments != old.segments || now.outside != old.outside || now.directions + old.directions != 0 ||
      now.radius != old.radius)
    return false;
  for (std::uint32_t k = 0; k < now.segments; ++k)
    if (now.segment[k] != old.segment[k] || now.lo[k] != old.lo[k] || now.hi[k] != old.hi[k]) return false;
  double off = 0, size = max_norm(d);
  for (std::uint32_t k = 0; k < now.points; ++k) {
    const Vec3 p = old.base(k);
    off = std::max(off, max_norm(now.base(k) - point_along(p, t, d)));
    size = std::max(size, max_norm(p));
  }
  return 2 * off + 0x1p-48 * size < slack;  // 2: for the length of a vector of such coordinates
}

/// The same for a shape at these poses, whose coordinates in the box `old` are sums of turned ones and the translation.
bool follows(const Pose& now, const Pose& from, const Box3& old, double t, const Vec3& d, double slack) {
  double size = max_norm(d) + 2 * max_norm(from.translation) + max_norm(now.translation);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j)
      if (now.rotation[i][j] != from.rotation[i][j]) return false;
    size += std::max(std::fabs(old.lo[i]), std::fabs(old.hi[i]));
  }
  return 2 * max_norm(now.translation - point_along(from.translation, t, d)) + 0x1p-48 * size < slack;
}

/// Whether the shape, displaced along its path to the pose `to` at t, is free, as far as the surroundings tell. For a Point or Sphere: the path between both
/// centres, by the plane perpendicular to the normal. For a path towards the plane, being beyond it at the end implies being beyond it throughout. Any other
/// shape: each triangle by that plane, or exactly.
Certain is_free_of(const Surroundings& known, ShapeRef a, const Pose& from, const Pose& to, double t, const Vec3& d) {
  std::optional<ConvexSet> now;
  std::optional<Curved> curved;
  visit_shape(a, [&]<class S>(const S& s) {
    if constexpr (form_of<S>() == Form::convex) now = convex_set_of(s, &to);
    if constexpr (CurvedShape<S>)
      if (follows(to, from, bounds(curved_of(s, a.pose())), t, d, known.near.slack)) curved = curved_of(s, &to);
  });
  if (curved) {
    for (std::uint32_t i = 0; i < known.near.count; ++i) {
      const auto& corners = known.near.triangle[i];
      if (within(*curved, convex_triangle({{corners[0], corners[1], corners[2]}}), 0)) return Certain::no;
    }
    return Certain::yes;
  }
  if (!now || !known.mover || known.normal == Vec3(0, 0, 0) || !follows(*now, *known.mover, t, d, known.near.slack)) return Certain::unknown;
  if (center_of(a)) {
    const Vec3 way = now->base(0) - known.mover->base(0);
    if (way == Vec3(0, 0, 0)) return Certain::unknown;
    const bool nearer = -dot(known.normal, way) > 0x1p-49 * taxicab(way);
    return (nearer || all_below(known.near, {known.normal, *known.mover})) && all_below(known.near, {known.normal, *now}) ? Certain::yes : Certain::unknown;
  }
  SupportPlane plane(known.normal, *now);
  for (std::uint32_t i = 0; i < known.near.count; ++i) {
    const auto& corners = known.near.triangle[i];
    if (!plane.is_above(corners) && within(*now, convex_triangle({{corners[0], corners[1], corners[2]}}), 0)) return Certain::no;
  }
  return Certain::yes;
}

}  // namespace

const Vec3* center_of(ShapeRef s) {
  if (const Point* p = s.get<Point>()) return &p->point;
  if (const Sphere* p = s.get<Sphere>()) return &p->center;
  return nullptr;
}

bool is_free(ShapeRef a, const Pose& from, const Pose& to, ShapeRef target, const PartList* parts, const RayQuery* line) {
  const auto meets = [&](EarliestContact& first, const PartList& mover) {
    if (parts)
      sweep_all(first, mover, *parts, line);
    else
      sweep_all(first, mover, PartList(target), line);
    return first.found();
  };
  if (const Vec3* center = center_of(a)) {
    const Vec3 old = placed_point(*center, a.pose()), now = to.apply(*center);
    if (old == now) return false;
    const PartList ball(a);
    const Motion displacement{now, &old};
    EarliestContact first(displacement, true);
    return !meets(first, ball);
  }
  if (to.translation == from.translation) return false;
  const Placed placed{a.shape(), a.kind(), to};
  if (line) {  // a sweep that does not move
    const Motion none{Vec3(0, 0, 0)};
    EarliestContact first(none, false);
    return !meets(first, PartList(placed));
  }
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

SafePlacement place_safely(ShapeRef a, const Motion& motion, ShapeRef b, const PartList& target, double t, double back, const Surroundings* surroundings,
                           const RayQuery* line) {
  const Pose from = pose_of(a);
  const Vec3 d = rounded(motion);
  const bool tells = surroundings && (center_of(a) || std::holds_alternative<MeshView>(target[0].part));  // a solid may enclose other shapes
  return place_before(a, d, t, back, 8, [&](const Pose& to, double at) {
    if (tells && to.translation != from.translation) {
      const Certain free = is_free_of(*surroundings, a, from, to, at, d);
      if (free != Certain::unknown) return free == Certain::yes;
    }
    return is_free(a, from, to, b, &target, line);
  });
}

}  // namespace graze
