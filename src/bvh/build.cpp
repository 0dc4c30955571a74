// Builds the tree: ranges of items are split by the surface area heuristic over 16 bins an axis, the largest first, until a node has its 8 children.
// Every decision depends on sets only (counts, minima, maxima), never on the order of items in memory, and the cut into parallel tasks only on the number of items:
// any number of threads gives the same tree.
#include <algorithm>
#include <array>
#include <bit>

#include "bvh/wide_bvh.hpp"
#include "core/parallel.hpp"

namespace graze {
namespace {

constexpr int kBins = 16;
constexpr int kAreaDepth = 48;  // binary splits on a path that may be uneven; later ones halve, 2^32 items need 32 more, the last of which leave single items
static_assert(kAreaDepth + 32 <= WideBvh::kMaxDepth);

struct Item {  // a box in the tree's coordinates; its centre, doubled, is lo + hi
  float lo[3];
  std::uint32_t id;
  float hi[3];
  std::uint32_t unused;
};

struct Bounds {
  float lo[3]{3, 3, 3}, hi[3]{-3, -3, -3};
  void add(const float* l, const float* h) {
    for (int i = 0; i < 3; ++i) {
      lo[i] = l[i] < lo[i] ? l[i] : lo[i];
      hi[i] = h[i] > hi[i] ? h[i] : hi[i];
    }
  }
  void add(const Bounds& b) { add(b.lo, b.hi); }
  float half_area() const {
    const float x = hi[0] - lo[0], y = hi[1] - lo[1], z = hi[2] - lo[2];
    return x * y + (y * z + z * x);
  }
};

struct Range {
  std::size_t begin = 0, end = 0;
  Bounds boxes, centers;
  int depth = 0;
  std::size_t count() const { return end - begin; }
  void add(const Item& item) {
    boxes.add(item.lo, item.hi);
    const float c[3] = {item.lo[0] + item.hi[0], item.lo[1] + item.hi[1], item.lo[2] + item.hi[2]};
    centers.add(c, c);
  }
};

struct Bin {
  Bounds boxes;
  std::size_t count = 0;
};
using Bins = std::array<std::array<Bin, kBins>, 3>;

struct Binning {
  float origin[3], scale[3];
  explicit Binning(const Bounds& centers) {
    for (int a = 0; a < 3; ++a) {
      origin[a] = centers.lo[a];
      const float extent = centers.hi[a] - centers.lo[a];
      scale[a] = extent > 0x1p-100f ? static_cast<float>(kBins) * 0.9999f / extent : 0;
    }
  }
  int bin(float center, int axis) const { return std::min(static_cast<int>((center - origin[axis]) * scale[axis]), kBins - 1); }
  int bin(const Item& item, int axis) const { return bin(item.lo[axis] + item.hi[axis], axis); }
};

}  // namespace

class WideBvhBuilder {
 public:
  static void build(WideBvh& tree, std::span<const Box3> boxes);

 private:
  struct Task {
    std::uint32_t node;
    int slot;
    Range range;
  };

  explicit WideBvhBuilder(std::vector<Item>& items) : items_(items) {}
  Range range(std::size_t begin, std::size_t end, int depth) const;
  bool split(const Range& r, Range& left, Range& right);
  void halve(const Range& r, Range& left, Range& right);
  /// Appends the node of `r`; ranges of more than `task_size` items that are left over become tasks, if tasks are wanted.
  std::uint32_t node(const Range& r, std::vector<WideNode>& nodes, std::size_t task_size, std::vector<Task>* tasks);

  std::vector<Item>& items_;
};

Range WideBvhBuilder::range(std::size_t begin, std::size_t end, int depth) const {
  Range all = parallel_reduce(end - begin, 1 << 15, Range{}, [&](std::size_t b, std::size_t e) {
    Range r;
    for (std::size_t i = b; i < e; ++i) r.add(items_[begin + i]);
    return r;
  }, [](Range a, const Range& b) {
    a.boxes.add(b.boxes);
    a.centers.add(b.centers);
    return a;
  });
  all.begin = begin;
  all.end = end;
  all.depth = depth;
  return all;
}

// Half the items each, by (centre along the longest axis, number): also what separates items with equal centres.
void WideBvhBuilder::halve(const Range& r, Range& left, Range& right) {
  int axis = 0;
  for (int a = 1; a < 3; ++a) {
    if (r.centers.hi[a] - r.centers.lo[a] > r.centers.hi[axis] - r.centers.lo[axis]) axis = a;
  }
  const std::size_t middle = r.begin + r.count() / 2;
  const auto first = items_.begin();
  std::nth_element(first + static_cast<std::ptrdiff_t>(r.begin), first + static_cast<std::ptrdiff_t>(middle), first + static_cast<std::ptrdiff_t>(r.end), [axis](const Item& a, const Item& b) {
    const float ca = a.lo[axis] + a.hi[axis], cb = b.lo[axis] + b.hi[axis];
    return ca != cb ? ca < cb : a.id < b.id;
  });
  left = range(r.begin, middle, r.depth + 1);
  right = range(middle, r.end, r.depth + 1);
}

bool WideBvhBuilder::split(const Range& r, Range& left, Range& right) {
  if (r.count() < 2) return false;
  const Binning binning(r.centers);
  if (r.depth >= kAreaDepth || (binning.scale[0] == 0 && binning.scale[1] == 0 && binning.scale[2] == 0)) {
    halve(r, left, right);
    return true;
  }
  const auto fill = [&](std::size_t b, std::size_t e) {
    Bins bins;
    for (std::size_t i = b; i < e; ++i) {
      const Item& item = items_[r.begin + i];
      for (std::size_t a = 0; a < 3; ++a) {
        Bin& bin = bins[a][static_cast<std::size_t>(binning.bin(item, static_cast<int>(a)))];
        bin.boxes.add(item.lo, item.hi);
        ++bin.count;
      }
    }
    return bins;
  };
  const Bins bins = r.count() <= (1 << 16) ? fill(0, r.count()) : parallel_reduce(r.count(), 1 << 15, Bins{}, fill, [](Bins x, const Bins& y) {
    for (std::size_t a = 0; a < 3; ++a) {
      for (std::size_t k = 0; k < kBins; ++k) {
        x[a][k].boxes.add(y[a][k].boxes);
        x[a][k].count += y[a][k].count;
      }
    }
    return x;
  });

  int best_axis = -1, best_bin = 0;
  float best = 0;
  for (int a = 0; a < 3; ++a) {
    if (binning.scale[a] == 0) continue;
    const auto& row = bins[static_cast<std::size_t>(a)];
    float right_cost[kBins];
    Bounds acc;
    std::size_t n = 0;
    for (std::size_t k = kBins - 1; k > 0; --k) {
      acc.add(row[k].boxes);
      n += row[k].count;
      right_cost[k] = n == 0 ? -1 : acc.half_area() * static_cast<float>(n);
    }
    acc = Bounds();
    n = 0;
    for (std::size_t k = 1; k < kBins; ++k) {  // left: bins below k
      acc.add(row[k - 1].boxes);
      n += row[k - 1].count;
      if (n == 0 || right_cost[k] < 0) continue;
      const float cost = acc.half_area() * static_cast<float>(n) + right_cost[k];
      if (best_axis < 0 || cost < best) {
        best = cost;
        best_axis = a;
        best_bin = static_cast<int>(k);
      }
    }
  }
  if (best_axis < 0) {
    halve(r, left, right);
    return true;
  }
  left = right = Range();
  std::size_t i = r.begin, j = r.end;
  for (;;) {  // in place; both halves gather their bounds on the way
    while (i < j && binning.bin(items_[i], best_axis) < best_bin) left.add(items_[i++]);
    while (i < j && binning.bin(items_[j - 1], best_axis) >= best_bin) right.add(items_[--j]);
    if (i == j) break;
    std::swap(items_[i], items_[j - 1]);
  }
  left.begin = r.begin;
  left.end = right.begin = i;
  right.end = r.end;
  left.depth = right.depth = r.depth + 1;
  return true;
}

std::uint32_t WideBvhBuilder::node(const Range& r, std::vector<WideNode>& nodes, std::size_t task_size, std::vector<Task>* tasks) {
  Range child[kWidth];
  child[0] = r;
  int used = 1;
  // First the ranges too large for a leaf, by area; free slots then take single items: a node's 8 boxes are tested at once anyway.
  for (std::size_t at_most : {static_cast<std::size_t>(WideBvh::kLeafItems), std::size_t{1}}) {
    while (used < kWidth) {
      int pick = -1;
      float area = -1;
      for (int k = 0; k < used; ++k) {
        if (child[k].count() <= at_most) continue;
        const float a = child[k].boxes.half_area();
        if (a > area || (a == area && child[k].count() > child[pick].count())) {
          area = a;
          pick = k;
        }
      }
      Range left, right;
      if (pick < 0 || !split(child[pick], left, right)) break;
      child[pick] = left;
      child[used++] = right;
    }
  }
  const auto index = static_cast<std::uint32_t>(nodes.size());
  nodes.emplace_back();
  {
    WideNode& node = nodes[index];
    node = WideNode{};
    node.used = static_cast<std::uint32_t>(used);
    for (int k = 0; k < kWidth; ++k) {
      for (int i = 0; i < 3; ++i) {
        node.plane[i][k] = k < used ? child[k].boxes.lo[i] : 2.0f;
        node.plane[3 + i][k] = k < used ? child[k].boxes.hi[i] : -2.0f;
      }
    }
  }
  for (int k = 0; k < used; ++k) {
    if (child[k].count() <= WideBvh::kLeafItems) {
      nodes[index].child[k] = static_cast<std::uint32_t>(child[k].begin);
      nodes[index].count[k] = static_cast<std::uint8_t>(child[k].count());
      std::sort(items_.begin() + static_cast<std::ptrdiff_t>(child[k].begin), items_.begin() + static_cast<std::ptrdiff_t>(child[k].end), [](const Item& a, const Item& b) { return a.id < b.id; });
    } else if (tasks && child[k].count() <= task_size) {
      tasks->push_back({index, k, child[k]});
    } else {
      const std::uint32_t at = node(child[k], nodes, task_size, tasks);
      nodes[index].child[k] = at;
    }
  }
  return index;
}

void WideBvhBuilder::build(WideBvh& tree, std::span<const Box3> boxes) {
  std::vector<Item> items;
  items.reserve(boxes.size());
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    if (!boxes[i].empty()) items.push_back({{}, static_cast<std::uint32_t>(i), {}, 0});
  }
  if (items.empty()) return;
  constexpr std::size_t grain = 1 << 14;
  constexpr double largest = std::numeric_limits<double>::max();
  const auto box = [&](std::uint32_t id) {
    Box3 b = boxes[id];
    for (int k = 0; k < 3; ++k) {
      b.lo[k] = std::clamp(b.lo[k], -largest, largest);
      b.hi[k] = std::clamp(b.hi[k], -largest, largest);
    }
    return b;
  };
  tree.set_frame(parallel_reduce(items.size(), grain, Box3{}, [&](std::size_t b, std::size_t e) {
    Box3 r;
    for (std::size_t i = b; i < e; ++i) r.add(box(items[i].id));
    return r;
  }, [](Box3 a, const Box3& b) { a.add(b); return a; }));
  parallel_for(items.size(), grain, [&](std::size_t b, std::size_t e) {
    for (std::size_t i = b; i < e; ++i) {
      const QueryBox q = tree.local(box(items[i].id));
      std::copy(q.lo, q.lo + 3, items[i].lo);
      std::copy(q.hi, q.hi + 3, items[i].hi);
    }
  });

  WideBvhBuilder builder(items);
  const Range all = builder.range(0, items.size(), 0);
  std::copy(all.boxes.lo, all.boxes.lo + 3, tree.root_box_.lo);
  std::copy(all.boxes.hi, all.boxes.hi + 3, tree.root_box_.hi);
  std::vector<Task> tasks;
  builder.node(all, tree.nodes_, std::max<std::size_t>(2048, items.size() / 64), &tasks);
  std::vector<std::vector<WideNode>> parts(tasks.size());
  parallel_for(tasks.size(), 1, [&](std::size_t b, std::size_t e) {
    for (std::size_t t = b; t < e; ++t) {
      parts[t].reserve(tasks[t].range.count() / 8);
      WideBvhBuilder(items).node(tasks[t].range, parts[t], 0, nullptr);
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
  for (WideNode& node : tree.nodes_) {
    node.first_leaf = static_cast<std::uint32_t>(tree.leaf_count_);
    for (std::uint32_t s = 0; s < node.used; ++s) node.leaves |= node.leaf(static_cast<int>(s)) ? 1u << s : 0;
    tree.leaf_count_ += static_cast<std::size_t>(std::popcount(node.leaves));
  }
  tree.items_.resize(items.size());
  parallel_for(items.size(), grain, [&](std::size_t b, std::size_t e) {
    for (std::size_t i = b; i < e; ++i) tree.items_[i] = items[i].id;
  });
}

WideBvh::WideBvh(std::span<const Box3> boxes) { WideBvhBuilder::build(*this, boxes); }

}  // namespace graze
