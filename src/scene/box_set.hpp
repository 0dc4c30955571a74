// A set of boxes with ids that are used again, lowest first; single queries through an index made when first asked for, all pairs through the grid. What
// BroadPhase and Scene stand on.
#pragma once
#include <atomic>
#include <mutex>

#include "scene/box_grid.hpp"
#include "scene/box_index.hpp"

namespace graze {

class BoxSet {
 public:
  using Id = std::uint32_t;

  BoxSet() = default;
  BoxSet(const BoxSet& o) : boxes_(o.boxes_), free_(o.free_), alive_(o.alive_) {}

  // Boxes are valid (min <= max; sides may be infinite) and ids in use: the callers have looked.
  Id insert(const Box& box);
  /// To be filled with a box for each of the ids 0 .. count-1, which replace the contents.
  std::span<Box> assign(std::size_t count);
  void remove(Id id);
  void move(Id id, const Box& box);
  /// To be filled with a new box for every id; all in use.
  std::span<Box> move_all();

  std::span<const Box> boxes() const { return boxes_; }  ///< by id; those not in use have min > max
  std::size_t alive() const { return alive_; }
  /// May be asked by several threads at once.
  const BoxIndex& index() const;
  /// All pairs a < b that share a point, ascending.
  std::vector<BoxPair> pairs() const;

 private:
  /// f(index) if there is one worth keeping.
  template <class F>
  void update(F&& f) {
    if (indexed_.load(std::memory_order_relaxed) == Indexed::no) return;
    if (indexed_.load(std::memory_order_relaxed) == Indexed::yes) f(cached_);
    if (indexed_.load(std::memory_order_relaxed) == Indexed::moved || cached_.stale()) indexed_.store(Indexed::no, std::memory_order_relaxed);
  }
  std::vector<BoxPair> tree_pairs() const;

  std::vector<Box> boxes_;
  std::vector<Id> free_;  // a heap, the lowest on top
  std::size_t alive_ = 0;

  // Made when first asked for, by one of the threads that ask.
  enum class Indexed { no, moved, yes };
  mutable std::mutex mutex_;
  mutable std::atomic<Indexed> indexed_{Indexed::no};
  mutable BoxIndex cached_;
  mutable std::mutex grid_mutex_;
  mutable BoxGrid grid_;
};

/// All pairs of any boxes (min > max: none), ascending; by brute force when they are few.
std::vector<BoxPair> few_pairs(std::span<const Box> boxes);

}  // namespace graze
