// Solids: shells that add up, cavities, components inside, and convex sets so thin that they contain no double.
#include <gtest/gtest.h>

#include "bvh/scenes.hpp"
#include "mesh/meshes.hpp"
#include "pairs/point_triangle.hpp"
#include "parts/part_pairs.hpp"
#include "support/random.hpp"

namespace graze::test::solid_queries_test {
namespace {

bool solid_intersects(const MeshView& solid, const ConvexSet& convex) { return within(SolidView{solid}, convex, 0); }
bool solid_intersects_surface(const MeshView& solid, const MeshView& surface) { return within(SolidView{solid}, surface, 0); }
bool solid_intersects_solid(const MeshView& a, const MeshView& b) { return within(SolidView{a}, SolidView{b}, 0); }

ConvexSet point(const Vec3& p) {
  ConvexSet c;
  c.add_point(p);
  return c;
}

MeshData hollow() {  // [0,9]^3 with the cavity (3,6)^3, and a box [4,5]^3 inside the cavity
  MeshData d = closed_box(Vec3(0), Vec3(9));
  append(d, reversed(closed_box(Vec3(3), Vec3(6))));
  append(d, closed_box(Vec3(4), Vec3(5)));
  return d;
}

bool in_hollow(const Vec3& p) {
  const auto in = [&](double lo, double hi) { return p.x >= lo && p.x <= hi && p.y >= lo && p.y <= hi && p.z >= lo && p.z <= hi; };
  const auto strictly = [&](double lo, double hi) { return p.x > lo && p.x < hi && p.y > lo && p.y < hi && p.z > lo && p.z < hi; };
  return in(0, 9) && (!strictly(3, 6) || in(4, 5));
}

TEST(SolidQueries, PointsOnAHalfLattice) {
  const Mesh mesh(hollow());
  const Pose turned = Pose::quarter_turn(Axis::z, 1, Vec3(100, 200, 300));
  for (double scale : {1.0}) {
    for (int x = -1; x <= 19; ++x) {
      for (int y = -1; y <= 19; ++y) {
        for (int z = -1; z <= 19; ++z) {
          const Vec3 p = Vec3(x, y, z) * (0.5 * scale);
          EXPECT_EQ(solid_contains(mesh, p), in_hollow(p)) << p.x << ' ' << p.y << ' ' << p.z;
          EXPECT_EQ(solid_intersects(mesh, point(p)), in_hollow(p));
          EXPECT_EQ(solid_contains(MeshView(mesh, &turned), turned.apply(p)), in_hollow(p));
        }
      }
    }
  }
}

TEST(SolidQueries, ShellsAddAndSizesDoNotMatter) {
  for (double s : {1.0, 0x1p-1070, 0x1p-900, 0x1p1000}) {
    MeshData d = closed_box(Vec3(0), Vec3(8 * s));
    append(d, closed_box(Vec3(4 * s), Vec3(12 * s)));           // overlapping shells: winding 2 in common
    append(d, reversed(closed_box(Vec3(1 * s), Vec3(2 * s))));  // a cavity
    const Mesh mesh(d);
    EXPECT_TRUE(solid_contains(mesh, Vec3(6 * s)));
    EXPECT_TRUE(solid_contains(mesh, Vec3(8 * s)));
    EXPECT_TRUE(solid_contains(mesh, Vec3(11 * s)));
    EXPECT_TRUE(solid_contains(mesh, Vec3(3 * s)));
    EXPECT_FALSE(solid_contains(mesh, Vec3(1.5 * s)));
    EXPECT_TRUE(solid_contains(mesh, Vec3(1 * s)));
    EXPECT_FALSE(solid_contains(mesh, Vec3(13 * s)));
    EXPECT_FALSE(solid_contains(mesh, Vec3(9 * s, 2 * s, 2 * s)));
  }
}

/// The same by all triangles, with a ray along +x.
bool contains_by_brute_force(const MeshView& solid, const Vec3& p) {
  int winding = 0;
  for (std::uint32_t i = 0; i < size_of(solid); ++i) {
    const Triangle t = placed_triangle(solid, i);
    if (triangle_contains(t, p)) return true;
    winding += winding_crossing(t, p);
  }
  return winding != 0;
}

// The ray leaves by the nearest side of the box, in all six directions, and mostly is decided in SIMD lanes. Points: anywhere, near the surface, on corners, on
// edges, and with coordinates of corners, so that rays pass through corners and along edges and faces.
TEST(SolidQueries, PointsEqualBruteForce) {
  Random r(93);
  std::vector<NamedMesh> all;
  for (const double scale : {1.0, 0x1p-1060, 1e-200, 1e250}) {
    MeshData d = ball(12, Vec3(0), scale);
    append(d, ball(5, Vec3(0.9 * scale, 0, 0), 0.5 * scale));              // overlapping
    append(d, reversed(ball(4, Vec3(-0.25 * scale, 0, 0), 0.5 * scale)));  // a cavity
    append(d, closed_box(Vec3(-0.5 * scale), Vec3(0.75 * scale)));
    all.push_back({"shells", d, scale});
    MeshData moved = d;
    for (Vec3& v : moved.vertices) v += Vec3(1e5 * scale, 0, 3e4 * scale);
    all.push_back({"far away", moved, scale, Vec3(1e5 * scale, 0, 3e4 * scale)});
  }
  MeshData boxes;
  for (int i = 0; i < 30; ++i) {
    const Vec3 lo(r.integer(-4, 4), r.integer(-4, 4), r.integer(-4, 4));
    const MeshData box = closed_box(lo, lo + Vec3(r.integer(0, 3), r.integer(0, 3), r.integer(0, 3)));  // some are flat
    append(boxes, r.integer(0, 2) == 0 ? reversed(box) : box);
  }
  all.push_back({"boxes on a lattice", boxes, 5});
  int inside = 0, outside = 0;
  for (const NamedMesh& n : all) {
    const Mesh mesh(n.data);
    const Pose turned = r.pose(n.size), quarter = r.quarter_turn(0);
    const auto corner = [&] { return n.data.vertices[r.below(n.data.vertices.size())]; };
    for (int i = 0; i < 800; ++i) {
      Vec3 p = n.at + r.point(-1.2, 1.2) * n.size;
      if (i % 4 == 1) p = corner() + r.point(-1e-6, 1e-6) * n.size;
      if (i % 4 == 2) p = i % 8 == 2 ? corner() : (corner() * 0.5 + corner() * 0.5);
      if (i % 4 == 3) p = Vec3(corner().x, corner().y, i % 8 == 3 ? corner().z : p.z);
      for (const Pose* pose : {static_cast<const Pose*>(nullptr), &turned, &quarter}) {
        const MeshView view(mesh, pose);
        const Vec3 at = pose != nullptr ? pose->apply(p) : p;
        const bool truth = contains_by_brute_force(view, at);
        (truth ? inside : outside)++;
        for_each_cpu_level([&](CpuLevel level) { ASSERT_EQ(solid_contains(view, at), truth) << n.name << ' ' << i << ' ' << name(level); });
        EXPECT_EQ(solid_intersects(view, point(at)), truth);
      }
    }
  }
  EXPECT_GT(inside, 3000);
  EXPECT_GT(outside, 3000);
}

TEST(SolidQueries, ConvexSetsInside) {
  const Mesh mesh(hollow());
  ConvexSet ball = point(Vec3(1.5));
  ball.radius = 1;
  EXPECT_TRUE(solid_intersects(mesh, ball));
  ball.own[0] = Vec3(3.5);
  ball.radius = 0.25;
  EXPECT_FALSE(solid_intersects(mesh, ball));  // in the cavity
  ball.radius = 0.5;
  EXPECT_TRUE(solid_intersects(mesh, ball));  // touches its wall
  ConvexSet box = point(Vec3(0));             // a Box: base at the origin, far outside itself
  for (int i = 0; i < 3; ++i) {
    Vec3 axis(0);
    axis[i] = 1;
    box.add_segment(axis, 7, 8);
  }
  EXPECT_TRUE(solid_intersects(mesh, box));
  for (int i = 0; i < 3; ++i) {
    box.lo[i] = 3.25;
    box.hi[i] = 3.5;
  }
  EXPECT_FALSE(solid_intersects(mesh, box));
  ConvexSet ray = point(Vec3(4.5, 4.5, 3.5));
  ray.add_direction(Vec3(1, 0, 0));
  EXPECT_TRUE(solid_intersects(mesh, ray));
}

// A flat box rotated by a pose: its points are not representable as doubles. Whether it lies inside is still decided exactly.
TEST(SolidQueries, ThinConvexSetsWithoutDoubles) {
  Random r(91);
  const Mesh mesh(hollow());
  int inside = 0;
  for (int i = 0; i < 300; ++i) {
    const Pose p = r.pose(0);
    const Vec3 center = r.point(-1, 10);
    ConvexSet c = point(center + Vec3(0.1, 0.2, 0.3));
    for (int k = 0; k < 3; ++k) c.add_segment(Vec3(p.rotation[0][k], p.rotation[1][k], p.rotation[2][k]), k == 0 ? 0.123 : 1e-3, k == 0 ? 0.123 : 2e-3);
    const bool expected = in_hollow(center + Vec3(0.1, 0.2, 0.3) + 0.123 * Vec3(p.rotation[0][0], p.rotation[1][0], p.rotation[2][0]));
    if (intersects(MeshView(mesh), c)) continue;
    EXPECT_EQ(solid_encloses(mesh, c), expected);
    inside += expected;
  }
  EXPECT_GT(inside, 30);
}

TEST(SolidQueries, SurfacesAndSolidsInside) {
  const Mesh outer(hollow()), in_wall(closed_box(Vec3(1), Vec3(2))), in_cavity(closed_box(Vec3(3.25), Vec3(3.5))), around(closed_box(Vec3(-5), Vec3(20))),
      far(closed_box(Vec3(50), Vec3(51)));
  EXPECT_TRUE(solid_intersects_surface(outer, in_wall));
  EXPECT_FALSE(solid_intersects_surface(outer, in_cavity));
  EXPECT_FALSE(solid_intersects_surface(outer, around));
  EXPECT_TRUE(solid_intersects_solid(outer, around));
  EXPECT_TRUE(solid_intersects_solid(around, outer));
  EXPECT_FALSE(solid_intersects_solid(outer, in_cavity));
  EXPECT_FALSE(solid_intersects_solid(outer, far));
  // Of several components, only the last lies inside.
  MeshData many = closed_box(Vec3(50), Vec3(51));
  append(many, closed_box(Vec3(3.25), Vec3(3.5)));
  append(many, closed_box(Vec3(7), Vec3(8)));
  EXPECT_TRUE(solid_intersects_surface(outer, Mesh(many)));
  EXPECT_TRUE(solid_intersects_solid(Mesh(many), outer));
  // Touching in a face, an edge, a corner.
  EXPECT_TRUE(solid_intersects_solid(outer, Mesh(closed_box(Vec3(9), Vec3(10)))));
  EXPECT_FALSE(solid_intersects_solid(outer, Mesh(closed_box(Vec3(9.0000000000000018), Vec3(10)))));
  // Poses of both.
  Random r(92);
  for (int i = 0; i < 50; ++i) {
    const Pose a = r.pose(1e3);
    EXPECT_TRUE(solid_intersects_surface(MeshView(outer, &a), MeshView(in_wall, &a)));
    EXPECT_FALSE(solid_intersects_solid(MeshView(outer, &a), MeshView(in_cavity, &a)));
    EXPECT_TRUE(solid_intersects_solid(MeshView(outer, &a), MeshView(around, &a)));
  }
}

}  // namespace
}  // namespace graze::test::solid_queries_test
