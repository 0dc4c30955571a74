// The rows U1 to U10 of docs/heritage.md that concern a single motion: a moving point is a ray with t_max = 1. Includes every case that the text gets wrong.
#include <gtest/gtest.h>
#include <graze/graze.hpp>

#include <cmath>

namespace graze::moving_point_test {
namespace {

Triangle tri(const Vec3& a, const Vec3& b, const Vec3& c) { return Triangle{{a, b, c}}; }

/// The point's path: from p by the displacement v, both ends included.
std::optional<Hit> move(const Vec3& p, const Vec3& v, ShapeRef target) { return raycast(Ray{p, v}, target, {.t_max = 1}); }

TEST(HeritageU1, PointAgainstTriangle) {
  const Triangle t = tri({0, 0, 0}, {4, 0, 0}, {0, 4, 0});
  const auto hit = move({1, 1, 1}, {0, 0, -2}, t);
  ASSERT_TRUE(hit);
  EXPECT_EQ(hit->t, 0.5);
  EXPECT_EQ(hit->point, Vec3(1, 1, 0));
  EXPECT_FALSE(move({1, 1, 1}, {0, 0, -0.5}, t));
  EXPECT_TRUE(move({1, 1, 1}, {0, 0, -1}, t));  // arrives at the end
}

TEST(HeritageU1, DefectDirectionsInAllQuadrants) {
  const Triangle t = tri({0, 0, 0}, {0, 4, 0}, {4, 0, 0});
  const Vec3 from[] = {{2, 0, 1}, {0, 2, 1}, {2, 2, 1}, {2, 1, 1}, {1, 2, 1}}, by[] = {{-1, 1, -1}, {1, -1, -1}, {-1, -1, -1}, {-1, 0, -1}, {0, -1, -1}};
  for (int i = 0; i < 5; ++i) {
    const auto hit = move(from[i], by[i], t);
    ASSERT_TRUE(hit) << i;
    EXPECT_EQ(hit->point, Vec3(1, 1, 0)) << i;
    EXPECT_EQ(hit->t, 1) << i;
  }
}
TEST(HeritageU1, DefectMissBesideAnEdge) { EXPECT_FALSE(move({1, -.5, 1}, {0, 0, -2}, tri({0, 0, 0}, {0, 4, 0}, {4, 0, 0}))); }
TEST(HeritageU1, DefectHitAtTheOrigin) {
  const auto hit = move({0, 0, 1}, {0, 0, -2}, tri({-4, -4, 0}, {4, -4, 0}, {0, 4, 0}));
  ASSERT_TRUE(hit);
  EXPECT_EQ(hit->point, Vec3(0, 0, 0));
}
TEST(HeritageU1, DefectParallelMotion) {
  const Triangle t = tri({0, 0, 0}, {4, 0, 0}, {0, 4, 0});
  EXPECT_FALSE(move({-1, 1, 1}, {9, 0, 0}, t));
  EXPECT_EQ(move({-1, 1, 0}, {9, 0, 0}, t)->point, Vec3(0, 1, 0));  // within the plane
}
TEST(HeritageU1, DefectStartOnTheSurface) {
  const auto hit = move({1, 1, 0}, {0, 0, -1}, tri({0, 0, 0}, {0, 4, 0}, {4, 0, 0}));
  ASSERT_TRUE(hit);
  EXPECT_EQ(hit->t, 0);
}
TEST(HeritageU1, DefectHitExactlyAtAVertex) { EXPECT_EQ(move({0, 0, 1}, {0, 0, -1}, tri({0, 0, 0}, {0, 4, 0}, {4, 0, 0}))->t, 1); }
TEST(HeritageU1, DefectZeroDisplacementOfAnyShape) {
  const Triangle t = tri({0, 0, 0}, {0, 4, 0}, {4, 0, 0});
  const Vec3 none(0, 0, 0);
  const auto touches = [&](ShapeRef shape) {
    const auto hit = sweep(shape, none, t);
    EXPECT_EQ(hit.has_value(), intersects(shape, t));
    if (!hit) return false;
    EXPECT_EQ(hit->t, 0);
    EXPECT_TRUE(hit->started_inside);
    EXPECT_FALSE(hit->departing);
    return true;
  };
  EXPECT_TRUE(touches(Point{{1, 1, 0}}));
  EXPECT_FALSE(touches(Point{{1, 1, 0x1p-1074}}));
  EXPECT_TRUE(touches(Sphere{{1, 1, 1}, 1}));
  EXPECT_FALSE(touches(Sphere{{1, 1, 1}, std::nextafter(1.0, 0.0)}));
  EXPECT_TRUE(touches(Box{{1, 1, 0}, {2, 2, 2}}));
  EXPECT_FALSE(touches(Box{{1, 1, 1}, {2, 2, 2}}));
  EXPECT_TRUE(touches(Capsule{{1, 1, 1}, {1, 1, 2}, 1}));
  EXPECT_TRUE(touches(Cylinder{{1, 1, -1}, {1, 1, 2}, 1}));
  EXPECT_TRUE(touches(tri({1, 1, -1}, {1, 1, 1}, {9, 9, 9})));
}
TEST(HeritageU1, DefectZeroDisplacement) {  // a zero-length motion is a zero-length segment
  const Triangle t = tri({0, 0, 0}, {0, 4, 0}, {4, 0, 0});
  EXPECT_EQ(raycast(Segment{{1, 1, 0}, {1, 1, 0}}, t)->t, 0);
  EXPECT_FALSE(raycast(Segment{{1, 1, 1}, {1, 1, 1}}, t));
}

TEST(HeritageU2, DefectNoToleranceThatGrows) {
  const Triangle t = tri({0, 0, 0}, {1e-4, 0, 0}, {0, 1e-4, 0});
  EXPECT_FALSE(move({.002, .002, 1}, {0, 0, -2}, t));
  EXPECT_TRUE(intersects(Capsule{{.002, .002, 1}, {.002, .002, -1}, .003}, t));  // for a tolerance, use a ball of that radius
}

TEST(HeritageU3, DefectReflectionForEitherOrientation) {
  EXPECT_EQ(reflect({1, 0, -1}, {0, 0, 1}), Vec3(1, 0, 1));
  EXPECT_EQ(reflect({1, 0, -1}, {0, 0, -1}), Vec3(1, 0, 1));
}
TEST(HeritageU3, DefectNormalOfAnyLength) { EXPECT_EQ(reflect({1, 0, -1}, {0, 0, 2}), Vec3(1, 0, 1)); }
TEST(HeritageU3, DefectHeadOn) {
  const double n = 1 / std::sqrt(3.0);
  const Vec3 r = reflect({-1, -1, -1}, {n, n, n});
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(r[k], 1, 1e-15);
}
TEST(HeritageU3, DefectGrazing) {
  const Vec3 r = reflect({1000, 0, -1e-4}, {0, 0, 1});
  EXPECT_EQ(r.x, 1000);
  EXPECT_EQ(r.z, 1e-4);
}
TEST(HeritageU3, DefectZeroVelocityReflectsToZero) { EXPECT_EQ(reflect({0, 0, 0}, {0, 0, 1}), Vec3(0, 0, 0)); }

/// The velocity after the first reflection.
Vec3 after(const Vec3& p, const Vec3& v, ShapeRef target) { return bounce(Point{p}, v, 1, target, {}).hits.at(0).velocity_after; }

TEST(HeritageU3, BorderReflectsAsThePlane) {
  const Triangle t = tri({.5, -1, 0}, {.5, 1, 0}, {2, 0, 0});
  EXPECT_EQ(after({0, 0, 1}, {1, 0, -2}, t), Vec3(1, 0, 2));
  EXPECT_EQ(after({0, -1, 1}, {1, 0, -2}, t), Vec3(1, 0, 2));
  EXPECT_EQ(after({0, 0, 0}, {1, 0, 0}, t), Vec3(-1, 0, 0));  // within the plane
}

/// One mesh with a square floor at each height, farthest first.
Mesh floors(std::initializer_list<double> heights) {
  MeshData d;
  for (double z : heights) {
    const auto n = static_cast<std::uint32_t>(d.vertices.size());
    for (const Vec3 v : {Vec3(-9, -9, z), Vec3(9, -9, z), Vec3(9, 9, z), Vec3(-9, 9, z)}) d.vertices.push_back(v);
    d.triangles.push_back({n, n + 1, n + 2});
    d.triangles.push_back({n, n + 2, n + 3});
  }
  return Mesh(std::move(d));
}

TEST(HeritageU4, BorderReflectsAsThePlane) {
  const std::vector<Vec3> corners{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  const Mesh mesh({corners, {{0, 1, 2}, {0, 2, 3}}, {}});
  const Polygon polygon(corners);
  for (const ShapeRef target : {ShapeRef(mesh), ShapeRef(polygon)}) {
    EXPECT_EQ(after({-1, .25, 1}, {2, 0, -2}, target), Vec3(2, 0, 2));
    EXPECT_EQ(after({0, 0, 1}, {1, 1, -2}, target), Vec3(1, 1, 2));     // the edge that the triangles share
    EXPECT_EQ(after({-1, .25, 0}, {2, 0, 0}, target), Vec3(-2, 0, 0));  // within the plane
  }
}

TEST(HeritageU4, DefectTheNearestHitIsReported) {
  const auto hit = move({1, 0, 4}, {0, 0, -9}, floors({0, 1, 3, 2}));
  ASSERT_TRUE(hit);
  EXPECT_EQ(hit->point, Vec3(1, 0, 3));
  EXPECT_EQ(*hit->triangle, 4u);
  EXPECT_EQ(*hit->normal, Vec3(0, 0, 1));
}
TEST(HeritageU4, DefectMoreThan65535Vertices) {
  MeshData d;
  constexpr std::uint32_t n = 300;  // 90,000 vertices
  for (std::uint32_t j = 0; j < n; ++j)
    for (std::uint32_t i = 0; i < n; ++i) d.vertices.push_back(Vec3(i, j, 0));
  for (std::uint32_t j = 0; j + 1 < n; ++j)
    for (std::uint32_t i = 0; i + 1 < n; ++i) {
      const std::uint32_t a = j * n + i;
      d.triangles.push_back({a, a + 1, a + n + 1});
      d.triangles.push_back({a, a + n + 1, a + n});
    }
  const Mesh m(std::move(d));
  const auto hit = move({298.75, 298.5, 1}, {0, 0, -2}, m);
  ASSERT_TRUE(hit);
  EXPECT_EQ(*hit->triangle, 2 * 299 * 299 - 2u);
}

TEST(HeritageU9, UnitNormalTowardsTheViewpoint) {
  const Triangle t = tri({0, 0, 0}, {3, 0, 0}, {0, 5, 0});
  EXPECT_EQ(*unit_normal(t, {1, 1, 7}), Vec3(0, 0, 1));
  EXPECT_EQ(*unit_normal(t, {1, 1, -7}), Vec3(0, 0, -1));
  EXPECT_FALSE(unit_normal(tri({0, 0, 0}, {1, 0, 0}, {2, 0, 0}), {0, 0, 1}));
}
TEST(HeritageU9, DefectNoCoordinateOfTheNormalIsChosenFreely) {  // each coordinate is 0 for some triangle
  for (int axis = 0; axis < 3; ++axis) {
    Triangle t = tri({0, 0, 0}, {0, 0, 0}, {0, 0, 0});
    t.points[1][(axis + 1) % 3] = t.points[2][(axis + 2) % 3] = 1;
    Vec3 eye(0, 0, 0), want(0, 0, 0);
    eye[axis] = 5;
    want[axis] = 1;
    EXPECT_EQ(*unit_normal(t, eye), want) << axis;
  }
}

}  // namespace
}  // namespace graze::moving_point_test
