// Response to contacts: reverses the normal component of the velocity, slows the tangential component, and handles several contacts within one step.
#include <algorithm>
#include <cmath>
#include <graze/error.hpp>
#include <graze/response.hpp>
#include <variant>

#include "exact/big.hpp"
#include "exact/predicates.hpp"
#include "math/limits.hpp"
#include "math/vec3.hpp"
#include "platform/fp_environment.hpp"
#include "shapes/length.hpp"
#include "shapes/message.hpp"
#include "shapes/normal.hpp"
#include "sweep/linear/safe_placement.hpp"

namespace graze {
namespace {

void require(bool good, const char* what) {
  if (!good) throw Error(ErrorCode::invalid_argument, what);
}

void check(const Material& m) {
  require(m.restitution >= 0 && m.restitution <= 1, "material: restitution must be in 0..1");
  require(m.friction >= 0, "material: friction must be >= 0");
  require(m.speed_kept >= 0 && m.speed_kept <= 1, "material: speed_kept must be in 0..1");
}

/// All numbers in units of 2^e, in which v is about 1. Coordinates in which nothing changes keep their values, however small.
Vec3 respond_to(const Vec3& v, const Vec3& normal, const Material& m) {
  if (!is_finite(v) || !is_finite(normal)) return v;
  if (max_norm(v) == 0 || max_norm(normal) == 0) return m.speed_kept * v;
  const int e = exponent_of(max_norm(v));
  const Vec3 s = scaled(v, -e), n = to_unit_range(normal);
  const V3<TwoDouble> ss{s.x, s.y, s.z}, nn{n.x, n.y, n.z};
  const TwoDouble factor = dot(ss, nn) / dot(nn, nn);  // the normal component is factor * n
  TwoDouble tangential = m.speed_kept;
  if (m.friction > 0 && factor.hi != 0) {
    const V3<TwoDouble> t{ss.x - factor * nn.x, ss.y - factor * nn.y, ss.z - factor * nn.z};
    const TwoDouble along = square_root(dot(t, t)), across = square_root(dot(nn, nn)) * (factor.hi < 0 ? -factor : factor);
    // speed lost to friction, proportional to the normal impulse
    const TwoDouble lost = TwoDouble(m.friction) * (TwoDouble(1) + TwoDouble(m.restitution)) * across;
    tangential = m.friction < 1e300 && (along - lost).hi > 0 ? tangential * ((along - lost) / along) : TwoDouble(0);
  }
  // kept * (share * tangential part - restitution * normal part)
  const TwoDouble back = factor * (tangential + TwoDouble(m.speed_kept) * TwoDouble(m.restitution));
  Vec3 r;
  for (int k = 0; k < 3; ++k) {
    if (n[k] == 0 || back.hi == 0) {
      r[k] = tangential.hi == 1 && tangential.lo == 0 ? v[k] : (tangential.hi + tangential.lo) * v[k];
      continue;
    }
    const TwoDouble x = tangential * TwoDouble(s[k]) - back * TwoDouble(n[k]);
    const double y = x.hi + x.lo;
    r[k] = exponent_of(y) + e > 1023 ? std::copysign(kLargest, y) : scaled(y, e);
  }
  return not_longer_than(v, r);
}

/// Whether the motion of a point that starts on a surface leads from its front (where corners run counter-clockwise, or the normal points) to its back; if so,
/// returns the front's normal.
std::optional<Vec3> through_front(ShapeRef target, const SweepHit& hit, const Vec3& motion) {
  const auto of_triangle = [&](const Triangle& t) -> std::optional<Vec3> {
    if (orient_direction(t.points[0], t.points[1], t.points[2], motion) >= 0) return std::nullopt;
    const auto n = triangle_normal(t.points[0], t.points[1], t.points[2]);
    return n ? std::optional(normalized(*n)) : std::nullopt;
  };
  if (const Compound* compound = target.get<Compound>()) {
    std::optional<Vec3> normal;
    for_each_child(*compound, target.pose(), [&](std::size_t i, ShapeRef child) {
      if (i != hit.child_b) return true;
      normal = through_front(child, hit, motion);
      return false;
    });
    return normal;
  }
  if (const Plane* plane = target.get<Plane>()) {
    const Vec3 n = placed_direction(plane->normal, target.pose());
    const Dyadic rate = Dyadic(n.x) * Dyadic(motion.x) + Dyadic(n.y) * Dyadic(motion.y) + Dyadic(n.z) * Dyadic(motion.z);
    return sign_of(rate) < 0 ? std::optional(normalized(n)) : std::nullopt;
  }
  if (const Triangle* t = target.get<Triangle>()) {
    return of_triangle({{placed_point(t->points[0], target.pose()), placed_point(t->points[1], target.pose()), placed_point(t->points[2], target.pose())}});
  }
  if (!hit.triangle_b) return std::nullopt;
  for (const ListedPart& p : PartList(target)) {
    if (const MeshView* view = std::get_if<MeshView>(&p.part)) return of_triangle(view->triangle(*hit.triangle_b));
    if (const ConvexSet* convex = std::get_if<ConvexSet>(&p.part); convex && p.triangle == hit.triangle_b)
      return of_triangle({{convex->base(0), convex->base(1), convex->base(2)}});
  }
  return std::nullopt;
}

}  // namespace

Vec3 respond(const Vec3& v, const Vec3& normal, const Material& material) {
  const DefaultFloatEnvironment guard;
  check(material);
  return respond_to(v, normal, material);
}

Vec3 slide(const Vec3& v, const Vec3& normal) {
  const DefaultFloatEnvironment guard;
  return respond_to(v, normal, {0, 0, 1});
}

BounceStep bounce(ShapeRef body, const Vec3& velocity, double dt, ShapeRef target, const Material& material, const BounceOptions& options) {
  const DefaultFloatEnvironment guard;
  check(material);
  require(is_finite(velocity), "bounce: the velocity must be finite");
  require(dt >= 0 && dt <= kLargest, "bounce: dt must be >= 0 and finite");
  const PartList parts(target);
  Placed placed{body.shape(), body.kind(), pose_of(body)};
  BounceStep step;
  step.velocity = velocity;
  bool has_moved = false;
  const auto here = [&] { return has_moved ? ShapeRef(placed) : body; };
  const auto go = [&](const Pose& pose) {
    placed.pose = pose;
    has_moved = true;
  };
  double left = dt;
  while (left > 0) {
    const Vec3 motion = clamped_to_finite(left * step.velocity);
    if (motion == Vec3(0, 0, 0)) break;
    std::optional<SweepHit> hit;
    std::optional<Vec3> normal;
    if (body.get<Point>() && !has_moved) {  // later starts are certified to be free
      hit = sweep(here(), motion, target);
      if (hit && hit->departing) normal = through_front(target, *hit, motion);
    }
    if (!hit || (hit->departing && !normal)) hit = sweep(here(), motion, target, SweepOptions{true});
    if (!hit) {
      const SafePlacement end = place_safely(here(), {motion}, target, parts, 1, 0);
      if (end.moved) go(end.pose);
      break;
    }
    if (hit->moved) go(hit->safe);
    if (!normal) normal = hit->normal;
    // no normal: deep inside from the start, without a known direction out
    const bool last = static_cast<int>(step.hits.size()) >= options.max_bounces || !normal;
    if (last) {
      step.velocity = Vec3(0, 0, 0);
      step.stopped = true;
      break;
    }
    BounceHit entry;
    entry.time = (dt - left) + hit->t * left;
    entry.point = hit->point;
    entry.normal = *normal;
    entry.velocity_before = step.velocity;
    step.velocity = options.sliding ? respond_to(step.velocity, *normal, {0, 0, 1}) : respond_to(step.velocity, *normal, material);
    entry.velocity_after = step.velocity;
    entry.triangle = hit->triangle_b;
    step.hits.push_back(entry);
    left -= hit->t * left;
  }
  step.pose = placed.pose;
  const Point* p = body.get<Point>();
  step.position = p ? placed_point(p->point, has_moved ? &placed.pose : body.pose()) : placed.pose.translation;
  return step;
}

}  // namespace graze
