// volume(), signed_volume(), area() and centroid(): which triangles, or which three edges, make up a shape.
#include <cstdint>
#include <graze/error.hpp>
#include <graze/query/measure.hpp>
#include <graze/query/mesh_triangles.hpp>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "exact/exact_vectors.hpp"
#include "mesh/closed_mesh.hpp"
#include "mesh/queries/measures.hpp"
#include "mesh/queries/shared_corners.hpp"
#include "parts/parts.hpp"
#include "platform/fp_environment.hpp"

namespace graze {

namespace {

[[noreturn]] void refuse(const char* query, ShapeRef shape, const std::string& expected) {
  throw Error(ErrorCode::unsupported_shape, std::string(query) + ": the shape is " + article_name(shape.kind()) + ", must be " + expected);
}

// ---- parallelepipeds -----------------------------------------------------------------------------------------------------------------------

/// A box as a convex set: one point and three edges.
struct Parallelepiped {
  V3<Dyadic> corner, edge[3];

  explicit Parallelepiped(const ConvexSet& c) : corner(exact(c.base(0))) {
    for (std::uint32_t k = 0; k < 3; ++k) {
      const V3<Dyadic> direction = exact(c.segment[k]);
      corner = corner + Dyadic(c.lo[k]) * direction;
      edge[k] = (Dyadic(c.hi[k]) - Dyadic(c.lo[k])) * direction;
    }
  }
  Dyadic determinant() const { return dot(edge[0], cross(edge[1], edge[2])); }
  double volume() const {
    const Dyadic d = determinant();
    return to_double(abs(d.m), 1, d.e, Rounding::nearest, true);
  }
  double area() const {
    Dyadic sum;
    for (int k = 0; k < 3; ++k) {
      const V3<Dyadic> n = cross(edge[k], edge[(k + 1) % 3]);
      sum = sum + root(dot(n, n));
    }
    return to_double(sum.m, 1, sum.e + 1, Rounding::nearest, true);
  }
  std::optional<Vec3> centroid() const {
    if (sign_of(determinant()) == 0) return std::nullopt;
    const V3<Dyadic> twice = corner + corner + edge[0] + edge[1] + edge[2];
    Vec3 c;
    for (int k = 0; k < 3; ++k) c[k] = to_double(twice[k].m, 2, twice[k].e, Rounding::nearest);
    return c;
  }
};

std::optional<Parallelepiped> parallelepiped_of(ShapeRef shape) {
  if (const Box* box = shape.get<Box>()) return Parallelepiped(convex_set_of(*box, shape.pose()));
  if (const OrientedBox* box = shape.get<OrientedBox>()) return Parallelepiped(convex_set_of(*box, shape.pose()));
  return std::nullopt;
}

// ---- triangles -----------------------------------------------------------------------------------------------------------------------------

std::vector<Triangle> triangles_of_hull(const Hull& hull) {
  std::vector<Triangle> triangles;
  const std::span<const Vec3> p = hull.points();
  for (const auto& t : hull.triangles()) triangles.push_back({{p[t[0]], p[t[1]], p[t[2]]}});
  return triangles;
}

/// The boundary of a hull or frustum.
std::optional<std::vector<Triangle>> hull_triangles(ShapeRef shape) {
  const Hull* hull = shape.get<Hull>();
  if (const Frustum* frustum = shape.get<Frustum>()) hull = &frustum->hull();
  if (hull == nullptr) return std::nullopt;
  if (shape.pose() == nullptr) return triangles_of_hull(*hull);
  std::vector<Vec3> placed;  // the pose applies to every point, and may change which are extreme
  for (const Vec3& p : hull->points()) placed.push_back(placed_point(p, shape.pose()));
  return triangles_of_hull(Hull(std::span<const Vec3>(placed)));
}

std::optional<std::vector<Triangle>> flat_triangles(ShapeRef shape) {
  std::vector<Triangle> triangles;
  if (const Triangle* t = shape.get<Triangle>()) {
    triangles.push_back({{placed_point(t->points[0], shape.pose()), placed_point(t->points[1], shape.pose()), placed_point(t->points[2], shape.pose())}});
  } else if (const Polygon* polygon = shape.get<Polygon>()) {
    for (std::size_t i = 0; i < fan_size(*polygon); ++i) triangles.push_back(fan_triangle(*polygon, i, shape.pose()));
  } else {
    return std::nullopt;
  }
  return triangles;
}

/// A mesh with every vertex placed.
Mesh placed_mesh(const Mesh& mesh, const Pose* pose) {
  if (pose == nullptr) return mesh;
  std::vector<Vec3> placed;
  placed.reserve(mesh.vertices().size());
  for (const Vec3& p : mesh.vertices()) placed.push_back(placed_point(p, pose));
  return mesh.refit(VertexView(placed));
}

/// The placed mesh of a solid and which of its triangles bound it.
class Boundary {
 public:
  Boundary(const char* query, const Solid& solid, const Pose* pose) : mesh_(placed_mesh(solid.mesh(), pose)), view_(mesh_) {
    const MeshView placed(solid, pose);
    std::vector<std::uint8_t> flat(mesh_.size());
    for (std::uint32_t i = 0; i < flat.size(); ++i) flat[i] = is_flat(placed, i);
    std::vector<TrianglePair> touching;
    PairOptions with_area;
    with_area.filter = [&](std::uint32_t a, std::uint32_t b) { return !flat[a] && !flat[b]; };
    with_area.visit = [&](const TrianglePair& p) {
      if (cross_beyond_edges(placed, true, p.a, p.b))
        throw Error(ErrorCode::unsupported_shape, std::string(query) + ": triangles " + std::to_string(p.a) + " and " + std::to_string(p.b) +
                                                      " of the solid intersect, must share nothing but corners and edges; only its signed volume is defined");
      touching.push_back(p);
      return true;
    };
    (void)self_intersections(mesh_, with_area);
    if (const std::optional<Mesh>& seams = ClosedMesh::seams(solid); seams && pose) {
      static const Pose kNowhere{};  // placed already
      view_.seams = &seams_.emplace(placed_mesh(*seams, pose)).impl();
      view_.pose = &kNowhere;
    }
    signs_ = sides_of_boundary(view_, flat, touching);
  }
  /// The volume, or minus it if the whole surface is wound inwards.
  double signed_sum() const { return sum_of_volumes(view_, signs_); }
  std::optional<Vec3> centroid() const { return centroid_of_volume(view_, signs_); }

 private:
  Mesh mesh_;
  std::optional<Mesh> seams_;
  MeshView view_;
  std::vector<std::int8_t> signs_;
};

constexpr const char* kWithVolume = "a solid, box, obb, convex or frustum";

std::string expected_with_volume(ShapeRef shape) {
  return shape.kind() == Kind::mesh ? std::string(kWithVolume) + "; solid(mesh) makes a solid of a closed mesh" : kWithVolume;
}

}  // namespace

double volume(ShapeRef solid) {
  const DefaultFloatEnvironment guard;
  if (const auto p = parallelepiped_of(solid)) return p->volume();
  if (const auto triangles = hull_triangles(solid)) return sum_of_volumes(std::span<const Triangle>(*triangles));
  const Solid* s = solid.get<Solid>();
  if (s == nullptr) refuse("volume", solid, expected_with_volume(solid));
  const double sum = Boundary("volume", *s, solid.pose()).signed_sum();
  return sum < 0 ? -sum : sum;
}

double signed_volume(ShapeRef solid) {
  const DefaultFloatEnvironment guard;
  const Solid* s = solid.get<Solid>();
  if (s == nullptr) refuse("signed_volume", solid, solid.kind() == Kind::mesh ? "a solid: solid(mesh) makes one of a closed mesh" : "a solid");
  return sum_of_volumes(MeshView(*s, solid.pose()));
}

double area(ShapeRef shape) {
  const DefaultFloatEnvironment guard;
  if (const auto p = parallelepiped_of(shape)) return p->area();
  if (const auto triangles = hull_triangles(shape)) return sum_of_areas(std::span<const Triangle>(*triangles));
  if (const auto triangles = flat_triangles(shape)) return sum_of_areas(std::span<const Triangle>(*triangles));
  if (const std::optional<MeshView> surface = surface_of(shape)) return sum_of_areas(*surface);
  refuse("area", shape, "a triangle, polygon, mesh, heightfield, solid, box, obb, convex or frustum");
}

std::optional<Vec3> centroid(ShapeRef shape) {
  const DefaultFloatEnvironment guard;
  if (const auto p = parallelepiped_of(shape)) return p->centroid();
  if (const auto triangles = hull_triangles(shape)) return centroid_of_volume(std::span<const Triangle>(*triangles));
  if (const auto triangles = flat_triangles(shape)) return centroid_of_area(std::span<const Triangle>(*triangles));
  if (const Solid* s = shape.get<Solid>()) {
    return Boundary("centroid", *s, shape.pose()).centroid();
  }
  if (const std::optional<MeshView> surface = surface_of(shape)) return centroid_of_area(*surface);
  refuse("centroid", shape, "a triangle, polygon, mesh, heightfield, solid, box, obb, convex or frustum");
}

}  // namespace graze
