// Queries of solids: the surface and all points of nonzero winding number.
#include "mesh/queries/solid_queries.hpp"

#include <algorithm>
#include <cstdint>

#include "convex/sets/convex_set_bounds.hpp"
#include "exact/predicates.hpp"
#include "math/limits.hpp"
#include "mesh/kernels/crossing_kernels.hpp"
#include "mesh/polygon_rules.hpp"
#include "mesh/queries/axis_ray.hpp"
#include "mesh/queries/convex_queries.hpp"
#include "mesh/queries/leaf.hpp"
#include "mesh/queries/surface_queries.hpp"
#include "mesh/queries/winding.hpp"
#include "pairs/point_triangle.hpp"
#include "shapes/pose.hpp"

namespace graze {

using namespace leaf;

namespace {

/// The sum of crossings, until a triangle contains the point.
struct Winding {
  Vec3 point, turned;
  AxisRay ray;
  int number = 0;
  bool on_surface = false;

  bool add(const Triangle& t) {
    on_surface = triangle_contains(t, point);
    number += winding_crossing(ray.turned(t), turned);
    return on_surface;
  }
  bool inside() const { return on_surface || number != 0; }
};

bool contains_unplaced(const MeshImpl& mesh, Winding w) {
  const LocalFrame& frame = mesh.tree.frame();
  CrossingSearch search;
  search.nodes = &mesh.tree.node(0);
  search.blocks = mesh.blocks.data();
  for (int i = 0; i < 3; ++i) {
    search.at[i] = frame.to_local(w.point[i], i);
    search.box.lo[i] = float_below(search.at[i]);
    search.box.hi[i] = float_above(search.at[i]);
  }
  (w.ray.down ? search.box.lo[w.ray.axis] : search.box.hi[w.ray.axis]) = w.ray.down ? -2.0f : 2.0f;
  search.error = kBlockError * (1 + 0x1p-20);  // the start is within [-1, 1], so that its rounding and that of differences are below 2^-51
  search.axis = w.ray.axis;
  search.down = w.ray.down;
  const CrossingKernels& kernels = crossing_kernels();
  kernels.start(search);
  for (bool done = false; !done;) {
    search.undecided = 0;
    done = kernels.search(search);
    for (std::uint32_t k = 0; k < search.undecided; ++k) {
      if (w.add(mesh.triangle_at(search.place[k]))) return true;
    }
  }
  w.number += search.winding;
  return w.inside();
}

}  // namespace

bool solid_contains(const MeshView& solid, const Vec3& point) {
  if (solid.mesh->tree.empty()) return false;
  const Box3 box = loose_bounds(solid);
  for (int i = 0; i < 3; ++i) {
    if (!(point[i] >= box.lo[i] && point[i] <= box.hi[i])) return false;
  }
  // Any ray finds the winding number; the shortest meets the fewest triangles.
  const AxisRay way = shortest_way_out(box, point);
  Winding w{point, way.turned(point), way};
  if (solid.pose == nullptr) return contains_unplaced(*solid.mesh, w);
  // Only triangles that the ray may meet have crossings or contain the point.
  const auto add_all = [&](const MeshView& surface) {
    LocalRay ray(placed_tree(surface), {point, way.direction()});
    return for_each_along(surface.mesh->tree, ray, [&](std::uint32_t first, std::uint32_t count) {
      for (std::uint32_t k = first; k < first + count; ++k) {
        if (w.add(triangle_at(surface, k))) return true;
      }
      return false;
    });
  };
  if (!add_all(solid))
    if (const auto seams = solid.placed_seams()) add_all(*seams);
  return w.inside();
}

namespace {

/// Returns an exact point of the convex set: the first base point plus, for each segment, the multiple 0 if it is allowed, else the end nearest to 0.
V3<Dyadic> exact_point(const ConvexSet& convex) {
  V3<Dyadic> p = exact(convex.base(0));
  for (std::uint32_t k = 0; k < convex.segments; ++k) {
    const double s = convex.lo[k] > 0 ? convex.lo[k] : convex.hi[k] < 0 ? convex.hi[k] : 0;
    p = p + Dyadic(s) * exact(convex.segment[k]);
  }
  return p;
}

}  // namespace

bool solid_encloses(const MeshView& solid, const ConvexSet& convex) {
  if (!convex.bounded() || solid.mesh->tree.empty()) return false;
  const Box3 box = bounds(convex);
  if (!box.overlaps(loose_bounds(solid))) return false;
  const V3<Dyadic> inside = exact_point(convex);
  const Vec3 rounded(to_double(inside[0]), to_double(inside[1]), to_double(inside[2]));
  if (within(convex_point(rounded), convex)) return solid_contains(solid, rounded);
  return winding_number(solid, {inside}) != 0;  // a convex set so thin that the rounded point lies outside it
}

std::optional<Vec3> enclosed_vertex(const MeshView& solid, const MeshView& surface) {
  if (solid.mesh->tree.empty() || surface.mesh->tree.empty() || !loose_bounds(solid).overlaps(loose_bounds(surface))) return std::nullopt;
  for (std::uint32_t t : surface.mesh->component_triangles()) {
    const Vec3 v = surface.triangle(t).points[0];
    if (solid_contains(solid, v)) return v;
  }
  return std::nullopt;
}

// A closed surface all of whose planes support the hull lies on the hull's surface, and winds around everything inside or around nothing.
std::vector<Vec3> corners_if_convex(const MeshView& solid) {
  constexpr std::size_t kMostTests = 1 << 20;  // a choice
  const MeshImpl& mesh = *solid.mesh;
  std::vector<bool> used(mesh.vertices.size());
  for (const TriangleIndices& t : mesh.triangles)
    for (const std::uint32_t v : t) used[v] = true;
  std::vector<Vec3> corners;
  for (std::uint32_t v = 0; v < used.size(); ++v)
    if (used[v]) corners.push_back(solid.pose ? apply_pose(*solid.pose, mesh.vertices[v]) : mesh.vertices[v]);
  if (corners.size() * mesh.triangles.size() > kMostTests) return {};
  int inside = 0;  // the side of all planes
  ExactPoint inner;
  const auto supports = [&](const MeshView& view) {
    for (std::uint32_t i = 0; i < view.mesh->triangles.size(); ++i) {
      const Triangle t = view.triangle(i);
      if (all_collinear(t.points)) continue;
      for (const Vec3& p : corners) {
        const int side = orient3d(t.points[0], t.points[1], t.points[2], p);
        if (side == -inside && side != 0) return false;
        if (side != 0 && inside == 0) inner = {exact(t.points[0]) + exact(t.points[1]) + exact(t.points[2]) + exact(p), Dyadic(4.0)};
        if (side != 0) inside = side;
      }
    }
    return true;
  };
  const std::optional<MeshView> seams = solid.placed_seams();
  if (!supports(solid) || (seams && !supports(*seams)) || inside == 0 || !winds_around(solid, inner)) return {};
  return corners;
}

}  // namespace graze
