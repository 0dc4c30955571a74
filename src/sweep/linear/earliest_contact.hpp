// The first of many contacts in time, decided exactly: candidates are compared by enclosures of their true times, by what touches, and last by their times as
// exact numbers.
#pragma once
#include <algorithm>
#include <cstdint>

#include <graze/shapes/triangle.hpp>

#include "sweep/linear/pair_contact.hpp"

namespace graze {

/// Which parts touch. Smaller comes first on exact ties: the target's before the mover's.
struct SweepIds {
  std::optional<std::uint32_t> child_b, triangle_b, child_a, triangle_a;
  auto operator<=>(const SweepIds&) const = default;  // nothing before any number
};

/// Of a ball's way to its first contact: the triangles that it comes nearer to than touching and `slack` together, or may.
struct NearTriangles {
  static constexpr std::uint32_t kMost = 12;
  bool known = false;
  double slack = 0;
  std::uint32_t count = 0;
  Vec3 triangle[kMost][3];
};

class First {
 public:
  First(const Motion& motion, bool skip_departing) : motion_(motion), skip_(skip_departing) {}

  const Motion& motion() const { return motion_; }
  /// Contacts after it do not count any more.
  double limit() const { return limit_; }
  bool found() const { return found_; }
  /// Was there contact at the start, all of it departing and skipped?
  bool skipped() const { return skipped_; }
  bool skips() const { return skip_; }
  /// Departing as a whole: contact at the start, and every touching pair parts at once.
  bool departing() const { return found_ && best_.inside && all_departing_; }
  void set_not_departing() { all_departing_ = false; }

  /// Can this pair not change the answer any more? There is contact at the start, some of it stays, and a lower pair has it.
  bool settled(const SweepIds& ids) const { return found_ && best_.inside && !all_departing_ && ids > ids_; }
  /// It is known that there is contact by `t`.
  void know(double t) { limit_ = std::min(limit_, t); }

  const PairContact& contact() const { return best_; }
  const SweepIds& ids() const { return ids_; }
  const ConvexSet& convex_a() const { return a_; }
  const ConvexSet& convex_b() const { return b_; }
  bool curved() const { return curved_; }

  /// Is a triangle that the mover, a ball, may touch surely not before the best contact and behind it in order? The plane of that contact, across its normal,
  /// keeps them apart until then.
  bool settled_by_plane(const Triangle& t, const SweepIds& ids) const;

  /// Of the last surface walked, if the walk says so.
  NearTriangles near;

  /// Takes part: the first contact of two convex sets, of which none is before `start`.
  void ask(const ConvexSet& a, const ConvexSet& b, const SweepIds& ids, double start = 0);
  /// A contact known otherwise, whose time counts as the double `t` (curved shapes), or of convex sets with a known contact.
  void offer(const PairContact& c, const SweepIds& ids);
  void offer(const PairContact& c, const ConvexSet& a, const ConvexSet& b, const SweepIds& ids);

 private:
  void take(const PairContact& c, const ConvexSet* a, const ConvexSet* b, const SweepIds& ids);
  int compare(const PairContact& c, const ConvexSet* a, const ConvexSet* b, const SweepIds& ids) const;

  const Motion& motion_;
  bool skip_, skipped_ = false, found_ = false, all_departing_ = true, curved_ = false;
  double limit_ = 1;
  PairContact best_;
  SweepIds ids_;
  ConvexSet a_, b_;
};

}  // namespace graze
