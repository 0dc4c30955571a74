// The pairs of triangles of one mesh that meet beyond the corners they share.
#pragma once
#include <cstdint>
#include <vector>

#include "mesh/queries/mesh_view.hpp"
#include "mesh/queries/pair_lists.hpp"

namespace graze {

/// Returns all pairs (a < b) of triangles of one mesh whose intersection is more than the corners and edges that both share by equal placed coordinates,
/// ascending. Runs on all threads.
std::vector<TrianglePair> self_pairs(const MeshView& view, const PairFilter& filter = {});

/// Like list_triangle_pairs() and count_triangle_pairs().
bool list_self_pairs(const MeshView& view, const PairFilter& filter, const PairRows& rows, std::uint64_t most, ProgressMeter& meter,
                     std::vector<TrianglePair>& out);

std::uint64_t count_self_pairs(const MeshView& view, std::uint64_t most, ProgressMeter& meter);

}  // namespace graze
