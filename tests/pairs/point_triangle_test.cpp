// Point against triangle, and winding numbers from crossings.
#include "pairs/point_triangle.hpp"

#include <gtest/gtest.h>

#include "support/random.hpp"
#include "support/rational_oracle.hpp"
#include "support/rounds.hpp"

namespace graze {
namespace {

using test::Random;
using test::operator-;

TEST(PointTriangle, GridAgainstRationals) {
  Random random(21);
  int inside = 0;
  for (int k = 0; k < test::rounds(8000); ++k) {
    const int size = 1 + k % 2;
    const Triangle t{{random.grid(-size, size), random.grid(-size, size), random.grid(-size, size)}};
    const Vec3 p = random.grid(-size, size);
    const bool right = test::hulls_meet({test::exact(p)}, {test::exact(t.points[0]), test::exact(t.points[1]), test::exact(t.points[2])});
    inside += right;
    ASSERT_EQ(triangle_contains(t, p), right) << k;
    ASSERT_EQ(triangle_contains({{t.points[2], t.points[1], t.points[0]}}, p), right) << k;
  }
  EXPECT_GT(inside, test::rounds(400));
}

TEST(PointTriangle, DefectsOfTheTexts) {
  EXPECT_TRUE(triangle_contains({{Vec3(0, 0, 0), Vec3(0, 2, 0), Vec3(2, 0, 0)}}, {0, 1, 0}));                      // K11: a vertical edge
  EXPECT_TRUE(triangle_contains({{Vec3(-513, -598, 0), Vec3(821, 1564, 0), Vec3(1178, 894, 0)}}, {386, 859, 0}));  // exactly on an edge
  EXPECT_FALSE(triangle_contains({{Vec3(-513, -598, 0), Vec3(821, 1564, 0), Vec3(1178, 894, 0)}}, {386, 859.0000000000001, 0}));
  EXPECT_TRUE(triangle_contains({{Vec3(0, 0, 0), Vec3(0, 0, 2), Vec3(0, 2, 0)}}, {0, 1, 0}));  // K10: plane x = 0
}

/// A closed surface on the integer grid: the boundary of a random tetrahedron (maybe flat), its faces outward when `outward`.
void add_tetrahedron(std::vector<Triangle>& faces, const Vec3 p[4]) {
  const int f[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
  for (const auto& i : f) faces.push_back({{p[i[0]], p[i[1]], p[i[2]]}});
}

TEST(PointTriangle, CrossingsSumToTheWindingNumber) {
  Random random(22);
  int within = 0;
  for (int k = 0; k < test::rounds(2500); ++k) {
    // overlapping tetrahedra with vertical, flat and repeated faces; the winding number is the signed count of those that contain the point
    std::vector<Triangle> faces;
    int right = 0;
    bool on_surface = false;
    const Vec3 point = random.grid(-2, 2);
    for (int n = 0; n < 3; ++n) {
      Vec3 p[4];
      for (Vec3& v : p) v = random.grid(-2, 2);
      const std::size_t first = faces.size();
      add_tetrahedron(faces, p);
      for (std::size_t i = first; i < faces.size(); ++i) on_surface = on_surface || triangle_contains(faces[i], point);
      const test::QVec a = test::exact(p[0]);
      const test::Q volume = test::dot(test::cross(test::exact(p[1]) - a, test::exact(p[2]) - a), test::exact(p[3]) - a);
      if (volume != 0 && test::hulls_meet({test::exact(point)}, {a, test::exact(p[1]), test::exact(p[2]), test::exact(p[3])})) right += volume > 0 ? 1 : -1;
    }
    if (on_surface) continue;
    int sum = 0;
    for (const Triangle& t : faces) {
      const int c = winding_crossing(t, point);
      ASSERT_EQ(winding_crossing({{t.points[1], t.points[2], t.points[0]}}, point), c);
      ASSERT_EQ(winding_crossing({{t.points[1], t.points[0], t.points[2]}}, point), -c);
      sum += c;
    }
    ASSERT_EQ(sum, right) << k;
    within += right != 0;
  }
  EXPECT_GT(within, test::rounds(16));
}

TEST(PointTriangle, CubeWithEveryTriangulationSeenFromItsGrid) {
  // outward cube [0,2]^3, all 12 triangles; points in line with its vertices, edges and diagonals
  const Vec3 v[8] = {{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}, {0, 0, 2}, {2, 0, 2}, {2, 2, 2}, {0, 2, 2}};
  const int quads[6][4] = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};
  for (int mask = 0; mask < 64; ++mask)
    for (double x = -1; x <= 3; x += 1)
      for (double y = -1; y <= 3; y += .5)
        for (double z = -1; z <= 3; z += .5) {
          const bool in_closed = x >= 0 && x <= 2 && y >= 0 && y <= 2 && z >= 0 && z <= 2, inside = x > 0 && x < 2 && y > 0 && y < 2 && z > 0 && z < 2;
          if (in_closed != inside) continue;
          int sum = 0;
          for (int q = 0; q < 6; ++q) {
            const int* c = quads[q];
            const int s = mask >> q & 1;
            sum +=
                winding_crossing({{v[c[s]], v[c[s + 1]], v[c[s + 2]]}}, {x, y, z}) + winding_crossing({{v[c[s]], v[c[s + 2]], v[c[(s + 3) % 4]]}}, {x, y, z});
          }
          ASSERT_EQ(sum, inside ? 1 : 0) << x << y << z;
        }
}

}  // namespace
}  // namespace graze
