// A set of boxes whose ids are reused, lowest first. Single queries use an index that is built on first use; all pairs are found through the grid. BroadPhase
// and Scene are built on this class.
#pragma once
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

  BoxSet() = default;
  BoxSet(const BoxSet& o) : boxes_(o.boxes_), free_(o.free_), alive_(o.alive_) {}

  // Requires valid boxes (min <= max; sides may be infinite) and ids in use; the callers validate.
  Id insert(const Box& box);
  /// Replaces the contents by ids 0 .. count-1 and returns their boxes for the caller to fill.
  std::span<Box> assign(std::size_t count);
  void remove(Id id);
  void move(Id id, const Box& box);
  /// Returns the boxes for the caller to fill with new ones, one per id. Requires that all ids are in use.
  std::span<Box> move_all();

  std::span<const Box> boxes() const { return boxes_; }  ///< by id; ids not in use have min > max
  std::size_t alive() const { return alive_; }
  /// Safe to call from several threads at once.
  const BoxIndex& index() const;
  /// All pairs a < b that share a point, ascending.
  std::vector<BoxPair> pairs() const;

 private:
  /// Calls f(index) if an index exists that is worth keeping.
  template <class F>
  void update(F&& f) {
    if (indexed_.load(std::memory_order_relaxed) == Indexed::no) return;
    if (indexed_.load(std::memory_order_relaxed) == Indexed::yes) f(cached_);
    if (indexed_.load(std::memory_order_relaxed) == Indexed::moved || cached_.stale()) indexed_.store(Indexed::no, std::memory_order_relaxed);
  }
  std::vector<BoxPair> tree_pairs() const;

  std::vector<Box> boxes_;
  std::vector<Id> free_;  // a heap, lowest id on top
  std::size_t alive_ = 0;

  // Built on first use, by one of the threads that query it.
  enum class Indexed { no, moved, yes };
  mutable std::mutex mutex_;
  mutable std::atomic<Indexed> indexed_{Indexed::no};
  mutable BoxIndex cached_;
  mutable std::mutex grid_mutex_;
  mutable BoxGrid grid_;
};

/// All overlapping pairs of the boxes, ascending, by brute force; boxes with min > max have none. For few boxes.
std::vector<BoxPair> few_pairs(std::span<const Box> boxes);

}  // namespace graze
