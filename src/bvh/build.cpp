// Builds the tree. The surface area heuristic, with 16 bins per axis, splits ranges of items, largest area first, until a node has its 8 children; a range of a
// few items becomes a node of full leaves. Every decision depends on sets only (counts, minima, maxima) or on item numbers, never on the order of items in
// memory, and the division into parallel tasks depends only on the number of items. So any number of threads builds the same tree.
#include "bvh/build.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>

#include "platform/expects.hpp"
#include "platform/parallel.hpp"

namespace graze {
namespace {

constexpr int kAreaDepth = 48;  // possibly uneven binary splits on a path; later splits halve: 2^32 items need 32 more, the last of which leave single items
static_assert(kAreaDepth + 32 <= WideBvh::kMaxDepth);
constexpr std::size_t kLarge = 1 << 14, kChunk = 1 << 12;  // ranges above kLarge are processed by all threads, in chunks of kChunk

BuildBinning binning_of(const BuildBounds& centers) {
  BuildBinning b;
  for (int a = 0; a < 3; ++a) {
    b.origin[a] = centers.lo(a);
    const float extent = centers.hi(a) - centers.lo(a);
    b.scale[a] = extent > 0x1p-100f ? static_cast<float>(kBins) * 0.9999f / extent : 0;  // 0.9999: the greatest centre falls into the last bin
  }
  return b;
}

WideNode blank_node() {
  WideNode node{};
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < kWidth; ++k) {
      node.plane[i][k] = 2.0f;
      node.plane[3 + i][k] = -2.0f;
    }
  }
  return node;
}

void set_box(WideNode& node, int slot, const BuildBounds& b) {
  for (int i = 0; i < 3; ++i) {
    node.plane[i][slot] = b.lo(i);
    node.plane[3 + i][slot] = b.hi(i);
  }
}

void set_leaves(WideNode& node, const FewLeaves& f, std::size_t first) {
  node.used = static_cast<std::uint32_t>(f.leaves);
  for (int k = 0; k < f.leaves; ++k) {
    set_box(node, k, f.box[k]);
    node.child[k] = static_cast<std::uint32_t>(first);
    node.count[k] = f.count[k];
    first += f.count[k];
  }
}

/// A leaf for each item, by item number.
void single_leaves(const BuildItem* items, std::size_t n, FewLeaves& out) {
  out.leaves = static_cast<int>(n);
  for (std::size_t i = 0; i < n; ++i) out.order[i] = static_cast<std::uint8_t>(i);
  std::sort(out.order, out.order + n, [&](std::uint8_t a, std::uint8_t b) { return items[a].id < items[b].id; });
  for (std::size_t k = 0; k < n; ++k) {
    const BuildItem& item = items[out.order[k]];
    out.count[k] = 1;
    for (int i = 0; i < 3; ++i) out.box[k].v[i] = item.lo[i], out.box[k].v[4 + i] = item.minus_hi[i];
  }
}

constexpr std::uint8_t kCluster = 255;  // count of a child that is a cluster, used only while the top of the tree is built

}  // namespace

BoundsOfItems bounds_of(const BuildItem* items, std::size_t n) {
  const BuildKernels& kernels = build_kernels();
  const auto of = [&](std::size_t b, std::size_t e) {
    BoundsOfItems both;
    kernels.bounds(items + b, e - b, both.boxes, both.centers);
    return both;
  };
  return n <= kLarge ? of(0, n) : parallel_reduce(n, kChunk, BoundsOfItems{}, of, [](BoundsOfItems x, const BoundsOfItems& y) {
    x.boxes.add(y.boxes);
    x.centers.add(y.centers);
    return x;
  });
}

void WideBvhBuilder::measure(Range& r, bool boxes) const {
  const BoundsOfItems all = bounds_of(items_[r.buffer] + r.begin, r.count());
  r.centers = all.centers;
  if (boxes) r.boxes = all.boxes;
}

// Splits into two halves of equal count by (centre along the longest axis, item number). This also separates items with equal centres.
void WideBvhBuilder::halve(const Range& r, Range& left, Range& right) {
  int axis = 0;
  for (int a = 1; a < 3; ++a) {
    if (r.centers.hi(a) - r.centers.lo(a) > r.centers.hi(axis) - r.centers.lo(axis)) axis = a;
  }
  const std::size_t middle = r.begin + r.count() / 2;
  BuildItem* const first = items_[r.buffer];
  std::nth_element(first + r.begin, first + middle, first + r.end, [axis](const BuildItem& a, const BuildItem& b) {
    const float ca = a.lo[axis] - a.minus_hi[axis], cb = b.lo[axis] - b.minus_hi[axis];
    return ca != cb ? ca < cb : a.id < b.id;
  });
  left = right = r;
  left.depth = right.depth = r.depth + 1;
  left.end = right.begin = middle;
  measure(left, true);
  measure(right, true);
}

void WideBvhBuilder::part(const Range& r, const BuildBinning& binning, const BuildSplit& split, std::span<const std::size_t> before, Range& left,
                          Range& right) {
  const BuildItem* const from = items_[r.buffer] + r.begin;
  BuildItem* const to = items_[1 - r.buffer];
  const std::size_t n_left = before.back();
  const auto move = [&](std::size_t b, std::size_t e, std::size_t l) {
    kernels_.part(from + b, e - b, binning, split.axis, split.bin, to + r.begin + l, to + r.end - (b - l));
  };
  if (before.size() == 2) {
    move(0, r.count(), 0);
  } else {
    parallel_for(r.count(), kChunk, [&](std::size_t b, std::size_t e) { move(b, e, before[b / kChunk]); });
  }
  left.begin = r.begin;
  right.begin = left.end = r.begin + n_left;
  right.end = r.end;
  left.depth = right.depth = r.depth + 1;
  left.buffer = right.buffer = 1 - r.buffer;
  left.boxes = split.left;
  right.boxes = split.right;
  measure(left, false);
  measure(right, false);
}

void WideBvhBuilder::split(const Range& r, Range& left, Range& right) {
  const BuildBinning binning = binning_of(r.centers);
  if (r.depth >= kAreaDepth || (binning.scale[0] == 0 && binning.scale[1] == 0 && binning.scale[2] == 0)) {
    halve(r, left, right);
    return;
  }
  const auto fill = [&](std::size_t b, std::size_t e, BuildBins& bins) { kernels_.fill(items_[r.buffer] + r.begin + b, e - b, binning, bins); };
  const auto on_left = [](const BuildBins& bins, const BuildSplit& split) {
    std::size_t n = 0;
    for (int k = 0; k < split.bin; ++k) n += bins.count[split.axis][k];
    return n;
  };
  BuildBins bins;
  std::vector<BuildBins> chunks;  // for ranges that all threads process
  if (r.count() <= kLarge) {
    fill(0, r.count(), bins);
  } else {
    chunks.resize((r.count() - 1) / kChunk + 1);
    parallel_for(r.count(), kChunk, [&](std::size_t b, std::size_t e) { fill(b, e, chunks[b / kChunk]); });
    for (const BuildBins& c : chunks) {
      for (int a = 0; a < 3; ++a) {
        for (int k = 0; k < kBins; ++k) {
          bins.box[a][k].add(c.box[a][k]);
          bins.count[a][k] += c.count[a][k];
        }
      }
    }
  }
  const BuildSplit best = kernels_.best(bins, binning);
  if (best.axis < 0) {
    halve(r, left, right);
    return;
  }
  const std::size_t whole[2] = {0, on_left(bins, best)};
  std::vector<std::size_t> pieces;
  if (!chunks.empty()) pieces.push_back(0);
  for (const BuildBins& c : chunks) pieces.push_back(pieces.back() + on_left(c, best));
  part(r, binning, best, chunks.empty() ? std::span<const std::size_t>(whole) : pieces, left, right);
}

void WideBvhBuilder::few(const Range& r, WideNode& node) {
  GRAZE_EXPECTS(r.count() <= few_);
  FewLeaves f;
  const BuildItem* const items = items_[r.buffer] + r.begin;
  if (leaf_items_ == 1)
    single_leaves(items, r.count(), f);
  else
    kernels_.few(items, r.count(), f);
  set_leaves(node, f, r.begin);
  for (std::size_t i = 0; i < r.count(); ++i) ids_[r.begin + i] = items[f.order[i]].id;
}

int WideBvhBuilder::divide(const Range& r, Range (&child)[kWidth]) {
  child[0] = r;
  int used = 1;
  if (few_ == 1 && r.count() <= kWidth) {  // clusters that fit into one node
    for (used = 0; used < static_cast<int>(r.count()); ++used) {
      Range& c = child[used];
      c = r;
      c.begin = r.begin + static_cast<std::size_t>(used);
      c.end = c.begin + 1;
      c.boxes = BuildBounds();
      kernels_.bounds(items_[r.buffer] + c.begin, 1, c.boxes, c.centers);
    }
  }
  while (used < kWidth && r.count() > kWidth) {  // split the range of the largest area among those that do not fit into one node
    int pick = -1;
    float area = -1;
    for (int k = 0; k < used; ++k) {
      if (child[k].count() <= few_) continue;
      const float a = child[k].boxes.half_area();
      if (a > area || (a == area && child[k].count() > child[pick].count())) {
        area = a;
        pick = k;
      }
    }
    if (pick < 0) break;
    Range left, right;
    split(child[pick], left, right);
    child[pick] = left;
    child[used++] = right;
  }
  return used;
}

std::uint32_t WideBvhBuilder::node(const Range& r, LargeArray<WideNode>& nodes, std::size_t task_size, std::vector<Task>* tasks) {
  const auto index = static_cast<std::uint32_t>(nodes.size());
  WideNode fresh = blank_node();
  if (r.count() <= few_) {
    few(r, fresh);
    nodes.push_back(fresh);
    return index;
  }
  Range child[kWidth];
  const int used = divide(r, child);
  // Ranges that need few leaves are moved into the free slots, the smallest first. This saves their nodes.
  WideNode inner[kWidth];
  bool dissolved[kWidth] = {};
  int slots = used;
  while (few_ > 1) {
    int pick = -1;
    for (int k = 0; k < used; ++k) {
      if (!dissolved[k] && child[k].count() <= few_ && (pick < 0 || child[k].count() < child[pick].count())) pick = k;
    }
    if (pick < 0 || slots - 1 + static_cast<int>((child[pick].count() + leaf_items_ - 1) / leaf_items_) > kWidth) break;
    inner[pick] = WideNode{};
    few(child[pick], inner[pick]);
    dissolved[pick] = true;
    slots += static_cast<int>(inner[pick].used) - 1;
  }
  const Range* owner[kWidth] = {};
  int slot = 0;
  for (int k = 0; k < used; ++k) {
    if (!dissolved[k]) {
      set_box(fresh, slot, child[k].boxes);
      owner[slot++] = &child[k];
      continue;
    }
    for (std::uint32_t s = 0; s < inner[k].used; ++s, ++slot) {
      for (int i = 0; i < 6; ++i) fresh.plane[i][slot] = inner[k].plane[i][s];
      fresh.child[slot] = inner[k].child[s];
      fresh.count[slot] = inner[k].count[s];
    }
  }
  fresh.used = static_cast<std::uint32_t>(slot);
  nodes.push_back(fresh);
  for (int k = 0; k < slot; ++k) {
    if (owner[k] == nullptr) continue;
    if (few_ == 1 && owner[k]->count() == 1) {
      nodes[index].child[k] = items_[owner[k]->buffer][owner[k]->begin].id;
      nodes[index].count[k] = kCluster;
    } else if (tasks && owner[k]->count() <= task_size) {
      tasks->push_back({index, k, *owner[k]});
    } else {
      const std::uint32_t at = node(*owner[k], nodes, task_size, tasks);
      nodes[index].child[k] = at;
    }
  }
  return index;
}

void WideBvhBuilder::run(WideBvh& tree, LargeArray<BuildItem>& items, std::uint32_t* ids, std::size_t leaf_items, std::size_t task_size, ProgressMeter& meter) {
  const std::size_t n = items.size();
  LargeArray<BuildItem> other(n);
  WideBvhBuilder builder(items, other, ids, leaf_items);
  Range all;
  all.end = n;
  builder.measure(all, true);
  for (int i = 0; i < 3; ++i) {
    tree.root_box_.lo[i] = all.boxes.lo(i);
    tree.root_box_.hi[i] = all.boxes.hi(i);
  }
  std::vector<Task> tasks;
  builder.node(all, tree.nodes_, task_size, &tasks);
  std::vector<LargeArray<WideNode>> parts(tasks.size());
  parallel_for(tasks.size(), 1, [&](std::size_t b, std::size_t e) {
    for (std::size_t t = b; t < e; ++t) {
      parts[t].reserve(tasks[t].range.count() / 16 + 1);
      WideBvhBuilder(items, other, ids, leaf_items).node(tasks[t].range, parts[t], 0, nullptr);
      meter.add(tasks[t].range.count());
    }
  });
  std::vector<std::uint32_t> offset(parts.size());
  std::size_t total = tree.nodes_.size();
  for (std::size_t t = 0; t < parts.size(); ++t) {
    offset[t] = static_cast<std::uint32_t>(total);
    tree.nodes_[tasks[t].node].child[tasks[t].slot] = offset[t];
    total += parts[t].size();
  }
  tree.nodes_.resize(total);
  parallel_for(parts.size(), 1, [&](std::size_t b, std::size_t e) {
    for (std::size_t t = b; t < e; ++t) {
      for (std::size_t n = 0; n < parts[t].size(); ++n) {
        WideNode& node = tree.nodes_[offset[t] + n] = parts[t][n];
        for (std::uint32_t s = 0; s < node.used; ++s) {
          if (!node.leaf(static_cast<int>(s))) node.child[s] += offset[t];
        }
      }
    }
  });
}

void WideBvhBuilder::build(WideBvh& tree, LargeArray<BuildItem>& items, std::size_t leaf_items, ProgressMeter& meter) {
  tree.items_.resize(items.size());
  run(tree, items, tree.items_.data(), leaf_items, 2 * kLarge, meter);
  tree.number_leaves();
}

void WideBvhBuilder::build_above(WideBvh& tree, LargeArray<BuildItem>& clusters, const LargeArray<WideNode>& bottom) {
  ProgressMeter none;  // there are few clusters
  run(tree, clusters, nullptr, 1, std::max<std::size_t>(512, clusters.size() / 32), none);
  const std::size_t top = tree.nodes_.size();
  for (WideNode& node : tree.nodes_) {
    for (std::uint32_t s = 0; s < node.used; ++s) {
      if (node.count[s] != kCluster) continue;
      node.count[s] = 0;
      node.child[s] += static_cast<std::uint32_t>(top);
    }
  }
  tree.nodes_.resize(top + bottom.size());
  parallel_for(bottom.size(), 1 << 9, [&](std::size_t b, std::size_t e) { std::copy_n(bottom.data() + b, e - b, tree.nodes_.data() + top + b); });
}

WideBvh::WideBvh(std::span<const Box3> boxes, TreeBuild how) {
  constexpr std::size_t grain = 1 << 14;
  // Per chunk: the number of boxes that are not empty, and their bounds.
  std::vector<std::size_t> before(boxes.empty() ? 1 : (boxes.size() - 1) / grain + 2);
  const Box3 all_boxes = parallel_reduce(
      boxes.size(), grain, Box3{},
      [&](std::size_t b, std::size_t e) {
        Box3 r;
        std::size_t n = 0;
        for (std::size_t i = b; i < e; ++i) {
          if (boxes[i].empty()) continue;
          r.add(finite(boxes[i]));
          ++n;
        }
        before[b / grain + 1] = n;
        return r;
      },
      [](Box3 a, const Box3& b) {
        a.add(b);
        return a;
      });
  for (std::size_t i = 1; i < before.size(); ++i) before[i] += before[i - 1];
  if (before.back() == 0) return;
  set_frame(all_boxes);
  LargeArray<BuildItem> items(before.back());
  parallel_for(boxes.size(), grain, [&](std::size_t b, std::size_t e) {
    std::size_t at = before[b / grain];
    for (std::size_t i = b; i < e; ++i) {
      if (boxes[i].empty()) continue;
      const QueryBox q = local(finite(boxes[i]));
      items[at++] = {{q.lo[0], q.lo[1], q.lo[2]}, static_cast<std::uint32_t>(i), {-q.hi[0], -q.hi[1], -q.hi[2]}, 0};
    }
  });
  ProgressMeter none;
  grow(items, how, none);
}

void WideBvh::grow(LargeArray<BuildItem>& items, TreeBuild how, ProgressMeter& meter) {
  if (items.empty()) return;
  meter.begin(items.size());
  if (how == TreeBuild::fast) {
    build_by_codes(items, meter);
  } else {
    WideBvhBuilder::build(*this, items, how == TreeBuild::single ? 1 : kLeafItems, meter);
  }
}

void WideBvh::number_leaves() {
  constexpr std::size_t grain = 1 << 9;
  std::vector<std::uint32_t> before(nodes_.empty() ? 1 : (nodes_.size() - 1) / grain + 2);
  parallel_for(nodes_.size(), grain, [&](std::size_t b, std::size_t e) {
    std::uint32_t count = 0;
    for (std::size_t n = b; n < e; ++n) {
      WideNode& node = nodes_[n];
      node.leaves = 0;
      node.lowest = ~0u;
      for (std::uint32_t s = 0; s < node.used; ++s) {
        if (!node.leaf(static_cast<int>(s))) continue;
        node.leaves |= 1u << s;
        node.lowest = std::min(node.lowest, items_[node.child[s]]);
      }
      node.first_leaf = count;
      count += WideNode::bits_in(node.leaves);
    }
    before[b / grain + 1] = count;
  });
  for (std::size_t i = 1; i < before.size(); ++i) before[i] += before[i - 1];
  leaf_count_ = before.back();
  parallel_for(nodes_.size(), grain, [&](std::size_t b, std::size_t e) {
    for (std::size_t n = b; n < e; ++n) nodes_[n].first_leaf += before[b / grain];
  });
  for (std::size_t n = nodes_.size(); n-- > 0;) {  // children have higher numbers than their parents
    WideNode& node = nodes_[n];
    for (std::uint32_t inner = ((1u << node.used) - 1) & ~node.leaves; inner != 0; inner &= inner - 1)
      node.lowest = std::min(node.lowest, nodes_[node.child[std::countr_zero(inner)]].lowest);
  }
}

}  // namespace graze
