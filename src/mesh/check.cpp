// Computes the report on a mesh. All checks are exact, and all lists are ascending.
#include <algorithm>
#include <graze/mesh/check.hpp>

#include "exact/predicates.hpp"
#include "mesh/edges.hpp"
#include "mesh/junctions.hpp"
#include "mesh/triangle_groups.hpp"
#include "platform/fp_environment.hpp"
#include "platform/parallel.hpp"

namespace graze {
namespace {

bool has_area(const Triangle& t) {
  for (int drop = 0; drop < 3; ++drop)
    if (orient2d(t.points[0], t.points[1], t.points[2], drop) != 0) return true;
  return false;
}

std::vector<std::array<std::uint32_t, 2>> duplicates_of(const MeshImpl& mesh) {
  const std::vector<TriangleKey> keys = sorted_triangle_keys(mesh);
  std::vector<std::array<std::uint32_t, 2>> result;
  std::size_t first = 0;
  for (std::size_t i = 1; i < keys.size(); ++i) {
    if (!same_corners(keys[i], keys[first]))
      first = i;
    else
      result.push_back({keys[i][3], keys[first][3]});
  }
  std::sort(result.begin(), result.end());
  return result;
}

}  // namespace

MeshReport check(const Mesh& mesh) {
  const DefaultFloatEnvironment guard;
  const MeshImpl& m = mesh.impl();
  MeshReport r;

  std::vector<std::uint8_t> flat(m.triangles.size());
  parallel_for(flat.size(), 4096, [&](std::size_t begin, std::size_t end) {
    for (std::size_t t = begin; t < end; ++t) flat[t] = !has_area(m.triangle(static_cast<std::uint32_t>(t)));
  });
  for (std::uint32_t t = 0; t < flat.size(); ++t)
    if (flat[t]) r.degenerate.push_back(t);

  r.duplicates = duplicates_of(m);

  const std::vector<EdgeUse> uses = sorted_edge_uses(m);
  const std::vector<UnmatchedEdge> unmatched = unmatched_edges(uses);
  const Junctions junctions = find_junctions(m, unmatched);
  std::size_t next = 0;  // unmatched edge
  for_each_edge(uses, [&](const EdgeUse& use, std::size_t forward, std::size_t backward) {
    const EdgeAt edge{use.low(), use.high(), use.triangle()};
    const std::size_t all = forward + backward;
    const bool closed = forward == backward || !junctions.open[next];
    if (all == 1 && !closed) r.border_edges.push_back(edge);
    if (all > 2) r.non_manifold_edges.push_back(edge);
    if (all == 2 && forward != 1) r.inconsistent_edges.push_back(edge);
    if (forward != backward) {
      (closed ? r.junction_edges : r.unbalanced_edges).push_back(edge);
      ++next;
    }
    return true;
  });
  std::vector<UnmatchedEdge> open;
  for (std::size_t k = 0; k < unmatched.size(); ++k)
    if (junctions.open[k]) open.push_back(unmatched[k]);
  r.near_junctions = find_near_junctions(m, open);

  std::vector<std::uint8_t> used(m.vertices.size());
  for (const TriangleIndices& t : m.triangles) used[t[0]] = used[t[1]] = used[t[2]] = 1;
  const std::vector<std::uint32_t>& canonical = m.canonical();
  for (std::uint32_t v = 0; v < used.size(); ++v) {
    if (!used[v]) r.unreferenced_vertices.push_back(v);
    if (canonical[v] != v) ++r.repeated_vertices;
  }
  r.components = m.component_triangles().size();
  r.closed = r.border_edges.empty();
  r.solid = r.unbalanced_edges.empty();
  return r;
}

}  // namespace graze
