// Goes down the tree, at each node to one of the children that the box overlaps.
#include "mesh/arrangement/drawn_triangles.hpp"

#include <bit>

namespace graze {

std::optional<Triangle> DrawnTriangles::next() {
  const WideBvh& tree = view_.mesh->tree;
  if (tree.empty()) return std::nullopt;
  std::uint64_t state = ++drawn_;
  const auto draw = [&](std::uint32_t n) {  // splitmix64
    std::uint64_t z = state += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return static_cast<std::uint32_t>((z >> 32) * n >> 32);
  };
  for (std::uint32_t at = 0;;) {
    const WideNode& node = tree.node(at);
    std::uint32_t bits = box_kernels().overlap(node, box_);
    if (bits == 0) return std::nullopt;
    for (std::uint32_t skip = draw(static_cast<std::uint32_t>(std::popcount(bits))); skip > 0; --skip) bits &= bits - 1;
    const auto slot = static_cast<std::uint32_t>(std::countr_zero(bits));
    if (node.count[slot] != 0) return leaf::triangle_at(view_, node.child[slot] + draw(node.count[slot]));
    at = node.child[slot];
  }
}

}  // namespace graze
