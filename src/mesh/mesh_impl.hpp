// The data behind a Mesh handle: the arrays, the tree, and values computed from them on first use.
#pragma once
#include <cstdint>
#include <graze/mesh.hpp>
#include <graze/shapes/triangle.hpp>
#include <memory>
#include <mutex>
#include <vector>

#include "bvh/wide_bvh.hpp"
#include "mesh/kernels/oriented_node.hpp"
#include "mesh/kernels/triangle_blocks.hpp"
#include "platform/expects.hpp"

namespace graze {

struct MeshImpl {
  LargeArray<Vec3> vertices;
  LargeArray<TriangleIndices> triangles;
  std::vector<MeshPart> parts;
  std::shared_ptr<const std::vector<std::uint32_t>> user;  ///< one number per triangle, shared by refitted meshes; null: none
  double largest_coordinate = 0;                           ///< largest magnitude of a coordinate of `vertices`

  WideBvh tree;                      ///< one item per triangle
  LargeArray<TriangleBlock> blocks;  ///< block k belongs to leaf number k

  /// The mesh of a height field is made where traversals of its tree reach it: until complete(), the arrays hold only what belongs to triangles that a
  /// traversal has met. Any other mesh is complete.
  void complete() const { tree.complete(); }

  Triangle triangle(std::uint32_t i) const {
    GRAZE_EXPECTS(i < triangles.size());
    const TriangleIndices& t = triangles[i];
    return {{vertices[t[0]], vertices[t[1]], vertices[t[2]]}};
  }

  Triangle triangle_at(BlockPlace place) const {
    GRAZE_EXPECTS(place / kBlock < blocks.size());
    const TriangleBlock& b = blocks[place / kBlock];
    const std::size_t lane = place % kBlock;
    return {{vertices[b.vertex[0][lane]], vertices[b.vertex[1][lane]], vertices[b.vertex[2][lane]]}};
  }
  std::uint32_t user_of(std::uint32_t i) const { return user ? (*user)[i] : 0; }
  std::uint32_t index_at(BlockPlace place) const { return blocks[place / kBlock].id[place % kBlock]; }

  /// The smallest box of all corners of triangles. Computed once, on first use, from any thread.
  const Box3& bounds() const;

  /// For every vertex, the lowest vertex with equal coordinates (-0 equals 0). Computed once, on first use, from any thread.
  const std::vector<std::uint32_t>& canonical() const;

  /// The lowest triangle of each connected component, ascending. Triangles that share a corner by equal coordinates are connected. Computed once, on first use,
  /// from any thread.
  const std::vector<std::uint32_t>& component_triangles() const;

  /// The oriented boxes of the tree's nodes (see mesh/oriented_boxes.hpp), for distances from other surfaces: about 20 bytes a triangle. Computed once, on
  /// first use, from any thread.
  const LargeArray<OrientedNode>& oriented() const;

 private:
  mutable std::once_flag canonical_once_, components_once_, oriented_once_, bounds_once_;
  mutable std::vector<std::uint32_t> canonical_, components_;
  mutable LargeArray<OrientedNode> oriented_;
  mutable Box3 bounds_;
};

}  // namespace graze
