// Bounding boxes and bounding spheres of all shapes, with or without a pose, rounded outward.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <graze/error.hpp>
#include <graze/query/bounds.hpp>
#include <span>
#include <string>

#include "convex/sets/convex_set_bounds.hpp"
#include "exact/double_parts.hpp"
#include "exact/rounding.hpp"
#include "math/box3.hpp"
#include "math/limits.hpp"
#include "mesh/mesh_impl.hpp"
#include "mesh/queries/leaf.hpp"
#include "parts/parts.hpp"
#include "platform/fp_environment.hpp"
#include "platform/parallel.hpp"
#include "query/loose_bounds.hpp"
#include "query/reach.hpp"
#include "shapes/hull_data.hpp"
#include "shapes/normal.hpp"
#include "shapes/placement.hpp"

namespace graze {
namespace {

Box box_of(const Box3& b) { return {b.lo, b.hi}; }

// Bounds of linear and round shapes. Each coordinate is the furthest base point plus the furthest end of every segment plus the radius, summed exactly and
// rounded once.
Box3 convex_set_bounds(const ConvexSet& c) {
  Box3 points, box;
  if (c.segments == 0) {  // one sum for each side: two doubles round it as exact arithmetic would
    box = graze::bounds(c);
    return {box.lo + 0.0, box.hi + 0.0};  // no -0
  }
  for (std::uint32_t i = 0; i < c.points; ++i) points.add(c.base(i));
  for (int k = 0; k < 3; ++k) {
    SumOfProducts hi, lo;
    hi.add(points.hi[k]);
    lo.add(points.lo[k]);
    for (std::uint32_t j = 0; j < c.segments; ++j) {
      const double v = c.segment[j][k];
      hi.add(v > 0 ? c.hi[j] : c.lo[j], v);
      lo.add(v > 0 ? c.lo[j] : c.hi[j], v);
    }
    hi.add(c.radius);
    lo.add(-c.radius);
    box.hi[k] = hi.round_up();
    box.lo[k] = lo.round_down();
    for (std::uint32_t j = 0; j < c.directions; ++j) {
      if (c.direction[j][k] > 0) box.hi[k] = kInfinity;
      if (c.direction[j][k] < 0) box.lo[k] = -kInfinity;
    }
  }
  return box;
}

// A plane has a bounded coordinate only if its normal is parallel to that axis.
Box3 plane_bounds(const Vec3& point, const Vec3& normal, bool solid) {
  Box3 box;
  box.lo = Vec3(-kInfinity, -kInfinity, -kInfinity);
  box.hi = Vec3(kInfinity, kInfinity, kInfinity);
  for (int k = 0; k < 3; ++k)
    if (normal[(k + 1) % 3] == 0 && normal[(k + 2) % 3] == 0 && normal[k] != 0) {
      if (!solid || normal[k] < 0) box.lo[k] = point[k];
      if (!solid || normal[k] > 0) box.hi[k] = point[k];
    }
  return box;
}

template <CurvedShape S>
Box3 bounds(const S& s, const Pose* pose) {
  return CurvedKinds::Of<S>(s, pose).bounds();
}

Box3 bounds(const Polygon& s, const Pose* pose) {
  Box3 box;
  for (const Vec3& p : s.points()) box.add(placed_point(p, pose));
  return box;
}

Box3 bounds(const Mesh& s, const Pose* pose) {
  if (!pose) return s.impl().bounds();
  const std::span<const TriangleIndices> triangles = s.triangles();
  const std::span<const Vec3> vertices = s.vertices();
  return parallel_reduce(
      triangles.size(), std::size_t{1} << 15, Box3{},
      [&](std::size_t begin, std::size_t end) {
        Box3 box;
        for (std::size_t t = begin; t < end; ++t)
          for (std::uint32_t v : triangles[t]) box.add(placed_point(vertices[v], pose));
        return box;
      },
      [](Box3 a, const Box3& b) {
        a.add(b);
        return a;
      });
}
Box3 bounds(const Solid& s, const Pose* pose) { return bounds(s.mesh(), pose); }
Box3 bounds(const HeightField& s, const Pose* pose) { return pose ? bounds(s.mesh(), pose) : s.impl().bounds(); }

Box3 bounds_of(ShapeRef shape);

Box3 bounds(const Compound& s, const Pose* pose) {
  Box3 box;
  for_each_child(s, pose, [&](std::size_t, ShapeRef child) {
    box.add(bounds_of(child));
    return true;
  });
  return box;
}

Box3 bounds(const Plane& s, const Pose* pose) { return plane_bounds(placed_point(s.point, pose), placed_direction(s.normal, pose), false); }
Box3 bounds(const HalfSpace& s, const Pose* pose) { return plane_bounds(placed_point(s.point, pose), placed_direction(s.normal, pose), true); }
Box3 bounds(const Sphere& s, const Pose* pose) {
  Box3 box;
  add_around(box, placed_point(s.center, pose), Vec3(s.radius, s.radius, s.radius));
  return box;
}
Box3 bounds(const Box& s, const Pose* pose) {
  if (pose) return convex_set_bounds(convex_set_of(s, pose));
  return {s.min, s.max};
}
template <class S>
requires(form_of<S>() == Form::convex) Box3 bounds(const S& s, const Pose* pose) { return convex_set_bounds(convex_set_of(s, pose)); }

template <class... S>
Box3 bounds_of_kind(const ShapeRef& shape, TypeList<S...>) {
  Box3 box;
  (void)((shape.get<S>() ? (box = bounds(*shape.get<S>(), shape.pose()), true) : false) || ...);
  return box;
}

Box3 bounds_of(ShapeRef shape) { return bounds_of_kind(shape, Shapes{}); }

}  // namespace

Box bounding_box(ShapeRef shape) {
  const DefaultFloatEnvironment guard;
  return box_of(bounds_of(shape));
}

Box3 loose_bounds(ShapeRef shape) {
  if (const auto surface = surface_of(shape)) return loose_bounds(*surface);
  if (const Hull* hull = shape.get<Hull>()) {
    if (!shape.pose()) return hull->data().bounds;
    constexpr std::size_t kFewPoints = 64;  // a choice: the smallest box of so many points takes about 100 nanoseconds
    if (hull->points().size() > kFewPoints) return placed_box(hull->data().bounds, *shape.pose());
    Box3 box;
    for (const Vec3& p : hull->points()) box.add(leaf::place(*shape.pose(), p));
    return box;
  }
  if (const Compound* compound = shape.get<Compound>()) {
    Box3 box;
    for_each_child(*compound, shape.pose(), [&](std::size_t, ShapeRef child) {
      box.add(loose_bounds(child));
      return true;
    });
    return box;
  }
  Box3 box = bounds_of(shape);
  visit_shape(shape, [&]<class S>(const S&) {
    if constexpr (CurvedShape<S>) {
      const Vec3 side = box.hi - box.lo;
      box = leaf::grown(box, std::max({side.x, side.y, side.z}) * 0x1p-42);  // see bounds(const Curved&)
    }
  });
  return box;
}

Sphere bounding_sphere(ShapeRef shape) {
  const DefaultFloatEnvironment guard;
  const std::string name = type_name(shape.kind());
  // these spheres have their own centre; the centre of the rounded bounding box could miss it
  if (const Sphere* s = shape.get<Sphere>()) return {placed_point(s->center, shape.pose()), s->radius};
  Vec3 center(0, 0, 0);
  if (const Ellipsoid* s = shape.get<Ellipsoid>()) {
    center = placed_point(s->center, shape.pose());
  } else {
    const Box3 box = bounds_of(shape);
    if (box.empty()) throw Error(ErrorCode::unsupported_shape, "bounding_sphere: the " + name + " is empty");
    for (int k = 0; k < 3; ++k)
      if (!(box.lo[k] > -kInfinity && box.hi[k] < kInfinity))
        throw Error(ErrorCode::overflow, "bounding_sphere: the " + name + " is unbounded or reaches beyond the largest double");
    center = box_of(box).center();
  }
  const double radius = reach(shape, center);
  if (!(radius < kInfinity)) throw Error(ErrorCode::overflow, "bounding_sphere: the radius round the " + name + " is beyond the largest double");
  return {center, radius};
}

}  // namespace graze
