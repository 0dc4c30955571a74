// The fast build. Items in Morton order are cut where their codes differ most into clusters that fill a node each; the tree above the clusters is built by
// surface area. The cuts depend only on the codes and on positions in the order, so any number of threads builds the same tree.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "bvh/build.hpp"
#include "bvh/morton.hpp"
#include "bvh/wide_bvh.hpp"
#include "platform/parallel.hpp"

namespace graze {
namespace {

constexpr std::size_t kClusterChunk = 1 << 12;  // clusters do not cross the boundaries of chunks
constexpr std::size_t kFewest = 6;              // items in a cluster, except at the end of a chunk

// Returns the end of the cluster that begins at `begin`: before the largest step of the codes.
std::size_t cluster_end(const std::uint64_t* keys, std::size_t begin, std::size_t end, int place_bits) {
  if (end - begin <= kFewItems) return end;
  std::size_t best = begin + kFewItems;
  std::uint64_t step = 0;
  for (std::size_t i = begin + kFewItems; i >= begin + kFewest; --i) {
    const std::uint64_t s = std::bit_floor((keys[i - 1] ^ keys[i]) >> place_bits);
    if (s > step) {
      step = s;
      best = i;
    }
  }
  return best;
}

}  // namespace

void WideBvh::build_by_codes(LargeArray<BuildItem>& items, ProgressMeter& meter) {
  const std::size_t n = items.size();
  if (n <= kFewItems) {
    WideBvhBuilder::build(*this, items, kLeafItems, meter);
    return;
  }
  const BuildKernels& kernels = build_kernels();
  const BoundsOfItems all = bounds_of(items.data(), n);
  // A key is a code followed by the item's position, so sorting keeps the order of equal codes.
  const int place_bits = static_cast<int>(std::bit_width(n - 1));
  const MortonCodes codes(all.centers, std::min(n <= (std::size_t{1} << 20) ? 30 : 40, 64 - place_bits));
  LargeArray<std::uint64_t> keys(n);
  parallel_for(n, kClusterChunk, [&](std::size_t b, std::size_t e) {
    for (std::size_t i = b; i < e; ++i) keys[i] = codes.code(items[i]) << place_bits | i;
  });
  sort_by_bits(keys, place_bits, codes.bits());

  std::vector<std::vector<std::uint32_t>> ends((n - 1) / kClusterChunk + 1);
  parallel_for(n, kClusterChunk, [&](std::size_t b, std::size_t e) {
    auto& list = ends[b / kClusterChunk];
    list.reserve((e - b) / kFewest + 1);
    for (std::size_t at = b; at < e;) {
      at = cluster_end(keys.data(), at, e, place_bits);
      list.push_back(static_cast<std::uint32_t>(at));
    }
  });
  std::vector<std::size_t> before(ends.size() + 1);
  for (std::size_t i = 0; i < ends.size(); ++i) before[i + 1] = before[i] + ends[i].size();

  items_.resize(n);
  LargeArray<WideNode> bottom(before.back());
  LargeArray<BuildItem> clusters(before.back());
  const CodedItems order{items.data(), keys.data(), n, place_bits};
  parallel_for(n, kClusterChunk, [&](std::size_t b, std::size_t) {
    std::size_t cluster = before[b / kClusterChunk], at = b;
    for (const std::size_t end : ends[b / kClusterChunk]) {
      BuildBounds box;
      kernels.cluster(order, at, end, bottom[cluster], items_.data(), box);
      clusters[cluster] = {{box.v[0], box.v[1], box.v[2]}, static_cast<std::uint32_t>(cluster), {box.v[4], box.v[5], box.v[6]}, 0};
      at = end;
      ++cluster;
    }
    meter.add(at - b);
  });
  if (bottom.size() == 1) {
    nodes_ = std::move(bottom);
    for (int i = 0; i < 3; ++i) {
      root_box_.lo[i] = all.boxes.lo(i);
      root_box_.hi[i] = all.boxes.hi(i);
    }
  } else {
    WideBvhBuilder::build_above(*this, clusters, bottom);
  }
  number_leaves();
}

}  // namespace graze
