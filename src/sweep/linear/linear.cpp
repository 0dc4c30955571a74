// Sweeps by a displacement, single and in batches: all kinds of shapes are split into parts (the table in parts/part_list.cpp), and traversals cover all pairs
// of parts.
#include <algorithm>
#include <cmath>
#include <graze/error.hpp>
#include <graze/sweep/linear.hpp>
#include <string>
#include <variant>

#include "math/limits.hpp"
#include "math/vec3.hpp"
#include "platform/fp_environment.hpp"
#include "platform/parallel.hpp"
#include "sweep/linear/linear_sweep.hpp"
#include "sweep/linear/safe_placement.hpp"

namespace graze {
namespace {

void require_finite(const char* name, const Vec3& v, std::optional<std::size_t> element = {}) {
  for (int i = 0; i < 3; ++i)
    if (!(std::fabs(v[i]) <= kLargest))
      throw Error(ErrorCode::invalid_argument, std::string("sweep: ") + name + (element ? "[" + std::to_string(*element) + "]" : "") + "[" + std::to_string(i) +
                                                   "] is " + (v[i] != v[i] ? "NaN" : "infinite") + ", must be finite");
}

/// A common point at the time of contact, rounded.
Vec3 common_point(ShapeRef a, const Motion& motion, ShapeRef b, const EarliestContact& first) {
  const PairContact& c = first.contact();
  const Vec3 d = rounded(motion);
  if (!first.curved()) {
    const ConvexSet& ca = first.convex_a();
    const ConvexSet& cb = first.convex_b();
    if (ca.is_ball() && (ca.radius == 0 || c.normal != Vec3(0, 0, 0))) {
      const Vec3 p = ca.base(0);
      Vec3 r;
      for (int i = 0; i < 3; ++i) r[i] = (c.t == 0 ? p[i] : p[i] + c.t * d[i]) - (ca.radius == 0 ? 0 : ca.radius * c.normal[i]);
      return clamped_to_finite(r);
    }
    if (c.point) return *c.point;
    if (ca.segments < 5) {
      ConvexSet at = ca;
      if (c.t > 0) at.add_segment(d, c.t, c.t);
      return closest(at, cb).on_b;
    }
  } else if (c.point) {
    return *c.point;
  }
  Pose pose = pose_of(a);
  for (int i = 0; i < 3; ++i) pose.translation[i] += c.t * d[i];
  pose.translation = clamped_to_finite(pose.translation);
  const Placed placed{a.shape(), a.kind(), pose};
  return closest(c.t > 0 ? ShapeRef(placed) : a, b).on_b;
}

std::uint32_t user_of(const PartList& parts, std::optional<std::uint32_t> child, std::optional<std::uint32_t> triangle) {
  if (!triangle) return 0;
  for (const ListedPart& p : parts) {
    if (p.child != child) continue;
    if (const MeshView* view = std::get_if<MeshView>(&p.part)) return view->mesh->user_of(*triangle);
    if (const SolidView* solid = std::get_if<SolidView>(&p.part)) return solid->surface.mesh->user_of(*triangle);
  }
  return 0;
}

/// Calls f with the triangle, else the child, else the shape that touches.
template <class F>
void with_touched(ShapeRef shape, const PartList& parts, std::optional<std::uint32_t> child, std::optional<std::uint32_t> triangle, F&& f) {
  for (const ListedPart& p : parts) {
    if (p.child != child) continue;
    const MeshView* view = std::get_if<MeshView>(&p.part);
    if (!(view ? triangle.has_value() : p.has_sides && p.triangle == triangle)) continue;
    const Triangle t = view ? view->triangle(*triangle) : triangle_of(std::get<ConvexSet>(p.part));
    return f(t);
  }
  const Compound* compound = shape.get<Compound>();
  if (!compound) return f(shape);
  for_each_child(*compound, shape.pose(), [&](std::size_t i, ShapeRef part) {
    if (i != *child) return true;
    f(part);
    return false;
  });
}

/// The common point of the parts that touch: it must not depend on the rest of a shape, which at the rounded time may be as near.
Vec3 common_point_of_touched(const SweptPair& pair, const EarliestContact& first) {
  const SweepIds& ids = first.ids();
  Vec3 point;
  with_touched(pair.a, pair.parts_a, ids.child_a, ids.triangle_a, [&](ShapeRef of_a) {
    with_touched(pair.b, pair.parts_b, ids.child_b, ids.triangle_b, [&](ShapeRef of_b) { point = common_point(of_a, first.motion(), of_b, first); });
  });
  return point;
}

/// One sweep in progress.
struct Course {
  Course(ShapeRef shape, const Motion& along, const SweepOptions& options, std::optional<std::uint32_t> member = {})
      : a(shape), motion(along), choice(options, motion, member), parts(shape), first(motion, options.skip_departing) {}

  const ShapeRef a;
  const Motion motion;
  const SweepChoice choice;
  const PartList parts;
  EarliestContact first;
};

std::optional<SweepHit> sweep_parts_of(Course&& course, ShapeRef b, const PartList& parts_b, const SweepOptions& options) {
  sweep_all(course.first, course.parts, parts_b, course.choice.line());
  return hit_of(course.first, {course.a, course.parts, b, parts_b}, options, course.choice.line());
}

}  // namespace

std::optional<SweepHit> hit_of(EarliestContact& first, const SweptPair& pair, const SweepOptions& options, const RayQuery* line) {
  if (!first.found()) return std::nullopt;
  first.forget_bounds();
  const PairContact& c = first.contact();
  SweepHit hit;
  hit.t = c.t;
  hit.started_inside = c.inside;
  hit.departing = first.departing();
  if (c.normal != Vec3(0, 0, 0)) hit.normal = c.normal;
  hit.triangle_a = first.ids().triangle_a;
  hit.triangle_b = first.ids().triangle_b;
  hit.child_a = first.ids().child_a;
  hit.child_b = first.ids().child_b;
  hit.user_a = user_of(pair.parts_a, hit.child_a, hit.triangle_a);
  hit.user_b = user_of(pair.parts_b, hit.child_b, hit.triangle_b);
  hit.point = common_point_of_touched(pair, first);
  std::optional<Surroundings> known;
  if (first.near.known && pair.parts_a.size() == 1 && pair.parts_b.size() == 1)
    known.emplace(Surroundings{std::get_if<ConvexSet>(&pair.parts_a[0].part), first.near, c.normal});
  const Motion& motion = first.motion();
  const double back = options.place && c.t > 0 ? std::max(first_step_back(pair.a, motion, c.normal, c.t), c.apart) : 0;
  const SafePlacement safe = place_safely(pair.a, motion, pair.b, pair.parts_b, options.place ? c.t : 0, back, known ? &*known : nullptr, line);
  hit.safe = safe.pose;
  hit.safe_point = safe.point;
  hit.moved = safe.moved;
  return hit;
}

std::optional<SweepHit> sweep_motion(ShapeRef a, const Motion& motion, ShapeRef b, const SweepOptions& options, std::optional<std::uint32_t> member) {
  return sweep_parts_of(Course(a, motion, options, member), b, PartList(b), options);
}

std::optional<SweepHit> sweep(ShapeRef a, const Vec3& motion, ShapeRef b, const SweepOptions& options) {
  const DefaultFloatEnvironment guard;
  require_finite("motion", motion);
  return sweep_motion(a, {motion}, b, options);
}

std::optional<SweepHit> sweep(ShapeRef a, const Vec3& motion_a, ShapeRef b, const Vec3& motion_b, const SweepOptions& options) {
  const DefaultFloatEnvironment guard;
  require_finite("motion_a", motion_a);
  require_finite("motion_b", motion_b);
  if (motion_b == Vec3(0, 0, 0)) return sweep_motion(a, {motion_a}, b, options);
  return sweep_motion(a, {motion_a, &motion_b}, b, options);
}

void sweep(std::span<const ShapeRef> a, std::span<const Vec3> motions, ShapeRef b, std::span<std::optional<SweepHit>> out, const SweepOptions& options) {
  const DefaultFloatEnvironment guard;
  if (a.size() != motions.size())
    throw Error(ErrorCode::invalid_argument,
                "sweep: " + std::to_string(a.size()) + " shapes with " + std::to_string(motions.size()) + " motions, must be as many");
  if (a.size() != out.size())
    throw Error(ErrorCode::invalid_argument,
                "sweep: room for " + std::to_string(out.size()) + " answers of " + std::to_string(a.size()) + " sweeps, must be as many");
  for (std::size_t i = 0; i < motions.size(); ++i) require_finite("motions", motions[i], i);
  parallel_for(a.size(), 64, [&](std::size_t begin, std::size_t end) {
    const PartList parts_b(b);
    for (std::size_t i = begin; i < end; ++i) out[i] = sweep_parts_of(Course(a[i], {motions[i]}, options), b, parts_b, options);
  });
}

std::vector<std::optional<SweepHit>> sweep(std::span<const ShapeRef> a, std::span<const Vec3> motions, ShapeRef b, const SweepOptions& options) {
  std::vector<std::optional<SweepHit>> hits(a.size());
  sweep(a, motions, b, hits, options);
  return hits;
}

}  // namespace graze
