// Places the triangles of a mesh, and bounds them.
#include "mesh/queries/mesh_view.hpp"

#include <algorithm>
#include <cmath>

#include "math/limits.hpp"
#include "math/vec3.hpp"
#include "mesh/queries/leaf.hpp"
#include "mesh/queries/local_support.hpp"
#include "platform/expects.hpp"
#include "shapes/placement.hpp"

namespace graze {

using namespace leaf;

Triangle MeshView::triangle(std::uint32_t i) const {
  mesh->tree.complete(i);
  return place(pose, mesh->triangle(i));
}

ConvexSet convex_triangle(const Triangle& t) {
  ConvexSet c;
  c.add_point(t.points[0]).add_point(t.points[1]).add_point(t.points[2]);
  return c;
}

Triangle triangle_of(const ConvexSet& c) {
  GRAZE_EXPECTS(c.points == 3);
  return {{c.base(0), c.base(1), c.base(2)}};
}

Box3 loose_bounds(const MeshView& view) {
  const Box3& b = view.mesh->tree.bounds();
  if (!view.pose || b.empty()) return b;
  return placed_box(b, *view.pose);
}

Box3 loose_bounds(const MeshView& view, const QueryBox& local) {
  const LocalFrame& frame = view.mesh->tree.frame();
  Box3 box;
  for (int i = 0; i < 3; ++i) {
    const double lo = local.lo[i] / frame.scale2 / frame.scale1, hi = local.hi[i] / frame.scale2 / frame.scale1;
    const double error = 0x1p-50 * (std::fabs(frame.center[i]) + std::max(std::fabs(lo), std::fabs(hi))) + 0x1p-1070;  // of to_local() and of the sums, 8 u
    box.lo[i] = frame.center[i] + lo - error;
    box.hi[i] = frame.center[i] + hi + error;
  }
  return view.pose ? placed_box(box, *view.pose) : box;
}

double greatest_along(const MeshView& view, const Vec3& n) {
  const WideBvh& tree = view.mesh->tree;
  if (tree.empty()) return -kInfinity;
  V3<double> d{n.x, n.y, n.z};  // in the tree's frame
  double sizes = 4 * max_norm(tree.bounds().lo) + 4 * max_norm(tree.bounds().hi);
  if (view.pose) {
    for (int i = 0; i < 3; ++i) d[i] = view.pose->rotation[0][i] * n.x + view.pose->rotation[1][i] * n.y + view.pose->rotation[2][i] * n.z;
    sizes += 4 * max_norm(view.pose->translation);
  }
  // How far the order along d may differ from that of the computed values: less than 64 u of the sizes by placing and multiplying, 64 u by the tree's units.
  const double slack = local_length(tree, 0x1p-47 * sizes + 0x1p-1070) + 0x1p-47;
  struct Entry {
    double most;
    std::uint32_t child, count;
  };
  Entry stack[kTraversalStack];
  int top = 0;
  double highest = -kInfinity, best = -kInfinity;
  stack[top++] = {kInfinity, 0, 0};
  while (top > 0) {
    const Entry e = stack[--top];
    if (e.most < highest - slack) continue;
    if (e.count == 0) {
      const WideNode& node = tree.node(e.child);
      const int base = top;
      for (std::uint32_t s = 0; s < node.used; ++s) {
        const double lo[3] = {node.plane[0][s], node.plane[1][s], node.plane[2][s]}, hi[3] = {node.plane[3][s], node.plane[4][s], node.plane[5][s]};
        const double most = dot(d, least_corner(lo, hi, -d));
        GRAZE_EXPECTS(top < kTraversalStack);
        int i = top++;
        for (; i > base && stack[i - 1].most > most; --i) stack[i] = stack[i - 1];
        stack[i] = {most, node.child[s], node.count[s]};
      }
      continue;
    }
    for (std::uint32_t k = e.child; k < e.child + e.count; ++k)
      for (const Vec3& x : view.mesh->triangle(tree.items()[k]).points) {
        double along = 0;
        for (int i = 0; i < 3; ++i) along += d[i] * tree.frame().to_local(x[i], i);
        highest = std::max(highest, along);
        best = std::max(best, dot(n, view.pose ? place(*view.pose, x) : x));
      }
  }
  return best;
}

Box3 tight_bounds(const MeshView& view) {
  if (!view.pose) return view.mesh->tree.bounds();
  Box3 box;
  if (view.mesh->tree.empty()) return box;
  for (int axis = 0; axis < 3; ++axis) {
    Vec3 n(0, 0, 0);
    n[axis] = 1;
    box.hi[axis] = greatest_along(view, n);
    n[axis] = -1;
    box.lo[axis] = -greatest_along(view, n);
  }
  return box;
}

}  // namespace graze
