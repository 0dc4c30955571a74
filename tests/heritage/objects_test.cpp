// Rows K1 to K14 of docs/heritage.md: hierarchical collision of whole objects, and every case that the text's listing gets wrong.
#include <gtest/gtest.h>
#include <graze/graze.hpp>
#include <graze/heritage/hierarchy.hpp>
#include <graze/heritage/older_broad_phases.hpp>
#include <graze/heritage/plane_equation.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace graze::objects_test {
namespace {

Triangle tri(const Vec3& a, const Vec3& b, const Vec3& c) { return Triangle{{a, b, c}}; }

void expect_intersects(const Triangle& a, const Triangle& b, bool expected) {
  EXPECT_EQ(intersects(a, b), expected);
  EXPECT_EQ(intersects(b, a), expected);
}

Mesh cube(const Vec3& center, double half) {
  MeshData d;
  for (int i = 0; i < 8; ++i)
    d.vertices.push_back(Vec3(center.x + (i & 1 ? half : -half), center.y + (i & 2 ? half : -half), center.z + (i & 4 ? half : -half)));
  d.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4}, {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  return Mesh(std::move(d));
}

Mesh one_triangle(const Vec3& a, const Vec3& b, const Vec3& c) {
  MeshData d;
  d.vertices = {a, b, c};
  d.triangles = {{0, 1, 2}};
  return Mesh(std::move(d));
}

TEST(HeritageK1, BoundingBoxAndItsCornersByName) {
  const Box b = bounding_box(one_triangle({-1, 5, 2}, {3, -4, 0}, {0, 0, 7}));
  EXPECT_EQ(b.min, Vec3(-1, -4, 0));
  EXPECT_EQ(b.max, Vec3(3, 5, 7));
  EXPECT_EQ(b.corner(Corner::A), Vec3(-1, -4, 0));
  EXPECT_EQ(b.corner(Corner::B), Vec3(-1, 5, 0));
  EXPECT_EQ(b.corner(Corner::C), Vec3(3, 5, 0));
  EXPECT_EQ(b.corner(Corner::D), Vec3(3, -4, 0));
  EXPECT_EQ(b.corner(Corner::E), Vec3(-1, -4, 7));
  EXPECT_EQ(b.corner(Corner::F), Vec3(-1, 5, 7));
  EXPECT_EQ(b.corner(Corner::G), Vec3(3, 5, 7));
  EXPECT_EQ(b.corner(Corner::H), Vec3(3, -4, 7));
}

TEST(HeritageK2, CentreIsTheMiddleOfTheDiagonal) { EXPECT_EQ((Box{{-1, -4, 0}, {3, 5, 7}}.center()), Vec3(1, 0.5, 3.5)); }
TEST(HeritageK2, DefectTheMiddleDoesNotOverflow) {
  EXPECT_EQ((Box{{1e308, 1e308, -1.5e308}, {1.5e308, 1e308, -1e308}}.center()), Vec3(1.25e308, 1e308, -1.25e308));
}

TEST(HeritageK3, SphereContainsEveryVertex) {
  const Mesh m = cube({0, 0, 0}, 1);
  const Sphere s = bounding_sphere(m);
  EXPECT_EQ(s.center, Vec3(0, 0, 0));
  EXPECT_NEAR(s.radius, std::sqrt(3.0), 1e-15);
  for (const Vec3& v : m.vertices()) EXPECT_TRUE(contains(s, v));  // the double nearest to sqrt(3) has a square below 3
}

TEST(HeritageK3, DefectRadiusRoundedToNearest) {  // 1.7320508075688772^2 < 3
  EXPECT_FALSE(contains(Sphere{{0, 0, 0}, std::sqrt(3.0)}, {1, 1, 1}));
  EXPECT_TRUE(contains(bounding_sphere(cube({0, 0, 0}, 1)), {1, 1, 1}));
}

TEST(HeritageK4, DefectTheMiddleOfATriangleLiesInItsBox) {  // unlike half the sum of its corners
  const Triangle t = tri({2, 0, 0}, {4, 0, 0}, {3, 3, 0});
  EXPECT_EQ(SphereHierarchy(one_triangle(t.points[0], t.points[1], t.points[2])).triangle_spheres()[0].center, Vec3(3, 1.5, 0));
  EXPECT_FALSE(contains(bounding_box(t), (t.points[0] + t.points[1] + t.points[2]) / 2.0));
}
TEST(HeritageK4, BoxAndSphereOfEveryPolygon) {
  const Mesh m = cube({5, 0, 0}, 1);
  const SphereHierarchy h(m);
  ASSERT_EQ(h.triangle_spheres().size(), m.size());
  ASSERT_EQ(h.triangle_boxes().size(), m.size());
  EXPECT_EQ(h.triangle_boxes()[0].min, Vec3(4, -1, -1));
  EXPECT_EQ(h.triangle_boxes()[0].max, Vec3(6, 1, -1));
  for (std::size_t i = 0; i < m.size(); ++i)
    for (std::uint32_t v : m.triangles()[i]) EXPECT_TRUE(contains(h.triangle_spheres()[i], m.vertices()[v]));
  EXPECT_EQ(h.object_box().min, Vec3(4, -1, -1));
}

TEST(HeritageK5, DefectTheComparisonIsReversed) {
  EXPECT_TRUE(intersects(Sphere{{0, 0, 0}, 2}, Sphere{{1, 0, 0}, 2}));  // the text: 4 > 1, so no penetration
  EXPECT_FALSE(intersects(Sphere{{0, 0, 0}, 1}, Sphere{{3, 0, 0}, 1}));
}
TEST(HeritageK5, SphereAgainstSphere) {
  EXPECT_TRUE(intersects(Sphere{{0, 0, 0}, 1}, Sphere{{3, 0, 0}, 2}));  // the sum of radii is the distance
  EXPECT_FALSE(intersects(Sphere{{0, 0, 0}, 1}, Sphere{{std::nextafter(3.0, 4.0), 0, 0}, 2}));
}

TEST(HeritageK6, SeparatesAtTheFirstPossibleLevel) {
  const SphereHierarchy a(cube({0, 0, 0}, 1));
  HierarchyCounts counts;
  EXPECT_FALSE(intersects(a, SphereHierarchy(cube({9, 0, 0}, 1)), &counts));
  EXPECT_EQ(counts.possible, 144u);
  EXPECT_EQ(counts.after_objects, 0u);
  const Mesh near = cube({1.5, 0.25, 0.125}, 1);
  EXPECT_EQ(intersecting_triangles(a, SphereHierarchy(near), &counts), intersecting_triangles(a.mesh(), near));
  EXPECT_EQ(counts.after_objects, 144u);
  EXPECT_LT(counts.after_spheres, 144u);
  EXPECT_GT(counts.hits, 0u);
  EXPECT_LE(counts.hits, counts.after_spheres);
}
TEST(HeritageK6, DefectContactAtTheCornerIsKept) {
  const Mesh corner = one_triangle({1, 1, 1}, {2, 1, 1}, {1, 2, 2});
  EXPECT_TRUE(intersects(SphereHierarchy(cube({0, 0, 0}, 1)), SphereHierarchy(corner)));
}

TEST(HeritageK7, PlaneOfATriangle) {
  const auto p = plane_of(tri({0, 0, 1}, {2, 0, 1}, {0, 3, 1}));
  ASSERT_TRUE(p);
  EXPECT_EQ(p->normal, Vec3(0, 0, 6));
  EXPECT_EQ(p->point.z, 1);
  EXPECT_FALSE(plane_of(tri({0, 0, 0}, {1, 1, 1}, {2, 2, 2})));
  const PlaneEquation e = equation_of(*p);
  EXPECT_EQ(Vec3(e.a, e.b, e.c), p->normal);
  EXPECT_EQ(e.d, -6);
}

TEST(HeritageK8, LineAgainstPlaneByTheParameter) {
  const Plane plane{{0, 0, 0}, {0, 0, 1}};
  const Vec3 a(1, 1, 3), b(1, 1, -1);
  const auto hit = raycast(Segment{b, a}, plane);  // t = 0 at the second point, 1 at the first
  ASSERT_TRUE(hit);
  EXPECT_EQ(hit->t, 0.25);
  EXPECT_FALSE(raycast(Segment{Vec3(1, 1, 1), a}, plane));
  EXPECT_EQ(raycast(Segment{Vec3(1, 1, 0), a}, plane)->t, 0);
  EXPECT_EQ(raycast(Segment{b, Vec3(1, 1, 0)}, plane)->t, 1);
}
TEST(HeritageK8, DefectParallelLinesAndZeroLengthEdgesDivideByZero) {
  const Plane plane{{0, 0, 0}, {0, 0, 1}};
  EXPECT_FALSE(raycast(Segment{{0, 0, 1}, {5, 0, 1}}, plane));     // parallel
  EXPECT_EQ(raycast(Segment{{0, 0, 0}, {5, 0, 0}}, plane)->t, 0);  // within the plane
  EXPECT_EQ(raycast(Segment{{1, 1, 0}, {1, 1, 0}}, plane)->t, 0);
  EXPECT_FALSE(raycast(Segment{{1, 1, 1}, {1, 1, 1}}, plane));
}

TEST(HeritageK9, LinesParallelToAnAxis) {
  const Triangle t = tri({0, 0, 0}, {4, 0, 0}, {0, 4, 4});
  EXPECT_EQ(raycast(Line{{1, -3, 1}, {0, 1, 0}}, t)->point, Vec3(1, 1, 1));
}
TEST(HeritageK9, DefectDividesByZeroForAPlaneAlongTheLine) {
  const Plane x0{{0, 0, 0}, {1, 0, 0}};
  EXPECT_FALSE(raycast(Line{{1, 0, 0}, {0, 1, 0}}, x0));
  EXPECT_TRUE(raycast(Line{{0, 0, 0}, {0, 1, 0}}, x0));
}

TEST(HeritageK10, EveryProjectionAxisKeepsTheTriangle) {
  for (int axis = 0; axis < 3; ++axis) {
    Vec3 b(0, 0, 0), c(0, 0, 0), inside(0, 0, 0), outside(0, 0, 0);
    b[(axis + 1) % 3] = 4;
    c[(axis + 2) % 3] = 4;
    inside[(axis + 1) % 3] = inside[(axis + 2) % 3] = 2;
    outside[(axis + 1) % 3] = 2;
    outside[(axis + 2) % 3] = std::nextafter(2.0, 3.0);
    EXPECT_TRUE(intersects(Point{inside}, tri({0, 0, 0}, b, c)));
    EXPECT_FALSE(intersects(Point{outside}, tri({0, 0, 0}, b, c)));
  }
}

TEST(HeritageK11, DefectPointOnAVerticalEdge) { EXPECT_TRUE(intersects(Point{{0, 1, 0}}, tri({0, 0, 0}, {0, 2, 0}, {2, 0, 0}))); }
TEST(HeritageK11, DefectPointExactlyOnASlantedEdge) { EXPECT_TRUE(intersects(Point{{386, 859, 0}}, tri({-513, -598, 0}, {821, 1564, 0}, {1178, 894, 0}))); }

TEST(HeritageK12, DefectSecondEdgeCounts) { expect_intersects(tri({-1, -1, 0}, {1, -1, 0}, {0, 1, 0}), tri({0, 0, 1}, {0, 0, 2}, {.25, 0, -1}), true); }
TEST(HeritageK12, DefectCoplanarOverlap) {
  expect_intersects(tri({0, 0, 0}, {4, 0, 0}, {0, 4, 0}), tri({1, 1, 0}, {2, 1, 0}, {1, 2, 0}), true);
  expect_intersects(tri({0, 0, 0}, {4, 0, 0}, {0, 4, 0}), tri({0, 0, 0}, {4, 0, 0}, {0, 4, 0}), true);
}
TEST(HeritageK12, DefectFractionsAreNotTruncated) {
  expect_intersects(tri({0, 0, 0}, {.5, 0, 0}, {0, 0, .5}), tri({.1, -.25, .1}, {.2, .25, .1}, {.1, .25, .2}), true);
}
TEST(HeritageK12, DefectEqualVerticesGiveNaN) {
  expect_intersects(tri({1, 1, -1}, {1, 1, -1}, {1, 1, 1}), tri({0, 0, 0}, {4, 0, 0}, {0, 4, 0}), true);
  expect_intersects(tri({3, 3, -1}, {3, 3, -1}, {3, 3, 1}), tri({0, 0, 0}, {4, 0, 0}, {0, 4, 0}), false);
}
TEST(HeritageK12, DefectVerticalEdgeInSpace) { expect_intersects(tri({0, 0, 0}, {0, 2, 0}, {2, 0, 0}), tri({0, 1, -1}, {0, 1, 1}, {-3, 1, 0}), true); }
TEST(HeritageK12, DefectOneSharedVertex) { expect_intersects(tri({0, 0, 0}, {1, 0, 0}, {0, 1, 0}), tri({0, 0, 0}, {-1, 0, 1}, {0, -1, 1}), true); }
TEST(HeritageK12, DefectEdgeInTheOthersPlane) { expect_intersects(tri({-1, 0, -1}, {1, 0, -1}, {0, 0, 1}), tri({0, 0, -3}, {0, 0, 3}, {0, 5, 0}), true); }
TEST(HeritageK12, DefectBothOrdersAreTested) { expect_intersects(tri({.25, -1, .25}, {.25, 1, .25}, {5, 5, 5}), tri({0, 0, 0}, {4, 0, 0}, {0, 0, 4}), true); }

TEST(HeritageK12, AllPairsOfTwoObjects) {
  const auto pairs = intersecting_triangles(cube({0, 0, 0}, 1), cube({2, 0, 0}, 1));  // one common face
  EXPECT_FALSE(pairs.empty());
  const Mesh a = cube({0, 0, 0}, 1), b = cube({2, 0, 0}, 1);
  std::vector<TrianglePair> all;
  const auto corners = [](const Mesh& m, std::uint32_t i) {
    const auto& t = m.triangles()[i];
    return tri(m.vertices()[t[0]], m.vertices()[t[1]], m.vertices()[t[2]]);
  };
  for (std::uint32_t i = 0; i < a.size(); ++i)
    for (std::uint32_t j = 0; j < b.size(); ++j)
      if (intersects(corners(a, i), corners(b, j))) all.push_back({i, j});
  EXPECT_EQ(pairs, all);
}

TEST(HeritageK13, ShapesAgainstTheViewFrustum) {
  const Frustum view = Frustum::perspective({0, 0, 0}, {0, 0, -1}, {0, 1, 0}, 1, 1, 1, 10);
  EXPECT_EQ(classify(Sphere{{0, 0, -5}, 1}, view), Visibility::inside);
  EXPECT_EQ(classify(Sphere{{0, 0, -10}, 1}, view), Visibility::crossing);
  EXPECT_EQ(classify(Sphere{{0, 0, 5}, 1}, view), Visibility::outside);
  EXPECT_TRUE(intersects(Cylinder{{0, 0, -5}, {0, 0, 5}, 0.5}, view));
  EXPECT_FALSE(intersects(Cylinder{{0, 0, 0}, {0, 0, 5}, 0.5}, view));
}

TEST(HeritageK13, GridsAndOctreesFindPairsOfVeryUnequalBoxes) {
  std::vector<Box> boxes{Box{{0, 0, 0}, {16, 16, 16}}, Box{{16, 0, 0}, {20, 4, 4}}};  // they share a part of a face
  for (int i = 0; i < 40; ++i) boxes.push_back({Vec3(0.5 * i, 1, 1), Vec3(0.5 * i + 0.25, 1.25, 1.25)});
  BroadPhase phase;
  phase.assign(boxes);
  const std::vector<BroadPhase::IdPair> truth = phase.pairs();
  EXPECT_EQ(truth.size(), 1u + 33 + 8);
  for (const OlderBroadPhase method : {OlderBroadPhase::multi_resolution_grid, OlderBroadPhase::octree, OlderBroadPhase::loose_octree}) {
    OlderResult found = overlapping_pairs(method, boxes);
    std::sort(found.pairs.begin(), found.pairs.end());
    EXPECT_EQ(found.pairs, truth) << name_of(method);
  }
}

TEST(HeritageK14, CounterClockwiseIsTheFront) {
  const Triangle t = tri({0, 0, 0}, {1, 0, 0}, {0, 1, 0});
  EXPECT_GT(plane_of(t)->normal.z, 0);
  EXPECT_TRUE(raycast(Ray{{.25, .25, 1}, {0, 0, -1}}, t)->front);
  EXPECT_FALSE(raycast(Ray{{.25, .25, -1}, {0, 0, 1}}, t)->front);
}

}  // namespace
}  // namespace graze::objects_test
