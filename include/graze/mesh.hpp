// Triangle meshes: a cheap handle to immutable data with its tree, the solid that a closed mesh bounds, a report on defects, and
// triangulation of polygons.
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

// ---- data --------------------------------------------------------------------------------------------------------------------------------

/// A non-owning view of vertices in memory of the caller: three floats or doubles each, with a stride.
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

/// The vertex numbers of a triangle's corners.
using TriangleIndices = std::array<std::uint32_t, 3>;

/// A named run of triangles, [first, first + count): a group, object or node of the file.
struct MeshPart {
  std::string name;
  std::uint32_t first = 0, count = 0;
};

/// A mesh as plain arrays: the output of the readers and the input of `Mesh`.
struct MeshData {
  std::vector<Vec3> vertices;
  std::vector<TriangleIndices> triangles;  ///< in file order
  std::vector<MeshPart> parts;             ///< ascending, without overlap; may be empty
};

// ---- mesh --------------------------------------------------------------------------------------------------------------------------------

/// How the tree of a mesh is built. The answers of queries do not depend on it.
/// - `best`: by surface area.
/// - `fast`: in the order of Morton codes, in about .3 of the time (15 million triangles a second on one core where `best` makes
///   4), for meshes that are built anew each frame. Rays and closest points are then 10 to 15 % slower.
///
/// Where only vertices move, and not far, Mesh::refit() costs less still.
enum class Build : std::uint8_t { best, fast };

struct MeshImpl;

/// A surface of triangles (not solid). Copies share the same immutable data. Triangles keep their numbers.
///
/// Memory: about 100 bytes per triangle of a closed mesh (120 at most from a thousand triangles on): 24 for indices and vertices,
/// 15 for the nodes of the tree, 60 for the corners in its leaves.
class Mesh {
 public:
  /// Copies the arrays and builds the tree, O(n log n), on all cores.
  ///
  /// Throws Error that lists every defect: an index out of range (`triangle 17 uses vertex 9 of 8`), NaN or infinity
  /// (`vertex 4: y is NaN`), parts that overlap or leave the range. Degenerate, duplicate, open and self-intersecting meshes are
  /// legal. A mesh without triangles is the empty set.
  explicit Mesh(MeshData data, Build how = Build::best);
  Mesh(VertexView vertices, std::span<const TriangleIndices> triangles, Build how = Build::best);

  std::span<const Vec3> vertices() const;
  std::span<const TriangleIndices> triangles() const;
  std::span<const MeshPart> parts() const;
  std::size_t size() const { return triangles().size(); }

  /// Returns a mesh with the same triangles, moved vertices and a refitted tree, O(n). Throws Error when the number of vertices
  /// differs, and for NaN or infinity.
  Mesh refit(VertexView vertices) const;

  static constexpr const char* type_name = "mesh";
  const MeshImpl& impl() const { return *impl_; }

 private:
  explicit Mesh(std::shared_ptr<const MeshImpl> impl) : impl_(std::move(impl)) {}
  std::shared_ptr<const MeshImpl> impl_;
};

// ---- solid -------------------------------------------------------------------------------------------------------------------------------

/// The solid that a closed mesh bounds: the surface and all points of non-zero winding number. Overlapping shells add up, inward
/// shells are cavities. Requires that every directed edge is used as often as its opposite, with vertices identified by equal
/// coordinates (-0 equals 0).
class Solid {
 public:
  /// Throws Error that names an edge if the mesh is not balanced.
  explicit Solid(Mesh mesh);
  const Mesh& mesh() const { return mesh_; }
  static constexpr const char* type_name = "solid";

 private:
  Mesh mesh_;
};

inline Solid solid(Mesh mesh) { return Solid(std::move(mesh)); }

// ---- report on defects -------------------------------------------------------------------------------------------------------------------

/// An edge by its two vertex numbers, and one triangle that uses it.
struct EdgeAt {
  std::uint32_t v0, v1, triangle;
};

/// The result of check(). Every list is ascending. Vertices with equal coordinates count as one.
///
/// The lists of edges leave out triangles with two equal corners, which `degenerate` lists: their edges have equal ends or are
/// used once in each direction, so they bound nothing.
struct MeshReport {
  std::vector<std::uint32_t> degenerate;                 ///< triangles without area, exactly
  std::vector<std::array<std::uint32_t, 2>> duplicates;  ///< (triangle, earlier triangle with the same three corners, either way round)
  std::vector<EdgeAt> border_edges;                      ///< used by one triangle
  std::vector<EdgeAt> non_manifold_edges;                ///< used by more than two triangles
  std::vector<EdgeAt> inconsistent_edges;                ///< used by two triangles in the same direction
  std::vector<EdgeAt> unbalanced_edges;                  ///< used more often in one direction than in the other: solid(mesh) refuses them
  std::vector<std::uint32_t> unreferenced_vertices;
  std::size_t repeated_vertices = 0;  ///< vertices with the coordinates of an earlier one
  std::size_t components = 0;         ///< connected by shared corners
  bool closed = false;                ///< no border edge
  bool solid = false;                 ///< solid(mesh) accepts the mesh
};

/// Returns an exact report on a mesh, O(n log n).
MeshReport check(const Mesh& mesh);

// ---- inspection --------------------------------------------------------------------------------------------------------------------------

/// Returns the boxes of the mesh's tree `level` steps below its root, for display. O(n).
///
/// Level 0 is one box that contains all triangles. A leaf above the level counts for itself, so a level deeper than the tree
/// gives the boxes of all leaves. Each box is exactly the bounds of the triangles below its node, and every triangle lies below
/// exactly one of them. Empty for the empty mesh.
std::vector<Box> tree_boxes(const Mesh& mesh, unsigned level);

// ---- triangulation -----------------------------------------------------------------------------------------------------------------------

/// Cuts a simple polygon (concave ones too, of either orientation) into n - 2 triangles, given as indices into `points`. Exact;
/// O(n log n). The triangles keep the orientation of the polygon.
///
/// The polygon is projected along the largest component of its exact area vector. Throws Error for fewer than 3 corners, and for
/// a polygon that crosses itself, naming the edges.
std::vector<TriangleIndices> triangulate(std::span<const Vec3> points);

}  // namespace graze
