// Junctions: edges that meet others in parts of a straight line, where one side has corners that the other has not (T-junctions). Where they fit exactly,
// nothing is open, and triangles without area make every edge meet one whole edge again.
//
// Take the directed edges that are not used as often as their opposites, on one straight line, and count at a point how often they pass it forwards less how
// often backwards. That number changes only at their ends. So it is 0 at all points but finitely many exactly if at each vertex as many edges of that line end
// as begin: only edges with a common vertex need be compared, and the predicates are those of three points.
#pragma once
#include <cstddef>
#include <cstdint>
#include <graze/mesh/check.hpp>
#include <string>
#include <vector>

#include "mesh/edges.hpp"
#include "mesh/mesh_impl.hpp"

namespace graze {

/// A directed edge, by canonical vertices, that is used more often than its opposite; `triangle` has the edge in one of the directions.
struct UnmatchedEdge {
  std::uint32_t from, to, triangle;
  std::uint32_t surplus;  ///< how much more often
};
std::vector<UnmatchedEdge> unmatched_edges(const std::vector<EdgeUse>& uses);

/// Which unmatched edges of a mesh are open, and the triangles without area that close the others.
struct Junctions {
  std::vector<std::uint8_t> open;      ///< by edge: on some of it the edges of its line pass more often one way than the other
  std::vector<TriangleIndices> seams;  ///< by canonical vertices; only where no edge is open
  std::vector<std::uint32_t> owners;   ///< of each seam: the triangle with an edge that contains it
  std::size_t open_edges = 0;
};

/// O(n log n) for n uses of unmatched edges.
Junctions find_junctions(const MeshImpl& mesh, const std::vector<UnmatchedEdge>& edges);

/// Where a corner of one of the open edges lies beside the inside of another, at a distance that is likely one of rounding: at most a millionth of the extent
/// of the mesh. Ascending by edge. Exact distances, rounded; the search ends after a number of tests proportional to that of edges, so that it may miss some.
std::vector<NearJunction> find_near_junctions(const MeshImpl& mesh, const std::vector<UnmatchedEdge>& open);

/// "open by 3e-17: corner 8 at (0.3, 0, 0) beside edge 0-1".
std::string text_of(const NearJunction& junction);

}  // namespace graze
