// Queries between two surfaces.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "bvh/traverse.hpp"
#include "math/limits.hpp"
#include "mesh/queries/mesh_view.hpp"
#include "mesh/queries/pair_lists.hpp"

namespace graze {

bool intersects(const MeshView& a, const MeshView& b);
bool within(const MeshView& a, const MeshView& b, double distance);
/// Of the pairs that attain the minimum, returns the one with the lowest triangle of a, then of b. Of surfaces that touch, returns one pair that touches: that
/// of the triangles 0 if they do, else the first in an order that only the trees and poses determine. Returns nothing if a mesh is empty, or if the surfaces
/// are farther apart than `bound` (>= 0); a small bound leaves out most of the work.
///
/// `start` restricts the search to the triangles below. Of the answers for starts that together cover all pairs, the best (least distance, then lowest pair) is
/// that for the whole, unless surfaces touch: which pair that touches is returned then depends on the start, too.
std::optional<SurfaceClosest> closest(const MeshView& a, const MeshView& b, double bound = kInfinity, const SearchStart& start = {});

/// Returns all pairs of triangles within the distance (0: sharing a point), ascending. Runs on all threads. Pairs that `admit` refuses are not tested at all;
/// it is called for pairs that need not be within the distance, too. `start` restricts the search to the triangles below.
std::vector<TrianglePair> triangle_pairs(const MeshView& a, const MeshView& b, double distance = 0, const PairFilter& admit = {},
                                         const SearchStart& start = {});

/// Appends the pairs of the rows to `out`, ascending. Returns false, and leaves `out` unchanged, if there are more than `most`. Memory: about 16 bytes for each
/// of at most `most` pairs.
bool list_triangle_pairs(const MeshView& a, const MeshView& b, double distance, const PairFilter& filter, const PairRows& rows, std::uint64_t most,
                         ProgressMeter& meter, std::vector<TrianglePair>& out);

/// Returns the number of pairs at distance 0, or most + 1 if it is larger. Equal triangles are counted by group. Memory grows only with the meshes.
std::uint64_t count_triangle_pairs(const MeshView& a, const MeshView& b, std::uint64_t most, ProgressMeter& meter);

}  // namespace graze
