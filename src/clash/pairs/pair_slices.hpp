// How a large pair of parts is divided: into subtrees of one part's tree, each against all of the other part.
#pragma once
#include <cstdint>
#include <graze/clash.hpp>
#include <vector>

#include "bvh/traverse.hpp"

namespace graze::clash {

/// About the number of triangles of both parts that lie near the other part.
std::uint64_t triangles_near(const ClashParts& parts, const ClashPart& a, const ClashPart& b, double clearance);

struct PairSlice {
  SearchStart start;
  std::uint64_t cost;  ///< as triangles_near()
};

/// Slices that together are the whole pair, each of at most about the cost, in the order of the tree. They follow from the parts alone.
std::vector<PairSlice> slices_of(const ClashParts& parts, const ClashPart& a, const ClashPart& b, double clearance, std::uint64_t cost);

}  // namespace graze::clash
