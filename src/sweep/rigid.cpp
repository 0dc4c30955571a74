// First contact of a rigid motion with rotation: conservative advancement. At every step the distance, with all roundings of the placement taken off, is divided by a proven bound of the speed at which it can shrink: no contact
// comes before. Derivation of the bounds: docs/derivations/rigid_motion.md.
#include <cmath>
#include <graze/error.hpp>

#include "core/fp_environment.hpp"
#include "exact/double_parts.hpp"
#include "sweep/parts.hpp"
#include "sweep/screw.hpp"

namespace graze {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double largest(const Vec3& v) { return std::max({std::fabs(v[0]), std::fabs(v[1]), std::fabs(v[2])}); }
double dot(const Vec3& a, const Vec3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
double length(const Vec3& v) {  // without overflow; relative error below 2^-50
  const double m = largest(v);
  if (!(m > 0) || !(m < kInfinity)) return m;
  const int e = -exponent_of(m);
  const Vec3 s(scaled(v[0], e), scaled(v[1], e), scaled(v[2], e));
  return scaled(std::sqrt(dot(s, s)), -e);
}
Vec3 cross(const Vec3& a, const Vec3& b) { return Vec3(a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]); }

/// Calls f(corner) for the corners of a core's hull (rounded by a few ulps of the sizes added).
template <class F>
void for_each_corner(const Core& c, F&& f) {
  for (std::uint32_t i = 0; i < c.points; ++i) {
    const Vec3 base = c.base(i);
    for (std::uint32_t bits = 0; bits < 1u << c.segments; ++bits) {
      Vec3 p = base;
      for (std::uint32_t k = 0; k < c.segments; ++k) p += (bits >> k & 1 ? c.hi[k] : c.lo[k]) * c.segment[k];
      f(p);
    }
  }
}

/// Bounds of a shape at its start: the largest coordinate, and the greatest distance of a point from the screw's axis.
struct Extent {
  double size = 0, lever = 0;
  bool bounded = true, curved = false;

  Extent(const SweptParts& parts, const ScrewMotion& motion) {
    for (const SweptPart& p : parts) {
      std::visit([&]<class Part>(const Part& part) {
        if constexpr (std::is_same_v<Part, Core>) {
          bounded = bounded && part.bounded();
          for_each_corner(part, [&](const Vec3& c) { add(c, part.radius, motion); });
        } else if constexpr (std::is_same_v<Part, Curved>) {
          add(part, motion);
        } else if constexpr (std::is_same_v<Part, MeshView>) {
          add(part, motion);
        } else {
          add(part.surface, motion);
        }
      }, p.part);
    }
  }

 private:
  void add(const Vec3& p, double radius, const ScrewMotion& motion) {
    const Vec3 arm = p - motion.screw.center;
    const double s = largest(p) + radius;
    size = std::max(size, s);
    lever = std::max(lever, length(cross(arm, motion.axis)) * (1 + 0x1p-40) + radius + 0x1p-45 * (s + largest(motion.screw.center)));
  }
  void add(const Curved& c, const ScrewMotion& motion) {
    if (c.kind == Curved::Kind::core) {
      for_each_corner(c.core, [&](const Vec3& p) { add(p, c.core.radius, motion); });
      return;
    }
    curved = true;
    double reach = c.radius;
    if (c.kind == Curved::Kind::ellipsoid) {
      reach = 0;
      for (int i = 0; i < 3; ++i) reach += c.radii[i] * length(c.axis[i]) * (1 + 0x1p-40);
    }
    add(c.a, reach, motion);
    add(c.b, reach, motion);
  }
  void add(const MeshView& m, const ScrewMotion& motion) {
    for (const Vec3& v : m.mesh->vertices) add(m.pose ? m.pose->apply(v) : v, 0, motion);
  }
};

/// One convex core alone, with an end: what a separating direction can be asked about.
const Core* single_core(const SweptParts& parts) {
  const Core* c = parts.size() == 1 ? std::get_if<Core>(&parts[0].part) : nullptr;
  return c && c->bounded() ? c : nullptr;
}

/// The greatest n . p over the core, in doubles.
double support(const Core& c, const Vec3& n) {
  double most = -kInfinity;
  for (std::uint32_t i = 0; i < c.points; ++i) most = std::max(most, dot(n, c.base(i)));
  for (std::uint32_t k = 0; k < c.segments; ++k) {
    const double d = dot(n, c.segment[k]);
    most += std::max(c.lo[k] * d, c.hi[k] * d);
  }
  return most + c.radius * length(n);
}

struct Child {
  ShapeRef shape;  ///< not placed
  Pose start;
  bool has_pose;   ///< else `start` is the identity
  std::optional<std::uint32_t> number;
};

/// A shape as itself, or the children of a compound.
struct Children {
  std::vector<Child> list;
  explicit Children(ShapeRef s) {
    const auto unplaced = [](ShapeRef shape) {
      std::optional<ShapeRef> r;
      visit_shape(shape, [&](const auto& x) { r = ShapeRef(x); });
      return *r;
    };
    if (const Compound* c = s.get<Compound>()) {
      for (std::size_t i = 0; i < c->children().size(); ++i) {
        const Compound::Child& child = c->children()[i];
        list.push_back({unplaced(ShapeRef(child.shape)), s.pose() ? compose(*s.pose(), child.pose) : child.pose, true, static_cast<std::uint32_t>(i)});
      }
    } else {
      list.push_back({unplaced(s), s.pose() ? *s.pose() : Pose{}, s.pose() != nullptr, std::nullopt});
    }
  }
};

Placed placed(const Child& c, const Pose& pose) { return {c.shape.shape(), c.shape.kind(), pose}; }

struct Advanced {
  double t = 0;
  Closest closest;
  bool inside = false, budget_ended = false;
};

/// The advancement of one shape against another; nothing when there is no contact up to t = 1, or none before `limit`.
std::optional<Advanced> advance(const Child& a, const ScrewMotion& motion, const Child& b, const RigidSweepOptions& options, double limit) {
  const Placed start = placed(a, a.start), placed_target = placed(b, b.start);
  const ShapeRef target = b.has_pose ? ShapeRef(placed_target) : b.shape;
  Advanced now;
  now.closest = closest(start, target);
  if (!(now.closest.distance < kInfinity)) return std::nullopt;  // one of them is empty
  if (now.closest.distance == 0) {
    now.inside = true;
    return now;
  }
  const SweptParts parts_a{ShapeRef(start)}, parts_b{target};
  const Extent ea(parts_a, motion), eb(parts_b, motion);
  if (!ea.bounded && !eb.bounded) throw Error(std::string("sweep: a ") + type_name(a.shape.kind()) + " that turns and a " + type_name(b.shape.kind()) + " are both without end");

  const Screw& s = motion.screw;
  const double turn = std::fabs(s.angle), way = length(s.displacement) * (1 + 0x1p-40);
  const double across = length(cross(s.displacement, motion.axis)) * (1 + 0x1p-40) + 0x1p-45 * way;  // the part of the displacement across the axis
  // how fast a point of A moves, or a point of B as A sees it: the distance shrinks no faster than either
  const double lever_b = eb.bounded ? eb.lever + across : kInfinity;
  double speed = turn * std::min(ea.bounded ? ea.lever : kInfinity, lever_b) + way;
  if (turn == 0) speed = way;
  speed *= 1 + 0x1p-40;
  if (!(speed > 0)) return std::nullopt;  // nothing moves
  // what placing rounds away, and what the distance itself may be off
  const double sizes = ea.size + largest(a.start.translation) + largest(s.center) + largest(s.displacement);
  double slack = ea.bounded ? 0x1p-43 * sizes : 0x1p-41 * (sizes + eb.size);
  if (ea.curved || eb.curved) slack += 0x1p-38 * ((ea.curved ? ea.size : 0) + (eb.curved ? eb.size : 0)) + 0x1p-80 * (sizes + eb.size);

  const Core* core_b = single_core(parts_b);
  const bool convex = core_b && single_core(parts_a) && turn * ea.lever < 0x1p500;
  for (std::size_t step = 0;; ++step) {
    const double distance = now.closest.distance;
    if (distance * (1 + 0x1p-49) + slack <= options.tolerance) return now;
    const double free = distance * (1 - 0x1p-49) - slack;
    if (step == options.budget || !(free > 0)) {
      now.budget_ended = true;
      return now;
    }
    double ahead = free / speed;
    if (convex) {
      // Along the direction n between the closest points: A's side of the gap moves no faster than n . d, and the turn no faster than its lever times the part of n across the axis.
      Vec3 n = now.closest.on_b - now.closest.on_a;
      const double norm = length(n);
      if (norm > 0) {
        n = n * (1 / norm);
        const Pose pose = compose(motion.at(now.t), a.start);
        const Placed at_now = placed(a, pose);
        const SweptParts parts{ShapeRef(at_now)};
        const double gap = -support(*core_b, -n) - support(*single_core(parts), n) - 0x1p-43 * (sizes + eb.size) - slack;
        const double tilt = length(cross(n, motion.axis)) + 0x1p-48;
        const double by_a = std::max(dot(n, s.displacement), 0.0) + turn * ea.lever * tilt + 0x1p-48 * way;
        const double by_b = way + turn * lever_b * tilt;
        ahead = std::max(ahead, gap / (std::min(by_a, by_b) * (1 + 0x1p-40)));
      }
    }
    const double next = next_down(now.t + ahead * (1 - 0x1p-50));
    if (!(next < 1) || next > limit) return std::nullopt;
    if (!(next > now.t)) {
      now.budget_ended = true;
      return now;
    }
    now.t = next;
    now.closest = closest(placed(a, compose(motion.at(next), a.start)), target);
  }
}

void require(const Vec3& v, const char* name) {
  for (int i = 0; i < 3; ++i)
    if (v[i] - v[i] != 0) throw Error(std::string("sweep: ") + name + "[" + std::to_string(i) + "] is " + (v[i] != v[i] ? "NaN" : "infinite") + ", must be finite");
}

}  // namespace

std::optional<SweepHit> sweep(ShapeRef a, const Screw& screw, ShapeRef b, const RigidSweepOptions& options) {
  const DefaultFloatEnvironment guard;
  require(screw.center, "center");
  require(screw.axis, "axis");
  require(screw.displacement, "displacement");
  if (screw.angle - screw.angle != 0) throw Error(std::string("sweep: angle is ") + (screw.angle != screw.angle ? "NaN" : "infinite") + ", must be finite");
  if (screw.axis == Vec3(0, 0, 0)) throw Error("sweep: axis is zero");
  if (!(options.tolerance > 0) || !(options.tolerance < kInfinity)) throw Error("sweep: tolerance is " + std::to_string(options.tolerance) + ", must be > 0 and finite");

  const ScrewMotion motion(screw);
  const Children movers(a), targets(b);
  std::optional<Advanced> best;
  SweepHit hit;
  for (const Child& cb : targets.list) {
    for (const Child& ca : movers.list) {
      const std::optional<Advanced> found = advance(ca, motion, cb, options, best ? best->t : 1);
      if (!found || (best && found->t >= best->t)) continue;
      best = found;
      hit.child_a = ca.number;
      hit.child_b = cb.number;
    }
  }
  if (!best) return std::nullopt;
  hit.t = best->t;
  hit.started_inside = best->inside;
  hit.budget_ended = best->budget_ended;
  hit.point = best->closest.on_b;
  hit.triangle_a = best->closest.triangle_a;
  hit.triangle_b = best->closest.triangle_b;
  const Vec3 apart = best->closest.on_a - best->closest.on_b;
  if (const double d = length(apart); d > 0) hit.normal = apart * (1 / d);

  // the placement at t, or a little before, where the rounded shape does not intersect
  const Pose start = a.pose() ? *a.pose() : Pose{};
  const Point* point = a.get<Point>();
  const auto put = [&](const Pose& p) {
    hit.safe = p;
    hit.safe_point = point ? p.apply(point->point) : p.translation;
  };
  put(start);
  double back = 0x1p-40 * best->t;
  for (double t = best->t; t > 0; t -= back, back *= 8) {
    const Pose p = compose(motion.at(t), start);
    if (intersects(Placed{a.shape(), a.kind(), p}, b)) continue;
    put(p);
    hit.moved = true;
    break;
  }
  return hit;
}

}  // namespace graze
