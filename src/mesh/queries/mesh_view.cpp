// Places the triangles of a mesh, and bounds them.
#include "mesh/queries/mesh_view.hpp"

#include "mesh/queries/leaf.hpp"
#include "platform/expects.hpp"
#include "platform/parallel.hpp"
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

Box3 tight_bounds(const MeshView& view) {
  if (!view.pose) return view.mesh->tree.bounds();
  view.mesh->complete();
  return parallel_reduce(
      view.mesh->triangles.size(), 1 << 14, Box3{},
      [&](std::size_t b, std::size_t e) {
        Box3 r;
        for (std::size_t i = b; i < e; ++i) r.add(box_of(view.triangle(static_cast<std::uint32_t>(i))));
        return r;
      },
      [](Box3 x, const Box3& y) {
        x.add(y);
        return x;
      });
}

}  // namespace graze
