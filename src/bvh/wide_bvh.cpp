// Implements the tree's coordinates, refitting and outward rounding.
#include "bvh/wide_bvh.hpp"

#include <cmath>
#include <utility>

#include "exact/double_parts.hpp"
#include "math/limits.hpp"
#include "platform/parallel.hpp"

namespace graze {

Box3 finite(const Box3& box) {
  Box3 r;
  for (int i = 0; i < 3; ++i) {
    r.lo[i] = std::clamp(box.lo[i], -kLargest, kLargest);
    r.hi[i] = std::clamp(box.hi[i], -kLargest, kLargest);
  }
  return r;
}

QueryBox children_box(const WideNode& node) {
  QueryBox q;
  for (int k = 0; k < 3; ++k) {
    float lo[kWidth], hi[kWidth];  // slots that are not used hold boxes that change no bounds
    std::copy(node.plane[k], node.plane[k] + kWidth, lo);
    std::copy(node.plane[3 + k], node.plane[3 + k] + kWidth, hi);
    for (int half = kWidth / 2; half > 0; half /= 2) {
      for (int s = 0; s < half; ++s) {
        lo[s] = lo[s] < lo[s + half] ? lo[s] : lo[s + half];
        hi[s] = hi[s] > hi[s + half] ? hi[s] : hi[s + half];
      }
    }
    q.lo[k] = lo[0];
    q.hi[k] = hi[0];
  }
  return q;
}

void make_node(std::uint64_t source, const WideNode& node) { reinterpret_cast<const NodeSource*>(static_cast<std::uintptr_t>(source))->make(node); }

void WideBvh::set_frame(const Box3& bounds) {
  bounds_ = bounds;
  double half = 0;
  for (int i = 0; i < 3; ++i) {
    const double c = bounds.lo[i] * 0.5 + bounds.hi[i] * 0.5;  // cannot overflow; any double works as the centre
    frame_.center[i] = c;
    half = std::max({half, bounds.hi[i] - c, c - bounds.lo[i]});
  }
  // Half sizes lie in [2^(e-1), 2^e), up to rounding; 2^-e brings them below 1.
  frame_.exponent = half > 0 ? -exponent_of(half) - 1 : 0;
  const int e1 = std::clamp(frame_.exponent, -1022, 1023);
  frame_.scale1 = power_of_two(e1);
  frame_.scale2 = power_of_two(frame_.exponent - e1);
}

WideBvh WideBvh::with_frame(const Box3& bounds) {
  WideBvh tree;
  tree.set_frame(bounds);
  return tree;
}

WideBvh WideBvh::restored(const Box3& bounds, LargeArray<WideNode> nodes, LargeArray<std::uint32_t> items, std::size_t leaves, const NodeSource* source) {
  WideBvh tree = with_frame(bounds);
  tree.nodes_ = std::move(nodes);
  tree.items_ = std::move(items);
  tree.leaf_count_ = leaves;
  tree.root_box_ = tree.local(bounds);
  tree.source_ = source;
  return tree;
}

QueryBox WideBvh::local(const Box3& box) const {
  QueryBox q;
  for (int i = 0; i < 3; ++i) {
    q.lo[i] = float_below(frame_.to_local(box.lo[i], i));
    q.hi[i] = float_above(frame_.to_local(box.hi[i], i));
  }
  return q;
}

void WideBvh::refit(std::span<const Box3> boxes) {
  if (empty()) return;
  constexpr std::size_t grain = 1 << 14;
  const Box3 all = parallel_reduce(
      items_.size(), grain, Box3{},
      [&](std::size_t b, std::size_t e) {
        Box3 r;
        for (std::size_t i = b; i < e; ++i) r.add(finite(boxes[items_[i]]));
        return r;
      },
      [](Box3 a, const Box3& b) {
        a.add(b);
        return a;
      });
  set_frame(all);
  // Leaves first, in parallel; then inner slots from the last node to the first (children have higher numbers than their parents).
  parallel_for(nodes_.size(), 1 << 12, [&](std::size_t b, std::size_t e) {
    for (std::size_t n = b; n < e; ++n) {
      WideNode& node = nodes_[n];
      for (std::uint32_t s = 0; s < node.used; ++s) {
        if (!node.leaf(static_cast<int>(s))) continue;
        Box3 box;
        for (std::uint32_t i = 0; i < node.count[s]; ++i) box.add(finite(boxes[items_[node.child[s] + i]]));
        node.set_box(s, local(box));
      }
    }
  });
  set_inner_boxes();
}

void WideBvh::follow(const WideBvh& other, const std::function<void(std::size_t from, std::size_t count, WideNode* nodes)>& set_leaves) {
  items_.resize(other.items_.size());
  parallel_for(items_.size(), 1 << 16, [&](std::size_t b, std::size_t e) { std::copy(&other.items_[b], &other.items_[b] + (e - b), &items_[b]); });
  nodes_.resize(other.nodes_.size());
  leaf_count_ = other.leaf_count_;
  parallel_for(nodes_.size(), 1 << 10, [&](std::size_t b, std::size_t e) {
    std::copy(&other.nodes_[b], &other.nodes_[b] + (e - b), &nodes_[b]);
    set_leaves(b, e - b, &nodes_[b]);
  });
  if (!empty()) set_inner_boxes();
}

// From the last node to the first: children have higher numbers than their parents.
void WideBvh::set_inner_boxes() {
  for (std::size_t n = nodes_.size(); n-- > 0;) {
    WideNode& node = nodes_[n];
    for (std::uint32_t inner = ((1u << node.used) - 1) & ~node.leaves; inner != 0; inner &= inner - 1) {
      const auto s = static_cast<std::uint32_t>(std::countr_zero(inner));
      node.set_box(s, children_box(nodes_[node.child[s]]));
    }
  }
  root_box_ = children_box(nodes_[0]);
}

int WideBvh::depth() const {
  std::vector<int> depth(nodes_.size(), 1);
  int result = 0;
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    result = std::max(result, depth[n]);
    for (std::uint32_t s = 0; s < nodes_[n].used; ++s) {
      if (!nodes_[n].leaf(static_cast<int>(s))) depth[nodes_[n].child[s]] = depth[n] + 1;
    }
  }
  return result;
}

}  // namespace graze
