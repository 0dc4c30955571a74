// FCL's geometry with its transform, as a placed shape of Graze.
#include "fcl/placed_shape.hpp"

#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/geometry/shape/box.h>
#include <fcl/geometry/shape/capsule.h>
#include <fcl/geometry/shape/cone.h>
#include <fcl/geometry/shape/convex.h>
#include <fcl/geometry/shape/cylinder.h>
#include <fcl/geometry/shape/ellipsoid.h>
#include <fcl/geometry/shape/halfspace.h>
#include <fcl/geometry/shape/plane.h>
#include <fcl/geometry/shape/sphere.h>
#include <fcl/geometry/shape/triangle_p.h>

#include <array>
#include <cstdint>
#include <graze/error.hpp>
#include <span>

#include "fcl/content_cache.hpp"

namespace graze::for_fcl {
namespace {

using Shape = PlacedShape::Shape;

constexpr double kRotationTolerance = 1e-5;                // of a matrix's entries: what products of many rotations, and of files, are off
constexpr std::size_t kCacheBytes = std::size_t{1} << 28;  // in each half of the cache

ContentCache& cache() {
  static ContentCache* const instance = new ContentCache(kCacheBytes);  // never destroyed: a program's other destructors may still ask
  return *instance;
}

std::span<const Vec3> points_of(const Vector* points, std::size_t count) {
  static_assert(sizeof(Vector) == sizeof(Vec3), "both are three doubles");
  return {reinterpret_cast<const Vec3*>(points), count};
}

template <class BV>
std::optional<Shape> mesh_of(const Geometry& geometry) {
  const auto& model = static_cast<const ::fcl::BVHModel<BV>&>(geometry);
  const bool built = model.build_state == ::fcl::BVH_BUILD_STATE_PROCESSED || model.build_state == ::fcl::BVH_BUILD_STATE_UPDATED;
  if (!built || model.getModelType() != ::fcl::BVH_MODEL_TRIANGLES) return std::nullopt;
  const Content content{points_of(model.vertices, static_cast<std::size_t>(model.num_vertices)), {model.tri_indices, static_cast<std::size_t>(model.num_tris)}};
  return *cache().get(&geometry, content)->mesh;
}

std::optional<Shape> valid(Shape shape) {
  std::visit([](const auto& s) { validate(s); }, shape);
  return shape;
}

/// The shape in its own frame. Throws Error for sizes that Graze refuses.
std::optional<Shape> shape_of(const Geometry& geometry) {
  switch (geometry.getNodeType()) {
    case ::fcl::GEOM_BOX: {
      const Vec3 half = from_fcl(static_cast<const ::fcl::Box<double>&>(geometry).side) * 0.5;
      return valid(Box{-half, half});
    }
    case ::fcl::GEOM_SPHERE:
      return valid(Sphere{{0, 0, 0}, static_cast<const ::fcl::Sphere<double>&>(geometry).radius});
    case ::fcl::GEOM_ELLIPSOID:
      return valid(Ellipsoid{{0, 0, 0}, from_fcl(static_cast<const ::fcl::Ellipsoid<double>&>(geometry).radii)});
    case ::fcl::GEOM_CAPSULE: {
      const auto& s = static_cast<const ::fcl::Capsule<double>&>(geometry);
      return valid(Capsule{{0, 0, -s.lz / 2}, {0, 0, s.lz / 2}, s.radius});
    }
    case ::fcl::GEOM_CONE: {
      const auto& s = static_cast<const ::fcl::Cone<double>&>(geometry);
      return valid(Cone{{0, 0, -s.lz / 2}, {0, 0, s.lz / 2}, s.radius});
    }
    case ::fcl::GEOM_CYLINDER: {
      const auto& s = static_cast<const ::fcl::Cylinder<double>&>(geometry);
      return valid(Cylinder{{0, 0, -s.lz / 2}, {0, 0, s.lz / 2}, s.radius});
    }
    case ::fcl::GEOM_CONVEX: {
      const auto& vertices = static_cast<const ::fcl::Convex<double>&>(geometry).getVertices();
      return *cache().get(&geometry, {points_of(vertices.data(), vertices.size()), {}})->hull;
    }
    case ::fcl::GEOM_PLANE: {
      const auto& s = static_cast<const ::fcl::Plane<double>&>(geometry);
      return valid(Plane{from_fcl(s.n) * s.d, from_fcl(s.n)});
    }
    case ::fcl::GEOM_HALFSPACE: {
      const auto& s = static_cast<const ::fcl::Halfspace<double>&>(geometry);
      return valid(HalfSpace{from_fcl(s.n) * s.d, from_fcl(s.n)});
    }
    case ::fcl::GEOM_TRIANGLE: {
      const auto& s = static_cast<const ::fcl::TriangleP<double>&>(geometry);
      return valid(Triangle{{from_fcl(s.a), from_fcl(s.b), from_fcl(s.c)}});
    }
    case ::fcl::BV_AABB:
      return mesh_of<::fcl::AABB<double>>(geometry);
    case ::fcl::BV_OBB:
      return mesh_of<::fcl::OBB<double>>(geometry);
    case ::fcl::BV_RSS:
      return mesh_of<::fcl::RSS<double>>(geometry);
    case ::fcl::BV_kIOS:
      return mesh_of<::fcl::kIOS<double>>(geometry);
    case ::fcl::BV_OBBRSS:
      return mesh_of<::fcl::OBBRSS<double>>(geometry);
    case ::fcl::BV_KDOP16:
      return mesh_of<::fcl::KDOP<double, 16>>(geometry);
    case ::fcl::BV_KDOP18:
      return mesh_of<::fcl::KDOP<double, 18>>(geometry);
    case ::fcl::BV_KDOP24:
      return mesh_of<::fcl::KDOP<double, 24>>(geometry);
    default:
      return std::nullopt;
  }
}

Pose pose_of(const Transform& transform) {
  const auto& m = transform.matrix();
  const std::array<double, 9> rows{m(0, 0), m(0, 1), m(0, 2), m(1, 0), m(1, 1), m(1, 2), m(2, 0), m(2, 1), m(2, 2)};
  return Pose::nearest(rows, kRotationTolerance, Vec3(m(0, 3), m(1, 3), m(2, 3)));
}

}  // namespace

std::optional<PlacedShape> PlacedShape::of(const Geometry& geometry, const Transform& transform) {
  try {
    std::optional<Shape> shape = shape_of(geometry);
    if (!shape) return std::nullopt;
    return PlacedShape(std::move(*shape), pose_of(transform));
  } catch (const Error&) {  // a size, vertex, index or matrix that Graze refuses
    return std::nullopt;
  }
}

ShapeRef PlacedShape::ref() const {
  return std::visit([this]<class S>(const S& s) { return ShapeRef(kind_of<S>, &s, &pose_); }, shape_);
}

PlacedShape placed_triangle(const PlacedShape& mesh, std::uint32_t triangle) {
  const Mesh& m = *mesh.get<Mesh>();
  Triangle out;
  for (std::size_t k = 0; k < 3; ++k) out.points[k] = mesh.pose().apply(m.vertices()[m.triangles()[triangle][k]]);
  return PlacedShape(out, Pose());
}

}  // namespace graze::for_fcl
