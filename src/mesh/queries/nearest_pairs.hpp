// The candidates of a search for the nearest triangles of two surfaces that do not touch.
#pragma once
#include <algorithm>
#include <cstddef>
#include <graze/query/mesh_triangles.hpp>
#include <optional>

#include "bvh/local_query.hpp"
#include "bvh/traverse.hpp"
#include "convex/decide/closest.hpp"
#include "mesh/kernels/near_pair.hpp"
#include "mesh/kernels/nearest_kernels.hpp"
#include "mesh/queries/convex_queries.hpp"
#include "mesh/queries/distance_bounds.hpp"
#include "mesh/queries/leaf.hpp"
#include "mesh/queries/mesh_view.hpp"
#include "mesh/queries/search_direction.hpp"

namespace graze {

/// Slack of upper bounds, so that equal distances are never discarded: computed distances are off by 1e-15, conversions by u.
inline constexpr double kTies = 1e-12;

inline Triangle triangle_of(const MeshView& v, BlockPlace i) { return leaf::place(v.pose, v.mesh->triangle_at(i)); }

/// Finds the nearest pair of surfaces that do not touch. Distances of pairs are enclosed in doubles; only pairs whose enclosures reach the smallest upper bound
/// are computed exactly, and of those at the least distance the lowest pair counts. So the result does not depend on the order of the pairs.
class NearestPairs {
 public:
  NearestPairs(const MeshView& a, const MeshView& b, double bound, const SearchStart& start) : a_(a), b_(b), start_(start), bound_(bound), least_(bound) {}

  /// Upper bound of the distances that count; pairs farther apart need not be tested.
  double least() const { return least_; }
  bool out(double lo) const { return lo > least_ * (1 + kTies); }

  // The visitor of a NearestSearch: its bounds are in a's units.
  bool visit(const NearPair& p, double& least) {
    if (p.lo <= nearest_limit(std::min(least, local_length(a_.mesh->tree, least_)))) refine(p.a, p.b);
    least = std::min(least, local_length(a_.mesh->tree, least_));
    return false;
  }
  Vec3 improve(BlockPlace i, BlockPlace j, double& least) {
    const Vec3 along = improve(triangle_of(a_, i), triangle_of(b_, j));
    least = std::min(least, local_length(a_.mesh->tree, least_));
    return turned_back(a_, along);
  }
  NearestPairs another() const { return {a_, b_, least_, start_}; }

  /// Lowers the bound from that of a pair: goes from a point of a to the nearest of b, from there to the nearest of a, and so on while this gains anything. It
  /// goes only to surfaces that are searched as a whole: the bound is to be that of a pair below the start, so that what is found depends on the start alone.
  /// Returns about the unit vector from a to b there.
  Vec3 improve(const Triangle& ta, const Triangle& tb) {
    constexpr int kSteps = 8;       // a choice
    constexpr double kGain = 0.98;  // a choice: steps that gain less cost more than they save
    ConvexClosest c = closest(convex_triangle(ta), convex_triangle(tb));
    Triangle nearest[2] = {ta, tb};
    Vec3 at[2] = {c.on_a, c.on_b};
    int in_vain = 0;
    for (int k = 0; k < kSteps && in_vain < 2; ++k) {
      const int to = 1 - k % 2;
      if ((to == 0 ? start_.a : start_.b) != kWholeTree) {
        ++in_vain;
        continue;
      }
      const MeshView& view = to == 0 ? a_ : b_;
      const auto found = closest(view, convex_point(at[1 - to]));
      in_vain = found->closest.distance < c.distance * kGain ? 0 : in_vain + 1;
      if (!(found->closest.distance < c.distance)) continue;
      c.distance = found->closest.distance;
      at[to] = found->closest.on_a;
      nearest[to] = view.triangle(found->triangle_a);
    }
    least_ = std::min(least_, leaf::distance_bounds(nearest[0], nearest[1]).hi);
    return direction(at[0], at[1]);
  }

  void refine(BlockPlace i, BlockPlace j) {
    const Triangle ta = triangle_of(a_, i), tb = triangle_of(b_, j);
    if (best_ && cannot_lead(i, j, leaf::axis_gap(ta, tb))) return;
    const leaf::DistanceBounds d = leaf::distance_bounds(ta, tb);
    if (out(d.lo)) return;
    least_ = std::min(least_, d.hi);
    add({d.lo, i, j});
  }

  /// Adds the pairs that another search found.
  void join(NearestPairs& other) {
    least_ = std::min(least_, other.least_);
    if (other.best_) take(*other.best_);
    for (std::size_t k = 0; k < other.n_; ++k) {
      if (!out(other.waiting_[k].lo)) add(other.waiting_[k]);
    }
  }

  std::optional<SurfaceClosest> found() {
    decide();
    return best_ && best_->closest.distance <= bound_ ? best_ : std::nullopt;
  }

 private:
  static constexpr std::size_t kWaiting = 32;  // a choice: where more wait, those still in question are decided at once
  struct Waiting {
    double lo;
    BlockPlace i, j;
  };

  /// Whether a pair at least `gap` apart comes after the best one. Flat faces that face each other, and the edges around
  /// them, have thousands of pairs at one distance.
  bool cannot_lead(BlockPlace i, BlockPlace j, double gap) const {
    const double best = best_->closest.distance;
    return gap > best || (gap == best && TrianglePair{best_->triangle_a, best_->triangle_b} < TrianglePair{a_.mesh->index_at(i), b_.mesh->index_at(j)});
  }

  void add(const Waiting& pair) {
    if (n_ == kWaiting) {
      std::size_t kept = 0;
      for (std::size_t m = 0; m < n_; ++m) {
        if (!out(waiting_[m].lo)) waiting_[kept++] = waiting_[m];
      }
      n_ = kept;
    }
    if (n_ == kWaiting) decide();
    waiting_[n_++] = pair;
  }

  /// Keeps the nearest pair, of those equally near the lowest.
  void take(const SurfaceClosest& c) {
    const bool nearer = !best_ || c.closest.distance < best_->closest.distance;
    if (nearer ||
        (c.closest.distance == best_->closest.distance && TrianglePair{c.triangle_a, c.triangle_b} < TrianglePair{best_->triangle_a, best_->triangle_b}))
      best_ = c;
    least_ = std::min(least_, c.closest.distance);
  }

  /// Computes the pairs that wait. Those that have become too far are left out.
  void decide() {
    std::size_t left = 0;  // that need integers: few of them remain when all have been bounded
    for (std::size_t k = 0; k < n_; ++k) {
      const auto [lo, i, j] = waiting_[k];
      if (out(lo)) continue;
      const Triangle ta = triangle_of(a_, i), tb = triangle_of(b_, j);
      if (best_ && cannot_lead(i, j, leaf::axis_gap(ta, tb))) continue;
      const ClosestOrBounds found = closest_without_integers(convex_triangle(ta), convex_triangle(tb));
      if (found.closest) {
        take({*found.closest, a_.mesh->index_at(i), b_.mesh->index_at(j)});
      } else {
        least_ = std::min(least_, found.hi);
        waiting_[left++] = {std::max(lo, found.lo), i, j};
      }
    }
    for (std::size_t k = 0; k < left; ++k) {
      const auto [lo, i, j] = waiting_[k];
      if (!out(lo)) take({closest(convex_triangle(triangle_of(a_, i)), convex_triangle(triangle_of(b_, j))), a_.mesh->index_at(i), b_.mesh->index_at(j)});
    }
    n_ = 0;
  }

  const MeshView &a_, &b_;
  SearchStart start_;
  double bound_, least_;
  std::size_t n_ = 0;
  Waiting waiting_[kWaiting];
  std::optional<SurfaceClosest> best_;
};

}  // namespace graze
