// Builds and updates the index of boxes, and estimates the bulk of many boxes.
#include "scene/box_index.hpp"
#include "math/limits.hpp"

#include <algorithm>
#include <cstdint>

namespace graze {
namespace {

// Tests whether a box is so far out that including it in the tree would cost all other boxes their float precision.
bool far_out(const Box& b, const Bulk& bulk) {
  const double limit = bulk.half > 0 ? bulk.half * 0x1p12 : 0x1.ffffffffffffep1023;  // the double below the largest; the largest stands for an infinite side
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
  ids_.clear();
  loose_.clear();
  in_tree_.assign(boxes.size(), 0);
  std::vector<Box3> items;
  for (std::uint32_t id = 0; id < boxes.size(); ++id) {
    if (!is_alive(boxes[id])) continue;
    if (far_out(boxes[id], bulk)) {
      loose_.push_back(id);
      continue;
    }
    in_tree_[id] = 1;
    ids_.push_back(id);
    items.push_back(box3(boxes[id]));
  }
  if (loose_.size() * 16 > ids_.size() + 256) {  // no bulk: all finite boxes go into the tree
    ids_.clear();
    loose_.clear();
    items.clear();
    for (std::uint32_t id = 0; id < boxes.size(); ++id) {
      if (!is_alive(boxes[id])) continue;
      const bool unbounded = far_out(boxes[id], Bulk{});
      in_tree_[id] = !unbounded;
      if (unbounded) {
        loose_.push_back(id);
      } else {
        ids_.push_back(id);
        items.push_back(box3(boxes[id]));
      }
    }
  }
  tree_ = WideBvh(items);
  changes_ = 0;
  refits_ = 0;
}

void BoxIndex::refit(std::span<const Box> boxes) {
  if (++refits_ > 16 || changes_ > 0) return build(boxes);
  std::vector<Box3> items(ids_.size());
  for (std::size_t i = 0; i < ids_.size(); ++i) items[i] = box3(boxes[ids_[i]]);
  tree_.refit(items);
}

void BoxIndex::insert(std::uint32_t id) {
  if (id >= in_tree_.size()) in_tree_.resize(id + 1, 0);
  in_tree_[id] = 0;
  loose_.push_back(id);
  ++changes_;
}

void BoxIndex::move(std::uint32_t id) {
  if (!in_tree_[id]) return;
  in_tree_[id] = 0;
  loose_.push_back(id);
  ++changes_;
}

void BoxIndex::remove(std::uint32_t id) {
  if (!in_tree_[id]) loose_.erase(std::find(loose_.begin(), loose_.end(), id));
  in_tree_[id] = 0;
  ++changes_;  // refit() is valid only for the same boxes: the next one rebuilds
}

}  // namespace graze
