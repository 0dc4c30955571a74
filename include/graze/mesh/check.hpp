// A report on the defects of a mesh.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <graze/mesh/mesh.hpp>
#include <vector>

namespace graze {

/// An edge by its two vertex numbers, and one triangle that uses it.
struct EdgeAt {
  std::uint32_t v0, v1, triangle;
};

/// A corner that misses an edge, most likely by a rounding: were it on the edge, the mesh would be closed there.
struct NearJunction {
  std::uint32_t vertex;  ///< an end of an open edge
  EdgeAt edge;           ///< another open edge, beside whose inside the corner lies
  double gap;            ///< their distance, rounded; never 0
  Vec3 place{0, 0, 0};   ///< of the corner
};

/// The result of check(). Every list is ascending. Vertices with equal coordinates count as one.
///
/// The lists of edges leave out triangles with two equal corners, which `degenerate` lists: their edges have equal ends or are
/// used once in each direction, so they bound nothing.
///
/// A junction is where edges meet edges in parts of a straight line, because one side has a corner that the other has not (a T-junction). It is no opening if
/// it fits exactly: if at all but finitely many points of the line, the edges that are not used as often as their opposites pass as often one way as the other.
struct MeshReport {
  std::vector<std::uint32_t> degenerate;                 ///< triangles without area, exactly
  std::vector<std::array<std::uint32_t, 2>> duplicates;  ///< (triangle, earlier triangle with the same three corners, in either orientation)
  std::vector<EdgeAt> border_edges;                      ///< used by one triangle, and no junction closes them
  std::vector<EdgeAt> non_manifold_edges;                ///< used by more than two triangles
  std::vector<EdgeAt> inconsistent_edges;                ///< used by two triangles in the same direction
  std::vector<EdgeAt> unbalanced_edges;      ///< used more often in one direction than in the other, not closed by a junction: solid(mesh) refuses them
  std::vector<EdgeAt> junction_edges;        ///< used more often in one direction than in the other, but closed by a junction: no defect
  std::vector<NearJunction> near_junctions;  ///< junctions that do not fit, by edge; may lack some where there are very many
  std::vector<std::uint32_t> unreferenced_vertices;
  std::size_t repeated_vertices = 0;  ///< vertices with the coordinates of an earlier one
  std::size_t components = 0;         ///< connected by shared corners
  bool closed = false;                ///< no border edge
  bool solid = false;                 ///< solid(mesh) accepts the mesh
};

/// Returns an exact report on a mesh, O(n log n).
[[nodiscard]] MeshReport check(const Mesh& mesh);

}  // namespace graze
