// Builds and updates the index of boxes, and estimates the bulk of many boxes.
#include "scene/box_index.hpp"

#include <algorithm>
#include <cstdint>

#include "math/limits.hpp"

namespace graze {
namespace {

// The largest double stands for an infinite side. A tree would take it for the end of the shape, and leave out a shape that a ray or line enters beyond it.
bool endless(const Box& b) {
  for (int k = 0; k < 3; ++k)
    if (b.min[k] <= -kLargest || b.max[k] >= kLargest) return true;
  return false;
}

// Tests whether a box must not be in the tree: because it has no end, or because it is so far out that it would cost all other boxes their float precision.
bool far_out(const Box& b, const Bulk& bulk) {
  if (endless(b)) return true;
  const double limit = bulk.half > 0 ? bulk.half * 0x1p12 : kInfinity;
  for (int k = 0; k < 3; ++k)
    if (!(bulk.center[k] - b.min[k] <= limit) || !(b.max[k] - bulk.center[k] <= limit)) return true;
  return false;
}

}  // namespace

Bulk bulk_of(std::span<const Box> boxes) {
  constexpr std::size_t kSample = 1024;  // boxes that are sampled; a choice, as the share that is cut off at each end
  std::vector<double> lo, hi;
  const std::size_t stride = std::max<std::size_t>(1, boxes.size() / kSample);
  Bulk bulk;
  for (int k = 0; k < 3; ++k) {
    lo.clear();
    hi.clear();
    for (std::size_t i = 0; i < boxes.size(); i += stride) {
      if (!is_alive(boxes[i])) continue;
      lo.push_back(std::clamp(boxes[i].min[k], -kLargest, kLargest));
      hi.push_back(std::clamp(boxes[i].max[k], -kLargest, kLargest));
    }
    if (lo.empty()) return {};
    const std::size_t cut = lo.size() / 50;
    std::nth_element(lo.begin(), lo.begin() + static_cast<std::ptrdiff_t>(cut), lo.end());
    std::nth_element(hi.begin(), hi.begin() + static_cast<std::ptrdiff_t>(hi.size() - 1 - cut), hi.end());
    const double a = lo[cut], b = hi[hi.size() - 1 - cut];
    bulk.center[k] = a * 0.5 + b * 0.5;
    bulk.half = std::max(bulk.half, b * 0.5 - a * 0.5);
  }
  return bulk;
}

void BoxIndex::build(std::span<const Box> boxes) {
  const Bulk bulk = bulk_of(boxes);
  std::vector<std::uint32_t> ids;
  const auto split = [&](const Bulk& whole) {
    ids.clear();
    loose_.clear();
    for (std::uint32_t id = 0; id < boxes.size(); ++id) {
      if (!is_alive(boxes[id])) continue;
      if (far_out(boxes[id], whole))
        loose_.push_back({box3(boxes[id]), id});
      else
        ids.push_back(id);
    }
  };
  split(bulk);
  if (loose_.size() * 16 > ids.size() + 256) split(Bulk{});  // no bulk: all finite boxes go into the tree
  std::vector<Box3> items(ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i) items[i] = box3(boxes[ids[i]]);
  tree_ = WideBvh(items, TreeBuild::single);
  leaves_.resize(ids.size());
  ids_.resize(ids.size());
  position_.assign(boxes.size(), IndexedBox::kNone);
  for (std::uint32_t i = 0; i < leaves_.size(); ++i) {
    const std::uint32_t item = tree_.items()[i];
    leaves_[i] = {items[item], ids[item]};
    ids_[i] = ids[item];
    position_[ids[item]] = i;
  }
  for (std::uint32_t i = 0; i < loose_.size(); ++i) position_[loose_[i].id] = kLoose | i;
  changes_ = 0;
  refits_ = 0;
}

void BoxIndex::refit(std::span<const Box> boxes) {
  if (++refits_ > 16 || changes_ > 0) return build(boxes);
  std::vector<Box3> items(leaves_.size());
  for (std::size_t i = 0; i < leaves_.size(); ++i) {
    const Box& box = boxes[leaves_[i].id];
    if (endless(box)) return build(boxes);
    items[tree_.items()[i]] = leaves_[i].box = box3(box);
  }
  for (IndexedBox& item : loose_) item.box = box3(boxes[item.id]);
  tree_.refit(items);
}

void BoxIndex::insert(std::uint32_t id, const Box& box) {
  if (id >= position_.size()) position_.resize(id + 1, IndexedBox::kNone);
  position_[id] = kLoose | static_cast<std::uint32_t>(loose_.size());
  loose_.push_back({box3(box), id});
  ++changes_;
}

void BoxIndex::move(std::uint32_t id, const Box& box) {
  if (const std::uint32_t at = position_[id]; (at & kLoose) != 0) {
    loose_[at & ~kLoose].box = box3(box);
  } else {
    leaves_[at].id = ids_[at] = IndexedBox::kNone;
    insert(id, box);
  }
}

void BoxIndex::remove(std::uint32_t id) {
  if (const std::uint32_t at = position_[id]; (at & kLoose) != 0) {
    loose_[at & ~kLoose] = loose_.back();
    position_[loose_.back().id] = at;
    loose_.pop_back();
  } else {
    leaves_[at].id = ids_[at] = IndexedBox::kNone;
  }
  position_[id] = IndexedBox::kNone;
  ++changes_;  // refit() is valid only for the same boxes: the next one rebuilds
}

}  // namespace graze
