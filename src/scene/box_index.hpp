// The index for single queries on a set of boxes: a tree of the boxes present when it was built, and a short list of boxes that were added or moved since or
// that lie far out.
#pragma once
#include <algorithm>
#include <cstdint>
#include <graze/shapes/box.hpp>
#include <iterator>
#include <span>
#include <vector>

#include "bvh/traverse.hpp"
#include "bvh/traverse_in_order.hpp"
#include "math/box_gap.hpp"
#include "math/limits.hpp"
#include "math/moving_box.hpp"
#include "platform/ahead.hpp"

namespace graze {

inline Box3 box3(const Box& b) { return {b.min, b.max}; }
inline bool is_alive(const Box& b) { return b.min.x <= b.max.x; }
inline Box no_box() { return {Vec3(kInfinity, kInfinity, kInfinity), Vec3(-kInfinity, -kInfinity, -kInfinity)}; }

/// A box and its id.
struct IndexedBox {
  static constexpr std::uint32_t kNone = kNoItem;
  Box3 box;
  std::uint32_t id;  ///< kNone: out of date
};

/// Calls take(id) for the boxes in the order of key(box), as long as the keys are at most `limit`, which take() may lower, until it returns true.
template <class Key, class Take>
bool take_in_order(std::span<const IndexedBox> boxes, const Key& key, const double& limit, const Take& take) {
  struct Keyed {
    double key;
    std::uint32_t id;
  };
  Keyed few[8];
  std::vector<Keyed> many;
  Keyed* sorted = few;
  if (boxes.size() > std::size(few)) {
    many.resize(boxes.size());
    sorted = many.data();
  }
  std::size_t n = 0;
  for (const IndexedBox& b : boxes) {
    const double k = b.id == IndexedBox::kNone ? kInfinity : key(b.box);
    if (k <= limit && k < kInfinity) sorted[n++] = {k, b.id};
  }
  if (n > 1) std::sort(sorted, sorted + n, [](const Keyed& x, const Keyed& y) { return x.key != y.key ? x.key < y.key : x.id < y.id; });
  for (std::size_t i = 0; i < n && sorted[i].key <= limit; ++i)
    if (take(sorted[i].id)) return true;
  return false;
}

/// A ray against boxes in doubles. The boxes are grown by 2^-30 of their size, which covers what hits of curved shapes may be off.
class RayBoxes {
 public:
  explicit RayBoxes(const RayQuery& ray) : t_max_(ray.t_max), t_min_(ray.t_min), point_({ray.origin, ray.origin}, ray.displacement()) {}
  double t_max() const { return t_max_; }

  /// Calls f(id, t_max) for the boxes that the ray may enter by t_max, in that order; f returns the new t_max. Returns true when no parameter is left.
  template <class F>
  bool for_each(std::span<const IndexedBox> boxes, F& f) {
    return take_in_order(
        boxes, [&](const Box3& box) { return entry(box); }, t_max_,
        [&](std::uint32_t id) {
          t_max_ = std::min(t_max_, static_cast<double>(f(id, t_max_)));
          return t_max_ < t_min_;
        });
  }

 private:
  /// A lower bound of the parameter at which the ray enters the box; infinity if not by t_max.
  double entry(const Box3& box) const {
    if (t_min_ < 0) return t_min_;  // a line
    const double pad = 0x1p-30 * std::max({box.hi.x - box.lo.x, box.hi.y - box.lo.y, box.hi.z - box.lo.z});
    return point_.entry({box.lo - pad, box.hi + pad}, t_max_);
  }
  double t_max_, t_min_;
  MovingBox point_;
};

/// Calls f(id), nearest boxes first, for those within `limit`, which f returns anew.
template <class F>
void take_nearest(std::span<const IndexedBox> boxes, const Box3& query, double& limit, F& f) {
  take_in_order(
      boxes, [&](const Box3& box) { return least_gap(box, query); }, limit,
      [&](std::uint32_t id) {
        limit = f(id);
        return false;
      });
}

/// The boxes that a moving box may meet, in the order of the times, taken in portions.
class LooseAlong {
 public:
  LooseAlong(std::span<const IndexedBox> boxes, const MovingBox& moving) {
    for (const IndexedBox& b : boxes)
      if (const double entry = b.id == IndexedBox::kNone ? kInfinity : moving.entry(b.box, 1); entry <= 1) entered_.push_back({entry, b.id});
    std::sort(entered_.begin(), entered_.end(), [](const Entered& x, const Entered& y) { return x.entry != y.entry ? x.entry < y.entry : x.id < y.id; });
  }
  /// Calls f(id, entry) for the next boxes that may be met by `up_to` and by `limit`, which f returns anew.
  template <class F>
  void take(double up_to, double& limit, F& f) {
    for (; next_ < entered_.size() && entered_[next_].entry <= std::min(up_to, limit); ++next_)
      limit = std::min(limit, static_cast<double>(f(entered_[next_].id, entered_[next_].entry)));
  }

 private:
  struct Entered {
    double entry;
    std::uint32_t id;
  };
  std::vector<Entered> entered_;
  std::size_t next_ = 0;
};

class BoxIndex {
 public:
  /// Builds the index for all boxes in use.
  void build(std::span<const Box> boxes);
  /// Updates the index when all boxes may have moved but the set of ids is unchanged. O(n), except for every sixteenth call.
  void refit(std::span<const Box> boxes);
  void insert(std::uint32_t id, const Box& box);
  void move(std::uint32_t id, const Box& box);
  void remove(std::uint32_t id);
  /// True if so many boxes were added or moved that rebuilding pays.
  bool stale() const { return changes_ * changes_ > 16 * tree_.items().size() + 4096; }

  /// Calls f(id) for each id whose box meets the query, until f returns true.
  template <class F>
  bool for_each(const Box3& query, F&& f) const {
    const auto test = [&](const IndexedBox& item) { return item.id != IndexedBox::kNone && item.box.overlaps(query) && f(item.id); };
    if (std::any_of(loose_.begin(), loose_.end(), test)) return true;
    if (tree_.empty()) return false;
    const PlacedTree placed(tree_, RigidMap{});
    const auto take = [&](const IndexedBox* item) { return test(*item); };
    Ahead<const IndexedBox*, decltype(take)> ahead(take);
    return for_each_overlap(tree_, local_box(placed, query),
                            [&](std::uint32_t at, std::uint32_t) { return ahead.add(&leaves_[at], &leaves_[at], sizeof(IndexedBox)); }) ||
           ahead.rest();
  }

  /// The same for an f that tests the item itself: also for some ids whose boxes only almost meet the query, since the tree's boxes are in floats.
  template <class F>
  bool for_each_near(const Box3& query, F&& f) const {
    if (std::any_of(loose_.begin(), loose_.end(), [&](const IndexedBox& item) { return item.box.overlaps(query) && f(item.id); })) return true;
    if (tree_.empty()) return false;
    const PlacedTree placed(tree_, RigidMap{});
    return for_each_overlap(tree_, local_box(placed, query), [&](std::uint32_t at, std::uint32_t) { return ids_[at] != IndexedBox::kNone && f(ids_[at]); });
  }

  /// Calls f(id, t_max) for each id whose box the ray may enter by t_max, roughly in order; f returns the new t_max, or a negative value to stop. `data` tells
  /// what f reads. The tree's boxes are in floats, and f tests the item itself: testing the box in between costs more than it saves.
  template <class F>
  void for_each_along_ray(const RayQuery& ray, F&& f, ItemData data = {}) const {
    RayQuery now = ray;
    if (!loose_.empty()) {
      RayBoxes boxes(ray);
      if (boxes.for_each(loose_, f)) return;
      now.t_max = boxes.t_max();
    }
    if (tree_.empty()) return;
    const PlacedTree placed(tree_, RigidMap{});
    LocalRay local(placed, now);
    if (data.pointers != nullptr) data.ids = ids_.data();
    for_each_along(
        tree_, local,
        [&](std::uint32_t at, std::uint32_t) {
          if (ids_[at] == IndexedBox::kNone) return false;
          const double t_max = std::min(now.t_max, static_cast<double>(f(ids_[at], now.t_max)));
          if (t_max < now.t_max) local.shrink(t_max);
          now.t_max = t_max;
          return t_max < now.t_min;
        },
        {}, data);
  }

  /// Calls f(id, entry) for each id whose box a box that moves along t * motion, t in [0, 1], may meet; `entry` is a lower bound of the time. The motion may
  /// have a relative error of 2^-52 in each component.
  template <class F>
  void for_each_along_sweep(const Box3& box, const Vec3& motion, F&& f) const {
    const MovingBox moving(box, motion);
    const auto test = [&](const IndexedBox& b) {
      if (b.id == IndexedBox::kNone) return;
      if (const double entry = moving.entry(b.box, 1); entry <= 1) f(b.id, entry);
    };
    std::for_each(loose_.begin(), loose_.end(), test);
    if (tree_.empty()) return;
    const PlacedTree placed(tree_, RigidMap{});
    LocalSweep local(placed, box, motion);
    for_each_along(tree_, local, [&](std::uint32_t first, std::uint32_t count) {
      std::for_each(leaves_.begin() + first, leaves_.begin() + first + count, test);
      return false;
    });
  }

  /// The same in the order of the times, nearly: f returns the time up to which boxes still count, or a negative number to stop. expect(id) announces ids for
  /// which f may be called later.
  template <class F, class Expect>
  void for_each_in_order_along_sweep(const Box3& box, const Vec3& motion, F&& f, Expect&& expect) const {
    const MovingBox moving(box, motion);
    double limit = 1;
    LooseAlong loose(loose_, moving);
    if (!tree_.empty()) {
      const PlacedTree placed(tree_, RigidMap{});
      LocalSweep local(placed, box, motion);
      const auto visit = [&](std::uint32_t first, std::uint32_t count) {
        const double before = limit;
        for (std::uint32_t at = first; at < first + count; ++at) {
          const IndexedBox& b = leaves_[at];
          if (b.id == IndexedBox::kNone) continue;
          const double entry = moving.entry(b.box, limit);
          if (!(entry <= limit)) continue;
          loose.take(entry, limit, f);
          if (entry <= limit) limit = std::min(limit, static_cast<double>(f(b.id, entry)));
        }
        if (limit < before) local.shrink(std::max(limit, 0.0));
        return limit < 0;
      };
      for_each_in_order_along(tree_, local, visit, [&](std::uint32_t first, std::uint32_t count) {
        for (std::uint32_t at = first; at < first + count; ++at) {
          __builtin_prefetch(&leaves_[at]);
          if (ids_[at] != IndexedBox::kNone) expect(ids_[at]);
        }
      });
    }
    loose.take(limit, limit, f);
  }

  /// Calls f(id), nearest boxes first, for each id whose box may be within the distance that f last returned, at first `limit`.
  template <class F>
  void for_each_nearest(const Box3& query, F&& f, double limit = kInfinity) const {
    if (!loose_.empty()) take_nearest(loose_, query, limit, f);
    if (tree_.empty()) return;
    const PlacedTree placed(tree_, RigidMap{});
    float local = local_limit(tree_, limit);
    graze::for_each_nearest(tree_, local_box(placed, query), local, [&](std::uint32_t first, std::uint32_t count) {
      take_nearest(std::span(leaves_).subspan(first, count), query, limit, f);
      local = local_limit(tree_, limit);
      return false;
    });
  }

  const WideBvh& tree() const { return tree_; }
  /// The tree's items in the order of its leaves, and all others.
  std::span<const IndexedBox> leaves() const { return leaves_; }
  std::span<const IndexedBox> loose() const { return loose_; }

 private:
  static constexpr std::uint32_t kLoose = 1u << 31;
  WideBvh tree_;  // a box for each leaf
  std::vector<IndexedBox> leaves_, loose_;
  std::vector<std::uint32_t> ids_;       // of leaves_, for queries that do not read the boxes
  std::vector<std::uint32_t> position_;  // by id: index in leaves_, or kLoose and the index in loose_; kNone without a box
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
