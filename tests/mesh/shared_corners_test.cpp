// What counts as a self-intersection, case by case and against sampling on a lattice.
#include <gtest/gtest.h>

#include "mesh/meshes.hpp"
#include "pairs/point_triangle.hpp"
#include "pairs/triangle_triangle.hpp"
#include "support/random.hpp"

namespace graze::test::shared_corners_test {
namespace {

Triangle tri(const Vec3& a, const Vec3& b, const Vec3& c) { return {{a, b, c}}; }

bool both(const Triangle& a, const Triangle& b) {
  const bool r = intersect_beyond_shared(a, b);
  // The result does not depend on the order of corners or triangles.
  for (int i = 0; i < 3; ++i) {
    for (int flip = 0; flip < 2; ++flip) {
      Triangle x = tri(a.points[static_cast<std::size_t>(i)], a.points[static_cast<std::size_t>(i + 1) % 3], a.points[static_cast<std::size_t>(i + 2) % 3]);
      if (flip) std::swap(x.points[1], x.points[2]);
      EXPECT_EQ(intersect_beyond_shared(x, b), r);
      EXPECT_EQ(intersect_beyond_shared(b, x), r);
    }
  }
  return r;
}

const Vec3 O(0, 0, 0), X(1, 0, 0), Y(0, 1, 0), Z(0, 0, 1);

TEST(SharedCorners, Cases) {
  EXPECT_FALSE(both(tri(O, X, Y), tri(O, -X, -Y)));                       // a corner only
  EXPECT_TRUE(both(tri(O, X, Y), tri(O, Vec3(1, 1, 0), Vec3(1, 1, 1))));  // a corner, and through the face
  EXPECT_FALSE(both(tri(O, X, Y), tri(O, X, -Y)));                        // flat neighbours
  EXPECT_FALSE(both(tri(O, X, Y), tri(X, O, Z)));                         // neighbours
  EXPECT_TRUE(both(tri(O, X, Y), tri(O, X, Vec3(0, 2, 0))));              // folded flat
  EXPECT_TRUE(both(tri(O, X, Y), tri(Y, X, O)));                          // duplicates, opposite orientation
  EXPECT_TRUE(both(tri(O, X, Y), tri(Vec3(-0.0, 0, 0), X, Y)));           // -0 equals 0
  EXPECT_FALSE(both(tri(O, X, Y), tri(Z, Z + X, Z + Y)));
  EXPECT_TRUE(both(tri(O, X, Y), tri(Vec3(0.25, 0.25, 0), Z, Z + X)));  // touches the face
}

TEST(SharedCorners, EqualCornersWithinATriangle) {
  EXPECT_FALSE(both(tri(O, O, O), tri(O, O, O)));  // the point that both share
  EXPECT_FALSE(both(tri(O, O, O), tri(O, X, Y)));
  EXPECT_TRUE(both(tri(X, X, X), tri(O, 2.0 * X, Y)));  // inside an edge
  EXPECT_FALSE(both(tri(O, X, X), tri(O, X, Y)));       // a common edge
  EXPECT_FALSE(both(tri(O, X, X), tri(O, O, X)));
  EXPECT_TRUE(both(tri(O, X, X), tri(O, 2.0 * X, Y)));        // along an edge, shorter
  EXPECT_TRUE(both(tri(O, 3.0 * X, O), tri(O, 2.0 * X, Y)));  // along an edge, longer
  EXPECT_FALSE(both(tri(O, X, X), tri(O, Y, Z)));
  EXPECT_TRUE(both(tri(O, X + Y, O), tri(O, 4.0 * X, 4.0 * Y)));              // into the face
  EXPECT_TRUE(both(tri(O, 9.0 * X + 9.0 * Y, O), tri(O, 4.0 * X, 4.0 * Y)));  // through the face and out
  EXPECT_FALSE(both(tri(O, X + Y + Z, O), tri(O, 4.0 * X, 4.0 * Y)));
  EXPECT_FALSE(both(tri(O, -1.0 * X - 1.0 * Y, O), tri(O, 4.0 * X, 4.0 * Y)));
  EXPECT_TRUE(both(tri(O, X, O), tri(O, 2.0 * X, O)));
  EXPECT_FALSE(both(tri(O, X, O), tri(O, -X, O)));
  EXPECT_TRUE(both(tri(O, X, O), tri(O, -X, 2.0 * X)));  // a triangle without area through the corner
  EXPECT_FALSE(both(tri(O, Y, O), tri(O, -X, 2.0 * X)));
  EXPECT_FALSE(both(tri(O, X, O), tri(O, -X, -2.0 * X)));
}

// Corners on a coarse lattice. Samples both triangles densely at exactly representable points; a common sample away from all shared corners and edges proves
// that they share more.
TEST(SharedCorners, AgreesWithSamples) {
  Random r(61);
  int more = 0;
  for (int round = 0; round < 30000; ++round) {
    const MeshData d = lattice(r, 2, 8, Vec3(0), 1);
    Triangle a = tri(d.vertices[0], d.vertices[1], d.vertices[2]), b = tri(d.vertices[3], d.vertices[4], d.vertices[5]);
    b.points[0] = a.points[0];
    if (r.integer(0, 2) == 0) b.points[1] = a.points[1];
    if (r.integer(0, 1)) a.points[1] = a.points[2];
    const bool result = both(a, b);
    const auto shared = [&](const Vec3& p) {
      // On a corner of both, or on an edge (a pair of corners of both).
      std::vector<Vec3> common;
      for (const Vec3& x : a.points) {
        for (const Vec3& y : b.points) {
          if (x == y) common.push_back(x);
        }
      }
      for (const Vec3& x : common) {
        for (const Vec3& y : common) {
          if (triangle_contains(tri(x, y, y), p)) return true;
        }
      }
      return false;
    };
    bool sampled = false;
    for (int i = 0; i <= 8 && !sampled; ++i) {
      for (int j = 0; i + j <= 8 && !sampled; ++j) {
        const Vec3 p = a.points[0] + (a.points[1] - a.points[0]) * (i / 8.0) + (a.points[2] - a.points[0]) * (j / 8.0);
        sampled = triangle_contains(b, p) && !shared(p);
      }
    }
    const bool duplicate = a.points[0] != a.points[1] && a.points[1] != a.points[2] && a.points[0] != a.points[2] && result;
    if (sampled) {
      EXPECT_TRUE(result) << round;
    }
    more += result && !duplicate;
  }
  EXPECT_GT(more, 100);
}

}  // namespace
}  // namespace graze::test::shared_corners_test
