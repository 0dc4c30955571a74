// The inner loops of building a mesh's tree: what the builder takes of triangles, and the blocks of leaves. The same bits at every CPU level.
#pragma once
#include <cstddef>
#include <cstdint>

#include "bvh/build_kernels.hpp"
#include "bvh/wide_node.hpp"
#include "mesh/kernels/triangle_blocks.hpp"

namespace graze {

/// A vertex in the tree's coordinates, rounded to nearest.
struct alignas(16) LocalVertex {
  float at[4];
};

/// Triangles as 3 numbers of vertices each.
struct LocalTriangles {
  const LocalVertex* vertices;
  const std::uint32_t* corners;
};

struct ConstructKernels {
  /// Items of triangles [begin, end), `items` is that of triangle 0: the next floats outside the corners. These are what float_below and float_above make of
  /// the triangle's box (see wide_bvh.hpp), since rounding to nearest keeps the order.
  void (*items)(const LocalTriangles& t, std::size_t begin, std::size_t end, BuildItem* items);
  /// The blocks of the leaves of `count` nodes; `ids` are the tree's items in order, of which there are `n_ids`.
  void (*blocks)(const LocalTriangles& t, const WideNode* nodes, std::size_t count, const std::uint32_t* ids, std::size_t n_ids, TriangleBlock* blocks);
};

const ConstructKernels& construct_kernels();

}  // namespace graze
