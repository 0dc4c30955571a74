// Winding numbers of exact points, and of points infinitely near to them.
#include "mesh/queries/winding.hpp"

#include <gtest/gtest.h>
#include <graze/query.hpp>

#include "support/random.hpp"

namespace graze::winding_test {
namespace {

/// The surface of the box, repeated |times| times; inside out when `times` is negative.
Mesh box(const Vec3& lo, const Vec3& hi, int times = 1) {
  MeshData d;
  for (int i = 0; i < 8; ++i) d.vertices.push_back({i & 1 ? hi.x : lo.x, i & 2 ? hi.y : lo.y, i & 4 ? hi.z : lo.z});
  for (int k = 0; k < std::abs(times); ++k)
    for (TriangleIndices t :
         {TriangleIndices{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}}) {
      if (times < 0) std::swap(t[0], t[1]);
      d.triangles.push_back(t);
    }
  return Mesh(std::move(d));
}

TEST(WindingNumber, PointsBetweenDoubles) {
  const Mesh cube = box({0, 0, 0}, {3, 3, 3}), twice = box({0, 0, 0}, {3, 3, 3}, 2), inward = box({0, 0, 0}, {3, 3, 3}, -1);
  const auto third = [](double x, double y, double z) { return ExactPoint{exact(Vec3(x, y, z)), Dyadic(3.0)}; };
  EXPECT_EQ(winding_number(cube, third(1, 1, 1)), 1);
  EXPECT_EQ(winding_number(twice, third(1, 2, 4)), 2);
  EXPECT_EQ(winding_number(inward, third(1, 2, 4)), -1);
  for (const ExactPoint& p : {third(10, 1, 1), third(-1, 1, 1), third(1, 10, 1), third(1, -1, 1), third(1, 1, 10), third(1, 1, -1)})
    EXPECT_EQ(winding_number(cube, p), 0);
  EXPECT_TRUE(triangle_contains(Triangle{{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}}}, third(1, 1, 0)));
  EXPECT_TRUE(triangle_contains(Triangle{{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}}}, third(1, 2, 0)));
  EXPECT_FALSE(triangle_contains(Triangle{{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}}}, third(2, 2, 0)));
  EXPECT_FALSE(triangle_contains(Triangle{{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}}}, third(1, 1, 0x1p-1000)));
  EXPECT_TRUE(triangle_contains(Triangle{{{{0, 0, 0}, {1, 1, 1}, {0, 0, 0}}}}, third(1, 1, 1)));
  EXPECT_FALSE(triangle_contains(Triangle{{{{0, 0, 0}, {1, 1, 1}, {0, 0, 0}}}}, third(4, 4, 4)));
}

TEST(WindingNumber, NextToVerticesEdgesAndFaces) {
  const Mesh cube = box({0, 0, 0}, {2, 2, 2});
  const auto beside = [&](const Vec3& v, const Vec3& m, const Vec3& n = {0, 0, 0}) { return winding_number(cube, {exact(v)}, exact(m), exact(n)); };
  for (int bits = 0; bits < 8; ++bits) {
    const Vec3 corner(bits & 1 ? 2 : 0, bits & 2 ? 2 : 0, bits & 4 ? 2 : 0), in = Vec3(1, 1, 1) - corner;
    EXPECT_EQ(beside(corner, in), 1);
    EXPECT_EQ(beside(corner, in * -1.0), 0);
    EXPECT_EQ(beside(corner, {in.x, in.y, 0}, {0, 0, in.z}), 1);  // along the face, and infinitely less off it
    EXPECT_EQ(beside(corner, {in.x, in.y, 0}, {0, 0, -in.z}), 0);
    EXPECT_EQ(beside(corner, {in.x, -in.y, in.z}), 0);
    EXPECT_EQ(beside(corner, {in.x, 0, 0}, {0, in.y, in.z}), 1);  // along the edge
    EXPECT_EQ(beside(corner, {in.x, 0, 0}, {0, -in.y, in.z}), 0);
  }
  EXPECT_EQ(beside({1, 1, 0}, {0, 0, 0x1p-1000}), 1);
  EXPECT_EQ(beside({1, 1, 0}, {1, 1, -0x1p-1000}), 0);
  EXPECT_EQ(beside({1, 1, 1}, {1, 0, 0}), 1);
}

TEST(WindingNumber, AgreesWithThePredicatesOfDoubles) {
  test::Random random(1);
  for (int i = 0; i < 300; ++i) {
    MeshData d;
    for (int k = 0; k < 5; ++k) d.vertices.push_back(random.grid(-2, 2));
    d.triangles = {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {1, 4, 2}, {2, 4, 3}, {3, 4, 1}};  // two tetrahedra glued, some inside out or flat
    const Mesh mesh(std::move(d));
    for (int k = 0; k < 10; ++k) {
      const Vec3 p = random.grid(-4, 4) * 0.5;
      if (intersects(Point{p}, mesh)) continue;
      EXPECT_EQ(winding_number(mesh, {exact(p)}) != 0, contains(solid(mesh), p));
      EXPECT_EQ(winding_number(mesh, {exact(p * 3.0), Dyadic(3.0)}), winding_number(mesh, {exact(p)}));
      EXPECT_EQ(winding_number(mesh, {exact(p)}, exact(random.grid(-1, 1)), exact(random.grid(-1, 1))), winding_number(mesh, {exact(p)}));
    }
  }
}

}  // namespace
}  // namespace graze::winding_test
