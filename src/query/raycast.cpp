// raycast(): dispatch table over all targets of rays, segments and lines.
#include <algorithm>
#include <graze/error.hpp>
#include <graze/query/brief_hits.hpp>
#include <graze/query/raycast.hpp>
#include <span>
#include <string>
#include <type_traits>

#include "math/limits.hpp"
#include "mesh/queries/triangle_choice.hpp"
#include "parts/parts.hpp"
#include "platform/fp_environment.hpp"
#include "query/ray_order.hpp"
#include "query/ray_targets.hpp"

namespace graze {
namespace {

enum class Mode { first, any, all };

/// Collects the answer; the mode selects which of the three members is used.
struct RayAnswer {
  Mode mode;
  ShapeRef whole;  // the shape that the parts belong to
  std::optional<Hit>* first = nullptr;
  std::vector<Hit>* all = nullptr;
  bool any = false;

  /// Adds the hits with one part; returns false if nothing more can change the answer.
  template <class Target>
  bool take(const RayQuery& ray, const Target& target, std::optional<std::uint32_t> child) {
    if (mode == Mode::any) {
      any = any || any_hit(ray, target);
      return !any;
    }
    if (mode == Mode::first) {
      std::optional<Hit> hit = first_hit(ray, target);
      if (hit && child) hit->child = child;
      if (hit && (!*first || compare_hits(ray, whole, *hit, whole, **first) < 0)) *first = hit;
      return true;
    }
    const std::size_t from = all->size();
    add_all_hits(ray, target, *all);
    if (child)
      for (std::size_t i = from; i < all->size(); ++i) (*all)[i].child = child;
    return true;
  }
};

/// Adds the hits with a shape without children.
template <class S>
bool take(const RayQuery& ray, const S& s, const Pose* pose, std::optional<std::uint32_t> child, RayAnswer& answer) {
  if constexpr (form_of<S>() == Form::fan) {
    std::vector<Triangle> fan(fan_size(s));
    for (std::size_t i = 0; i < fan.size(); ++i) fan[i] = fan_triangle(s, i, pose);
    return answer.take(ray, std::span<const Triangle>(fan), child);
  } else if constexpr (std::is_same_v<S, Triangle>) {
    const Triangle t{{placed_point(s.points[0], pose), placed_point(s.points[1], pose), placed_point(s.points[2], pose)}};
    return answer.take(ray, std::span<const Triangle>(&t, 1), child);
  } else if constexpr (std::is_same_v<S, Plane>) {
    return answer.take(ray, PlaneTarget{convex_set_of(s, pose), placed_direction(s.normal, pose)}, child);
  } else if constexpr (form_of<S>() == Form::solid) {
    return for_each_part(s, pose, [&](const SolidView& part) { return answer.take(ray.with(nullptr), part, child); });
  } else {
    return for_each_part(s, pose, [&](const auto& part) { return answer.take(ray, part, child); });
  }
}

template <class S>
struct RaycastCell {
  static void call(const RayQuery& ray, ShapeRef target, RayAnswer& answer) {
    visit_children(*static_cast<const S*>(target.shape()), target.pose(), [&](std::optional<std::uint32_t> child, const auto& s, const Pose* pose) {
      return for_child(ray, child, [&](const RayQuery& own) { return take(own, s, pose, child, answer); });
    });
    if (std::is_same_v<S, Compound> && answer.all)
      std::stable_sort(answer.all->begin(), answer.all->end(),
                       [&](const Hit& a, const Hit& b) { return compare_hits(ray, answer.whole, a, answer.whole, b) < 0; });
  }
};

constexpr auto kRaycastTable = make_table<void (*)(const RayQuery&, ShapeRef, RayAnswer&), RaycastCell>();

void dispatch(const RayQuery& ray, ShapeRef target, RayAnswer& answer) { kRaycastTable[place(target.kind())](ray, target, answer); }

}  // namespace

RayQuery ray_query(ShapeRef ray, double t_min, double t_max, const TriangleChoice* choice) {
  if (t_max != t_max) throw Error(ErrorCode::invalid_argument, "raycast: t_max is NaN");
  if (t_min != t_min) throw Error(ErrorCode::invalid_argument, "raycast: t_min is NaN");
  RayQuery q;
  q.t_min = std::max(0.0, t_min);
  q.t_max = t_min < kInfinity ? t_max : -kInfinity;  // nothing lies beyond all doubles
  q.choice = choice;
  if (const Ray* r = ray.get<Ray>()) {
    q.origin = placed_point(r->origin, ray.pose());
    q.direction = placed_direction(r->direction, ray.pose());
  } else if (const Segment* s = ray.get<Segment>()) {
    q.origin = placed_point(s->a, ray.pose());
    q.direction = placed_point(s->b, ray.pose());
    q.to_point = true;
    q.t_max = std::min(q.t_max, 1.0);
  } else if (const Line* l = ray.get<Line>()) {
    q.origin = placed_point(l->origin, ray.pose());
    q.direction = placed_direction(l->direction, ray.pose());
    q.t_min = t_min + 0.0;  // avoids -0
  } else {
    throw Error(ErrorCode::unsupported_shape, "raycast: " + article_name(ray.kind()) + " is no ray; use a Ray, Segment or Line");
  }
  return q;
}

std::optional<Hit> raycast(const RayQuery& ray, ShapeRef target) {
  if (const Mesh* mesh = target.get<Mesh>()) return first_hit(ray, MeshView(*mesh, target.pose()));  // shortcut for meshes with the same result as the table
  std::optional<Hit> first;
  RayAnswer answer{Mode::first, target, &first};
  dispatch(ray, target, answer);
  return first;
}
std::vector<Hit> raycast_all(const RayQuery& ray, ShapeRef target) {
  std::vector<Hit> all;
  RayAnswer answer{Mode::all, target, nullptr, &all};
  dispatch(ray, target, answer);
  return all;
}

std::optional<Hit> raycast(ShapeRef ray, ShapeRef target, const RayOptions& options) {
  const DefaultFloatEnvironment guard;
  const TriangleChoice choice(options);
  return raycast(ray_query(ray, options.t_min, options.t_max, choice.or_null()), target);
}
BriefHit raycast_brief(ShapeRef ray, ShapeRef target, const RayOptions& options) {
  const DefaultFloatEnvironment guard;
  const TriangleChoice choice(options);
  const RayQuery query = ray_query(ray, options.t_min, options.t_max, choice.or_null());
  if (const Mesh* mesh = target.get<Mesh>()) return brief_hit(query, MeshView(*mesh, target.pose()));
  const std::optional<Hit> hit = raycast(query, target);
  return hit ? brief(*hit) : BriefHit{};
}
bool raycast_any(ShapeRef ray, ShapeRef target, const RayOptions& options) {
  const DefaultFloatEnvironment guard;
  const TriangleChoice choice(options);
  const RayQuery query = ray_query(ray, options.t_min, options.t_max, choice.or_null());
  if (const Mesh* mesh = target.get<Mesh>()) return any_hit(query, MeshView(*mesh, target.pose()));
  RayAnswer answer{Mode::any, target};
  dispatch(query, target, answer);
  return answer.any;
}
std::vector<Hit> raycast_all(ShapeRef ray, ShapeRef target, const RayOptions& options) {
  const DefaultFloatEnvironment guard;
  const TriangleChoice choice(options);
  return raycast_all(ray_query(ray, options.t_min, options.t_max, choice.or_null()), target);
}

}  // namespace graze
