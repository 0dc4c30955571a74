// Inner loops of the build: bounds, bins, partition, and whole nodes of few items. They give the same bits at every CPU level.
#pragma once
#include <cstddef>
#include <cstdint>

#include "bvh/wide_node.hpp"

namespace graze {

inline constexpr int kBins = 16;              ///< places along each axis at which a split is tried; a choice
inline constexpr std::size_t kFewItems = 32;  ///< fit into one node of 8 leaves of 4

/// A box in the tree's coordinates, stored so that only minima are needed. Twice its centre is lo - minus_hi.
struct alignas(32) BuildItem {
  float lo[3];
  std::uint32_t id;
  float minus_hi[3];
  std::uint32_t unused;
};

/// For boxes, minima of lo and of minus_hi (lanes 4 to 6); for centres, minima of c and of -c. Lanes 3 and 7 are unused.
struct alignas(32) BuildBounds {
  float v[8] = {3, 3, 3, 3, 3, 3, 3, 3};
  float lo(int i) const { return v[i]; }
  float hi(int i) const { return -v[4 + i]; }
  float half_area() const {
    const float x = hi(0) - lo(0), y = hi(1) - lo(1), z = hi(2) - lo(2);
    return x * y + (y * z + z * x);
  }
  void add(const BuildBounds& b) {
    for (int i = 0; i < 8; ++i) v[i] = b.v[i] < v[i] ? b.v[i] : v[i];
  }
};

struct BuildBins {
  BuildBounds box[3][kBins];
  std::uint32_t count[3][kBins] = {};
};

/// bin = min((centre - origin) * scale, kBins - 1), rounded down.
struct BuildBinning {
  float origin[4] = {0, 0, 0, 0}, scale[4] = {0, 0, 0, 0};
};

struct BuildSplit {
  int axis = -1, bin = 0;  ///< items in bins below `bin` go left; axis -1: no plane has items on both sides
  BuildBounds left, right;
};

/// Up to 8 leaves of a few items. `order` lists item positions, leaf after leaf.
struct FewLeaves {
  int leaves = 0;
  std::uint8_t count[8];
  BuildBounds box[8];
  std::uint8_t order[kFewItems];
};

/// Items sorted by their keys. The bits of a key from `place_bits` on are the code, the lower bits the item's position.
struct CodedItems {
  const BuildItem* items;
  const std::uint64_t* keys;
  std::size_t count;  ///< number of keys
  int place_bits;
};

struct BuildKernels {
  /// Extends both bounds by the boxes and centres of n items.
  void (*bounds)(const BuildItem* items, std::size_t n, BuildBounds& boxes, BuildBounds& centers);
  void (*fill)(const BuildItem* items, std::size_t n, const BuildBinning& binning, BuildBins& bins);
  /// Returns the plane between bins that minimizes the sum of area times count.
  BuildSplit (*best)(const BuildBins& bins, const BuildBinning& binning);
  /// Copies items of bins below `bin` to `left` onwards and all others to `right_end` downwards.
  void (*part)(const BuildItem* items, std::size_t n, const BuildBinning& binning, int axis, int bin, BuildItem* left, BuildItem* right_end);
  /// Requires n <= kFewItems. Splits along the longest axis by area times number of leaves, into leaves of 4 except for the last of each branch.
  void (*few)(const BuildItem* items, std::size_t n, FewLeaves& out);
  /// Builds the node of items [begin, end) of the order, 1 to kFewItems of them. Leaves end where codes differ most. Writes ids[begin, end), ascending within
  /// leaves.
  void (*cluster)(const CodedItems& order, std::size_t begin, std::size_t end, WideNode& node, std::uint32_t* ids, BuildBounds& box);
};

const BuildKernels& build_kernels();

}  // namespace graze
