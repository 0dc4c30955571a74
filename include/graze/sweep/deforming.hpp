// First contact of meshes whose vertices each move along their own line.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <graze/mesh.hpp>
#include <graze/progress.hpp>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace graze {

/// Returns the first time in [0, 1] at which a vertex and a face share a point, or nothing.
///
/// The corners (v, f0, f1, f2) move linearly from t0[i] to t1[i]. The result is the largest double not above the true time. Exact
/// in all cases: touching, coplanar motion, collapsing triangles, rest.
[[nodiscard]] std::optional<double> ccd_vertex_face(std::span<const Vec3, 4> t0, std::span<const Vec3, 4> t1);

/// The same for two edges, with the corners (a0, a1, b0, b1).
[[nodiscard]] std::optional<double> ccd_edge_edge(std::span<const Vec3, 4> t0, std::span<const Vec3, 4> t1);

/// A pair of features that meet.
struct DeformingContact {
  enum class Kind : std::uint8_t { vertex_face, face_vertex, edge_edge };
  double t = 0;                                  ///< time as returned by ccd_vertex_face()
  Kind kind = Kind::vertex_face;                 ///< the feature of A, then that of B
  std::uint32_t triangle_a = 0, triangle_b = 0;  ///< the lowest triangles that contain the features
  /// vertex_face: the vertex of A, the face of B. face_vertex: the face of A, the vertex of B. edge_edge: the edge of A, the edge
  /// of B.
  std::array<std::uint32_t, 4> vertices{};
};

struct DeformingOptions {
  bool first_only = false;                                      ///< only the first contact in time; ties by the order of the result
  std::size_t limit = std::numeric_limits<std::size_t>::max();  ///< maximum number of contacts; the first ones in order
  std::function<bool(const DeformingContact&)> filter = {};     ///< drops contacts for which it returns false; may run on several threads
  Progress progress = {};
};

/// Returns all pairs of features of A and B that meet while the vertices move linearly from those of the mesh to `a1` (`b1`).
/// Each pair comes with its own first time; the order is by t, then kind, then vertices. Exact. Runs on all cores.
/// Throws Error when the number of vertices differs from the mesh's, and for NaN or infinity.
[[nodiscard]] std::vector<DeformingContact> ccd(const Mesh& a, VertexView a1, const Mesh& b, VertexView b1, const DeformingOptions& options = {});

/// The same for a mesh against itself. Pairs of features that share a vertex (by number) do not count.
[[nodiscard]] std::vector<DeformingContact> ccd(const Mesh& mesh, VertexView end, const DeformingOptions& options = {});

}  // namespace graze
