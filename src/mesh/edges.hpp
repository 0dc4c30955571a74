// The edges of a mesh, with vertices of equal coordinates identified, and how often the triangles use each edge in either direction.
#pragma once
#include <cstdint>
#include <vector>

#include "mesh/mesh_impl.hpp"

namespace graze {

/// One use of an edge by a triangle. The ends are canonical vertices with low < high; `forward` means from low to high.
struct EdgeUse {
  std::uint64_t ends;              ///< low << 32 | high
  std::uint64_t triangle_forward;  ///< triangle << 1 | forward
  std::uint32_t low() const { return static_cast<std::uint32_t>(ends >> 32); }
  std::uint32_t high() const { return static_cast<std::uint32_t>(ends); }
  std::uint32_t triangle() const { return static_cast<std::uint32_t>(triangle_forward >> 1); }
  bool forward() const { return triangle_forward & 1; }
};

/// Returns all uses, sorted by ends, then triangle. Triangles with two equal corners are left out: their edges are used once in each direction or have equal
/// ends.
std::vector<EdgeUse> sorted_edge_uses(const MeshImpl& mesh);

/// Calls f(first use, number of forward uses, number of backward uses) for each edge, ascending, until f returns false.
template <class F>
void for_each_edge(const std::vector<EdgeUse>& uses, F&& f) {
  for (std::size_t begin = 0, end; begin < uses.size(); begin = end) {
    std::size_t forward = 0;
    for (end = begin; end < uses.size() && uses[end].ends == uses[begin].ends; ++end) forward += uses[end].forward();
    if (!f(uses[begin], forward, end - begin - forward)) return;
  }
}

}  // namespace graze
