// Solids: a mesh is accepted if every edge is used equally often in both directions, or lies in junctions that fit exactly.
#include <algorithm>
#include <cstdint>
#include <graze/error.hpp>
#include <graze/mesh/solid.hpp>
#include <string>
#include <utility>
#include <vector>

#include "mesh/edges.hpp"
#include "mesh/junctions.hpp"
#include "platform/fp_environment.hpp"
#include "shapes/message.hpp"

namespace graze {
namespace {

std::string times(std::size_t n) { return n == 1 ? "once" : std::to_string(n) + " times"; }

/// The seams as a mesh of the vertices that they use.
Mesh mesh_of(const MeshImpl& m, const Junctions& junctions) {
  std::vector<std::uint32_t> used;
  for (const TriangleIndices& t : junctions.seams) used.insert(used.end(), t.begin(), t.end());
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  MeshData data;
  for (const std::uint32_t v : used) data.vertices.push_back(m.vertices[v]);
  for (const TriangleIndices& t : junctions.seams) {
    TriangleIndices& to = data.triangles.emplace_back();
    for (std::size_t k = 0; k < 3; ++k) to[k] = static_cast<std::uint32_t>(std::lower_bound(used.begin(), used.end(), t[k]) - used.begin());
  }
  data.user = junctions.owners;
  return Mesh(std::move(data));
}

[[noreturn]] void refuse(const MeshImpl& m, const std::vector<EdgeUse>& uses, const std::vector<UnmatchedEdge>& unmatched, const Junctions& junctions) {
  std::vector<UnmatchedEdge> open;
  for (std::size_t k = 0; k < unmatched.size(); ++k)
    if (junctions.open[k]) open.push_back(unmatched[k]);
  const std::uint32_t low = std::min(open[0].from, open[0].to), high = std::max(open[0].from, open[0].to);
  std::string first;
  for_each_edge(uses, [&](const EdgeUse& use, std::size_t forward, std::size_t backward) {
    if (use.low() != low || use.high() != high) return true;
    first = "edge " + std::to_string(low) + "-" + std::to_string(high) + " from " + text(m.vertices[low]) + " to " + text(m.vertices[high]) + " (triangle " +
            std::to_string(use.triangle()) + ") is used " + times(forward) + " that way and " + times(backward) + " the other, must be as often";
    return false;
  });
  if (open.size() > 1) first += open.size() == 2 ? "; so is 1 more edge" : "; so are " + std::to_string(open.size() - 1) + " more edges";
  if (const std::vector<NearJunction> near = find_near_junctions(m, open); !near.empty()) {
    const auto widest = std::max_element(near.begin(), near.end(), [](const NearJunction& a, const NearJunction& b) { return a.gap < b.gap; });
    first += "; " + text_of(*widest);
    if (near.size() > 1) first += near.size() == 2 ? ", and 1 more like it" : ", and " + std::to_string(near.size() - 1) + " more like it";
  }
  throw Error(ErrorCode::invalid_shape, "solid: the mesh does not bound a solid: " + first);
}

}  // namespace

Solid::Solid(Mesh mesh) : mesh_(std::move(mesh)) {
  const DefaultFloatEnvironment guard;
  const MeshImpl& m = mesh_.impl();
  const std::vector<EdgeUse> uses = sorted_edge_uses(m);
  const std::vector<UnmatchedEdge> unmatched = unmatched_edges(uses);
  if (unmatched.empty()) return;
  const Junctions junctions = find_junctions(m, unmatched);
  if (junctions.open_edges != 0) refuse(m, uses, unmatched, junctions);
  if (!junctions.seams.empty()) seams_ = mesh_of(m, junctions);
}

}  // namespace graze
