// Keeps ids and index consistent. Finds all pairs by grid, by tree where boxes crowd, and by brute force when they are few.
#include "scene/box_set.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "platform/expects.hpp"
#include "platform/parallel.hpp"
#include "platform/parallel_sort.hpp"

namespace graze {

BoxSet::Id BoxSet::insert(const Box& box) {
  Id id;
  if (free_.empty()) {
    id = static_cast<Id>(boxes_.size());
    boxes_.push_back(box);
  } else {
    std::pop_heap(free_.begin(), free_.end(), std::greater<Id>());
    id = free_.back();
    free_.pop_back();
    boxes_[id] = box;
  }
  ++alive_;
  update([&](BoxIndex& index) { index.insert(id); });
  return id;
}

std::span<Box> BoxSet::assign(std::size_t count) {
  boxes_.resize(count);
  free_.clear();
  alive_ = count;
  indexed_ = Indexed::no;
  return boxes_;
}

void BoxSet::remove(Id id) {
  GRAZE_EXPECTS(id < boxes_.size());
  update([&](BoxIndex& index) { index.remove(id); });
  boxes_[id] = no_box();
  free_.push_back(id);
  std::push_heap(free_.begin(), free_.end(), std::greater<Id>());
  --alive_;
}

void BoxSet::move(Id id, const Box& box) {
  GRAZE_EXPECTS(id < boxes_.size());
  boxes_[id] = box;
  update([&](BoxIndex& index) { index.move(id); });
}

std::span<Box> BoxSet::move_all() {
  GRAZE_EXPECTS(free_.empty());
  if (indexed_ == Indexed::yes) indexed_ = Indexed::moved;
  return boxes_;
}

const BoxIndex& BoxSet::index() const {
  if (indexed_.load(std::memory_order_acquire) != Indexed::yes) {
    const std::lock_guard lock(mutex_);
    const Indexed now = indexed_.load(std::memory_order_relaxed);
    if (now == Indexed::no) cached_.build(boxes_);
    if (now == Indexed::moved) cached_.refit(boxes_);
    indexed_.store(Indexed::yes, std::memory_order_release);
  }
  return cached_;
}

std::vector<BoxPair> BoxSet::tree_pairs() const {
  const BoxIndex& index = this->index();
  std::vector<BoxPair> result;
  auto test = [&](Id a, Id b, std::vector<BoxPair>& out) {
    if (box3(boxes_[a]).overlaps(box3(boxes_[b]))) out.emplace_back(std::min(a, b), std::max(a, b));
  };
  const PlacedTree placed(index.tree(), RigidMap{});
  const SelfTraversal traversal(placed);
  if (!traversal.empty()) {
    const auto starts = traversal.frontier(256);
    std::vector<std::vector<BoxPair>> found(starts.size());
    parallel_for(starts.size(), 1, [&](std::size_t s, std::size_t) {
      traversal.run(starts[s], [&](const RefView& la, const RefView& lb) {
        for_each_position_pair(la, lb, la.ref == lb.ref, [&](std::uint32_t i, std::uint32_t j) {
          const Id a = index.ids()[index.tree().items()[i]], b = index.ids()[index.tree().items()[j]];
          if (index.in_tree(a) && index.in_tree(b)) test(a, b, found[s]);
        });
        return false;
      });
    });
    for (const auto& f : found) result.insert(result.end(), f.begin(), f.end());
  }
  std::vector<std::uint8_t> done(boxes_.size(), 0);
  for (const Id a : index.loose()) {
    for (Id b = 0; b < boxes_.size(); ++b)
      if (b != a && !done[b] && is_alive(boxes_[b])) test(a, b, result);
    done[a] = 1;
  }
  parallel_sort(result);
  return result;
}

std::vector<BoxPair> few_pairs(std::span<const Box> boxes) {
  std::vector<BoxPair> result;
  for (std::uint32_t a = 0; a < boxes.size(); ++a)
    for (std::uint32_t b = a + 1; b < boxes.size(); ++b)
      if (is_alive(boxes[a]) && is_alive(boxes[b]) && box3(boxes[a]).overlaps(box3(boxes[b]))) result.emplace_back(a, b);
  return result;
}

std::vector<BoxPair> BoxSet::pairs() const {
  if (alive_ < 2) return {};
  if (boxes_.size() <= 32) return few_pairs(boxes_);
  // Reuses the working memory of the last frame, unless another thread is using it.
  std::unique_lock lock(grid_mutex_, std::try_to_lock);
  BoxGrid own;
  BoxGrid& grid = lock.owns_lock() ? grid_ : own;
  if (grid.build(boxes_)) return grid.pairs(boxes_);
  return tree_pairs();
}

}  // namespace graze
