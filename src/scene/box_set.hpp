// A set of boxes whose ids are reused, lowest first. Single queries use an index that is built on first use; all pairs are found through the grid. BroadPhase
// and Scene are built on this class.
#pragma once
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "scene/box_grid.hpp"
#include "scene/box_index.hpp"

namespace graze {

class BoxSet {
 public:
  using Id = std::uint32_t;
  static constexpr std::size_t kFew = 8;  ///< boxes that single queries test one by one; a choice

  BoxSet() = default;
  BoxSet(const BoxSet& o) : boxes_(o.boxes_), free_(o.free_), alive_(o.alive_), changed_(o.boxes_.size(), 1) {}

  // Requires valid boxes (min <= max; sides may be infinite) and ids in use; the callers validate.
  Id insert(const Box& box);
  /// Replaces the contents by ids 0 .. count-1 and returns their boxes for the caller to fill.
  std::span<Box> assign(std::size_t count);
  void remove(Id id);
  void move(Id id, const Box& box);
  /// Returns the boxes for the caller to fill with new ones, one per id, and a byte for each, to be set where the box changes. Requires that all ids are in
  /// use.
  struct AllBoxes {
    std::span<Box> boxes;
    std::span<std::uint8_t> changed;
  };
  AllBoxes move_all();

  std::span<const Box> boxes() const { return boxes_; }  ///< by id; ids not in use have min > max
  std::size_t alive() const { return alive_; }

  // As the functions of BoxIndex. A few boxes need no index. Safe to call from several threads at once.
  template <class F>
  bool for_each(const Box3& query, F&& f) const {
    if (alive_ > kFew) return index().for_each(query, f);
    const auto meets = [&](const IndexedBox& b) { return b.box.overlaps(query) && f(b.id); };
    const FewBoxes few = few_boxes();
    return std::any_of(few.box, few.box + few.count, meets);
  }
  template <class F>
  bool for_each_near(const Box3& query, F&& f) const {
    return alive_ > kFew ? index().for_each_near(query, f) : for_each(query, f);
  }
  template <class F>
  void for_each_along_ray(const RayQuery& ray, F&& f, const ItemData& data = {}) const {
    if (alive_ > kFew) return index().for_each_along_ray(ray, f, data);
    const FewBoxes few = few_boxes();
    RayBoxes(ray).for_each({few.box, few.count}, f);
  }
  template <class F>
  void for_each_along_sweep(const Box3& box, const Vec3& motion, F&& f) const {
    if (alive_ > kFew) return index().for_each_along_sweep(box, motion, f);
    const FewBoxes few = few_boxes();
    const MovingBox moving(box, motion);
    for (const IndexedBox& b : std::span(few.box, few.count))
      if (const double entry = moving.entry(b.box, 1); entry <= 1) f(b.id, entry);
  }
  template <class F, class Expect>
  void for_each_in_order_along_sweep(const Box3& box, const Vec3& motion, F&& f, Expect&& expect) const {
    if (alive_ > kFew) return index().for_each_in_order_along_sweep(box, motion, f, expect);
    const FewBoxes few = few_boxes();
    double limit = 1;
    LooseAlong({few.box, few.count}, MovingBox(box, motion)).take(limit, limit, f);
  }
  template <class F>
  void for_each_nearest(const Box3& query, F&& f, double limit = kInfinity) const {
    if (alive_ > kFew) return index().for_each_nearest(query, f, limit);
    const FewBoxes few = few_boxes();
    take_nearest({few.box, few.count}, query, limit, f);
  }

  /// All pairs a < b that share a point, ascending. Where few boxes changed since the last call, only their pairs are found anew.
  std::vector<BoxPair> pairs() const;

 private:
  /// Calls f(index) if an index exists that is worth keeping.
  template <class F>
  void update(F&& f) {
    if (indexed_.load(std::memory_order_relaxed) == Indexed::no) return;
    if (indexed_.load(std::memory_order_relaxed) == Indexed::yes) f(cached_);
    if (indexed_.load(std::memory_order_relaxed) == Indexed::moved || cached_.stale()) indexed_.store(Indexed::no, std::memory_order_relaxed);
  }
  const BoxIndex& index() const;
  std::vector<BoxPair> tree_pairs() const;
  /// Updates pairs_ and grid_; false if building them anew is faster.
  bool update_pairs(std::span<const Id> changed) const;

  struct FewBoxes {
    IndexedBox box[kFew];
    std::size_t count = 0;
  };
  FewBoxes few_boxes() const {
    FewBoxes few;
    for (Id id = 0; id < boxes_.size(); ++id)
      if (is_alive(boxes_[id])) few.box[few.count++] = {box3(boxes_[id]), id};
    return few;
  }

  std::vector<Box> boxes_;
  std::vector<Id> free_;  // a heap, lowest id on top
  std::size_t alive_ = 0;

  // Built on first use, by one of the threads that query it.
  enum class Indexed { no, moved, yes };
  mutable std::mutex mutex_;
  mutable std::atomic<Indexed> indexed_{Indexed::no};
  mutable BoxIndex cached_;

  // Kept from one pairs() to the next.
  mutable std::mutex grid_mutex_;
  mutable BoxGrid grid_;
  mutable std::vector<std::uint8_t> changed_;  // by id: the box changed since then
  mutable std::vector<BoxPair> pairs_, merged_;
  mutable bool listed_ = false;  // pairs_ were the pairs then, and grid_ holds the boxes
};

/// All overlapping pairs of the boxes, ascending, by brute force; boxes with min > max have none. For few boxes.
std::vector<BoxPair> few_pairs(std::span<const Box> boxes);

}  // namespace graze
