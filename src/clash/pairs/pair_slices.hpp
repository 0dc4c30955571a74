// How a large pair of parts is divided: into subtrees of one part's tree, each against all of the other part.
#pragma once
#include <cstdint>
#include <graze/clash.hpp>
#include <map>
#include <optional>
#include <vector>

#include "bvh/item_ranges.hpp"
#include "clash/pairs/candidates.hpp"

namespace graze::clash {

/// About the number of triangles of both parts that lie near the other part.
std::uint64_t triangles_near(const ClashParts& parts, const ClashPart& a, const ClashPart& b, double clearance);

/// Triangles of both parts by ranges of the order in which their meshes store them: all of one part, and of the other what is below a child of a node.
struct Slice {
  ItemRange a, b;
};

struct PairSlice {
  Slice slice;
  std::uint64_t cost;  ///< as triangles_near()
};

/// Slices that together are the whole pair, each of at most about the cost, in the order of the tree. They follow from the parts alone.
std::vector<PairSlice> slices_of(const ClashParts& parts, const ClashPart& a, const ClashPart& b, double clearance, std::uint64_t cost);

/// Where searches for slices start. Keeps what it has found of a mesh's tree; not for two threads at once.
class SliceStarts {
 public:
  explicit SliceStarts(const ClashParts& parts) : parts_(parts) {}
  /// None where a range is not that below one child of a node.
  std::optional<SearchStart> operator()(const Candidate& pair, const Slice& slice);

 private:
  std::optional<TreeRef> start(std::uint32_t part, const ItemRange& range);
  const ClashParts& parts_;
  std::map<std::uint32_t, ItemRanges> trees_;  ///< by mesh
};

}  // namespace graze::clash
