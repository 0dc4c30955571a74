// Rows U1, U2, U5, U6 of docs/heritage.md in motion: a moving point, several reflections within one step, and friction. Includes every case that the text gets
// wrong.
#include <gtest/gtest.h>
#include <graze/graze.hpp>
#include <graze/response.hpp>

#include <cmath>

namespace graze::response_test {
namespace {

Triangle tri(const Vec3& a, const Vec3& b, const Vec3& c) { return Triangle{{a, b, c}}; }
void add_quad(MeshData& d, const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& e) {
  const auto n = static_cast<std::uint32_t>(d.vertices.size());
  d.vertices.insert(d.vertices.end(), {a, b, c, e});
  d.triangles.push_back({n, n + 1, n + 2});
  d.triangles.push_back({n, n + 2, n + 3});
}
void expect_near(const Vec3& p, const Vec3& q) {
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(p[i], q[i], 4e-15) << i;
}

TEST(HeritageU1, SweptPoint) {
  const auto hit = sweep(Point{{1, 1, 1}}, {0, 0, -2}, tri({0, 0, 0}, {4, 0, 0}, {0, 4, 0}));
  ASSERT_TRUE(hit);
  EXPECT_EQ(hit->t, 0.5);
  EXPECT_EQ(hit->point, Vec3(1, 1, 0));
  EXPECT_EQ(*hit->normal, Vec3(0, 0, 1));
  EXPECT_TRUE(hit->moved);
  EXPECT_GT(hit->safe_point.z, 0);
  EXPECT_LT(hit->safe_point.z, 1e-14);
}
TEST(HeritageU1, DefectStartOnTheSurfaceSwept) {
  const auto hit = sweep(Point{{1, 1, 0}}, {0, 0, -1}, tri({0, 0, 0}, {0, 4, 0}, {4, 0, 0}));
  ASSERT_TRUE(hit);
  EXPECT_EQ(hit->t, 0);
  EXPECT_TRUE(hit->started_inside);
}
TEST(HeritageU1, DefectHitAtAVertexAndZeroDisplacementSwept) {
  const Triangle t = tri({0, 0, 0}, {0, 4, 0}, {4, 0, 0});
  EXPECT_EQ(sweep(Point{{0, 0, 1}}, {0, 0, -1}, t)->t, 1);
  EXPECT_EQ(sweep(Point{{1, 1, 0}}, {0, 0, 0}, t)->t, 0);
  EXPECT_FALSE(sweep(Point{{1, 1, 1}}, {0, 0, 0}, t));
}
TEST(HeritageU2, ASweptBallActsAsATolerance) {
  const Triangle t = tri({0, 0, 0}, {1e-4, 0, 0}, {0, 1e-4, 0});
  EXPECT_FALSE(sweep(Point{{.002, .002, 1}}, {0, 0, -2}, t));
  EXPECT_TRUE(sweep(Sphere{{.002, .002, 1}, .003}, {0, 0, -2}, t));
}

// A mesh of vertices and faces: the new velocity and the hit point, for faces of either orientation; the nearest of several faces; a face hit from behind.
TEST(HeritageU4, BouncesAPointOffAMesh) {
  for (const bool turned : {false, true}) {
    MeshData d;
    d.vertices = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {0, 0, 4}, {4, 4, -3}, {-4, 4, -3}, {0, -4, -3}};
    d.triangles = {{4, 5, 6}, {0, 1, 2}, {0, 2, 3}};  // the nearest is not the first
    if (turned)
      for (TriangleIndices& t : d.triangles) std::swap(t[1], t[2]);
    const Mesh mesh(std::move(d));
    const BounceStep floor = bounce(Point{{1, 1, 1}}, {1, 0, -2}, 1, mesh, {});
    ASSERT_EQ(floor.hits.size(), 1u);
    EXPECT_EQ(floor.hits[0].triangle, 1u);
    EXPECT_EQ(floor.hits[0].time, .5);
    EXPECT_EQ(floor.hits[0].point, Vec3(1.5, 1, 0));
    EXPECT_EQ(floor.hits[0].velocity_after, Vec3(1, 0, 2));
    EXPECT_EQ(floor.velocity, Vec3(1, 0, 2));
    expect_near(floor.position, {2, 1, 1});
    // off the floor onto the wall x = 0: both components of the vector are reversed
    const BounceStep corner = bounce(Point{{1, 1, .5}}, {-2, .25, -2}, 1, mesh, {});
    ASSERT_EQ(corner.hits.size(), 2u);
    EXPECT_EQ(corner.hits[0].point, Vec3(.5, 1.0625, 0));
    EXPECT_EQ(corner.hits[0].velocity_after, Vec3(-2, .25, 2));
    EXPECT_EQ(corner.hits[1].triangle, 2u);
    expect_near(corner.hits[1].point, {0, 1.125, .5});
    EXPECT_EQ(corner.velocity, Vec3(2, .25, 2));
    expect_near(corner.position, {1, 1.25, 1.5});
    EXPECT_TRUE(bounce(Point{{3, 3, 1}}, {0, 0, -2}, 1, mesh, {}).hits.empty());
  }
}

TEST(HeritageU5, DefectTheStopTestNeverReadsZ) {
  MeshData d;
  add_quad(d, {-9, -9, 0}, {9, -9, 0}, {9, 9, 0}, {-9, 9, 0});
  add_quad(d, {-9, -9, 1}, {-9, 9, 1}, {9, 9, 1}, {9, -9, 1});
  const BounceStep step = bounce(Point{{0, 0, .5}}, {0, 0, -3}, 1, Mesh(std::move(d)), {});
  ASSERT_EQ(step.hits.size(), 3u);
  EXPECT_FALSE(step.stopped);
  EXPECT_EQ(step.velocity, Vec3(0, 0, 3));
  expect_near(step.position, {0, 0, .5});
  EXPECT_NEAR(step.hits[0].time, 1 / 6.0, 1e-15);
  EXPECT_NEAR(step.hits[2].time, 5 / 6.0, 1e-15);
  expect_near(step.hits[1].point, {0, 0, 1});
}
TEST(HeritageU5, DefectTheMidpointRuleFliesOverTheWall) {
  MeshData d;
  add_quad(d, {-9, -9, 0}, {9, -9, 0}, {9, 9, 0}, {-9, 9, 0});
  add_quad(d, {1, -9, 0}, {1, 9, 0}, {1, 9, .25}, {1, -9, .25});
  const BounceStep step = bounce(Point{{0, 0, .875}}, {2, 0, -2}, 1, Mesh(std::move(d)), {});
  ASSERT_EQ(step.hits.size(), 2u);
  expect_near(step.hits[1].point, {1, 0, .125});
  expect_near(step.position, {0, 0, 1.125});
  EXPECT_EQ(step.velocity, Vec3(-2, 0, 2));
}
TEST(HeritageU5, StopsAfterTenReflections) {
  const Mesh gap = [] {
    MeshData d;
    add_quad(d, {-9, -9, 0}, {9, -9, 0}, {9, 9, 0}, {-9, 9, 0});
    add_quad(d, {-9, -9, 1}, {-9, 9, 1}, {9, 9, 1}, {9, -9, 1});
    return Mesh(std::move(d));
  }();
  const BounceStep step = bounce(Point{{0, 0, .5}}, {0, 0, -100}, 1, gap, {});
  EXPECT_TRUE(step.stopped);
  EXPECT_EQ(step.hits.size(), 10u);
  EXPECT_EQ(step.velocity, Vec3(0, 0, 0));
  EXPECT_GT(step.position.z, 0);
  EXPECT_LT(step.position.z, 1);
}
TEST(HeritageU5, DefectStartsOnTheSurfaceOrHitsAVertexOrDoesNotMove) {
  const Triangle t = tri({0, 0, 0}, {4, 0, 0}, {0, 4, 0});
  const BounceStep on = bounce(Point{{1, 1, 0}}, {0, 0, -1}, 1, t, {});
  ASSERT_EQ(on.hits.size(), 1u);
  EXPECT_EQ(on.hits[0].time, 0);
  EXPECT_EQ(on.velocity, Vec3(0, 0, 1));
  EXPECT_EQ(on.position, Vec3(1, 1, 1));
  EXPECT_TRUE(bounce(Point{{1, 1, 0}}, {0, 0, 1}, 1, t, {}).hits.empty());
  const BounceStep vertex = bounce(Point{{0, 0, 1}}, {0, 0, -2}, 1, t, {});
  ASSERT_EQ(vertex.hits.size(), 1u);
  EXPECT_EQ(vertex.velocity, Vec3(0, 0, 2));
  expect_near(vertex.position, {0, 0, 1});
  const BounceStep still = bounce(Point{{1, 1, 1}}, {0, 0, 0}, 1, t, {});
  EXPECT_TRUE(still.hits.empty());
  EXPECT_EQ(still.position, Vec3(1, 1, 1));
}

TEST(HeritageU6, SpeedIsLostAtEachHit) {
  EXPECT_EQ(respond({1, 0, -1}, {0, 0, 2}, {.restitution = .5}), Vec3(1, 0, .5));
  EXPECT_EQ(respond({4, 0, -2}, {0, 0, -1}, {.restitution = 1, .friction = .25}), Vec3(3, 0, 2));   // impulse 4, a quarter of it tangential
  EXPECT_EQ(respond({.5, 0, -2}, {0, 0, -1}, {.restitution = 1, .friction = .25}), Vec3(0, 0, 2));  // never reversed
  EXPECT_EQ(respond({1, 0, -1}, {0, 0, 1}, {.restitution = 1, .friction = 0, .speed_kept = .75}), Vec3(.75, 0, .75));
  EXPECT_EQ(slide({3, 1, -2}, {0, 0, 5}), Vec3(3, 1, 0));
}

}  // namespace
}  // namespace graze::response_test
