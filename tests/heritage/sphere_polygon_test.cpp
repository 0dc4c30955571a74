// Rows S1 to S9 of docs/heritage.md: a sphere against a polygon, and every case that the lesson's program gets wrong.
#include <gtest/gtest.h>
#include <graze/graze.hpp>

#include <vector>

namespace graze::sphere_polygon_test {
namespace {

const Polygon& lesson_triangle() {
  static const Polygon p{{-1, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  return p;
}

/// Any simple polygon, concave or not, as a mesh.
Mesh mesh_of(const std::vector<Vec3>& outline) {
  MeshData d;
  d.vertices = outline;
  d.triangles = triangulate(outline);
  return Mesh(std::move(d));
}

TEST(HeritageS1, SphereAgainstPlane) {
  const Plane ground{{0, 0, 1}, {0, 0, 5}};
  EXPECT_EQ(static_cast<int>(Side::behind), 0);
  EXPECT_EQ(static_cast<int>(Side::intersects), 1);
  EXPECT_EQ(static_cast<int>(Side::front), 2);
  const Classification front = classify(Sphere{{7, 7, 3}, 1}, ground), touching = classify(Sphere{{7, 7, 3}, 2}, ground),
                       behind = classify(Sphere{{7, 7, -3}, 1}, ground);
  EXPECT_EQ(front.side, Side::front);
  EXPECT_EQ(front.distance, 2);
  EXPECT_EQ(touching.side, Side::intersects);
  EXPECT_EQ(behind.side, Side::behind);
  EXPECT_EQ(behind.distance, -4);
}

TEST(HeritageS1, DefectDistantPlaneInSinglePrecision) {
  const auto plane = plane_of(Triangle{{Vec3(65535, 0, 0), Vec3(65537, 0, 2), Vec3(65536, 1, 1)}});
  ASSERT_TRUE(plane);
  EXPECT_NEAR(classify(Point{{65536 + 1.0 / 128, .25, 1}}, *plane).distance, -0.0055242717280199, 1e-16);  // -1/128/sqrt(2)
}

TEST(HeritageS2, ProjectionOntoThePlane) { EXPECT_EQ(closest(Point{{3, 4, 5}}, Plane{{0, 0, 1}, {0, 0, 3}}).on_b, Vec3(3, 4, 1)); }

TEST(HeritageS3, PointOfThePlaneInAPolygon) {
  const Polygon p{{0, 0, 0}, {4, 0, 0}, {6, 2, 0}, {4, 4, 0}, {0, 4, 0}};
  EXPECT_TRUE(intersects(Point{{5, 2, 0}}, p));
  EXPECT_TRUE(intersects(Point{{5, 3, 0}}, p));  // on an edge
  EXPECT_TRUE(intersects(Point{{6, 2, 0}}, p));  // a corner
  EXPECT_FALSE(intersects(Point{{5.5, 3, 0}}, p));
}

TEST(HeritageS4, ClosestPointOfASegment) {
  const Segment s{{0, 0, 0}, {4, 0, 0}};
  EXPECT_EQ(closest(Point{{1, 2, 0}}, s).on_b, Vec3(1, 0, 0));
  EXPECT_EQ(closest(Point{{-3, 4, 0}}, s).on_b, Vec3(0, 0, 0));
  EXPECT_EQ(closest(Point{{-3, 4, 0}}, s).distance, 5);
  EXPECT_EQ(closest(Point{{9, 0, 0}}, s).on_b, Vec3(4, 0, 0));
}

TEST(HeritageS5, SphereAgainstAnEdge) {
  EXPECT_TRUE(intersects(Sphere{{2, 1, 0}, 1}, Segment{{0, 0, 0}, {4, 0, 0}}));
  EXPECT_TRUE(intersects(Sphere{{5, 0, 0}, 1}, Segment{{0, 0, 0}, {4, 0, 0}}));
  EXPECT_FALSE(intersects(Sphere{{4.75, 0.75, 0}, 1}, Segment{{0, 0, 0}, {4, 0, 0}}));
}

TEST(HeritageS6, DefectTouchingCounts) {
  for (const Vec3 c : {Vec3(0, .5, .5), Vec3(0, .5, -.5), Vec3(0, -.5, 0), Vec3(-1.5, 0, 0)}) EXPECT_TRUE(intersects(Sphere{c, .5}, lesson_triangle()));
}
TEST(HeritageS6, DefectRadiusZero) { EXPECT_TRUE(intersects(Sphere{{0, .5, 0}, 0}, lesson_triangle())); }
TEST(HeritageS6, DefectFirstThreeVerticesCollinear) {
  EXPECT_TRUE(intersects(Sphere{{1, 1, 0}, .5}, Polygon{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}}));
}
TEST(HeritageS6, DefectBentQuadrilateral) { EXPECT_TRUE(intersects(Sphere{{.25, 3.75, 1.75}, .25}, Polygon{{0, 0, 0}, {4, 0, 0}, {4, 4, 0}, {0, 4, 2}})); }
TEST(HeritageS6, DefectConcavePolygon) {
  const std::vector<Vec3> outline{{0, 0, 0}, {4, 0, 0}, {1, 1, 0}, {0, 4, 0}};
  EXPECT_THROW(Polygon{std::span<const Vec3>(outline)}, Error);
  const Mesh m = mesh_of(outline);
  EXPECT_FALSE(intersects(Sphere{{2, 2, 0}, .5}, m));
  EXPECT_TRUE(intersects(Sphere{{2, 2, 0}, 1.5}, m));
}

TEST(HeritageS7, SegmentAgainstPolygon) {
  EXPECT_TRUE(intersects(Segment{{0, .5, 1}, {0, .5, -1}}, lesson_triangle()));
  EXPECT_TRUE(intersects(Segment{{0, 1, 1}, {0, 1, -1}}, lesson_triangle()));  // through a corner
  EXPECT_FALSE(intersects(Segment{{0, 1.25, 1}, {0, 1.25, -1}}, lesson_triangle()));
  EXPECT_FALSE(intersects(Segment{{0, .5, 2}, {0, .5, 1}}, lesson_triangle()));
}

TEST(HeritageS8, TouchesAfterSixtyStepsNotAfterSixtyOne) {
  float y = 0.5f;  // the program sums in single precision
  int touching = 0;
  while (intersects(Sphere{{0, y, 0}, 0.1f}, lesson_triangle()) && touching < 100) {
    y += 0.01f;
    ++touching;
  }
  EXPECT_EQ(touching - 1, 60);
}

}  // namespace
}  // namespace graze::sphere_polygon_test
