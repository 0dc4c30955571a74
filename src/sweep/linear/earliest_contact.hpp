// The first of many contacts in time, decided exactly: candidates are compared by enclosures of their true times, by the features that touch, and last by their
// times as exact numbers.
#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>

#include <graze/shapes/triangle.hpp>
#include <type_traits>

#include "sweep/linear/contact_time.hpp"

namespace graze {

/// The children and triangles that touch. On exact ties the smaller comes first: the target's ids are compared before the mover's.
struct SweepIds {
  std::optional<std::uint32_t> child_b, triangle_b, child_a, triangle_a;
  auto operator<=>(const SweepIds&) const = default;  // an absent number comes before any number
};

/// Triangles that a convex set may touch on its path up to its first contact if it leaves the path by `slack`.
struct NearTriangles {
  static constexpr std::uint32_t kMost = 12;
  bool known = false;
  double slack = 0;
  std::uint32_t count = 0;
  Vec3 triangle[kMost][3];
};

/// The earliest contact among the candidates added so far.
class EarliestContact {
 public:
  EarliestContact(const Motion& motion, bool skip_departing) : motion_(motion), skip_(skip_departing) {}

  const Motion& motion() const { return motion_; }
  /// Later contacts are ignored.
  double limit() const { return limit_; }
  bool found() const { return found_; }
  bool skips() const { return skip_; }
  /// Departing as a whole: contact at the start, and every touching pair separates at once.
  bool departing() const { return found_ && best_.inside && all_departing_; }

  /// Whether this pair can no longer change the result: there is contact at the start, some of it stays, and it belongs to a lower pair.
  bool settled(const SweepIds& ids) const { return found_ && best_.inside && !all_departing_ && ids > ids_; }
  /// Records that there is contact by `t`.
  void know(double t) { limit_ = std::min(limit_, t); }

  /// Computes the contact of convex sets anew where its point or normal may depend on what was known when it was found: those depend on the pair alone.
  void forget_bounds() {
    if (found_ && !curved_ && best_.depends_on_bounds) best_ = *contact_time(a_, motion_, b_);
  }

  const PairContact& contact() const { return best_; }
  const SweepIds& ids() const { return ids_; }
  const ConvexSet& convex_a() const { return a_; }
  const ConvexSet& convex_b() const { return b_; }
  bool curved() const { return curved_; }

  /// Whether a triangle that the mover may touch is certainly not before the best contact and follows it in order. The plane of that contact, perpendicular to
  /// its normal, keeps mover and triangle apart until then.
  bool settled_by_plane(const Triangle& t, const SweepIds& ids) const;

  /// Of the last surface traversed, if the traversal recorded it.
  NearTriangles near;

  /// Adds a candidate: the first contact of two convex sets, or of other shapes, whose time counts as the double `t`, or the earliest of other contacts.
  void offer(const PairContact& c, const ConvexSet& a, const ConvexSet& b, const SweepIds& ids) { take(c, &a, &b, ids); }
  void offer(const PairContact& c, const SweepIds& ids) { take(c, nullptr, nullptr, ids); }
  void offer(const EarliestContact& other, const SweepIds& ids) {
    if (other.found_) take(other.best_, other.curved_ ? nullptr : &other.a_, other.curved_ ? nullptr : &other.b_, ids);
  }

 private:
  void take(const PairContact& c, const ConvexSet* a, const ConvexSet* b, const SweepIds& ids);
  int compare(const PairContact& c, const ConvexSet* a, const ConvexSet* b, const SweepIds& ids) const;

  const Motion& motion_;
  bool skip_, found_ = false, all_departing_ = true, curved_ = false;
  double limit_ = 1;
  PairContact best_;
  SweepIds ids_;
  ConvexSet a_, b_;
};

/// Adds the first contact of two shapes, convex sets or curved. Requires that none is before `start`.
template <class A, class B>
void test_pair(EarliestContact& first, const A& a, const B& b, const SweepIds& ids, double start = 0) {
  if (first.settled(ids)) return;
  const auto c = contact_time(a, first.motion(), b, {start, first.limit()});
  if (!c) return;
  if constexpr (std::is_same_v<A, ConvexSet> && std::is_same_v<B, ConvexSet>)
    first.offer(*c, a, b, ids);
  else
    first.offer(*c, ids);
}

}  // namespace graze
