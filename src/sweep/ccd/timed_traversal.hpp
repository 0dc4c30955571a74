// Simultaneous traversal of trees of triangles whose vertices move, earliest pairs first, for the first contact in time. Every node has the box of its
// triangles at the start and at the end. A vertex that moves linearly stays in the box interpolated between both, so the contents of two nodes do not meet
// before their boxes do.
#pragma once
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <vector>

#include "bvh/traverse.hpp"
#include "math/limits.hpp"
#include "platform/parallel.hpp"

namespace graze {

/// A box at the start and at the end of its motion, linear in between.
struct BoxPath {
  Box3 at[2];
  void add(const BoxPath& o) {
    at[0].add(o.at[0]);
    at[1].add(o.at[1]);
  }
};

/// A lower bound of the first time at which the boxes meet; infinite if they certainly do not. Differences have the right sign and a relative error of 2^-53.
/// Sums and quotients of them are off by 5 u in all (2^-48 = 32 u are taken), except for quotients that underflow: their error is below 2^-1060.
inline double first_meeting(const BoxPath& a, const BoxPath& b) {
  constexpr double wide = 0x1p-48, never = kInfinity;
  double enter = 0, leave = 1;
  for (int i = 0; i < 3; ++i)
    for (int side = 0; side < 2; ++side) {
      const BoxPath &p = side ? b : a, &q = side ? a : b;
      const double g0 = p.at[0].lo[i] - q.at[0].hi[i], g1 = p.at[1].lo[i] - q.at[1].hi[i];
      if (g0 > 0) {
        if (g1 > 0) return never;
        const double fall = g0 - g1;
        if (fall < never) enter = std::max(enter, g0 / fall * (1 - wide) - 0x1p-1060);
      } else if (g1 > 0) {
        const double rise = g1 - g0;
        if (rise < never) leave = std::min(leave, -g0 / rise * (1 + wide) + 0x1p-1060);
      }
    }
  return enter <= leave ? enter : never;
}

/// A tree and the paths of its nodes' boxes.
class TimedTree {
 public:
  /// path(item) returns the path of an item's box.
  template <class Path>
  TimedTree(const WideBvh& tree, Path&& path) : tree_(tree), paths_(tree.empty() ? 0 : tree.node_count() * kWidth) {
    if (tree.empty()) return;
    for (std::size_t n = tree.node_count(); n-- > 0;) {  // children have higher numbers
      const WideNode& node = tree.node(static_cast<std::uint32_t>(n));
      for (std::uint32_t s = 0; s < node.used; ++s) {
        BoxPath& p = paths_[n * kWidth + s];
        if (node.leaf(static_cast<int>(s))) {
          for (std::uint32_t k = 0; k < node.count[s]; ++k) p.add(path(tree.items()[node.child[s] + k]));
        } else {
          const WideNode& below = tree.node(node.child[s]);
          for (std::uint32_t k = 0; k < below.used; ++k) p.add(paths_[static_cast<std::size_t>(node.child[s]) * kWidth + k]);
        }
      }
    }
    for (std::uint32_t s = 0; s < tree.node(0).used; ++s) whole_.add(paths_[s]);
  }
  const WideBvh& tree() const { return tree_; }
  const BoxPath& path(TreeRef r) const { return r == kWholeTree ? whole_ : paths_[r]; }

 private:
  const WideBvh& tree_;
  std::vector<BoxPath> paths_;
  BoxPath whole_;
};

/// The earliest time known so far, shared by all threads.
class Earliest {
 public:
  double now() const { return t_.load(std::memory_order_relaxed); }
  void lower(double t) {
    for (double seen = now(); t < seen && !t_.compare_exchange_weak(seen, t, std::memory_order_relaxed);) {
    }
  }

 private:
  std::atomic<double> t_{kInfinity};
};

/// Pairs of items of two trees, or of one tree with itself (each pair once, and no item with itself).
class TimedTraversal {
 public:
  struct Pair {
    TreeRef a, b;
    double key;
  };
  static constexpr int kPairStack = SelfTraversal::kPairStack;

  TimedTraversal(const TimedTree& a, const TimedTree& b) : a_(a), b_(b), self_(&a == &b) {}
  const WideBvh& a() const { return a_.tree(); }
  const WideBvh& b() const { return b_.tree(); }

  /// Start pairs that together cover the traversal, the earliest first; the same for any number of threads.
  std::vector<Pair> frontier(std::size_t wanted) const {
    if (a().empty() || b().empty()) return {};
    Pair first;
    if (push(kWholeTree, kWholeTree, kLargest, &first, 0) == 0) return {};
    auto pairs = traverse_detail::cover<SelfTraversal::kFanOut>(first, wanted, [&](const Pair& p, Pair* out) {
      const RefView va = view_of(a(), p.a), vb = view_of(b(), p.b);
      return va.is_leaf() && vb.is_leaf() ? -1 : expand(va, vb, p, kLargest, out, 0);
    });
    std::stable_sort(pairs.begin(), pairs.end(), [](const Pair& x, const Pair& y) { return x.key < y.key; });
    return pairs;
  }

  /// Calls visit(item of a, item of b) for pairs that may meet by earliest.now(). The visitor may lower earliest.now().
  template <class Visit>
  void run(const Pair& start, const Earliest& earliest, Visit&& visit) const {
    run_pairs(
        *this, start,
        [&](const RefView& va, const RefView& vb, const Pair& p, Pair* stack, int top) {
          const int end = expand(va, vb, p, earliest.now(), stack, top);
          std::stable_sort(stack + top, stack + end, [](const Pair& x, const Pair& y) { return x.key > y.key; });
          return end;
        },
        [&](const Pair& p) { return p.key > earliest.now(); },
        [&](const RefView& va, const RefView& vb) {
          for_each_position_pair(va, vb, self_ && va.ref == vb.ref, [&](std::uint32_t i, std::uint32_t j) { visit(a().items()[i], b().items()[j]); });
          return false;
        });
  }

 private:
  int push(TreeRef a, TreeRef b, double limit, Pair* to, int n) const {
    const double key = self_ && a == b ? 0 : first_meeting(a_.path(a), b_.path(b));
    if (key <= limit) to[n++] = {a, b, key};
    return n;
  }
  int expand(const RefView& va, const RefView& vb, const Pair& p, double limit, Pair* to, int n) const {
    if (self_ && p.a == p.b) {
      const std::uint32_t used = a().node(va.child).used;
      for (std::uint32_t i = 0; i < used; ++i)
        for (std::uint32_t j = i; j < used; ++j) n = push(va.child * kWidth + i, va.child * kWidth + j, limit, to, n);
      return n;
    }
    const auto size = [](const BoxPath& q) {
      double most = 0;
      for (int i = 0; i < 3; ++i) most = std::max(most, (q.at[0].hi[i] - q.at[0].lo[i]) + (q.at[1].hi[i] - q.at[1].lo[i]));
      return most;
    };
    const bool in_a = !va.is_leaf() && (vb.is_leaf() || size(a_.path(p.a)) >= size(b_.path(p.b)));
    const std::uint32_t child = in_a ? va.child : vb.child, used = (in_a ? a() : b()).node(child).used;
    for (std::uint32_t s = 0; s < used; ++s) {
      const TreeRef below = child * kWidth + s;
      n = in_a ? push(below, p.b, limit, to, n) : push(p.a, below, limit, to, n);
    }
    return n;
  }

  const TimedTree &a_, &b_;
  bool self_;
};

}  // namespace graze
