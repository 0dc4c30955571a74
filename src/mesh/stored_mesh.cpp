// Takes over stored meshes. Boxes and blocks are computed again and compared, so no wrong number of a file can reach a kernel.
#include "mesh/stored_mesh.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <graze/error.hpp>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "mesh/construction.hpp"
#include "mesh/mesh_impl.hpp"
#include "platform/fp_environment.hpp"
#include "platform/parallel.hpp"

namespace graze {
namespace {

constexpr std::size_t kNodeGrain = 1 << 9;  // nodes of a task; a choice

using Message = std::optional<std::string>;

[[noreturn]] void refuse(const std::string& message) { throw Error(ErrorCode::malformed_file, message); }

std::string at(const char* array, std::size_t i) { return std::string(array) + ": " + std::to_string(i) + ": "; }

/// A set of numbers below n.
class Marks {
 public:
  explicit Marks(std::size_t n) : bits_((n + 63) / 64) {}
  /// Returns whether i was not in the set before.
  bool add(std::size_t i) {
    std::uint64_t& word = bits_[i / 64];
    const std::uint64_t bit = std::uint64_t{1} << (i % 64), before = word;
    word |= bit;
    return (before & bit) == 0;
  }

 private:
  std::vector<std::uint64_t> bits_;
};

void check_sizes(const MeshArrays& m) {
  constexpr std::size_t kMostNodes = (std::size_t{1} << 32) / kWidth, kMostBlocks = (std::size_t{1} << 32) / kBlock;  // references have 32 bits
  const std::size_t n = m.triangles.size();
  if (m.items.size() != n) refuse("tree items: " + std::to_string(m.items.size()) + " of them, must be one for each of " + std::to_string(n) + " triangles");
  if (n == 0 && (!m.nodes.empty() || !m.blocks.empty())) refuse("tree nodes: " + std::to_string(m.nodes.size()) + " of a mesh without triangles");
  if (n > 0 && m.nodes.empty()) refuse("tree nodes: none, must be at least one");
  if (m.nodes.size() >= kMostNodes) refuse("tree nodes: " + std::to_string(m.nodes.size()) + " of them, must be fewer than " + std::to_string(kMostNodes));
  if (m.blocks.size() >= kMostBlocks)
    refuse("triangle blocks: " + std::to_string(m.blocks.size()) + " of them, must be fewer than " + std::to_string(kMostBlocks));
}

void check_items(const MeshArrays& m) {
  const std::size_t n = m.triangles.size();
  Marks seen(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint32_t item = m.items[i];
    if (item >= n) refuse(at("tree items", i) + "triangle " + std::to_string(item) + " of " + std::to_string(n));
    if (!seen.add(item)) refuse(at("tree items", i) + "triangle " + std::to_string(item) + " is there for the second time");
  }
}

/// Checks the links of the tree, from the first node to the last: children have higher numbers than their parents.
class Links {
 public:
  explicit Links(const MeshArrays& m) : m_(m), depth_(m.nodes.size(), 0), positions_(m.items.size()) {}

  void check() {
    const std::size_t n = m_.nodes.size();
    depth_[0] = 1;
    for (at_ = 0; at_ < n; ++at_) {
      const WideNode& node = m_.nodes[at_];
      if (depth_[at_] == 0) fail("is no child of an earlier node");
      if (node.used < 1 || node.used > kWidth) fail("has " + std::to_string(node.used) + " children, must be 1 to " + std::to_string(kWidth));
      if (node.first_leaf != leaves_) fail("its first leaf is " + std::to_string(node.first_leaf) + ", must be " + std::to_string(leaves_));
      if (node.source != 0) fail("its reserved fields are not 0");
      std::uint32_t leaves = 0;
      for (std::uint32_t s = 0; s < kWidth; ++s) {
        if (s >= node.used)
          check_free(node, s);
        else if (node.count[s] != 0)
          check_leaf(node, s), leaves |= 1u << s;
        else
          check_inner(node, s);
      }
      if (node.leaves != leaves) fail("its leaves are " + std::to_string(node.leaves) + ", must be " + std::to_string(leaves) + " by its counts");
      leaves_ += WideNode::bits_in(leaves);
    }
    if (covered_ != m_.items.size())
      refuse("tree nodes: their leaves have " + std::to_string(covered_) + " of " + std::to_string(m_.items.size()) + " positions in the tree items");
    if (leaves_ != m_.blocks.size())
      refuse("triangle blocks: " + std::to_string(m_.blocks.size()) + " of them, must be one for each of " + std::to_string(leaves_) + " leaves");
  }

 private:
  [[noreturn]] void fail(const std::string& message) const { refuse(at("tree nodes", at_) + message); }
  [[noreturn]] void fail(std::uint32_t slot, const std::string& message) const { fail("child " + std::to_string(slot) + ": " + message); }

  void check_free(const WideNode& node, std::uint32_t s) const {
    if (node.count[s] != 0 || node.child[s] != 0) fail(s, "is not used, but not 0");
    for (int k = 0; k < 3; ++k)
      if (node.plane[k][s] != 2 || node.plane[3 + k][s] != -2) fail(s, "is not used, so its box must be from 2 to -2");
  }
  void check_leaf(const WideNode& node, std::uint32_t s) {
    const std::size_t first = node.child[s], count = node.count[s];
    if (count > WideBvh::kLeafItems) fail(s, "has " + std::to_string(count) + " items, at most " + std::to_string(WideBvh::kLeafItems) + " are possible");
    if (first + count > m_.items.size())
      fail(s, "has items [" + std::to_string(first) + ", " + std::to_string(first + count) + ") of " + std::to_string(m_.items.size()));
    for (std::size_t i = first; i < first + count; ++i) {
      if (!positions_.add(i)) fail(s, "has item " + std::to_string(i) + ", as another leaf has");
      if (i > first && m_.items[i] < m_.items[i - 1]) fail(s, "its items do not ascend");
    }
    covered_ += count;
  }
  void check_inner(const WideNode& node, std::uint32_t s) {
    const std::size_t child = node.child[s];
    if (child >= m_.nodes.size()) fail(s, "is node " + std::to_string(child) + " of " + std::to_string(m_.nodes.size()));
    if (child <= at_) fail(s, "is node " + std::to_string(child) + ", must have a higher number than its parent");
    if (depth_[child] != 0) fail(s, "is node " + std::to_string(child) + ", as another child is");
    if (depth_[at_] == WideBvh::kMaxDepth) fail(s, "lies deeper than " + std::to_string(WideBvh::kMaxDepth) + " nodes");
    depth_[child] = static_cast<std::uint8_t>(depth_[at_] + 1);
  }

  const MeshArrays& m_;
  std::vector<std::uint8_t> depth_;  // 0: not reached
  Marks positions_;
  std::size_t at_ = 0, covered_ = 0;
  std::uint32_t leaves_ = 0;
};
static_assert(WideBvh::kMaxDepth < 256);

/// Compares the blocks and boxes of nodes with what they stand for. The links have been checked.
class Contents {
 public:
  Contents(const MeshArrays& m, const LargeArray<TreeVertex>& corners) : m_(m), corners_(corners) {}

  Message check(std::size_t begin, std::size_t end) const {
    for (std::size_t n = begin; n < end; ++n)
      if (Message message = check(n)) return message;
    return std::nullopt;
  }

 private:
  Message check(std::size_t n) const {
    const WideNode& node = m_.nodes[n];
    if (Message message = check_numbers(node)) return message;
    WideNode again = node;  // with the boxes of its leaves computed anew
    again.first_leaf = 0;
    TriangleBlock blocks[kWidth];
    const TriangleBlock* const stored = m_.blocks.data() + node.first_leaf;
    if (node.leaves != 0) construct_kernels().refit(corners_.data(), &again, 1, stored, blocks);
    for (std::uint32_t b = 0; b < WideNode::bits_in(node.leaves); ++b)
      if (std::memcmp(stored[b].corner, blocks[b].corner, sizeof blocks[b].corner) != 0)
        return at("triangle blocks", node.first_leaf + b) + "its corners are not those of its triangles";
    std::uint32_t lowest = ~0u;
    for (std::uint32_t s = 0; s < node.used; ++s) {
      if (node.count[s] != 0) {
        lowest = std::min(lowest, m_.items[node.child[s]]);
        continue;
      }
      const WideNode& child = m_.nodes[node.child[s]];
      lowest = std::min(lowest, child.lowest);
      again.set_box(s, children_box(child));
    }
    for (std::uint32_t s = 0; s < node.used; ++s)
      for (int k = 0; k < 6; ++k)
        if (!(again.plane[k][s] == node.plane[k][s])) return at("tree nodes", n) + "child " + std::to_string(s) + ": its box is not that of what lies below";
    if (node.lowest != lowest) return at("tree nodes", n) + "its lowest item is " + std::to_string(node.lowest) + ", must be " + std::to_string(lowest);
    return std::nullopt;
  }

  /// The triangles and vertices that the blocks of a node name.
  Message check_numbers(const WideNode& node) const {
    std::size_t b = node.first_leaf;
    for (std::uint32_t leaves = node.leaves; leaves != 0; leaves &= leaves - 1, ++b) {
      const int s = std::countr_zero(leaves);
      const TriangleBlock& block = m_.blocks[b];
      for (std::uint32_t lane = 0; lane < kBlock; ++lane) {
        const std::uint32_t item = m_.items[node.child[s] + std::min<std::uint32_t>(lane, node.count[s] - 1u)];
        if (block.id[lane] != item)
          return at("triangle blocks", b) + "has triangle " + std::to_string(block.id[lane]) + ", must be " + std::to_string(item) + " as its leaf has it";
        for (std::size_t k = 0; k < 3; ++k)
          if (block.vertex[k][lane] != m_.triangles[item][k])
            return at("triangle blocks", b) + "triangle " + std::to_string(item) + " has vertex " + std::to_string(block.vertex[k][lane]) + ", must be " +
                   std::to_string(m_.triangles[item][k]);
      }
    }
    return std::nullopt;
  }

  const MeshArrays& m_;
  const LargeArray<TreeVertex>& corners_;
};

}  // namespace

MeshArrays arrays_of(const Mesh& mesh) {
  const MeshImpl& m = mesh.impl();
  return {m.vertices, m.triangles, m.tree.items(), m.tree.nodes(), m.blocks};
}

Mesh StoredMesh::take(StoredMesh&& stored) {
  const DefaultFloatEnvironment guard;
  const MeshArrays arrays{stored.vertices, stored.triangles, stored.items, stored.nodes, stored.blocks};  // they stay where they are
  check_sizes(arrays);
  auto m = std::make_shared<MeshImpl>();
  m->vertices = std::move(stored.vertices);
  m->triangles = std::move(stored.triangles);
  m->parts = std::move(stored.parts);
  if (!stored.user.empty()) m->user = std::make_shared<const std::vector<std::uint32_t>>(std::move(stored.user));
  m->largest_coordinate = largest_magnitude(m->vertices);
  if (const std::string report = defects(*m, true); !report.empty()) refuse(report.substr(0, report.find('\n')));
  if (m->triangles.empty()) return Mesh(std::move(m));
  check_items(arrays);
  Links(arrays).check();
  const Box3& bounds = m->bounds();
  const auto corners = local_vertices(m->vertices, WideBvh::with_frame(bounds).frame());
  const Contents contents(arrays, corners);
  const Message message = parallel_reduce(
      arrays.nodes.size(), kNodeGrain, Message(), [&](std::size_t b, std::size_t e) { return contents.check(b, e); },
      [](Message x, Message y) { return x ? std::move(x) : std::move(y); });
  if (message) refuse(*message);
  m->tree = WideBvh::restored(bounds, std::move(stored.nodes), std::move(stored.items), stored.blocks.size());
  m->blocks = std::move(stored.blocks);
  return Mesh(std::move(m));
}

}  // namespace graze
