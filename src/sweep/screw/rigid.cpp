// First contact of a rigid motion with rotation, by conservative advancement. At every step the distance, with all roundings of the placement
// subtracted, is divided by a proven bound of the speed at which it can shrink; no contact comes before the resulting time. Convex sets advance pair by pair;
// for meshes, slabs of time give the pairs of triangles that may meet. Derivation of the bounds: docs/derivations/rigid_motion.md.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <graze/error.hpp>
#include <graze/sweep/rigid.hpp>
#include <limits>
#include <string>
#include <variant>
#include <vector>

#include "convex/minkowski/local_pair.hpp"
#include "exact/double_parts.hpp"
#include "math/limits.hpp"
#include "math/step_back.hpp"
#include "mesh/queries/convex_queries.hpp"
#include "mesh/queries/surface_queries.hpp"
#include "platform/fp_environment.hpp"
#include "platform/watch.hpp"
#include "sweep/screw/advance.hpp"
#include "sweep/screw/turning.hpp"

namespace graze {
namespace {

using namespace advance;

struct Child {
  ShapeRef shape;  ///< not placed
  Pose start;
  bool has_pose;  ///< otherwise `start` is the identity
  std::optional<std::uint32_t> number;
};

/// A shape itself, or the children of a compound.
std::vector<Child> children_of(ShapeRef s) {
  std::vector<Child> list;
  visit_shape(s, [&](const auto& whole) {
    visit_children(whole, s.pose(), [&](std::optional<std::uint32_t> number, const auto& shape, const Pose* pose) {
      list.push_back({ShapeRef(shape), pose ? *pose : Pose{}, pose != nullptr, number});
      return true;
    });
  });
  return list;
}

Placed placed(const Child& c, const Pose& pose) { return {c.shape.shape(), c.shape.kind(), pose}; }

struct ScrewContact {
  double t = 0;
  Closest closest;
  bool inside = false, budget_ended = false;
};

/// One pair of shapes without children.
class PairSweep {
 public:
  PairSweep(const Child& a, const ScrewMotion& motion, const Child& b, const RigidSweepOptions& options, ExactWork& work)
      : a_(a),
        motion_(motion),
        start_(placed(a, a.start)),
        placed_b_(placed(b, b.start)),
        b_(b.has_pose ? ShapeRef(placed_b_) : b.shape),
        options_(options),
        work_(work) {}

  /// Returns nothing when there is no contact up to t = 1 or up to `limit`.
  std::optional<ScrewContact> first(double limit) {
    const PartList parts_a{ShapeRef(start_)}, parts_b{b_};
    for (const PartList* parts : {&parts_a, &parts_b})
      if (parts->size() == 1 && is_empty((*parts)[0])) return std::nullopt;
    if (intersects(start_, b_)) return ScrewContact{0, common_start(parts_a, parts_b), true, false};
    const Extent ea(parts_a, motion_, true), eb(parts_b, motion_, false);
    if (!ea.bounded && !eb.bounded)
      throw Error(ErrorCode::unsupported_shape,
                  "sweep: " + article_name(a_.shape.kind()) + " that turns and " + article_name(b_.kind()) + " are both without end");
    const Setting setting(motion_, options_, work_, ea, a_.start.translation, eb);
    setting_ = &setting;
    extent_a_ = &ea;
    extent_b_ = &eb;
    limit_ = limit;
    for (std::size_t j = 0; j < parts_b.size(); ++j)
      for (std::size_t i = 0; i < parts_a.size(); ++i) parts(parts_a, i, parts_b[j]);
    return found_;
  }

 private:
  /// A common point of both at the start: for a convex shape and a surface, at the lowest triangle, as `closest` names it.
  Closest common_start(const PartList& parts_a, const PartList& parts_b) const {
    const bool alone = parts_a.size() == 1 && parts_b.size() == 1;
    const MeshView* ma = alone ? std::get_if<MeshView>(&parts_a[0].part) : nullptr;
    const MeshView* mb = alone ? std::get_if<MeshView>(&parts_b[0].part) : nullptr;
    std::optional<Closest> r;
    if (!ma && mb && !surface_in(parts_a[0])) {
      with_convex(parts_a[0], [&](const auto& a) {
        for (const std::uint32_t k : triangles_within(*mb, a, 0, 1)) {
          const ConvexClosest c = closest(a, convex_triangle(mb->triangle(k)));
          r = Closest{c.distance, c.on_a, c.on_b, parts_a[0].triangle, k};
        }
      });
    } else if (ma && !mb && !surface_in(parts_b[0])) {
      with_convex(parts_b[0], [&](const auto& b) {
        for (const std::uint32_t k : triangles_within(*ma, b, 0, 1)) {
          const ConvexClosest c = closest(convex_triangle(ma->triangle(k)), b);
          r = Closest{c.distance, c.on_a, c.on_b, k, parts_b[0].triangle};
        }
      });
    }
    return r && r->distance == 0 ? *r : closest(start_, b_);
  }

  Pose pose_at(double t) const { return compose(motion_.at(t), a_.start); }

  void take(double t, const ConvexClosest& c, bool ended, std::optional<std::uint32_t> ta, std::optional<std::uint32_t> tb) {
    if (found_ && t >= found_->t) return;
    found_ = ScrewContact{t, {c.distance, c.on_a, c.on_b, ta, tb}, false, ended};
    limit_ = t;
  }

  /// Reports that the work limit was reached, at the last time known to be free.
  void give_up(double t) {
    const Closest c = closest(placed(a_, pose_at(t)), b_);
    take(t, {c.distance, c.on_a, c.on_b}, true, c.triangle_a, c.triangle_b);
  }

  /// Advances curved shapes by distances of the whole shape.
  void whole() {
    const double speed = setting_->speed(extent_a_->lever, extent_b_->lever);
    double t = 0;
    for (std::size_t step = 0;; ++step) {
      checkpoint();
      const Closest c = work_.count([&] { return closest(placed(a_, pose_at(t)), b_); });
      const double free = setting_->free(c.distance), next = free > 0 && speed > 0 ? next_down(t + free / speed * (1 - 0x1p-50)) : free > 0 ? kInfinity : t;
      const bool near = setting_->near(c.distance), ended = setting_->ended(step) || !(next > t);
      if (!near && next >= limit_) return;
      if (near || ended) {
        found_ = ScrewContact{t, c, false, !near};
        return;
      }
      t = next;
    }
  }

  static bool is_empty(const ListedPart& p) {
    const MeshView* m = surface_in(p);
    return m && m->mesh->triangles.empty();
  }

  /// Calls f(part i at t), a convex set or a curved shape.
  template <class F>
  void with_part(std::size_t i, double t, F&& f) const {
    const Placed at = placed(a_, pose_at(t));
    const PartList parts{ShapeRef(at)};
    with_convex(parts[i], f);
  }
  template <class F>
  void with_convex_set(std::size_t i, double t, F&& f) const {
    const Placed at = placed(a_, pose_at(t));
    const PartList parts{ShapeRef(at)};
    f(*convex_set_in(parts[i]));
  }
  template <class F>
  static void with_convex(const ListedPart& p, F&& f) {
    if (const Curved* c = std::get_if<Curved>(&p.part)) return c->convex() ? f(*c->convex()) : f(*c);
    f(*std::get_if<ConvexSet>(&p.part));
  }
  static const ConvexSet* convex_set_in(const ListedPart& p) {
    if (const Curved* c = std::get_if<Curved>(&p.part)) return c->convex();
    return std::get_if<ConvexSet>(&p.part);
  }
  static const MeshView* surface_in(const ListedPart& p) {
    if (const SolidView* s = std::get_if<SolidView>(&p.part)) return &s->surface;
    return std::get_if<MeshView>(&p.part);
  }
  static std::optional<BoundingVolume> bounding_volume_of_part(const ListedPart& p) {
    std::optional<BoundingVolume> r;
    with_convex(p, [&](const auto& convex) { r = bounding_volume(convex); });
    return r;
  }

  void parts(const PartList& all_a, std::size_t i, const ListedPart& b) {
    const ListedPart& a = all_a[i];
    const MeshView *ma = surface_in(a), *mb = surface_in(b);
    if (!ma && !mb) {
      with_convex(b, [&](const auto& cb) {
        const auto hit = advance_quickly(
            *setting_, [&](double t, const auto& f) { with_part(i, t, f); }, cb, extent_a_->lever, extent_b_->lever, 0, limit_);
        if (hit) with_part(i, hit->t, [&](const auto& at) { take(hit->t, closest(at, cb), hit->budget_ended, a.triangle, b.triangle); });
      });
      return;
    }
    if (!(ma && mb) && spans(i, a, ma, b, mb)) return;
    if ((!ma && !convex_set_in(a)) || (!mb && !convex_set_in(b))) return whole();
    slabs(i, a, ma, b, mb);
  }

  /// A convex shape and a surface: splits the time into spans, and tests in each the candidate triangles of the traversal, the earliest first. Returns false
  /// without a result where the traversal is not usable.
  bool spans(std::size_t i, const ListedPart& a, const MeshView* ma, const ListedPart& b, const MeshView* mb) {
    const auto hull = bounding_volume_of_part(ma ? b : a);
    if (!hull || !extent_a_->bounded || !extent_b_->bounded) return false;
    constexpr std::size_t kMany = 64, kFew = 16;  // candidates at which spans become shorter and longer: a choice that affects only the effort
    const double error = setting_->slack + 0x1p-43 * (extent_a_->size + extent_b_->size);
    TurningTraversal traversal(ma ? *ma : *mb, *hull, motion_, ma != nullptr, error);
    if (!traversal.usable()) return false;
    std::vector<TurningTraversal::Candidate> candidates;
    double h = traversal.good_span();
    std::size_t span = 0;
    std::optional<AdvanceHit> best;
    std::uint32_t touched = 0;
    for (double t = 0; t < limit_ || t == 0; ++span) {
      checkpoint();
      double end = std::min(t + h, limit_);
      if (!traversal.gather(t, end, h > kShortest ? kMany : std::numeric_limits<std::size_t>::max(), candidates)) {
        if (!traversal.usable()) return false;
        h = std::max(h * 0.5, kShortest);
        continue;
      }
      for (const TurningTraversal::Candidate& k : candidates) {
        if (k.t > std::min(end, limit_) || (best && k.t >= limit_)) break;
        end = std::min(end, limit_);
        std::optional<AdvanceHit> hit;
        if (ma) {
          with_convex(b, [&](const auto& cb) {
            hit = advance_quickly(
                *setting_,
                [&](double now, const auto& f) {
                  const Pose at = pose_at(now);
                  f(convex_triangle(MeshView(*ma->mesh, &at).triangle(k.triangle)));
                },
                cb, lever_of(ma->triangle(k.triangle)), extent_b_->lever, k.t, end);
          });
        } else {
          const Triangle triangle = mb->triangle(k.triangle);
          hit = advance_quickly(
              *setting_, [&](double now, const auto& f) { with_part(i, now, f); }, convex_triangle(triangle), extent_a_->lever, lever_of(triangle), k.t, end);
        }
        if (!hit || hit->t > limit_ || (found_ && hit->t >= limit_)) continue;
        best = hit;
        touched = k.triangle;
        limit_ = hit->t;
      }
      if (best) {
        touch(i, a, ma, b, mb, *best, touched);
        return true;
      }
      t = end;
      if (t >= limit_) return true;
      if (span >= options_.budget || work_.ended(options_)) {
        give_up(t);
        return true;
      }
      if (candidates.size() < kFew) h = std::min(h * 2, traversal.good_span());
    }
    return true;
  }

  /// Records the contact of a convex part and a triangle.
  void touch(std::size_t i, const ListedPart& a, const MeshView* ma, const ListedPart& b, const MeshView* mb, const AdvanceHit& hit, std::uint32_t triangle) {
    if (ma) {
      const Pose at = pose_at(hit.t);
      const ConvexSet convex = convex_triangle(MeshView(*ma->mesh, &at).triangle(triangle));
      with_convex(b, [&](const auto& cb) { take(hit.t, closest(convex, cb), hit.budget_ended, triangle, b.triangle); });
    } else {
      const ConvexSet convex = convex_triangle(mb->triangle(triangle));
      with_part(i, hit.t, [&](const auto& ca) { take(hit.t, closest(ca, convex), hit.budget_ended, a.triangle, triangle); });
    }
  }

  /// Splits the time into slabs, shorter where many pairs are near. At the middle of a slab, a pair that meets within it is no farther apart than the path of
  /// half a slab.
  void slabs(std::size_t i, const ListedPart& a, const MeshView* ma, const ListedPart& b, const MeshView* mb) {
    // How time is split is a choice, as are the counts and factors here: each slab is searched with its own margin, however long it is.
    constexpr std::size_t kMany = 96, kFew = 24;  // the same for slabs and pairs
    const double speed = setting_->speed(extent_a_->lever, extent_b_->lever);
    const auto width = [](const Box3& box) { return std::max({box.hi[0] - box.lo[0], box.hi[1] - box.lo[1], box.hi[2] - box.lo[2]}); };
    const double few_percent = speed > 0 ? 0.02 * std::min(width(extent_a_->box), width(extent_b_->box)) / speed : 1;
    // No slab's margin may extend over much of a mesh: nearly all pairs would be near. Distant parts are left to the distance.
    const double longest = ma && mb ? std::clamp(4 * few_percent, kShortest, 0.125) : 0.125;
    double h = std::clamp(few_percent, kShortest, longest), cap = longest;  // cap: a length that was too large, growing again slowly
    std::size_t slab = 0;
    for (double t = 0; t < limit_ || t == 0; ++slab) {
      checkpoint();
      double end = std::min(t + h, limit_);
      // 2^-50 for the rounding of the middle (times are at most 1), 2^-20 and 2^-40 for those of the products
      const double middle = t + (end - t) * 0.5, margin = (speed * ((end - t) * (0.5 + 0x1p-20) + 0x1p-50) + setting_->slack) * (1 + 0x1p-40);
      const Pose pose = pose_at(middle);
      std::vector<TrianglePair> pairs;
      if (ma && mb) {
        pairs = triangle_pairs(MeshView(*ma->mesh, &pose), *mb, margin);
      } else if (ma) {
        for (std::uint32_t k : triangles_within(MeshView(*ma->mesh, &pose), *convex_set_in(b), margin)) pairs.push_back({k, 0});
      } else {
        with_convex_set(i, middle, [&](const ConvexSet& convex) {
          for (std::uint32_t k : triangles_within(*mb, convex, margin)) pairs.push_back({0, k});
        });
      }
      if (pairs.size() > 4 * kMany && h > kShortest) {
        cap = h * 0.75;
        h = std::max(h * 0.5, kShortest);
        continue;
      }
      for (const TrianglePair& p : pairs) {
        end = std::min(end, limit_);
        const std::optional<Triangle> tb = mb ? std::optional(mb->triangle(p.b)) : std::nullopt;
        const ConvexSet cb = tb ? convex_triangle(*tb) : *convex_set_in(b);
        const double lever_b = tb ? lever_of(*tb) : extent_b_->lever;
        std::optional<AdvanceHit> hit;
        if (ma) {
          hit = advance_convex_sets(
              *setting_,
              [&](double now, const auto& f) {
                const Pose at = pose_at(now);
                f(convex_triangle(MeshView(*ma->mesh, &at).triangle(p.a)));
              },
              cb, lever_of(ma->triangle(p.a)), lever_b, t, end);
        } else {
          hit = advance_convex_sets(
              *setting_, [&](double now, const auto& f) { with_convex_set(i, now, f); }, cb, extent_a_->lever, lever_b, t, end);
        }
        if (hit) take(hit->t, hit->closest, hit->budget_ended, ma ? std::optional(p.a) : a.triangle, mb ? std::optional(p.b) : b.triangle);
      }
      if (found_ && found_->t <= end) return;
      t = end;
      if (t >= limit_) return;
      if (slab >= options_.budget || work_.ended(options_)) {
        give_up(t);
        return;
      }
      if (ma && mb && pairs.empty() && speed > 0) {
        const double free = setting_->free(closest(placed(a_, pose_at(t)), b_).distance);
        if (free > 0) t = std::max(t, next_down(t + free / speed * (1 - 0x1p-50)));
        if (t >= limit_) return;
      }
      h = pairs.size() > kMany ? std::max(h * 0.5, kShortest) : pairs.size() < kFew ? std::min(h * 2, cap) : h;
      cap = std::min(cap * 1.03, longest);
    }
  }

  double lever_of(const Triangle& t) const {
    return std::max({advance::lever_of(t.points[0], 0, motion_), advance::lever_of(t.points[1], 0, motion_), advance::lever_of(t.points[2], 0, motion_)});
  }

  static constexpr double kShortest = 0x1p-16;  ///< shortest span or slab; a choice: at this length all candidates are taken, however many

  const Child& a_;
  const ScrewMotion& motion_;
  const Placed start_, placed_b_;
  const ShapeRef b_;
  const RigidSweepOptions& options_;
  ExactWork& work_;
  const Setting* setting_ = nullptr;
  const Extent *extent_a_ = nullptr, *extent_b_ = nullptr;
  double limit_ = 1;
  std::optional<ScrewContact> found_;
};

void require(const Vec3& v, const char* name) {
  for (int i = 0; i < 3; ++i)
    if (v[i] - v[i] != 0)
      throw Error(ErrorCode::invalid_argument,
                  std::string("sweep: ") + name + "[" + std::to_string(i) + "] is " + (v[i] != v[i] ? "NaN" : "infinite") + ", must be finite");
}

}  // namespace

std::optional<SweepHit> sweep(ShapeRef a, const Screw& screw, ShapeRef b, const RigidSweepOptions& options) {
  const DefaultFloatEnvironment guard;
  require(screw.center, "center");
  require(screw.axis, "axis");
  require(screw.displacement, "displacement");
  if (screw.angle - screw.angle != 0)
    throw Error(ErrorCode::invalid_argument, std::string("sweep: angle is ") + (screw.angle != screw.angle ? "NaN" : "infinite") + ", must be finite");
  if (screw.axis == Vec3(0, 0, 0)) throw Error(ErrorCode::invalid_argument, "sweep: axis is zero");
  if (!(options.tolerance > 0) || !(options.tolerance < kInfinity))
    throw Error(ErrorCode::invalid_argument, "sweep: tolerance is " + std::to_string(options.tolerance) + ", must be > 0 and finite");

  const ScrewMotion motion(screw);
  const std::vector<Child> movers = children_of(a), targets = children_of(b);
  ExactWork work;
  std::optional<ScrewContact> best;
  SweepHit hit;
  for (const Child& cb : targets) {
    for (const Child& ca : movers) {
      const std::optional<ScrewContact> found = PairSweep(ca, motion, cb, options, work).first(best ? best->t : 1);
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
  if (const double d = scaled_length(apart); d > 0) hit.normal = apart * (1 / d);

  // the placement at t, or slightly before, where the rounded shape does not intersect
  const Pose start = pose_of(a);
  const Point* point = a.get<Point>();
  const auto put = [&](const Pose& p) {
    hit.safe = p;
    hit.safe_point = point ? p.apply(point->point) : p.translation;
  };
  put(start);
  const auto free = step_back(best->t, 0, 8, std::max(0x1p-40 * best->t, std::numeric_limits<double>::denorm_min()), [&](double t) {
    return !intersects(Placed{a.shape(), a.kind(), compose(motion.at(t), start)}, b);
  });
  if (free) put(compose(motion.at(*free), start));
  hit.moved = free.has_value();
  return hit;
}

}  // namespace graze
