// The index for single queries on a set of boxes: a tree of the boxes present when it was built, and a short list of boxes that were added or moved since or
// that lie far out.
#pragma once
#include <algorithm>
#include <cstdint>
#include <graze/shapes/box.hpp>
#include <span>
#include <vector>

#include "bvh/traverse.hpp"
#include "math/limits.hpp"

namespace graze {

inline Box3 box3(const Box& b) { return {b.min, b.max}; }
inline bool is_alive(const Box& b) { return b.min.x <= b.max.x; }
inline Box no_box() { return {Vec3(kInfinity, kInfinity, kInfinity), Vec3(-kInfinity, -kInfinity, -kInfinity)}; }

class BoxIndex {
 public:
  /// Builds the index for all boxes in use.
  void build(std::span<const Box> boxes);
  /// Updates the index when all boxes may have moved but the set of ids is unchanged. O(n), except for every sixteenth call.
  void refit(std::span<const Box> boxes);
  void insert(std::uint32_t id);
  void move(std::uint32_t id);
  void remove(std::uint32_t id);
  /// True if so many boxes were added or moved that rebuilding pays.
  bool stale() const { return changes_ * changes_ > 16 * tree_.items().size() + 4096; }

  /// Calls f(id) for each id whose box may meet the query (a superset), until f returns true.
  template <class F>
  bool for_each(const Box3& query, F&& f) const {
    for (const std::uint32_t id : loose_)
      if (f(id)) return true;
    if (tree_.empty()) return false;
    const PlacedTree placed(tree_, RigidMap{});
    return for_each_overlap(tree_, local_box(placed, query), [&](std::uint32_t first, std::uint32_t count) {
      for (std::uint32_t i = first; i < first + count; ++i) {
        const std::uint32_t id = ids_[tree_.items()[i]];
        if (in_tree_[id] && f(id)) return true;
      }
      return false;
    });
  }

  /// Calls f(id, t_max) for each id whose box the ray may hit, roughly in order; f returns the new t_max, or a negative value to stop.
  template <class F>
  void for_each_along_ray(const RayQuery& ray, F&& f) const {
    double t_max = ray.t_max;
    for (const std::uint32_t id : loose_) {
      t_max = std::min(t_max, static_cast<double>(f(id, t_max)));
      if (t_max < ray.t_min) return;
    }
    if (tree_.empty()) return;
    RayQuery now = ray;
    now.t_max = t_max;
    const PlacedTree placed(tree_, RigidMap{});
    LocalRay local(placed, now);
    for_each_along(tree_, local, [&](std::uint32_t first, std::uint32_t count) {
      for (std::uint32_t i = first; i < first + count; ++i) {
        const std::uint32_t id = ids_[tree_.items()[i]];
        if (!in_tree_[id]) continue;
        const double t = f(id, t_max);
        if (t < ray.t_min) return true;
        if (t < t_max) local.shrink(t_max = t);
      }
      return false;
    });
  }

  /// Calls f(id), nearest boxes first, for each id whose box may be within the distance that f last returned.
  template <class F>
  void for_each_nearest(const Box3& query, F&& f) const {
    double limit = kInfinity;
    for (const std::uint32_t id : loose_) limit = f(id);
    if (tree_.empty()) return;
    const PlacedTree placed(tree_, RigidMap{});
    float local = local_limit(tree_, limit);
    graze::for_each_nearest(tree_, local_box(placed, query), local, [&](std::uint32_t first, std::uint32_t count) {
      for (std::uint32_t i = first; i < first + count; ++i)
        if (const std::uint32_t id = ids_[tree_.items()[i]]; in_tree_[id]) limit = f(id);
      local = local_limit(tree_, limit);
      return false;
    });
  }

  const WideBvh& tree() const { return tree_; }
  std::span<const std::uint32_t> ids() const { return ids_; }
  std::span<const std::uint32_t> loose() const { return loose_; }
  bool in_tree(std::uint32_t id) const { return in_tree_[id] != 0; }

 private:
  WideBvh tree_;
  std::vector<std::uint32_t> ids_;     // ids of the tree's items
  std::vector<std::uint8_t> in_tree_;  // by id: the tree stores the current box
  std::vector<std::uint32_t> loose_;   // all other ids
  std::size_t changes_ = 0;
  int refits_ = 0;
};

/// Centre and half size of the region that holds the bulk of the boxes, estimated from a sample without the outermost fiftieth on each side. Half size 0 if
/// there is none.
struct Bulk {
  Vec3 center{0, 0, 0};
  double half = 0;
};
Bulk bulk_of(std::span<const Box> boxes);

}  // namespace graze
