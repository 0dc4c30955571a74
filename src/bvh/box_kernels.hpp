// SIMD tests of a node's 8 boxes against a query. They discard only boxes that provably cannot touch, and compute the same bits at every CPU level (no fused
// operations, no NaN, no infinities).
#pragma once
#include <cstdint>

#include "bvh/wide_node.hpp"

namespace graze {

struct BoxKernels {
  /// Bit i: box i overlaps the query.
  std::uint32_t (*overlap)(const WideNode& node, const QueryBox& query);
  /// Bit i: the ray may enter box i at or before t_hi; entry[i] >= 0 is a lower bound of the parameter.
  std::uint32_t (*ray)(const WideNode& node, const QueryRay& query, float* entry);
  /// Bit i: lower[i], a lower bound of the squared distance of box i from the query, is at most `limit`.
  std::uint32_t (*distance)(const WideNode& node, const QueryBox& query, float limit, float* lower);
  /// Goes on to the next leaf. The traversal is depth-first, with the children of each node in the order of their keys. Returns false when no leaf is left.
  /// Drops children with keys above ray.t_hi, or above `limit`.
  bool (*next_along)(SortedTraversal& traversal, const QueryRay& ray, LeafItems& leaf);
  bool (*next_nearest)(SortedTraversal& traversal, const QueryBox& query, float limit, LeafItems& leaf);
  /// Like overlap, and also tests the separating axes of both boxes' faces.
  std::uint32_t (*oriented_overlap)(const WideNode& node, const QueryOrientedBox& query);
  /// Like distance, with the greater of the bounds in the two boxes' frames.
  std::uint32_t (*oriented_distance)(const WideNode& node, const QueryOrientedBox& query, float limit, float* lower);
};

/// Returns the kernels of the CPU level in force. Fetch once per query.
const BoxKernels& box_kernels();

/// Number of calls of each kernel by this thread, by CPU level (as in platform/cpu.hpp). Read by tests.
struct KernelCounts {
  std::uint64_t overlap[5], ray[5], distance[5], oriented_overlap[5], oriented_distance[5];
};
extern constinit thread_local KernelCounts kernel_counts;

}  // namespace graze
