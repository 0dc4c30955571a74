// The hierarchy of spheres and boxes: volumes contain their contents and are minimal, pairs equal brute force, counts per level, the contact of cubes that
// rounded spheres miss, any scale, any pose.
#include <gtest/gtest.h>
#include <graze/heritage/hierarchy.hpp>

#include <algorithm>
#include <cmath>

#include "exact/double_parts.hpp"
#include "pairs/triangle_triangle.hpp"
#include "support/exact_oracle.hpp"
#include "support/random.hpp"

using namespace graze;
using oracle::Rational;

namespace hierarchy_test {
namespace {

Mesh soup(test::Random& random, std::size_t n, const Vec3& offset, double size, int e, bool grid) {
  MeshData d;
  for (std::size_t t = 0; t < n; ++t) {
    const Vec3 at = grid ? random.grid(-3, 3) : random.point(-2, 2);
    for (int k = 0; k < 3; ++k) {
      const Vec3 q = grid ? random.grid(-1, 1) : random.point(-size, size);
      d.vertices.emplace_back(scaled(at.x + q.x + offset.x, e), scaled(at.y + q.y + offset.y, e), scaled(at.z + q.z + offset.z, e));
    }
    const std::uint32_t v = static_cast<std::uint32_t>(3 * t);
    d.triangles.push_back({v, v + 1, v + 2});
  }
  return Mesh(std::move(d));
}

std::vector<TrianglePair> all_pairs(const Mesh& a, const Mesh& b) {
  auto triangle = [](const Mesh& m, std::size_t i) {
    const TriangleIndices& t = m.triangles()[i];
    return Triangle{{m.vertices()[t[0]], m.vertices()[t[1]], m.vertices()[t[2]]}};
  };
  std::vector<TrianglePair> r;
  for (std::uint32_t i = 0; i < a.size(); ++i)
    for (std::uint32_t j = 0; j < b.size(); ++j)
      if (triangles_intersect(triangle(a, i), triangle(b, j))) r.push_back({i, j});
  return r;
}

}  // namespace

TEST(Hierarchy, MatchesBruteForce) {
  test::Random random(1);
  for (int e : {0, -1060, -400, 400, 1015})
    for (int round = 0; round < 12; ++round) {
      const bool grid = round % 2;
      const Mesh a = soup(random, 120, Vec3(0, 0, 0), 0.5, e, grid), b = soup(random, 90, Vec3(round / 3, 1, 0), 0.5, e, grid);
      const std::vector<TrianglePair> truth = all_pairs(a, b);
      HierarchyCounts counts, first;
      const SphereHierarchy ha(a), hb(b);
      EXPECT_EQ(intersecting_triangles(ha, hb, &counts), truth);
      EXPECT_EQ(intersects(ha, hb, &first), !truth.empty());
      EXPECT_EQ(counts.possible, 120u * 90u);
      EXPECT_EQ(counts.hits, truth.size());
      EXPECT_GE(counts.after_spheres, counts.hits);
      EXPECT_LE(first.after_spheres, counts.after_spheres);
      if (!grid) {
        EXPECT_LT(counts.after_spheres, counts.possible / 2);
      }
      if (!truth.empty()) {
        EXPECT_EQ(counts.after_objects, counts.possible);
      }
    }
}

TEST(Hierarchy, EveryTriangleHasItsBoxAndSphere) {
  test::Random random(2);
  for (int e : {0, -1070, -600, 300, 1000})
    for (bool grid : {false, true}) {
      const Mesh m = soup(random, 100, e == 0 ? Vec3(1e6, 0, -3) : Vec3(0, 0, 0), 0.5, e, grid);
      const SphereHierarchy h(m);
      ASSERT_EQ(h.triangle_spheres().size(), m.size());
      ASSERT_EQ(h.triangle_boxes().size(), m.size());
      EXPECT_EQ(h.object_box().min, bounding_box(m).min);
      EXPECT_EQ(h.object_box().max, bounding_box(m).max);
      for (std::size_t t = 0; t < m.size(); ++t) {
        const Box& box = h.triangle_boxes()[t];
        const Sphere& sphere = h.triangle_spheres()[t];
        EXPECT_EQ(sphere.center, box.center());
        Rational far = 0;
        for (int k = 0; k < 3; ++k) {  // the smallest box: each side contains a vertex, and no vertex is outside
          double lo = m.vertices()[m.triangles()[t][0]][k], hi = lo;
          for (std::uint32_t v : m.triangles()[t]) lo = std::min(lo, m.vertices()[v][k]), hi = std::max(hi, m.vertices()[v][k]);
          EXPECT_EQ(box.min[k], lo);
          EXPECT_EQ(box.max[k], hi);
        }
        for (std::uint32_t v : m.triangles()[t]) {
          far = std::max(far, oracle::squared_distance(m.vertices()[v], sphere.center));
          EXPECT_LE(oracle::squared_distance(m.vertices()[v], h.object_sphere().center),
                    Rational(h.object_sphere().radius) * Rational(h.object_sphere().radius));
        }
        EXPECT_GE(Rational(sphere.radius) * Rational(sphere.radius), far);
        if (sphere.radius > 0) {
          EXPECT_LT(Rational(next_down(sphere.radius)) * Rational(next_down(sphere.radius)), far);
        }  // the next smaller radius misses a vertex
      }
    }
}

TEST(Hierarchy, LevelCountsMatchTheSpheres) {
  test::Random random(4);
  for (int round = 0; round < 20; ++round) {
    const Mesh a = soup(random, 40, Vec3(0, 0, 0), 0.4, 0, round % 2), b = soup(random, 30, Vec3(0.3 * round, 0, 0), 0.4, 0, round % 2);
    const SphereHierarchy ha(a), hb(b);
    HierarchyCounts counts, all;
    const std::vector<TrianglePair> left = candidate_pairs(ha, hb, &counts), hits = intersecting_triangles(ha, hb, &all);
    EXPECT_EQ(counts.possible, 1200u);
    EXPECT_EQ(counts.after_spheres, left.size());
    EXPECT_EQ(counts.hits, 0u);
    EXPECT_EQ(all.sphere_tests, counts.sphere_tests);
    EXPECT_EQ(all.after_spheres, counts.after_spheres);
    EXPECT_LE(counts.sphere_tests, counts.after_objects);
    EXPECT_GE(counts.sphere_tests, counts.after_spheres);
    EXPECT_TRUE(std::includes(left.begin(), left.end(), hits.begin(), hits.end()));
    // a pair remains exactly if its spheres share a point (except for gaps within rounding)
    std::size_t touching = 0, doubtful = 0;
    for (std::uint32_t i = 0; i < a.size(); ++i)
      for (std::uint32_t j = 0; j < b.size(); ++j) {
        const Sphere &s = ha.triangle_spheres()[i], &t = hb.triangle_spheres()[j];
        const bool touch = intersects(s, t);
        touching += touch;
        doubtful += !touch && intersects(Sphere{s.center, s.radius * (1 + 0x1p-40)}, t);
        if (touch) {
          EXPECT_TRUE(std::binary_search(left.begin(), left.end(), TrianglePair{i, j}));
        }
      }
    if (intersects(ha.object_sphere(), hb.object_sphere())) {
      EXPECT_GE(left.size(), touching);
      EXPECT_LE(left.size(), touching + doubtful);
    }
  }
}

TEST(Hierarchy, PlacedHierarchiesMatchPlacedMeshes) {
  test::Random random(5);
  for (int round = 0; round < 30; ++round) {
    const Mesh a = soup(random, 60, Vec3(0, 0, 0), 0.6, 0, false), b = soup(random, 50, Vec3(0, 0, 0), 0.6, 0, false);
    const double c = std::sqrt(0.5);
    Pose pose = translation(random.point(-3, 3));
    pose.rotation[0][0] = c, pose.rotation[0][1] = -c, pose.rotation[1][0] = c, pose.rotation[1][1] = c;
    const Pose other = translation(random.point(-1, 1));
    EXPECT_EQ(intersecting_triangles(SphereHierarchy(a, pose), SphereHierarchy(b, other)), intersecting_triangles(at(a, pose), at(b, other)));
  }
}

TEST(Hierarchy, KeepsContactAtTheCubesCorner) {  // a sphere with r^2 = 2.9999999999999996 drops the contact at (1, 1, 1)
  MeshData cube;
  for (int i = 0; i < 8; ++i) cube.vertices.emplace_back(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1);
  cube.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  MeshData point;
  point.vertices = {Vec3(1, 1, 1)};
  point.triangles = {{0, 0, 0}};
  HierarchyCounts counts;
  EXPECT_TRUE(intersects(SphereHierarchy(Mesh(cube)), SphereHierarchy(Mesh(point)), &counts));
  EXPECT_EQ(intersecting_triangles(SphereHierarchy(Mesh(cube)), SphereHierarchy(Mesh(point))).size(), 3u);  // all triangles at vertex 7
  point.vertices[0] = Vec3(next_up(1.0), 1, 1);
  EXPECT_FALSE(intersects(SphereHierarchy(Mesh(cube)), SphereHierarchy(Mesh(point))));
}

TEST(Hierarchy, StopsAtTheFirstLevelThatSeparates) {
  test::Random random(3);
  const Mesh a = soup(random, 20, Vec3(0, 0, 0), 0.5, 0, false), b = soup(random, 20, Vec3(100, 0, 0), 0.5, 0, false);
  HierarchyCounts counts;
  EXPECT_TRUE(intersecting_triangles(SphereHierarchy(a), SphereHierarchy(b), &counts).empty());
  EXPECT_EQ(counts.possible, 400u);
  EXPECT_EQ(counts.after_objects, 0u);
  EXPECT_EQ(counts.sphere_tests, 0u);
  EXPECT_EQ(counts.after_spheres, 0u);
  const Mesh nothing{MeshData{}};
  EXPECT_FALSE(intersects(SphereHierarchy(a), SphereHierarchy(nothing)));
}

}  // namespace hierarchy_test
