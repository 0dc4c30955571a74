// sweep by a displacement: all kinds of shapes by their parts (the table in parts.cpp), all pairs of parts by the walks.
#include <cmath>
#include <graze/error.hpp>
#include <graze/sweep.hpp>

#include "core/fp_environment.hpp"
#include "core/parallel.hpp"
#include "sweep/safe.hpp"
#include "sweep/walks.hpp"

namespace graze {
namespace {

void require_finite(const char* name, const Vec3& v) {
  for (int i = 0; i < 3; ++i)
    if (!(std::fabs(v[i]) <= std::numeric_limits<double>::max())) throw Error(std::string("sweep: ") + name + "[" + std::to_string(i) + "] is " + (v[i] != v[i] ? "NaN" : "infinite") + ", must be finite");
}

Vec3 clamped(Vec3 p) {
  for (int i = 0; i < 3; ++i) p[i] = std::clamp(p[i], -std::numeric_limits<double>::max(), std::numeric_limits<double>::max());
  return p;
}

/// A common point at the time of contact, rounded.
Vec3 common_point(ShapeRef a, const Motion& motion, ShapeRef b, const First& first) {
  const PairContact& c = first.contact();
  const Vec3 d = rounded(motion);
  if (!first.curved()) {
    const Core& ca = first.core_a();
    const Core& cb = first.core_b();
    if (ca.is_ball() && (ca.radius == 0 || c.normal != Vec3(0, 0, 0))) {
      const Vec3 p = ca.base(0);
      Vec3 r;
      for (int i = 0; i < 3; ++i) r[i] = (c.t == 0 ? p[i] : p[i] + c.t * d[i]) - (ca.radius == 0 ? 0 : ca.radius * c.normal[i]);
      return clamped(r);
    }
    if (c.point) return *c.point;
    if (ca.segments < 5) {
      Core at = ca;
      if (c.t > 0) at.add_segment(d, c.t, c.t);
      return closest(at, cb).on_b;
    }
  } else if (c.point) {
    return *c.point;
  }
  Pose pose = a.pose() ? *a.pose() : Pose{};
  for (int i = 0; i < 3; ++i) pose.translation[i] += c.t * d[i];
  pose.translation = clamped(pose.translation);
  const Placed placed{a.shape(), a.kind(), pose};
  return closest(c.t > 0 ? ShapeRef(placed) : a, b).on_b;
}

std::optional<SweepHit> sweep_motion(ShapeRef a, const Motion& motion, ShapeRef b, const SweepOptions& options) {
  const SweptParts parts_a(a), parts_b(b);
  First first(motion, options.skip_departing);
  sweep_all(first, parts_a, parts_b);
  if (!first.found()) return std::nullopt;
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
  hit.point = common_point(a, motion, b, first);
  const SafePlacement safe = place_safely(a, motion, b, parts_b, c.t, c.t > 0 ? std::max(first_step_back(a, motion, c.normal, c.t), c.apart) : 0,
                                          parts_a.size() == 1 && parts_b.size() == 1 ? &first.near : nullptr, c.normal);
  hit.safe = safe.pose;
  hit.safe_point = safe.point;
  hit.moved = safe.moved;
  return hit;
}

}  // namespace

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

std::vector<std::optional<SweepHit>> sweep(std::span<const ShapeRef> a, std::span<const Vec3> motions, ShapeRef b, const SweepOptions& options) {
  const DefaultFloatEnvironment guard;
  if (a.size() != motions.size()) throw Error("sweep: " + std::to_string(a.size()) + " shapes with " + std::to_string(motions.size()) + " motions, must be as many");
  for (std::size_t i = 0; i < motions.size(); ++i) require_finite(("motions[" + std::to_string(i) + "]").c_str(), motions[i]);
  std::vector<std::optional<SweepHit>> hits(a.size());
  parallel_for(a.size(), 64, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) hits[i] = sweep_motion(a[i], {motions[i]}, b, options);
  });
  return hits;
}

}  // namespace graze
