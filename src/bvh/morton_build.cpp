// The fast build: items in the order of Morton codes, cut where codes differ most into clusters that fill a node each; above clusters, by surface area.
// The cuts depend on the codes and on places in the order only: any number of threads gives the same tree.
#include <algorithm>
#include <bit>

#include "bvh/build.hpp"
#include "bvh/morton.hpp"
#include "core/parallel.hpp"

namespace graze {
namespace {

constexpr std::size_t kChunk = 1 << 14;  // a cluster lies in one of these stretches of the order
constexpr std::size_t kFewest = 12;      // items in a cluster, but for the end of a stretch
constexpr std::size_t kFewestInLeaf = 3;

// Where the cluster that begins at `begin` ends: before the largest step of the codes.
std::size_t cluster_end(const std::uint64_t* keys, std::size_t begin, std::size_t end, int id_bits) {
  if (end - begin <= kFewItems) return end;
  std::size_t best = begin + kFewItems;
  std::uint64_t step = 0;
  for (std::size_t i = begin + kFewItems; i >= begin + kFewest; --i) {
    const std::uint64_t s = std::bit_floor((keys[i - 1] ^ keys[i]) >> id_bits);
    if (s > step) {
      step = s;
      best = i;
    }
  }
  return best;
}

// The leaf of 4 items at most that begins at `begin`: before the largest step, if the rest still fits into `leaves` more.
std::size_t leaf_end(const std::uint64_t* keys, std::size_t begin, std::size_t end, std::size_t leaves, int id_bits) {
  if (end - begin <= 4) return end;
  std::size_t best = begin + 4;
  std::uint64_t step = 0;
  for (std::size_t i = best; i > begin + kFewestInLeaf - 1 && end - i <= 4 * leaves; --i) {
    const std::uint64_t s = std::bit_floor((keys[i - 1] ^ keys[i]) >> id_bits);
    if (s > step) {
      step = s;
      best = i;
    }
  }
  return best;
}

}  // namespace

void WideBvh::build_by_codes(LargeArray<BuildItem>& items) {
  const std::size_t n = items.size();
  if (n <= kFewItems) {
    WideBvhBuilder::build(*this, items);
    return;
  }
  const BuildKernels& kernels = build_kernels();
  struct Both {
    BuildBounds boxes, centers;
  };
  const Both all = parallel_reduce(n, kChunk, Both{}, [&](std::size_t b, std::size_t e) {
    Both both;
    kernels.bounds(items.data() + b, e - b, both.boxes, both.centers);
    return both;
  }, [](Both x, const Both& y) {
    x.boxes.add(y.boxes);
    x.centers.add(y.centers);
    return x;
  });
  // A key is a code and an item's place; sorting keeps the order of equal codes.
  const int id_bits = static_cast<int>(std::bit_width(n - 1));
  const MortonCodes codes(all.centers, std::min(n <= (std::size_t{1} << 20) ? 30 : 40, 64 - id_bits));
  LargeArray<std::uint64_t> keys(n);
  parallel_for(n, kChunk, [&](std::size_t b, std::size_t e) {
    for (std::size_t i = b; i < e; ++i) keys[i] = codes.code(items[i]) << id_bits | i;
  });
  sort_by_bits(keys, id_bits, codes.bits());

  std::vector<std::vector<std::uint32_t>> ends((n - 1) / kChunk + 1);
  parallel_for(n, kChunk, [&](std::size_t b, std::size_t e) {
    auto& list = ends[b / kChunk];
    list.reserve((e - b) / kFewest + 1);
    for (std::size_t at = b; at < e;) {
      at = cluster_end(keys.data(), at, e, id_bits);
      list.push_back(static_cast<std::uint32_t>(at));
    }
  });
  std::vector<std::size_t> before(ends.size() + 1);
  for (std::size_t i = 0; i < ends.size(); ++i) before[i + 1] = before[i] + ends[i].size();

  items_.resize(n);
  LargeArray<WideNode> bottom(before.back());
  LargeArray<BuildItem> clusters(before.back());
  const std::uint64_t place_mask = (std::uint64_t{1} << id_bits) - 1;
  parallel_for(n, kChunk, [&](std::size_t b, std::size_t e) {
    std::size_t cluster = before[b / kChunk], at = b;
    for (const std::size_t end : ends[b / kChunk]) {
      WideNode& node = bottom[cluster] = blank_node();
      BuildBounds whole;
      std::uint32_t k = 0;
      for (; at < end; ++k) {
        const std::size_t to = leaf_end(keys.data(), at, end, kWidth - 1 - k, id_bits);
        BuildBounds box;
        node.child[k] = static_cast<std::uint32_t>(at);
        node.count[k] = static_cast<std::uint8_t>(to - at);
        for (std::size_t i = at; i < to; ++i) {
          const BuildItem& item = items[keys[i] & place_mask];
          box.add(as_bounds(item));
          std::size_t j = i;  // ascending numbers
          for (; j > at && items_[j - 1] > item.id; --j) items_[j] = items_[j - 1];
          items_[j] = item.id;
        }
        set_box(node, static_cast<int>(k), box);
        whole.add(box);
        at = to;
      }
      node.used = k;
      clusters[cluster] = {{whole.v[0], whole.v[1], whole.v[2]}, static_cast<std::uint32_t>(cluster), {whole.v[4], whole.v[5], whole.v[6]}, 0};
      ++cluster;
    }
    (void)e;
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
