// Places the triangles of a mesh, and bounds them.
#include "mesh/queries/mesh_view.hpp"

#include <algorithm>
#include <cmath>

#include "math/limits.hpp"
#include "mesh/queries/leaf.hpp"
#include "platform/parallel.hpp"

namespace graze {

using namespace leaf;

Triangle MeshView::triangle(std::uint32_t i) const { return place(pose, mesh->triangle(i)); }

ConvexSet convex_triangle(const Triangle& t) {
  ConvexSet c;
  c.add_point(t.points[0]).add_point(t.points[1]).add_point(t.points[2]);
  return c;
}

Box3 loose_bounds(const MeshView& view) {
  const Box3& b = view.mesh->tree.bounds();
  if (!view.pose || b.empty()) return b;
  const Pose& p = *view.pose;
  Box3 r;
  for (int i = 0; i < 3; ++i) {  // both sums are off by 8 u of the summed magnitudes, the last two by u; 2^-48 = 32 u
    double center = p.translation[i], half = 0, size = std::fabs(p.translation[i]);
    for (int j = 0; j < 3; ++j) {
      const double m = b.lo[j] * 0.5 + b.hi[j] * 0.5, h = std::max(b.hi[j] - m, m - b.lo[j]);
      center += p.rotation[i][j] * m;
      half += std::fabs(p.rotation[i][j]) * h;
      size += std::fabs(p.rotation[i][j]) * (std::fabs(m) + h);
    }
    half += 0x1p-48 * size + 0x1p-1060;
    r.lo[i] = center - half;
    r.hi[i] = center + half;
    if (!(std::fabs(r.lo[i]) < 0x1p1000 && std::fabs(r.hi[i]) < 0x1p1000)) {
      r.lo[i] = -kInfinity;
      r.hi[i] = kInfinity;
    }
  }
  return r;
}

Box3 tight_bounds(const MeshView& view) {
  if (!view.pose) return view.mesh->tree.bounds();
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
