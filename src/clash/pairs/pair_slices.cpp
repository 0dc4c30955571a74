// Estimates only: boxes and numbers of triangles. What is found does not depend on how a pair is divided.
#include "clash/pairs/pair_slices.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <graze/clash.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "bvh/traverse.hpp"
#include "math/box3.hpp"
#include "mesh/mesh_impl.hpp"
#include "mesh/queries/leaf.hpp"
#include "shapes/placement.hpp"

namespace graze::clash {
namespace {

/// About the share of the triangles in a box that lie in another: those of a surface are as the area.
double share_in(const Box3& all, const Box3& box) {
  double ratio[3];
  for (int i = 0; i < 3; ++i) {
    const double whole = all.hi[i] / 2 - all.lo[i] / 2, inside = box.hi[i] / 2 - box.lo[i] / 2;  // halves do not overflow
    const double r = whole > 0 ? inside / whole : 1.0;
    ratio[i] = r < 0 ? 0.0 : r < 1 ? r : 1.0;  // 1 for a box beyond all doubles
  }
  return std::max({ratio[0] * ratio[1], ratio[1] * ratio[2], ratio[2] * ratio[0]});
}

Box3 common(const Box3& a, const Box3& b, double apart) {
  Box3 c;
  for (int i = 0; i < 3; ++i) {
    c.lo[i] = std::max(a.lo[i], b.lo[i] - apart);
    c.hi[i] = std::min(a.hi[i], b.hi[i] + apart);
  }
  return c;
}

double triangles_in(const ClashParts& parts, const ClashPart& of, const ClashPart& other, double clearance) {
  const Box3 all{of.box.min, of.box.max}, box{other.box.min, other.box.max};
  return static_cast<double>(parts.meshes[of.mesh].size()) * share_in(all, common(all, box, clearance));
}

double longest_side(const Box3& b) { return std::max({b.hi.x - b.lo.x, b.hi.y - b.lo.y, b.hi.z - b.lo.z}); }

/// A placed tree whose nodes know how many triangles are below them.
class CountedTree {
 public:
  CountedTree(const Mesh& mesh, const Pose& pose) : tree_(mesh.impl().tree), pose_(pose), ranges_(tree_) {}

  struct Node {
    TreeRef ref;
    Box3 box;  ///< placed
    double triangles;
  };
  Node root() const { return node(kWholeTree); }
  std::optional<ItemRange> items(const Node& n) const { return ranges_.below(n.ref); }
  bool is_leaf(const Node& n) const { return view_of(tree_, n.ref).is_leaf(); }
  template <class F>
  void for_each_child(const Node& n, F&& f) const {
    const std::uint32_t inner = view_of(tree_, n.ref).child;
    for (std::uint32_t s = 0; s < tree_.node(inner).used; ++s) f(node(inner * kWidth + s));
  }

 private:
  Node node(TreeRef ref) const {
    const RefView v = view_of(tree_, ref);
    const LocalFrame& f = tree_.frame();
    Box3 box;
    for (int i = 0; i < 3; ++i) {
      box.lo[i] = f.center[i] + v.box.lo[i] / f.scale1 / f.scale2;
      box.hi[i] = f.center[i] + v.box.hi[i] / f.scale1 / f.scale2;
    }
    return {ref, placed_box(box, pose_), static_cast<double>(ranges_.count(ref))};
  }

  const WideBvh& tree_;
  const Pose& pose_;
  ItemRanges ranges_;
};

class Slicer {
 public:
  using Node = CountedTree::Node;

  Slicer(const CountedTree& tree, const CountedTree& other, double clearance, std::uint64_t most)
      : tree_(tree), other_(other), clearance_(clearance), most_(static_cast<double>(most)) {}

  std::vector<std::pair<ItemRange, std::uint64_t>> operator()() {
    divide(tree_.root(), {other_.root()});
    return std::move(out_);
  }

 private:
  static constexpr std::size_t kMostNear = 256;  // a choice: nodes of the other tree by which a cost is estimated

  /// Those that overlap the node, as far down as they are larger than it.
  std::vector<Node> near(const Node& node, std::vector<Node> candidates) const {
    const double side = longest_side(node.box);
    std::vector<Node> next;
    for (bool again = true; again && candidates.size() < kMostNear; candidates.swap(next)) {
      again = false;
      next.clear();
      for (const Node& c : candidates) {
        if (!leaf::maybe_within(c.box, node.box, clearance_)) continue;
        if (longest_side(c.box) <= side || other_.is_leaf(c)) {
          next.push_back(c);
          continue;
        }
        again = true;
        other_.for_each_child(c, [&](const Node& child) {
          if (leaf::maybe_within(child.box, node.box, clearance_)) next.push_back(child);
        });
      }
    }
    return candidates;
  }

  void divide(const Node& node, const std::vector<Node>& candidates) {
    const std::vector<Node> others = near(node, candidates);
    double cost = 1;
    Box3 all;
    for (const Node& o : others) {
      cost += o.triangles * share_in(o.box, common(o.box, node.box, clearance_));
      all.add(o.box);
    }
    if (!others.empty()) cost += node.triangles * share_in(node.box, common(node.box, all, clearance_));
    const std::optional<ItemRange> items = tree_.items(node);  // of a leaf there always are
    if ((cost <= most_ && items) || tree_.is_leaf(node)) {
      out_.emplace_back(*items, static_cast<std::uint64_t>(cost));
      return;
    }
    tree_.for_each_child(node, [&](const Node& child) { divide(child, others); });
  }

  const CountedTree &tree_, &other_;
  double clearance_, most_;
  std::vector<std::pair<ItemRange, std::uint64_t>> out_;
};

}  // namespace

std::uint64_t triangles_near(const ClashParts& parts, const ClashPart& a, const ClashPart& b, double clearance) {
  return static_cast<std::uint64_t>(triangles_in(parts, a, b, clearance) + triangles_in(parts, b, a, clearance));
}

std::vector<PairSlice> slices_of(const ClashParts& parts, const ClashPart& a, const ClashPart& b, double clearance, std::uint64_t cost) {
  const CountedTree ta(parts.meshes[a.mesh], a.pose), tb(parts.meshes[b.mesh], b.pose);
  const bool of_a = triangles_in(parts, a, b, clearance) >= triangles_in(parts, b, a, clearance);
  std::vector<PairSlice> out;
  for (const auto& [range, its_cost] : of_a ? Slicer(ta, tb, clearance, cost)() : Slicer(tb, ta, clearance, cost)())
    out.push_back({of_a ? Slice{range, {}} : Slice{{}, range}, its_cost});
  return out;
}

std::optional<TreeRef> SliceStarts::start(std::uint32_t part, const ItemRange& range) {
  if (range.whole()) return kWholeTree;
  const std::uint32_t mesh = parts_.parts[part].mesh;
  return trees_.try_emplace(mesh, parts_.meshes[mesh].impl().tree).first->second.child_of(range);
}

std::optional<SearchStart> SliceStarts::operator()(const Candidate& pair, const Slice& slice) {
  const std::optional<TreeRef> a = start(pair.a, slice.a), b = start(pair.b, slice.b);
  if (!a || !b) return std::nullopt;
  return SearchStart{*a, *b};
}

}  // namespace graze::clash
