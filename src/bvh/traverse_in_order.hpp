// A traversal along a line that visits leaves in the order of the bounds of their boxes.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <vector>

#include "bvh/box_kernels.hpp"
#include "bvh/local_query.hpp"

namespace graze {

/// Visits the leaves that the ray (a LocalRay or LocalSweep) may hit in the order of the bounds of their boxes, for visitors that cost far more than a step of
/// the traversal. visit(first, count) may shorten the ray; leaves beyond its end are skipped. expect(first, count) announces leaves that may be visited later.
template <class Ray, class Visit, class Expect>
bool for_each_in_order_along(const WideBvh& tree, const Ray& ray, Visit&& visit, Expect&& expect) {
  if (tree.empty() || ray.misses()) return false;
  const BoxKernels& kernels = box_kernels();
  // A heap of children, least on top: the bits of the bound, which is no negative number and therefore ordered as its bits are, then node * 8 + slot.
  constexpr std::size_t kUsual = 64;  // room for most queries; a choice
  std::vector<std::uint64_t> heap;
  heap.reserve(kUsual);
  const auto open = [&](std::uint32_t number) {
    const WideNode& node = tree.node(number);
    float entry[kWidth];
    for (std::uint32_t bits = kernels.ray(node, ray.lanes(), entry); bits != 0; bits &= bits - 1) {
      const auto s = static_cast<std::uint32_t>(std::countr_zero(bits));
      if (node.leaf(static_cast<int>(s)))
        expect(node.child[s], static_cast<std::uint32_t>(node.count[s]));
      else
        __builtin_prefetch(&tree.nodes()[node.child[s]]);
      heap.push_back(static_cast<std::uint64_t>(std::bit_cast<std::uint32_t>(entry[s])) << 32 | (number * kWidth + s));
      std::push_heap(heap.begin(), heap.end(), std::greater<>());
    }
  };
  open(0);
  while (!heap.empty()) {
    std::pop_heap(heap.begin(), heap.end(), std::greater<>());
    const std::uint64_t next = heap.back();
    heap.pop_back();
    if (std::bit_cast<float>(static_cast<std::uint32_t>(next >> 32)) > ray.lanes().t_hi) break;
    const auto ref = static_cast<std::uint32_t>(next);
    const WideNode& node = tree.node(ref / kWidth);
    const auto s = static_cast<int>(ref % kWidth);
    if (!node.leaf(s))
      open(node.child[s]);
    else if (visit(node.child[s], static_cast<std::uint32_t>(node.count[s])))
      return true;
  }
  return false;
}

}  // namespace graze
