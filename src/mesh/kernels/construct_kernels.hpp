// Inner loops of building a mesh's tree: the builder's items of triangles, and the blocks of leaves. They give the same bits at every CPU level.
#pragma once
#include <cstddef>
#include <cstdint>

#include "bvh/build_kernels.hpp"
#include "bvh/wide_node.hpp"
#include "mesh/kernels/triangle_blocks.hpp"

namespace graze {

/// A vertex in the tree's coordinates, rounded to nearest.
struct alignas(16) TreeVertex {
  float at[4];
};

/// Triangles as 3 vertex numbers each.
struct LocalTriangles {
  const TreeVertex* vertices;
  const std::uint32_t* corners;
};

struct ConstructKernels {
  /// Computes the items of triangles [begin, end); `items` points to that of triangle 0. Bounds are the next floats outside the corners. They equal the results
  /// of float_below and float_above for the triangle's box (see wide_bvh.hpp), since rounding to nearest preserves order.
  void (*items)(const LocalTriangles& t, std::size_t begin, std::size_t end, BuildItem* items);
  /// Builds the blocks of the leaves of `count` nodes. `ids` holds the tree's `n_ids` items in leaf order.
  void (*blocks)(const LocalTriangles& t, const WideNode* nodes, std::size_t count, const std::uint32_t* ids, std::size_t n_ids, TriangleBlock* blocks);
  /// The blocks of the leaves of `count` nodes for other vertices, and the leaves' boxes; `before` has the same triangles. Blocks are numbered from leaf 0 of
  /// the tree. Boxes equal those of the items.
  void (*refit)(const TreeVertex* vertices, WideNode* nodes, std::size_t count, const TriangleBlock* before, TriangleBlock* blocks);
};

const ConstructKernels& construct_kernels();

}  // namespace graze
