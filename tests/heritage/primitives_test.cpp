// Rows P1 to P10 of docs/heritage.md: tests of primitives, and every case that the article's functions get wrong.
#include <gtest/gtest.h>
#include <graze/graze.hpp>

#include <cmath>

namespace graze::primitives_test {
namespace {

TEST(HeritageP1, DefectCubeAgainstPointMissesTouching) {
  const Box cube = Box::from_center({1, 2, 3}, 0.5);
  EXPECT_TRUE(contains(cube, {1.5, 2.5, 3.5}));  // touching counts
  EXPECT_TRUE(contains(cube, {1, 2, 3}));
  EXPECT_FALSE(contains(cube, {std::nextafter(1.5, 2.0), 2, 3}));
}
TEST(HeritageP2, DefectBoxAgainstPointMissesTouching) {
  const Box box = Box::from_center({0, 0, 0}, Vec3(1, 2, 3));
  EXPECT_TRUE(contains(box, {-1, 2, -3}));
  EXPECT_FALSE(contains(box, {0, 2.5, 0}));
}
TEST(HeritageP3, BoxAgainstPointByCorners) {
  const Box box{{0, 0, 0}, {1, 2, 3}};
  EXPECT_TRUE(contains(box, {1, 2, 3}));
  EXPECT_FALSE(contains(box, {1, 2, 3.5}));
}
TEST(HeritageP4, BoxAgainstBox) {
  const Box a = Box::from_corner({0, 0, 0}, {2, 2, 2});
  EXPECT_TRUE(intersects(a, Box::from_corner({2, 2, 2}, {5, 1, 1})));
  EXPECT_TRUE(intersects(a, Box::from_corner({0.5, 0.5, 0.5}, {0.25, 0.25, 0.25})));
  EXPECT_FALSE(intersects(a, Box::from_corner({2.5, 0, 0}, {1, 1, 1})));
}
TEST(HeritageP5, DefectBoxAgainstSphere) {
  const Box box{{0, 0, 0}, {1, 1, 1}};
  EXPECT_TRUE(intersects(box, Sphere{{1.75, 1.75, .5}, 1.25}));
  EXPECT_TRUE(intersects(box, Sphere{{4, 5, .5}, 5}));
  EXPECT_TRUE(intersects(box, Sphere{{2, 3, 3}, 3}));
  EXPECT_FALSE(intersects(box, Sphere{{4, 5, .5}, std::nextafter(5.0, 4.0)}));
}
TEST(HeritageP6, DefectCubeAgainstSegment) {
  const Box cube = Box::from_center({0, 0, 0}, 1.0);
  EXPECT_TRUE(intersects(cube, Segment{{7, 0, 0}, {-5, 2, 0}}));                          // touches an edge
  EXPECT_FALSE(intersects(cube, Segment{{7, 0, 0}, {-5, std::nextafter(2.0, 3.0), 0}}));  // passes it by less than an ulp
  EXPECT_FALSE(intersects(cube, Segment{{3, 0, 0}, {2, 0, 0}}));
}
TEST(HeritageP7, DefectSphereAgainstPoint) {
  EXPECT_FALSE(contains(Sphere{{0, 0, 0}, 1.73205078}, {1, 1, 1}));
  EXPECT_TRUE(contains(Sphere{{0, 0, 0}, 1.7320508076}, {1, 1, 1}));
}
TEST(HeritageP8, DefectSphereAgainstSphere) {
  EXPECT_TRUE(intersects(Sphere{{1, 2, 3}, 0}, Sphere{{1, 2, 3}, 0}));
  EXPECT_TRUE(intersects(Sphere{{0, 0, 0}, 1e8}, Sphere{{1e8, 0, 0}, 1}));
  EXPECT_TRUE(intersects(Sphere{{0, 0, 0}, 1}, Sphere{{2, 0, 0}, 1}));
}
TEST(HeritageP9, DefectSphereAgainstSegment) {
  const Segment s{{0, 0, 0}, {1, 0, 0}};
  EXPECT_FALSE(intersects(Sphere{{1.75, .75, 0}, 1}, s));
  EXPECT_FALSE(intersects(Sphere{{-.75, .75, 0}, 1}, s));
  EXPECT_TRUE(intersects(Sphere{{2, 0, 0}, 1}, s));
  EXPECT_TRUE(intersects(Sphere{{-1, 0, 0}, 1}, s));
  EXPECT_TRUE(intersects(Sphere{{1, 0, 0}, 1}, Segment{{0, 0, 0}, {0, 0, 0}}));
  EXPECT_FALSE(intersects(Sphere{{1.5, 0, 0}, 1}, Segment{{0, 0, 0}, {0, 0, 0}}));
}

}  // namespace
}  // namespace graze::primitives_test
