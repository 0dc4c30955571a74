// A triangle mesh: a cheap handle to immutable data with its tree.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <graze/progress.hpp>
#include <graze/vec.hpp>
#include <memory>
#include <span>
#include <string>
#include <utility>
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
  std::vector<std::uint32_t> user{};       ///< a number of the caller's for each triangle, such as a material; may be empty
};

// ---- mesh --------------------------------------------------------------------------------------------------------------------------------

/// How the tree of a mesh is built. The answers of queries do not depend on it, to the bit, but for two:
/// - `closest` of two meshes that touch names one of the pairs that touch (docs/accuracy.md);
/// - `closest` of a curved shape that touches several triangles may name another of them, where exponents of coordinates differ by hundreds, since its
/// decisions
///   have a bound.
///
/// - `best`: by surface area.
/// - `fast`: in the order of Morton codes, in about .3 of the time (15 million triangles per second on one core; `best`: 4), for
///   meshes that are rebuilt each frame. Rays and closest points are then 10 to 15 % slower.
///
/// Where only vertices move, and not far, Mesh::refit() is even cheaper.
enum class Build : std::uint8_t { best, fast };

struct MeshImpl;
struct StoredMesh;

/// A surface of triangles (not solid). Copies share the same immutable data, and any number of threads may query it. Triangles keep
/// their numbers.
///
/// Memory: about 100 bytes per triangle of a closed mesh (120 at most from a thousand triangles on): 24 for indices and vertices,
/// 15 for the nodes of the tree, 60 for the corners in its leaves. User numbers take 4 more. Of what building takes beside, about as much again, the
/// heap may keep some megabytes for the next mesh, no more for large meshes or many.
class Mesh {
 public:
  /// Copies the arrays and builds the tree, O(n log n), on all cores.
  ///
  /// Throws Error that lists every defect: an index out of range (`triangle 17 uses vertex 9 of 8`), NaN or infinity
  /// (`vertex 4: y is NaN`), parts that overlap or leave the range, another number of `user` than of triangles. Degenerate, duplicate, open and
  /// self-intersecting meshes are legal. A mesh without triangles is the empty set.
  explicit Mesh(MeshData data, Build how = Build::best, const Progress& progress = {});
  Mesh(VertexView vertices, std::span<const TriangleIndices> triangles, Build how = Build::best, const Progress& progress = {});

  [[nodiscard]] std::span<const Vec3> vertices() const;
  [[nodiscard]] std::span<const TriangleIndices> triangles() const;
  [[nodiscard]] std::span<const MeshPart> parts() const;
  [[nodiscard]] std::span<const std::uint32_t> user() const;  ///< MeshData::user
  [[nodiscard]] std::size_t size() const { return triangles().size(); }

  /// Returns a mesh with the same triangles, parts and user numbers, moved vertices and a refitted tree, O(n). Throws Error when the number of vertices
  /// differs, and for NaN or infinity.
  [[nodiscard]] Mesh refit(VertexView vertices) const;

  static constexpr const char* type_name = "mesh";
  [[nodiscard]] const MeshImpl& impl() const { return *impl_; }

 private:
  friend struct StoredMesh;
  friend class HeightField;
  explicit Mesh(std::shared_ptr<const MeshImpl> impl) : impl_(std::move(impl)) {}
  std::shared_ptr<const MeshImpl> impl_;
};

}  // namespace graze
