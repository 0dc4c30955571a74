// Keeps ids and index consistent. Finds all pairs by grid, by tree where boxes crowd, and by brute force when they are few.
#include "scene/box_set.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "platform/expects.hpp"
#include "platform/parallel.hpp"
#include "platform/parallel_sort.hpp"
#include "platform/watch.hpp"

namespace graze {

BoxSet::Id BoxSet::insert(const Box& box) {
  Id id;
  if (free_.empty()) {
    id = static_cast<Id>(boxes_.size());
    boxes_.push_back(box);
    changed_.push_back(1);
  } else {
    std::pop_heap(free_.begin(), free_.end(), std::greater<Id>());
    id = free_.back();
    free_.pop_back();
    boxes_[id] = box;
    changed_[id] = 1;
  }
  ++alive_;
  update([&](BoxIndex& index) { index.insert(id, box); });
  return id;
}

std::span<Box> BoxSet::assign(std::size_t count) {
  boxes_.resize(count);
  changed_.assign(count, 1);
  listed_ = false;
  free_.clear();
  alive_ = count;
  indexed_ = Indexed::no;
  return boxes_;
}

void BoxSet::remove(Id id) {
  GRAZE_EXPECTS(id < boxes_.size());
  update([&](BoxIndex& index) { index.remove(id); });
  boxes_[id] = no_box();
  changed_[id] = 1;
  free_.push_back(id);
  std::push_heap(free_.begin(), free_.end(), std::greater<Id>());
  --alive_;
}

void BoxSet::move(Id id, const Box& box) {
  GRAZE_EXPECTS(id < boxes_.size());
  boxes_[id] = box;
  changed_[id] = 1;
  update([&](BoxIndex& index) { index.move(id, box); });
}

BoxSet::AllBoxes BoxSet::move_all() {
  GRAZE_EXPECTS(free_.empty());
  if (indexed_ == Indexed::yes) indexed_ = Indexed::moved;
  return {boxes_, changed_};
}

const BoxIndex& BoxSet::index() const {
  if (indexed_.load(std::memory_order_acquire) != Indexed::yes) {
    const std::lock_guard lock(mutex_);
    const Uninterrupted whole;
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
  const auto test = [&](const IndexedBox& a, const IndexedBox& b, std::vector<BoxPair>& out) {
    if (a.id != IndexedBox::kNone && b.id != IndexedBox::kNone && a.box.overlaps(b.box)) out.emplace_back(std::min(a.id, b.id), std::max(a.id, b.id));
  };
  const PlacedTree placed(index.tree(), RigidMap{});
  const SelfTraversal traversal(placed);
  if (!traversal.empty()) {
    const auto starts = traversal.frontier(256);
    std::vector<std::vector<BoxPair>> found(starts.size());
    parallel_for(starts.size(), 1, [&](std::size_t s, std::size_t) {
      traversal.run(starts[s], [&](const RefView& la, const RefView& lb) {
        for_each_position_pair(la, lb, la.ref == lb.ref, [&](std::uint32_t i, std::uint32_t j) { test(index.leaves()[i], index.leaves()[j], found[s]); });
        return false;
      });
    });
    for (const auto& f : found) result.insert(result.end(), f.begin(), f.end());
  }
  for (std::size_t i = 0; i < index.loose().size(); ++i) {
    const IndexedBox& a = index.loose()[i];
    for (const IndexedBox& b : index.leaves()) test(a, b, result);
    for (const IndexedBox& b : index.loose().subspan(i + 1)) test(a, b, result);
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
  // Reuses what the last call left, unless another thread is using it.
  std::unique_lock lock(grid_mutex_, std::try_to_lock);
  if (!lock.owns_lock()) {
    BoxGrid own;
    return own.build(boxes_) ? own.pairs(boxes_) : tree_pairs();
  }
  std::vector<Id> changed;
  for (Id id = 0; id < changed_.size(); ++id)
    if (changed_[id] != 0) changed.push_back(id);
  const bool few = changed.size() * 8 <= alive_;      // a choice
  const bool usable = std::exchange(listed_, false);  // if this call is ended, the next one finds nothing that is half done
  listed_ = usable && few && (changed.empty() || update_pairs(changed));
  if (listed_) {
    std::fill(changed_.begin(), changed_.end(), 0);
    return pairs_;
  }
  const bool built = grid_.build(boxes_);
  std::vector<BoxPair> result = built ? grid_.pairs(boxes_) : tree_pairs();
  // Where most boxes change each time, a copy of the list would be made in vain.
  listed_ = built && few;
  if (listed_) pairs_ = result;
  std::fill(changed_.begin(), changed_.end(), 0);
  return result;
}

bool BoxSet::update_pairs(std::span<const Id> changed) const {
  std::vector<BoxPair> found;
  if (!grid_.update(boxes_, changed, changed_, found)) return false;
  // Old pairs are written in any case and kept by moving on: cheaper than an unpredictable branch.
  merged_.resize(pairs_.size() + found.size() + 1);
  BoxPair* out = merged_.data();
  const auto key = [](const BoxPair& p) { return static_cast<std::uint64_t>(p.first) << 32 | p.second; };
  found.emplace_back(~0u, ~0u);
  const BoxPair* next = found.data();
  std::uint64_t next_key = key(*next);
  for (const BoxPair& p : pairs_) {
    for (const std::uint64_t here = key(p); next_key < here; next_key = key(*++next)) *out++ = *next;
    *out = p;
    out += (changed_[p.first] | changed_[p.second]) == 0;
  }
  for (; next_key != ~std::uint64_t{0}; next_key = key(*++next)) *out++ = *next;
  merged_.resize(static_cast<std::size_t>(out - merged_.data()));
  pairs_.swap(merged_);
  return true;
}

}  // namespace graze
