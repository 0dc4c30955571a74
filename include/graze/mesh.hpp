// Triangle meshes: a cheap handle to immutable data with its tree; the solid that a closed one bounds; the report on its defects.
#pragma once
#include <array>
#include <cstdint>
#include <graze/shapes/box.hpp>
#include <graze/shapes/fields.hpp>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace graze {

/// Vertices of somebody else's memory: pointer, stride in bytes, count; float or double.
struct VertexView {
  const void* data = nullptr;
  std::size_t count = 0;
  std::size_t stride = 0;  ///< bytes from one vertex to the next; 0 means packed
  bool single_precision = false;

  VertexView(std::span<const Vec3> v) : data(v.data()), count(v.size()) {}
  VertexView(const std::vector<Vec3>& v) : data(v.data()), count(v.size()) {}
  VertexView(const double* xyz, std::size_t n, std::size_t stride_bytes = 0) : data(xyz), count(n), stride(stride_bytes) {}
  VertexView(const float* xyz, std::size_t n, std::size_t stride_bytes = 0) : data(xyz), count(n), stride(stride_bytes), single_precision(true) {}
};

using TriangleIndices = std::array<std::uint32_t, 3>;

/// A named run of triangles (a group, object or node of the file): triangles [first, first + count).
struct MeshPart {
  std::string name;
  std::uint32_t first = 0, count = 0;
};

/// A mesh as plain arrays: what readers produce and what `Mesh` is built from.
struct MeshData {
  std::vector<Vec3> vertices;
  std::vector<TriangleIndices> triangles;  ///< in file order
  std::vector<MeshPart> parts;             ///< ascending, without overlap; may be empty
};

/// How a mesh's tree is built; all answers are the same. `best`: by surface area. `fast`: in the order of Morton codes, in about .3 of the time (15 million
/// triangles a second on one core where `best` makes 4), for meshes that are built anew each frame; rays and closest points are then answered 10 to 15 %
/// slower. Where only vertices move, and not far, Mesh::refit costs less still.
enum class Build : std::uint8_t { best, fast };

struct MeshImpl;

/// A surface of triangles (not solid). Copies share the same immutable data. Triangles keep their numbers.
/// Memory: about 100 bytes per triangle of a closed mesh (120 at most from a thousand triangles on): 24 for indices and vertices, 15 for the nodes of the tree,
/// 60 for the corners in its leaves.
class Mesh {
 public:
  /// Copies the arrays and builds the tree, O(n log n), on all cores. Throws Error with every defect: an index out of range (`triangle 17 uses vertex 9 of 8`),
  /// NaN or infinity (`vertex 4: y is NaN`), parts that overlap or leave the range. Degenerate, duplicate, open, self-intersecting: legal. A mesh without
  /// triangles is the empty set.
  explicit Mesh(MeshData data, Build how = Build::best);
  Mesh(VertexView vertices, std::span<const TriangleIndices> triangles, Build how = Build::best);

  std::span<const Vec3> vertices() const;
  std::span<const TriangleIndices> triangles() const;
  std::span<const MeshPart> parts() const;
  std::size_t size() const { return triangles().size(); }

  /// A mesh with the same triangles and moved vertices, its tree refitted, O(n). Throws Error for another vertex count, NaN or infinity.
  Mesh refit(VertexView vertices) const;

  static constexpr const char* type_name = "mesh";
  const MeshImpl& impl() const { return *impl_; }

 private:
  explicit Mesh(std::shared_ptr<const MeshImpl> impl) : impl_(std::move(impl)) {}
  std::shared_ptr<const MeshImpl> impl_;
};

/// The solid that a closed mesh bounds: the surface plus all points of non-zero winding number (overlapping shells add, inward shells are cavities).
/// Requires that, with vertices identified by equal coordinates (-0 equals 0), every directed edge is used as often as its opposite.
class Solid {
 public:
  /// Throws Error naming an edge that is not balanced.
  explicit Solid(Mesh mesh);
  const Mesh& mesh() const { return mesh_; }
  static constexpr const char* type_name = "solid";

 private:
  Mesh mesh_;
};

inline Solid solid(Mesh mesh) { return Solid(std::move(mesh)); }

/// An edge by its two vertex numbers, and one triangle that uses it.
struct EdgeAt {
  std::uint32_t v0, v1, triangle;
};

/// What `check` found; every list ascending. Vertices count as one when their coordinates are equal. The lists of edges leave out triangles with two equal
/// corners (they are in `degenerate`): their edges have equal ends, or are used once in each direction, so they bound nothing.
struct MeshReport {
  std::vector<std::uint32_t> degenerate;                 ///< triangles without area (exactly)
  std::vector<std::array<std::uint32_t, 2>> duplicates;  ///< (triangle, earlier triangle with the same three corners, either way round)
  std::vector<EdgeAt> border_edges;                      ///< used by one triangle
  std::vector<EdgeAt> non_manifold_edges;                ///< used by more than two triangles
  std::vector<EdgeAt> inconsistent_edges;                ///< used by two triangles in the same direction
  std::vector<EdgeAt> unbalanced_edges;                  ///< used more often one way than the other: what stops solid(mesh)
  std::vector<std::uint32_t> unreferenced_vertices;
  std::size_t repeated_vertices = 0;  ///< vertices whose coordinates an earlier one has
  std::size_t components = 0;         ///< connected by shared corners
  bool closed = false;                ///< no border edge
  bool solid = false;                 ///< solid(mesh) is accepted
};

/// Exact report on a mesh, O(n log n).
MeshReport check(const Mesh& mesh);

/// The boxes of the mesh's tree `level` steps below its root: 0 is one box around all, deeper ones are smaller; a leaf above that level counts for itself, so
/// deeper than the tree are the boxes of all leaves. Each is exactly the bounds of the triangles below its node, and every triangle lies below exactly one. For
/// looking at; O(n). Empty for the empty mesh.
std::vector<Box> tree_boxes(const Mesh& mesh, unsigned level);

/// Cuts any simple polygon (concave ones too, either orientation) into triangles exactly, keeping its orientation; indices into `points`, n - 2 triangles.
/// Projected along the largest component of its exact area vector. Throws Error, naming the edges, for a polygon that crosses itself, or one with fewer than 3
/// corners.
std::vector<TriangleIndices> triangulate(std::span<const Vec3> points);

}  // namespace graze
