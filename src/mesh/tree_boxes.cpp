// Computes the boxes of a mesh's tree by level, for display.
#include <algorithm>
#include <cstdint>
#include <graze/mesh/tree_boxes.hpp>

#include "bvh/traverse.hpp"
#include "mesh/mesh_impl.hpp"
#include "platform/fp_environment.hpp"

namespace graze {

namespace {

/// The exact bounds of the triangles below a node. The tree's own box is the same box rounded outward to floats.
Box bounds_below(const MeshImpl& mesh, TreeRef start, std::vector<TreeRef>& stack) {
  Box box;
  bool any = false;
  stack.assign(1, start);
  while (!stack.empty()) {
    const RefView node = view_of(mesh.tree, stack.back());
    stack.pop_back();
    if (node.count == 0)  // an inner node; the whole tree is also reported as one
      for (std::uint32_t s = 0; s < mesh.tree.node(node.child).used; ++s) stack.push_back(node.child * kWidth + s);
    for (std::uint32_t i = 0; i < node.count; ++i) {
      const Triangle t = mesh.triangle(mesh.tree.items()[node.child + i]);
      for (const Vec3& p : t.points) {
        if (!any) box = {p, p};
        any = true;
        for (int k = 0; k < 3; ++k) {
          box.min[k] = std::min(box.min[k], p[k]);
          box.max[k] = std::max(box.max[k], p[k]);
        }
      }
    }
  }
  return box;
}

}  // namespace

std::vector<Box> tree_boxes(const Mesh& mesh, unsigned level) {
  const DefaultFloatEnvironment guard;
  const MeshImpl& impl = mesh.impl();
  if (impl.tree.empty()) return {};
  std::vector<TreeRef> now{kWholeTree}, next;
  for (unsigned l = 0; l < level; ++l) {
    next.clear();
    bool any = false;
    for (const TreeRef ref : now) {
      const RefView node = view_of(impl.tree, ref);
      if (node.count != 0) {  // a leaf
        next.push_back(ref);
        continue;
      }
      any = true;
      for (std::uint32_t s = 0; s < impl.tree.node(node.child).used; ++s) next.push_back(node.child * kWidth + s);
    }
    if (!any) break;
    now.swap(next);
  }
  std::vector<Box> boxes;
  boxes.reserve(now.size());
  for (const TreeRef ref : now) boxes.push_back(bounds_below(impl, ref, next));
  return boxes;
}

}  // namespace graze
