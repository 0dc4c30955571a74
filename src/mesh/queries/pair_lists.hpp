// Lists or counts pairs of triangles with tasks on all threads. A limit on the number of pairs bounds memory and time.
#pragma once
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <graze/query/mesh_triangles.hpp>
#include <limits>
#include <vector>

#include "bvh/traverse.hpp"
#include "mesh/queries/mesh_view.hpp"
#include "platform/parallel.hpp"
#include "platform/parallel_sort.hpp"
#include "platform/progress_meter.hpp"
#include "platform/watch.hpp"

namespace graze {

/// Pairs for which the filter returns false do not count. Called from several threads. May be empty.
using PairFilter = std::function<bool(std::uint32_t, std::uint32_t)>;

/// The pairs whose first triangle (within one mesh: the lower one) lies in begin <= first < end.
struct PairRows {
  std::uint32_t begin = 0, end = std::numeric_limits<std::uint32_t>::max();
  bool contains(std::uint32_t row) const { return begin <= row && row < end; }
};

/// Returns the lowest item below a node or leaf of a tree.
inline std::uint32_t lowest_item(const WideBvh& tree, TreeRef ref) {
  if (ref == kWholeTree) return tree.node(0).lowest;
  const WideNode& node = tree.node(ref / kWidth);
  const std::uint32_t s = ref % kWidth;
  return node.count[s] != 0 ? tree.items()[node.child[s]] : tree.node(node.child[s]).lowest;
}

inline constexpr std::uint64_t kAnyNumber = std::numeric_limits<std::uint64_t>::max();
/// Number of tasks that an enumeration is split into, if the trees are large enough.
inline constexpr std::size_t kPairTasks = 256;

namespace pair_lists {

/// The number of pairs that all tasks have found together. Stops them when it exceeds `most`. Whether it does depends only on the input, not on the order of
/// the tasks.
class Budget {
 public:
  explicit Budget(std::uint64_t most) : most_(most) {}
  /// Adds n pairs and returns whether the total now exceeds `most`.
  bool add(std::uint64_t n) {
    if (most_ == kAnyNumber) return false;
    n = std::min(n, most_ + 1);  // the sum cannot overflow for any `most` below 2^54
    return total_.fetch_add(n, std::memory_order_relaxed) + n > most_;
  }
  bool exceeded() const { return most_ != kAnyNumber && total() > most_; }
  std::uint64_t total() const { return total_.load(std::memory_order_relaxed); }

 private:
  std::uint64_t most_;
  std::atomic<std::uint64_t> total_{0};
};

/// Receives the pairs of a task. take(pair) returns true if the task may stop. For stretches without pairs, take.stopped() returns the same.
template <class Call>
struct Take {
  Call call;
  const Budget& budget;
  bool operator()(const TrianglePair& p) const { return call(p); }
  bool stopped() const { return budget.exceeded(); }
};
template <class Call>
Take(Call, const Budget&) -> Take<Call>;

/// Runs work(start, take) for all starts and counts each as a unit of progress.
template <class Start, class Work>
bool list(const std::vector<Start>& starts, std::uint64_t most, std::vector<TrianglePair>& out, ProgressMeter& meter, Work&& work) {
  constexpr std::size_t kStep = 256;  // pairs that a task takes from the common budget at a time; a choice
  Budget budget(most);
  std::vector<std::vector<TrianglePair>> found(starts.size());
  meter.begin(starts.size());
  parallel_for(starts.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end && !budget.exceeded(); ++i) {
      std::vector<TrianglePair>& own = found[i];
      const auto push = [&](const TrianglePair& p) {
        own.push_back(p);
        if (own.size() % kStep != 0) return false;
        checkpoint();
        return budget.add(kStep);
      };
      work(starts[i], Take{push, budget});
      budget.add(own.size() % kStep);
      meter.add(1);
    }
  });
  if (budget.exceeded()) return false;
  std::size_t total = 0;
  for (const auto& f : found) total += f.size();
  std::vector<TrianglePair> all;
  all.reserve(total);
  for (auto& f : found) {
    all.insert(all.end(), f.begin(), f.end());
    f = {};
  }
  parallel_sort(all);
  if (out.empty())
    out = std::move(all);
  else
    out.insert(out.end(), all.begin(), all.end());
  return true;
}

/// Returns the sum of weight(pair) over all pairs, or most + 1.
template <class Start, class Weight, class Work>
std::uint64_t count(const std::vector<Start>& starts, std::uint64_t most, ProgressMeter& meter, Weight&& weight, Work&& work) {
  Budget budget(most);
  meter.begin(starts.size());
  parallel_for(starts.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end && !budget.exceeded(); ++i) {
      std::uint64_t own = 0;
      const auto sum = [&](const TrianglePair& p) {
        own += weight(p);
        if (own < 256) return false;
        checkpoint();
        const bool stop = budget.add(own);
        own = 0;
        return stop;
      };
      work(starts[i], Take{sum, budget});
      budget.add(own);
      meter.add(1);
    }
  });
  return std::min(budget.total(), most + 1);
}

}  // namespace pair_lists

}  // namespace graze
