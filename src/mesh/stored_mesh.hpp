// Meshes as the arrays that a file stores, and meshes of such arrays, which may come from a stranger.
#pragma once
#include <cstdint>
#include <graze/mesh/mesh.hpp>
#include <span>
#include <vector>

#include "bvh/wide_node.hpp"
#include "mesh/kernels/triangle_blocks.hpp"
#include "platform/large_array.hpp"

namespace graze {

/// The arrays of a mesh and its tree. Everything else of a mesh follows from them.
struct MeshArrays {
  std::span<const Vec3> vertices;
  std::span<const TriangleIndices> triangles;
  std::span<const std::uint32_t> items;
  std::span<const WideNode> nodes;
  std::span<const TriangleBlock> blocks;
};

MeshArrays arrays_of(const Mesh& mesh);

/// The arrays of a mesh before they are checked. They may be in memory of another owner (array_in), which the mesh then keeps.
struct StoredMesh {
  LargeArray<Vec3> vertices;
  LargeArray<TriangleIndices> triangles;
  std::vector<MeshPart> parts;
  std::vector<std::uint32_t> user;
  LargeArray<std::uint32_t> items;
  LargeArray<WideNode> nodes;
  LargeArray<TriangleBlock> blocks;

  /// Checks that the arrays are those of a mesh with one of its trees, O(n) on all threads, and takes them over. A mesh that passes answers as one that was
  /// built. Throws Error that names the array and the place. Only the shape of the tree is free:
  /// - vertices are finite, and corners and parts are in range
  /// - each node but the first is a child once, of a node with a lower number, at most WideBvh::kMaxDepth deep
  /// - each position in `items` belongs to one leaf, and each triangle is in `items` once
  /// - every leaf's block is what the mesh's vertices give, and every box is the smallest one that the format allows
  [[nodiscard]] static Mesh take(StoredMesh&& stored);
};

}  // namespace graze
