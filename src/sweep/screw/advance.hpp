// Conservative advancement of two convex sets, one of which moves along a screw: bounds of speed and rounding, and the loop. Derivation:
// docs/derivations/rigid_motion.md.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

#include "convex/decide/closest.hpp"
#include "convex/decide/decide.hpp"
#include "convex/minkowski/local_pair.hpp"
#include "exact/double_parts.hpp"
#include "math/box3.hpp"
#include "math/limits.hpp"
#include "math/vec3.hpp"
#include "parts/part_list.hpp"
#include "platform/watch.hpp"
#include "shapes/length.hpp"
#include "sweep/screw/screw.hpp"

namespace graze::advance {

/// At least the distance from the screw's axis of p, which is given with its rounding.
double lever_of(const Vec3& p, double radius, const ScrewMotion& motion);

/// Bounds of a shape at its start: the largest coordinate and the greatest distance of a point from the screw's axis (infinite for an unbounded shape).
struct Extent {
  double size = 0, lever = 0;
  bool bounded = true, curved = false;
  Box3 box;  ///< approximate

  /// Bounds surfaces by their boxes alone, unless `exact`.
  Extent(const PartList& parts, const ScrewMotion& motion, bool exact);

 private:
  bool exact_;
  void add(const Vec3& p, double radius, const ScrewMotion& motion);
  void add(const ConvexSet& c, const ScrewMotion& motion);
  void add(const Curved& c, const ScrewMotion& motion);
  void add(const MeshView& m, const ScrewMotion& motion);
};

/// Number of decisions in unlimited integers that the steps of all pairs of a sweep have taken. One takes up to 400 us, a step in doubles a few us, so a
/// decision counts for 100 steps. Only steps that run on the calling thread alone are counted, so that the number of threads cannot change where the work ends.
struct ExactWork {
  static constexpr std::uint64_t kCost = 100;
  std::uint64_t decisions = 0;
  bool ended(const RigidSweepOptions& o) const { return decisions * kCost > o.budget; }
  template <class F>
  auto count(F&& f) {
    const std::uint64_t before = decision_counts().big;
    const auto r = f();
    decisions += decision_counts().big - before;
    return r;
  }
};

/// Data that all parts of one pair of shapes share.
struct Setting {
  const ScrewMotion& motion;
  const RigidSweepOptions& options;
  ExactWork& work;
  std::size_t steps;            ///< allowed for a pair of parts: a tenth where a shape is curved, whose distance takes ten times as long
  double turn, travel, across;  ///< |angle|; |displacement|, and its component perpendicular to the axis
  double slack;                 ///< error bound of placing and of a distance
  double gap_error;             ///< error bound of a width along a unit direction, in doubles

  Setting(const ScrewMotion& m, const RigidSweepOptions& o, ExactWork& work, const Extent& a, const Vec3& start_translation, const Extent& b);
  /// Whether a pair must stop after this number of steps.
  bool ended(std::size_t step) const { return step >= steps || work.ended(options); }
  /// Bound of the speed at which the distance can shrink: as a point of A moves, or a point of B relative to A, whichever is slower.
  double speed(double lever_a, double lever_b) const;
  // Distances are off by 1e-15 = 9 u, the product and the sum by 2 u: 2^-49 = 16 u.
  bool near(double distance) const { return distance * (1 + 0x1p-49) + slack <= options.tolerance; }
  /// A true lower bound of the distance.
  double free(double distance) const { return distance * (1 - 0x1p-49) - slack; }
};

/// Lower bound of the time for which both stay apart from now on, along a unit vector n (off by 2^-49) from A to B: `gap`, with all roundings subtracted,
/// divided by the speed along n.
double time_along(const Setting& s, const Vec3& n, double gap, double lever_a, double lever_b);

inline bool bounded(const ConvexSet& c) { return c.bounded(); }
inline bool bounded(const Curved&) { return true; }

/// A distance in doubles: certain bounds, and a unit vector (off by 2^-49) from A to B along which both are `low` apart.
struct Gap {
  bool known = false;
  double low = 0, high = 0;
  Vec3 direction{0, 0, 0};
};
/// x: the initial direction from B to A, replaced by the one found. Not `known` for unbounded shapes and sizes beyond 2^+-200.
template <class A, class B>
Gap gap_in_doubles(const A& a, const B& b, V3<double>& x) {
  Gap g;
  constexpr double error = 2 * kLocalError<double>, u = kUnitRoundoff;
  if (!bounded(a) || !bounded(b)) return g;
  const LocalPair pair(a, b, 0);
  const double one = pair.length_to_local(1), reach = rounded(pair.reach());
  if (!(one > 0x1p-200 && one < 0x1p200)) return g;
  double low = -1, high = 1;
  // The coarsest that encloses the distance to an eighth suffices. After the finest, the bounds found count, however wide.
  for (const double tolerance : {0x1p-7, 0x1p-20, 0x1p-44}) {
    Nearby<double> s;
    s.x = x;
    search_nearest(pair, false, tolerance, s);
    low = s.low - reach * (1 + 4 * u) - error;  // 4 u: the reach rounded to a double, and the product
    high = s.norm - reach * (1 - 4 * u) + error;
    if (!is_zero(s.low_direction)) x = s.low_direction;
    if (low > 0 && high - low < 0.125 * low) break;
  }
  const double norm = std::sqrt(dot(x, x));
  if (!(norm > 0x1p-200)) return g;
  g.known = true;
  g.low = std::max(low, 0.0) / one;  // a power of two
  g.high = std::max(high, 0.0) / one;
  g.direction = Vec3(-x.x / norm, -x.y / norm, -x.z / norm);
  return g;
}

struct AdvanceHit {
  double t = 0;
  ConvexClosest closest;
  bool budget_ended = false;
};

/// Lower bound of the time for which the two convex sets stay apart from now on, by the direction n between their closest points (or the plane's normal): the
/// ends of A's side of the gap move no faster along n than n . d plus the turn times the lever times the component of n perpendicular to the axis. Returns 0
/// when no bound follows.
double time_along(const Setting& s, const ConvexSet& a, const ConvexSet& b, const ConvexClosest& closest, double lever_a, double lever_b);

/// Finds contact in [begin, end], or proves that there is none. probe(now, ahead) returns whether both are near at now.t; if not, it stores in `ahead` for how
/// long from then on they certainly stay apart.
template <class Probe>
std::optional<AdvanceHit> advance_steps(const Setting& s, double begin, double end, const Probe& probe) {
  AdvanceHit now;
  now.t = begin;
  for (std::size_t step = 0;; ++step) {
    double ahead = 0;
    checkpoint();
    if (s.work.count([&] { return probe(now, ahead); })) return now;
    const double next = next_down(now.t + ahead * (1 - 0x1p-50));  // 8 u: the quotient and the product; next_down: the sum
    if (next >= end) return std::nullopt;
    if (s.ended(step) || !(next > now.t)) {
      now.budget_ended = true;
      return now;
    }
    now.t = next;
  }
}

/// with_convex_set(t, f) calls f(the convex set of A at t).
template <class WithConvexSet>
std::optional<AdvanceHit> advance_convex_sets(const Setting& s, const WithConvexSet& with_convex_set, const ConvexSet& b, double lever_a, double lever_b,
                                              double begin, double end) {
  const double speed = s.speed(lever_a, lever_b);
  return advance_steps(s, begin, end, [&](AdvanceHit& now, double& ahead) {
    with_convex_set(now.t, [&](const ConvexSet& a) {
      now.closest = closest(a, b);
      const double free = s.free(now.closest.distance);
      if (!(free > 0)) return;
      ahead = speed > 0 ? free / speed : kInfinity;
      if (!s.near(now.closest.distance) && now.t + ahead <= end) ahead = std::max(ahead, time_along(s, a, b, now.closest, lever_a, lever_b));
    });
    return s.near(now.closest.distance);
  });
}

/// The same as advance_convex_sets, for convex sets and curved shapes. Uses bounds in doubles where they separate the shapes, and computes the distance itself
/// where they do not. with_part(t, f) calls f(A at t). The closest points are not set.
template <class WithPart, class B>
std::optional<AdvanceHit> advance_quickly(const Setting& s, const WithPart& with_part, const B& b, double lever_a, double lever_b, double begin, double end) {
  const double speed = s.speed(lever_a, lever_b);
  V3<double> x{0, 0, 0};
  return advance_steps(s, begin, end, [&](AdvanceHit& now, double& ahead) {
    bool near = false;
    with_part(now.t, [&](const auto& a) {
      const Gap gap = gap_in_doubles(a, b, x);
      double free = gap.known ? s.free(gap.low) : 0;
      near = gap.known && s.near(gap.high);
      if (gap.known && free > 0) ahead = time_along(s, gap.direction, free, lever_a, lever_b);
      const bool clear = gap.known && free > 0 && gap.high - gap.low < 0.25 * free;
      if (!near && !clear) {
        now.closest = closest(a, b);
        near = s.near(now.closest.distance);
        free = std::max(free, s.free(now.closest.distance));
      }
      if (free > 0) ahead = std::max(ahead, speed > 0 ? free / speed : kInfinity);
      if constexpr (requires { time_along(s, a, b, now.closest, lever_a, lever_b); }) {
        if (!near && !clear && now.t + ahead <= end) ahead = std::max(ahead, time_along(s, a, b, now.closest, lever_a, lever_b));
      }
    });
    return near;
  });
}

}  // namespace graze::advance
