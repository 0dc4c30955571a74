// Relations of closed models against CGAL: whether the surfaces meet, on which side of one the other lies, and what corefinement leaves of both. Generated
// solids always, shared models if available.
#include <gtest/gtest.h>

#include "oracle/models.hpp"
#if __has_include(<CGAL/Polygon_mesh_processing/corefinement.h>)
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Polygon_mesh_processing/corefinement.h>
#include <CGAL/Polygon_mesh_processing/intersection.h>
#include <CGAL/Polygon_mesh_processing/orientation.h>
#include <CGAL/Side_of_triangle_mesh.h>
#include <CGAL/Surface_mesh.h>
#define GRAZE_CGAL 1
#endif

#include <map>

#include "support/random.hpp"

namespace graze::test {
namespace {

#if GRAZE_CGAL
namespace pmp = CGAL::Polygon_mesh_processing;
using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Surface = CGAL::Surface_mesh<Kernel::Point_3>;

Surface surface_of(const MeshData& d) {
  Surface s;
  std::vector<Surface::Vertex_index> v;
  for (const Vec3& p : d.vertices) v.push_back(s.add_vertex({p.x, p.y, p.z}));
  for (const auto& t : d.triangles) s.add_face(v[t[0]], v[t[1]], v[t[2]]);
  if (!pmp::is_outward_oriented(s)) pmp::reverse_face_orientations(s);
  return s;
}

/// For surfaces in general position: they cross, or do not meet.
Relation truth(const Surface& a, const Surface& b) {
  if (!pmp::do_intersect(a, b)) {
    const auto inside = [](const Surface& x, const Surface& y) {
      const CGAL::Side_of_triangle_mesh<Surface, Kernel> side(y);
      return side(x.point(*x.vertices().begin())) == CGAL::ON_BOUNDED_SIDE;
    };
    return inside(a, b) ? Relation::a_in_b : inside(b, a) ? Relation::b_in_a : Relation::disjoint;
  }
  const auto left = [](Surface x, Surface y, bool common) {
    Surface out;
    EXPECT_TRUE(common ? pmp::corefine_and_compute_intersection(x, y, out) : pmp::corefine_and_compute_difference(x, y, out));
    return out.number_of_faces() > 0;
  };
  const bool common = left(a, b, true), only_a = left(a, b, false), only_b = left(b, a, false);
  return !common ? Relation::touching : !only_a ? only_b ? Relation::a_in_b : Relation::identical : !only_b ? Relation::b_in_a : Relation::overlapping;
}

/// The model turned, scaled and moved in doubles.
MeshData placed(MeshData d, const Pose& pose, double scale) {
  for (Vec3& p : d.vertices) p = pose.apply(p * scale);
  return d;
}

/// Poses apart, across each other, and inside; returns how many of each relation.
std::map<Relation, int> compare(const MeshData& model, const MeshData& other, int rounds) {
  std::map<Relation, int> found;
  const Box box = bounding_box(Mesh(model)), inner = bounding_box(Mesh(other));
  const Vec3 size = box.max - box.min, middle = box.min + 0.5 * size, other_middle = inner.min + 0.5 * (inner.max - inner.min);
  Random random(7);
  const Surface a = surface_of(model);
  const Solid solid_a = solid(Mesh(model));
  for (int round = 0; round < rounds; ++round) {
    const double scale = round % 3 == 0 ? 1 : 0.02;
    Pose pose = random.pose(0);
    const Vec3 offset = round % 3 == 0 ? size * random.real(-0.4, 0.4)
                                       : Vec3(size.x * random.real(-0.6, 0.6), size.y * random.real(-0.6, 0.6), size.z * random.real(-0.6, 0.6));
    pose.translation = middle + offset - pose.apply(other_middle * scale);
    const MeshData b = placed(other, pose, scale);
    const Relation expected = truth(a, surface_of(b));
    ++found[expected];
    const Solid solid_b = solid(Mesh(b));
    EXPECT_EQ(relation(solid_a, solid_b), expected) << round;
    EXPECT_EQ(relation(solid_b, solid_a), expected == Relation::a_in_b   ? Relation::b_in_a
                                          : expected == Relation::b_in_a ? Relation::a_in_b
                                                                         : expected)
        << round;
  }
  return found;
}

/// A ball of many triangles.
MeshData ball(int rings) {
  std::vector<Vec3> points;
  for (int i = 1; i < rings; ++i)
    for (int k = 0; k < 2 * rings; ++k) {
      const double t = 3.141592653589793 * i / rings, u = 3.141592653589793 * k / rings + 0.3 * i;
      points.emplace_back(std::sin(t) * std::cos(u), std::sin(t) * std::sin(u), std::cos(t));
    }
  points.emplace_back(0, 0, 1);
  points.emplace_back(0, 0, -1);
  const Hull hull{std::span<const Vec3>(points)};
  MeshData d;
  d.vertices.assign(hull.points().begin(), hull.points().end());
  d.triangles.assign(hull.triangles().begin(), hull.triangles().end());
  return d;
}

TEST(SolidRelation, GeneratedSolidsAgreeWithCgal) {
  const MeshData b = ball(10), c = cube(Vec3(-1, -2, -1), Vec3(1, 1, 3));
  std::map<Relation, int> all;
  for (const auto& [r, n] : compare(b, c, 30)) all[r] += n;
  for (const auto& [r, n] : compare(c, b, 30)) all[r] += n;
  EXPECT_GT(all[Relation::overlapping], 5);
  EXPECT_GT(all[Relation::disjoint], 2);
  EXPECT_GT(all[Relation::b_in_a], 2);
}

TEST(SolidRelation, SharedModelsAgreeWithCgal) {
  std::map<Relation, int> all;
  int compared = 0;
  for (const char* name : {"spot.obj", "fandisk.obj", "homer.obj"}) {
    const std::optional<MeshData> d = shared_model(name);
    if (!d) continue;
    ++compared;
    for (const auto& [r, n] : compare(*d, *d, full_tests() ? 12 : 4)) all[r] += n;
  }
  if (compared == 0) GTEST_SKIP() << "no closed models";
  EXPECT_GT(all[Relation::overlapping], 0);
}
#else
TEST(SolidRelation, AgreesWithCgal) { GTEST_SKIP() << "CGAL is not installed"; }
#endif

}  // namespace
}  // namespace graze::test
