// Tree traversals as templates over visitors. They are depth-first, without recursion or allocation; the depth bound proves that the stacks suffice. A visitor
// gets each leaf as (first, count), positions in tree.items(), and returns true to stop the traversal. Each function returns whether the visitor stopped it.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "bvh/box_kernels.hpp"
#include "bvh/local_query.hpp"
#include "platform/expects.hpp"

namespace graze {

#include "bvh/run_traversal-inl.hpp"

/// Visits all leaves whose boxes overlap the query. visit(first, count), or visit(node, slot).
template <class Visit>
class OverlapTraversal {
 public:
  OverlapTraversal(const WideBvh& tree, const QueryBox& query, Visit& visit) : tree_(tree), query_(query), visit_(visit), kernels_(box_kernels()) {
    stack_[0] = 0;
  }
  bool next() {
    if (top_ == 0) return false;
    at_ = &tree_.node(stack_[--top_]);
    return true;
  }
  bool at_leaf() const { return false; }  // leaves are visited with their node
  bool leaf() const { return false; }
  bool node() {
    for (std::uint32_t bits = kernels_.overlap(*at_, query_); bits != 0; bits &= bits - 1) {
      const auto s = static_cast<std::uint32_t>(std::countr_zero(bits));
      if (at_->leaf(static_cast<int>(s))) {
        if constexpr (std::is_invocable_v<Visit&, const WideNode&, std::uint32_t>) {
          if (visit_(*at_, s)) return true;
        } else {
          if (visit_(at_->child[s], static_cast<std::uint32_t>(at_->count[s]))) return true;
        }
      } else {
        GRAZE_EXPECTS(top_ < WideBvh::kStack);
        stack_[top_++] = at_->child[s];
      }
    }
    return false;
  }

 private:
  const WideBvh& tree_;
  const QueryBox& query_;
  Visit& visit_;
  const BoxKernels& kernels_;
  const WideNode* at_ = nullptr;
  int top_ = 1;
  std::uint32_t stack_[WideBvh::kStack];
};

template <class Visit>
bool for_each_overlap(const WideBvh& tree, const QueryBox& query, Visit&& visit) {
  if (tree.empty()) return false;
  OverlapTraversal overlaps(tree, query, visit);
  return run_traversal(overlaps);
}

/// Address of the data that the visitor reads for an item, by position in leaf order. Used only to prefetch.
struct LeafData {
  const void* base = nullptr;
  std::size_t stride = 0;
};

/// The same for items whose data lies anywhere: ids by position in leaf order, and an array of pointers by id. Used only to prefetch.
struct ItemData {
  const std::uint32_t* ids = nullptr;
  const void* pointers = nullptr;
  std::size_t bytes = 0;  ///< at each pointer
};

/// A child of a node, encoded as node * 8 + slot, or the whole tree.
using TreeRef = std::uint32_t;
inline constexpr TreeRef kWholeTree = ~TreeRef{0};

/// Where a search of two trees starts. What it finds is what is below.
struct SearchStart {
  TreeRef a = kWholeTree, b = kWholeTree;
  bool whole() const { return a == kWholeTree && b == kWholeTree; }
};

namespace traverse_detail {
inline void start(SortedTraversal& traversal, const WideBvh& tree, const LeafData& data, const ItemData& items = {}) {
  traversal.nodes = &tree.node(0);
  traversal.leaf_data = static_cast<const unsigned char*>(data.base);
  traversal.leaf_stride = data.stride;
  traversal.leaf_ids = items.ids;
  traversal.item_pointers = static_cast<const unsigned char*>(items.pointers);
  traversal.item_bytes = items.bytes;
  traversal.top = -1;
}

/// Returns pairs of nodes that together cover all below `first`, at least about `wanted` of them if the trees are large enough. expand(pair, out) writes at
/// most kMost successors of a pair and returns their number, or -1 for a pair of leaves.
template <int kMost, class Pair, class Expand>
std::vector<Pair> cover(const Pair& first, std::size_t wanted, const Expand& expand) {
  std::vector<Pair> now{first}, next;
  // Each round descends in one of the two trees, so this many rounds reach all pairs of leaves.
  for (int round = 0; round < 2 * WideBvh::kMaxDepth && !now.empty() && now.size() < wanted; ++round) {
    next.clear();
    bool any = false;
    for (const Pair& p : now) {
      Pair out[kMost];
      const int n = expand(p, out);
      if (n < 0) {
        next.push_back(p);
      } else {
        next.insert(next.end(), out, out + n);
        any = true;
      }
    }
    now.swap(next);
    if (!any) break;
  }
  return now;
}
}  // namespace traverse_detail

/// Visits the leaves that the ray (a LocalRay or LocalSweep) may hit, roughly nearest first. visit(first, count) may shorten the ray; leaves beyond its end are
/// skipped.
template <class Ray, class Visit>
bool for_each_along(const WideBvh& tree, Ray& ray, Visit&& visit, const LeafData& data = {}, const ItemData& items = {}) {
  if (tree.empty() || ray.misses()) return false;
  const BoxKernels& kernels = box_kernels();
  SortedTraversal traversal;
  traverse_detail::start(traversal, tree, data, items);
  LeafItems leaf;
  while (kernels.next_along(traversal, ray.lanes(), leaf)) {
    if (visit(leaf.first, leaf.count)) return true;
  }
  return false;
}

/// Visits leaves whose lower bounds of the distance from the query do not exceed `limit` (a local_limit), which visit(first, count) may lower. The traversal is
/// depth-first, with the children of each node in the order of their bounds.
template <class Visit>
bool for_each_nearest(const WideBvh& tree, const QueryBox& query, float& limit, Visit&& visit, const LeafData& data = {}) {
  if (tree.empty()) return false;
  const BoxKernels& kernels = box_kernels();
  SortedTraversal traversal;
  traverse_detail::start(traversal, tree, data);
  LeafItems leaf;
  while (kernels.next_nearest(traversal, query, limit, leaf)) {
    if (visit(leaf.first, leaf.count)) return true;
  }
  return false;
}

/// A child of a node, or the whole tree.
struct RefView {
  QueryBox box;
  std::uint32_t child, count;  // count 0: inner node `child`
  std::uint32_t leaf;          // number of the leaf, if the child is a leaf
  TreeRef ref;

  bool is_leaf() const { return count != 0; }
};

inline RefView view_of(const WideBvh& tree, TreeRef ref) {
  if (ref == kWholeTree) return {tree.root_box(), 0, 0, 0, ref};
  const WideNode& node = tree.node(ref / kWidth);
  const std::uint32_t s = ref % kWidth;
  RefView v;
  for (int i = 0; i < 3; ++i) {
    v.box.lo[i] = node.plane[i][s];
    v.box.hi[i] = node.plane[3 + i][s];
  }
  v.child = node.child[s];
  v.count = node.count[s];
  v.leaf = node.leaf_number(s);
  v.ref = ref;
  return v;
}

inline float extent(const QueryBox& b) { return std::max({b.hi[0] - b.lo[0], b.hi[1] - b.lo[1], b.hi[2] - b.lo[2]}); }

/// Calls visit(i, j) for all pairs of positions in two leaves; `same`: for each unordered pair of positions in one leaf.
template <class Visit>
void for_each_position_pair(const RefView& a, const RefView& b, bool same, Visit&& visit) {
  for (std::uint32_t i = a.child; i < a.child + a.count; ++i)
    for (std::uint32_t j = same ? i + 1 : b.child; j < b.child + b.count; ++j) visit(i, j);
}

/// Traverses pairs of subtrees, depth first. `Pairs` has the trees a() and b(), the size kPairStack of the stack, and the pairs: { TreeRef a, b; ... }.
/// expand(va, vb, pair, stack, top) appends the successors worth visiting of a pair that is not (leaf, leaf) and returns the new count. Pairs are left out
/// where skip(pair). visit(va, vb) gets pairs of leaves.
template <class Pairs, class Expand, class Skip, class Visit>
class PairRun {
 public:
  using Pair = typename Pairs::Pair;
  PairRun(const Pairs& pairs, const Pair& start, const Expand& expand, const Skip& skip, Visit& visit)
      : pairs_(pairs), expand_(expand), skip_(skip), visit_(visit) {
    stack_[0] = start;
  }
  bool next() {
    while (top_ > 0) {
      at_ = stack_[--top_];
      if (skip_(at_)) continue;
      a_ = view_of(pairs_.a(), at_.a);
      b_ = view_of(pairs_.b(), at_.b);
      return true;
    }
    return false;
  }
  bool at_leaf() const { return a_.is_leaf() && b_.is_leaf(); }
  bool leaf() { return visit_(a_, b_); }
  bool node() {
    top_ = expand_(a_, b_, at_, stack_, top_);
    GRAZE_EXPECTS(top_ <= Pairs::kPairStack);
    return false;
  }

 private:
  const Pairs& pairs_;
  const Expand& expand_;
  const Skip& skip_;
  Visit& visit_;
  RefView a_, b_;
  Pair at_;
  int top_ = 1;
  Pair stack_[Pairs::kPairStack];
};

/// Leaves no pair out.
struct SkipNothing {
  template <class Pair>
  bool operator()(const Pair&) const {
    return false;
  }
};

template <class Pairs, class Expand, class Skip, class Visit>
bool run_pairs(const Pairs& pairs, const typename Pairs::Pair& start, const Expand& expand, const Skip& skip, Visit&& visit) {
  PairRun<Pairs, Expand, Skip, std::remove_reference_t<Visit>> run(pairs, start, expand, skip, visit);
  return run_traversal(run);
}

/// Simultaneous traversal of two placed trees for pairs of leaves within a margin (a length). Each test is made in the frame of the tree that is descended.
class PairTraversal {
 public:
  struct Pair {
    TreeRef a, b;
    float key;
  };
  /// Each step replaces a pair by at most kWidth others one level down in one of the trees; the rest is to spare.
  static constexpr int kPairStack = 2 * (kWidth - 1) * WideBvh::kMaxDepth + 2 * kWidth;

  PairTraversal(const PlacedTree& a, const PlacedTree& b, double margin)
      : a_(*a.tree), b_(*b.tree), b_in_a_(a, b, margin), a_in_b_(b, a, margin), kernels_(box_kernels()) {}

  bool empty() const { return a_.empty() || b_.empty(); }
  const WideBvh& a() const { return a_; }
  const WideBvh& b() const { return b_; }
  const RelativePlacement& b_in_a() const { return b_in_a_; }

  /// Calls visit(RefView of a's leaf, RefView of b's leaf) for all pairs below `start`, except below pairs where skip(pair).
  template <class Visit, class Skip = SkipNothing>
  bool run(const Pair& start, Visit&& visit, const Skip& skip = {}) const {
    return run_pairs(
        *this, start, [&](const RefView& va, const RefView& vb, const Pair& p, Pair* out, int n) { return expand(va, vb, p, out, n); }, skip, visit);
  }
  /// Like run(), but only up to the limits (local_limit in each tree), which the visitor may lower, and with the children of each node in the order of their
  /// lower bounds of the distance.
  template <class Visit>
  bool run_nearest(const SearchStart& start, float& limit_a, float& limit_b, Visit&& visit) const {
    return run_pairs(
        *this, {start.a, start.b, 0},
        [&](const RefView& va, const RefView& vb, const Pair& p, Pair* stack, int top) { return expand_nearest(va, vb, p, limit_a, limit_b, stack, top); },
        [&](const Pair& p) { return p.key > limit_a; }, visit);
  }

  /// Pairs that together cover the traversal below `start`, at least about `wanted` of them if the trees are large enough. Independent of the number of
  /// threads.
  std::vector<Pair> frontier(std::size_t wanted, const SearchStart& start = {}) const {
    return traverse_detail::cover<kWidth>(Pair{start.a, start.b, 0}, wanted, [&](const Pair& p, Pair* out) {
      const RefView va = view_of(a_, p.a), vb = view_of(b_, p.b);
      return va.is_leaf() && vb.is_leaf() ? -1 : expand(va, vb, p, out, 0);
    });
  }

 private:
  int expand(const RefView& va, const RefView& vb, const Pair& p, Pair* out, int n) const {
    if (descends_a(va, vb)) {
      for (std::uint32_t bits = kernels_.oriented_overlap(a_.node(va.child), b_in_a_(vb.box)); bits != 0; bits &= bits - 1)
        out[n++] = {va.child * kWidth + static_cast<std::uint32_t>(std::countr_zero(bits)), p.b, 0};
    } else {
      for (std::uint32_t bits = kernels_.oriented_overlap(b_.node(vb.child), a_in_b_(va.box)); bits != 0; bits &= bits - 1)
        out[n++] = {p.a, vb.child * kWidth + static_cast<std::uint32_t>(std::countr_zero(bits)), 0};
    }
    return n;
  }

  int expand_nearest(const RefView& va, const RefView& vb, const Pair& p, float limit_a, float limit_b, Pair* stack, int top) const {
    const bool in_a = descends_a(va, vb);
    const WideNode& node = in_a ? a_.node(va.child) : b_.node(vb.child);
    const QueryOrientedBox box = in_a ? b_in_a_(vb.box) : a_in_b_(va.box);
    float lower[kWidth];
    // Keys are bounds in A's units. Bounds found in B's units are converted by a power of two, and replaced by 0 below 2^-100 and by 2^120 above it, so that
    // they stay normal floats and lower bounds.
    const double to_a = b_in_a_.ratio() * b_in_a_.ratio();
    const int base = top;
    for (std::uint32_t bits = kernels_.oriented_distance(node, box, in_a ? limit_a : limit_b, lower); bits != 0; bits &= bits - 1) {
      const auto s = static_cast<std::uint32_t>(std::countr_zero(bits));
      float key = lower[s];
      if (!in_a) {
        const double k = key * to_a;
        key = k > 0x1p-100 ? static_cast<float>(std::min(k, 0x1p120)) : 0.0f;
      }
      const Pair q = in_a ? Pair{va.child * kWidth + s, p.b, key} : Pair{p.a, vb.child * kWidth + s, key};
      GRAZE_EXPECTS(top < kPairStack);
      int i = top++;
      for (; i > base && stack[i - 1].key <= q.key; --i) stack[i] = stack[i - 1];
      stack[i] = q;
    }
    return top;
  }

  bool descends_a(const RefView& va, const RefView& vb) const {
    if (va.is_leaf()) return false;
    return vb.is_leaf() || extent(va.box) >= extent(vb.box) * b_in_a_.ratio();
  }

  const WideBvh &a_, &b_;
  RelativePlacement b_in_a_, a_in_b_;
  const BoxKernels& kernels_;
};

/// Traversal of a tree against itself: visits every unordered pair of leaves that may touch once, and every leaf with itself.
class SelfTraversal {
 public:
  struct Pair {
    TreeRef a, b;  // equal: all pairs within the subtree
  };
  static constexpr int kFanOut = kWidth * (kWidth + 1) / 2;
  /// The pairs of one node with itself fan out once a level, and below each level two nodes descend as in PairTraversal.
  static constexpr int kPairStack = kFanOut * WideBvh::kMaxDepth + 2 * kWidth * WideBvh::kMaxDepth;

  SelfTraversal(const PlacedTree& tree) : tree_(*tree.tree), pad_(self_padding(tree)), kernels_(box_kernels()) {}
  bool empty() const { return tree_.empty(); }
  const WideBvh& a() const { return tree_; }
  const WideBvh& b() const { return tree_; }

  /// Calls visit(RefView of a leaf, RefView of another or the same leaf) for all pairs below `start`, except below pairs where skip(pair).
  template <class Visit, class Skip = SkipNothing>
  bool run(const Pair& start, Visit&& visit, const Skip& skip = {}) const {
    return run_pairs(
        *this, start, [&](const RefView& va, const RefView& vb, const Pair& p, Pair* out, int n) { return expand(va, vb, p, out, n); }, skip, visit);
  }

  std::vector<Pair> frontier(std::size_t wanted) const {
    return traverse_detail::cover<kFanOut>(Pair{kWholeTree, kWholeTree}, wanted, [&](const Pair& p, Pair* out) {
      const RefView va = view_of(tree_, p.a), vb = view_of(tree_, p.b);
      return va.is_leaf() && vb.is_leaf() ? -1 : expand(va, vb, p, out, 0);
    });
  }

 private:
  int expand(const RefView& va, const RefView& vb, const Pair& p, Pair* out, int n) const {
    if (p.a == p.b) {
      const WideNode& node = tree_.node(va.child);
      for (std::uint32_t i = 0; i < node.used; ++i) {
        const TreeRef ri = va.child * kWidth + i;
        out[n++] = {ri, ri};
        for (std::uint32_t bits = kernels_.overlap(node, padded(view_of(tree_, ri).box)) & ~((2u << i) - 1); bits != 0; bits &= bits - 1)
          out[n++] = {ri, va.child * kWidth + static_cast<std::uint32_t>(std::countr_zero(bits))};
      }
      return n;
    }
    const bool in_a = !va.is_leaf() && (vb.is_leaf() || extent(va.box) >= extent(vb.box));
    const std::uint32_t child = in_a ? va.child : vb.child;
    for (std::uint32_t bits = kernels_.overlap(tree_.node(child), padded(in_a ? vb.box : va.box)); bits != 0; bits &= bits - 1) {
      const TreeRef r = child * kWidth + static_cast<std::uint32_t>(std::countr_zero(bits));
      out[n++] = in_a ? Pair{r, p.b} : Pair{p.a, r};
    }
    return n;
  }

  QueryBox padded(QueryBox q) const {
    // Sums of floats near 1 are rounded by up to half an ulp. The step up in self_padding covers that only for large paddings, so this steps up once more.
    for (int i = 0; i < 3; ++i) {
      if (pad_ == 0) continue;
      q.lo[i] = float_below(static_cast<double>(q.lo[i]) - pad_);
      q.hi[i] = float_above(static_cast<double>(q.hi[i]) + pad_);
    }
    return q;
  }

  const WideBvh& tree_;
  float pad_;
  const BoxKernels& kernels_;
};

}  // namespace graze
