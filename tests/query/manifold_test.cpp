// Contact manifolds: the points of well-known contacts, their number and depths, order, exchange of operands, and that there is one exactly when shapes meet.
#include <graze/error.hpp>
#include <graze/query.hpp>
#include <graze/threads.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/random.hpp"

namespace graze::manifold_test {
namespace {

double length(const Vec3& v) { return std::sqrt(v.x * v.x + v.y * v.y + v.z * v.z); }

bool has_point(const Manifold& m, const Vec3& p, double tolerance = 1e-12) {
  return std::any_of(m.points.begin(), m.points.end(), [&](const ManifoldPoint& q) { return length(q.point - p) <= tolerance; });
}

const Box kFloor{{-5, -5, -1}, {5, 5, 0}};

TEST(Manifold, ABoxFaceOnFaceHasFourCorners) {
  for (const double sink : {0.0, 0.125, 1e-7}) {
    const Box box{{-1, -2, -sink}, {1, 2, 3}};
    const auto m = manifold(box, kFloor);
    ASSERT_EQ(m.size(), 1u);
    EXPECT_EQ(m[0].normal, Vec3(0, 0, 1));
    ASSERT_EQ(m[0].points.size(), 4u);
    for (const double x : {-1.0, 1.0})
      for (const double y : {-2.0, 2.0}) EXPECT_TRUE(has_point(m[0], Vec3(x, y, -sink / 2)));
    for (const ManifoldPoint& p : m[0].points) EXPECT_NEAR(p.depth, sink, 1e-15);
    EXPECT_FALSE(m[0].triangle_a || m[0].triangle_b);
    // the corners follow each other around the face
    EXPECT_NEAR(length(m[0].points[0].point - m[0].points[2].point), std::sqrt(20.0), 1e-12);
  }
}

TEST(Manifold, FacesAreClippedAgainstEachOther) {
  const Box a{{0, 0, 0}, {2, 2, 2}}, b{{1, 1, 1.75}, {4, 4, 4}};
  const auto m = manifold(a, b);
  ASSERT_EQ(m.size(), 1u);
  EXPECT_EQ(m[0].normal, Vec3(0, 0, -1));
  ASSERT_EQ(m[0].points.size(), 4u);
  for (const double x : {1.0, 2.0})
    for (const double y : {1.0, 2.0}) EXPECT_TRUE(has_point(m[0], Vec3(x, y, 1.875)));
  // Turned by 45 degrees: an octagon, of which four points are chosen.
  const Box square{{-1, -1, -0.25}, {1, 1, 1}}, other{{-1, -1, -1}, {1, 1, 0}};
  const Placed turned = at(other, Pose::from_quaternion(std::cos(0.39269908169872414), 0, 0, std::sin(0.39269908169872414)));
  const auto all = manifold(square, turned, ManifoldPoints::all), four = manifold(square, turned);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].points.size(), 8u);
  ASSERT_EQ(four[0].points.size(), 4u);
  for (const ManifoldPoint& p : four[0].points) EXPECT_TRUE(has_point(all[0], p.point, 0));
}

TEST(Manifold, ABoxOnAnEdgeHasTwoPointsAndOnACornerOne) {
  const Pose edge = Pose::from_quaternion(std::cos(0.39269908169872414), std::sin(0.39269908169872414), 0, 0, Vec3(0, 0, std::sqrt(2.0) - 0.01));
  const auto m = manifold(at(Box{{-1, -1, -1}, {1, 1, 1}}, edge), kFloor);
  ASSERT_EQ(m.size(), 1u);
  EXPECT_NEAR(m[0].normal.z, 1, 1e-15);
  ASSERT_EQ(m[0].points.size(), 2u);
  for (const double x : {-1.0, 1.0}) EXPECT_TRUE(has_point(m[0], Vec3(x, 0, -0.005)));
  for (const ManifoldPoint& p : m[0].points) EXPECT_NEAR(p.depth, 0.01, 1e-12);
  const Pose corner = Pose::from_quaternion(1, 0.4, 0.25, 0, Vec3(0.5, 0.25, 1.3));
  const auto c = manifold(at(Box{{-1, -1, -1}, {1, 1, 1}}, corner), kFloor);
  ASSERT_EQ(c.size(), 1u);
  EXPECT_EQ(c[0].points.size(), 1u);
  EXPECT_EQ(contacts(at(Box{{-1, -1, -1}, {1, 1, 1}}, corner), kFloor).at(0).point, c[0].points[0].point);
}

TEST(Manifold, ATiltedBoxHasTheDepthsOfItsCorners) {
  const double tilt = 1e-3;
  const Box cube{{-1, -1, -1}, {1, 1, 1}};
  const Placed box = at(cube, Pose::from_quaternion(1, 0, tilt / 2, 0, Vec3(0, 0, 1 - 0.01)));
  const auto m = manifold(box, kFloor);
  ASSERT_EQ(m.size(), 1u);
  ASSERT_EQ(m[0].points.size(), 4u);
  double least = 1, most = 0;
  for (const ManifoldPoint& p : m[0].points) {
    least = std::min(least, p.depth);
    most = std::max(most, p.depth);
  }
  EXPECT_NEAR(most, 0.01 + tilt, 1e-5);
  EXPECT_NEAR(least, 0.01 - tilt, 1e-5);
  EXPECT_NEAR(most, penetration(box, kFloor).value->depth, 1e-15);
}

TEST(Manifold, CrossingEdgesHaveOnePoint) {
  const Pose a = Pose::from_quaternion(std::cos(0.39269908169872414), std::sin(0.39269908169872414), 0, 0, Vec3(0, 0, std::sqrt(2.0)));
  const Pose b = Pose::from_quaternion(std::cos(0.39269908169872414), 0, std::sin(0.39269908169872414), 0, Vec3(0, 0, -std::sqrt(2.0) + 0.02));
  const Box cube{{-1, -1, -1}, {1, 1, 1}};
  const auto m = manifold(at(cube, a), at(cube, b));
  ASSERT_EQ(m.size(), 1u);
  ASSERT_EQ(m[0].points.size(), 1u);
  EXPECT_NEAR(length(m[0].points[0].point - Vec3(0, 0, 0.01)), 0, 1e-12);
  EXPECT_NEAR(m[0].points[0].depth, 0.02, 1e-12);
  EXPECT_NEAR(m[0].normal.z, 1, 1e-12);
}

TEST(Manifold, RoundShapes) {
  const auto lying = manifold(Capsule{{-1, 0, 0.5}, {1, 0, 0.5}, 0.75}, kFloor);
  ASSERT_EQ(lying.size(), 1u);
  ASSERT_EQ(lying[0].points.size(), 2u);
  for (const double x : {-1.0, 1.0}) EXPECT_TRUE(has_point(lying[0], Vec3(x, 0, -0.125)));
  EXPECT_NEAR(lying[0].points[0].depth, 0.25, 1e-12);
  const auto beyond = manifold(Capsule{{3, 0, 0.5}, {9, 0, 0.5}, 0.75}, kFloor);  // reaches over the floor's edge
  ASSERT_EQ(beyond[0].points.size(), 2u);
  EXPECT_TRUE(has_point(beyond[0], Vec3(3, 0, -0.125)));
  EXPECT_TRUE(has_point(beyond[0], Vec3(5, 0, -0.125)));
  const auto upright = manifold(Capsule{{0, 0, 0.5}, {0, 0, 3}, 0.75}, kFloor);
  ASSERT_EQ(upright[0].points.size(), 1u);
  EXPECT_TRUE(has_point(upright[0], Vec3(0, 0, -0.125)));
  const auto ball = manifold(Sphere{{1, 2, 0.5}, 0.75}, kFloor);
  ASSERT_EQ(ball[0].points.size(), 1u);
  EXPECT_TRUE(has_point(ball[0], Vec3(1, 2, -0.125)));
  const auto beside = manifold(Capsule{{-1, 0, 0}, {1, 0, 0}, 0.5}, Capsule{{0, 0, 0.75}, {5, 0, 0.75}, 0.5});
  ASSERT_EQ(beside[0].points.size(), 2u);
  for (const double x : {0.0, 1.0}) EXPECT_TRUE(has_point(beside[0], Vec3(x, 0, 0.375)));
  const auto crossing = manifold(Capsule{{-1, 0, 0}, {1, 0, 0}, 0.5}, Capsule{{0.25, -1, 0.75}, {0.25, 1, 0.75}, 0.5});
  ASSERT_EQ(crossing[0].points.size(), 1u);
  EXPECT_TRUE(has_point(crossing[0], Vec3(0.25, 0, 0.375)));
  const auto at_edge = manifold(Sphere{{5.3, 0, 0.4}, 0.75}, kFloor);
  ASSERT_EQ(at_edge[0].points.size(), 1u);
  EXPECT_NEAR(at_edge[0].points[0].depth, 0.25, 1e-12);
  EXPECT_TRUE(has_point(at_edge[0], Vec3(5 - 0.125 * 0.6, 0, -0.125 * 0.8)));
}

TEST(Manifold, CurvedShapes) {
  const HalfSpace ground{{0, 0, 0}, {0, 0, 2}};
  const auto standing = manifold(Cylinder{{0, 0, -0.125}, {0, 0, 2}, 1}, ground),
             all = manifold(Cylinder{{0, 0, -0.125}, {0, 0, 2}, 1}, ground, ManifoldPoints::all);
  ASSERT_EQ(standing.size(), 1u);
  EXPECT_EQ(standing[0].points.size(), 4u);
  EXPECT_EQ(all[0].points.size(), 8u);
  for (const ManifoldPoint& p : all[0].points) {
    EXPECT_NEAR(p.point.x * p.point.x + p.point.y * p.point.y, 1, 1e-12);
    EXPECT_NEAR(p.point.z, -0.0625, 1e-12);
    EXPECT_NEAR(p.depth, 0.125, 1e-12);
  }
  const auto lying = manifold(Cylinder{{-1, 0, 0.75}, {1, 0, 0.75}, 1}, ground);
  ASSERT_EQ(lying[0].points.size(), 2u);
  for (const double x : {-1.0, 1.0}) EXPECT_TRUE(has_point(lying[0], Vec3(x, 0, -0.125), 1e-9));
  const auto tip = manifold(Cone{{0, 0, 2}, {0, 0, -0.25}, 1}, ground);
  ASSERT_EQ(tip[0].points.size(), 1u);
  EXPECT_TRUE(has_point(tip[0], Vec3(0, 0, -0.125), 1e-9));
  const auto egg = manifold(Ellipsoid{{0, 0, 0.75}, {2, 3, 1}}, ground);
  ASSERT_EQ(egg[0].points.size(), 1u);
  EXPECT_TRUE(has_point(egg[0], Vec3(0, 0, -0.125), 1e-7));
}

TEST(Manifold, HullsAndPolygons) {
  const Hull cube{{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}, {-1, -1, 2}, {1, -1, 2}, {1, 1, 2}, {-1, 1, 2}};
  const auto m = manifold(at(cube, translation(Vec3(0.5, 0, -0.25))), kFloor);
  ASSERT_EQ(m.size(), 1u);
  EXPECT_EQ(m[0].normal, Vec3(0, 0, 1));
  ASSERT_EQ(m[0].points.size(), 4u);
  for (const double x : {-0.5, 1.5})
    for (const double y : {-1.0, 1.0}) EXPECT_TRUE(has_point(m[0], Vec3(x, y, -0.125)));
  const Polygon square{{-1, -1, -0.5}, {1, -1, -0.5}, {1, 1, -0.5}, {-1, 1, -0.5}};
  const auto p = manifold(square, kFloor);
  ASSERT_EQ(p.size(), 1u);
  EXPECT_EQ(p[0].points.size(), 4u);
}

TEST(Manifold, MeshesHaveOnePerTriangle) {
  MeshData d;
  d.vertices = {Vec3(-5, -5, 0), Vec3(5, -5, 0), Vec3(5, 5, 0), Vec3(-5, 5, 0)};
  d.triangles = {{0, 1, 2}, {0, 2, 3}};
  const Mesh floor(d);
  const Box box{{-1, -1, -0.125}, {1, 1, 2}};
  const auto m = manifold(box, floor, ManifoldPoints::all);
  const auto c = contacts(box, floor);
  ASSERT_EQ(m.size(), c.size());
  ASSERT_EQ(m.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(m[i].triangle_b, c[i].triangle_b);
    EXPECT_EQ(m[i].normal, c[i].normal);
    EXPECT_EQ(m[i].points.size(), 3u);  // half of the box's face, cut along the diagonal
  }
  const Solid block = solid(Mesh(MeshData{{Vec3(0, 0, 0), Vec3(4, 0, 0), Vec3(0, 4, 0), Vec3(0, 0, 4)}, {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}, {}}));
  const auto inside = manifold(Sphere{{0.5, 0.5, 0.5}, 0.125}, block);
  ASSERT_EQ(inside.size(), 1u);
  EXPECT_EQ(inside[0].points.size(), 1u);
}

TEST(Manifold, UnboundedDepth) {
  const auto m = manifold(Plane{{0, 0, 0}, {0, 0, 1}}, Line{{3, 4, 1}, {0, 0, 1}});
  ASSERT_EQ(m.size(), 1u);
  EXPECT_EQ(m[0].normal, Vec3(0, 0, 0));
  ASSERT_EQ(m[0].points.size(), 1u);
  EXPECT_EQ(m[0].points[0].point, Vec3(3, 4, 0));
  EXPECT_EQ(m[0].points[0].depth, INFINITY);
}

/// Two boxes have a way of their own, which computes what any convex parts get: here those of a compound. Also where one lies on the other.
TEST(Manifold, BoxesAsPartsOfACompound) {
  test::Random random(8);
  int met = 0;
  for (int i = 0; i < 300; ++i) {
    SCOPED_TRACE(i);
    const Vec3 half(random.real(0.1, 1), random.real(0.1, 1), random.real(0.1, 1)), corner(random.real(0.1, 1), random.real(0.1, 1), random.real(0.1, 1));
    const Box a{half * -1.0, half}, b{corner * -1.0, i % 3 ? corner : corner * 2.0};
    const Pose p = random.pose(1);
    Pose q = random.pose(1);
    if (i % 2) {
      q = p;
      q.translation = p.apply(Vec3(random.real(-0.2, 0.2), random.real(-0.2, 0.2), half.z + corner.z - std::exp(random.real(-15, -3))));
    }
    const Placed pa = at(a, p), pb = at(b, q);
    const Compound whole({{b, q}});
    const auto own = manifold(pa, pb), parts = manifold(pa, whole);
    ASSERT_EQ(own.size(), parts.size());
    const auto c = contacts(pa, pb);
    ASSERT_EQ(c.size(), own.size());
    if (own.empty()) continue;
    ++met;
    EXPECT_EQ(own[0].normal, parts[0].normal);
    ASSERT_EQ(own[0].points.size(), parts[0].points.size());
    for (std::size_t k = 0; k < own[0].points.size(); ++k) {
      EXPECT_EQ(own[0].points[k].point, parts[0].points[k].point);
      EXPECT_EQ(own[0].points[k].depth, parts[0].points[k].depth);
    }
    EXPECT_EQ(c[0].point, contacts(pa, whole).at(0).point);
    if (const auto depth = penetration(pa, pb); depth.value) {
      EXPECT_EQ(depth.value->depth, c[0].depth);
    }
  }
  EXPECT_GT(met, 150);
}

TEST(Manifold, AWedgeFarFromTheOriginMeetsAsNearIt) {
  const Vec3 edges[3] = {Vec3(1, 1, -1), Vec3(-0.25, 1, 0), Vec3(0, 0.125, 0.75)};
  const auto find = [&](const Vec3& to) {
    const Wedge wedge{Vec3(0.375, -0.625, 0.75) + to, {edges[0], edges[1], edges[2]}};
    return manifold(wedge, Box{Vec3(-1, -0.25, -0.375) + to, Vec3(1, 0.5, 0.75) + to}, ManifoldPoints::all);
  };
  const auto near = find(Vec3(0, 0, 0));
  ASSERT_EQ(near.size(), 1u);
  ASSERT_EQ(near[0].points.size(), 2u);
  for (const Vec3& to : {Vec3(1e6, 0, -1e6), Vec3(1e8, -7e5, 3e5), Vec3(-1e9, 1e9, 1e9)}) {
    const auto far = find(to);
    ASSERT_EQ(far.size(), 1u);
    ASSERT_EQ(far[0].points.size(), 2u);
    for (std::size_t k = 0; k < 2; ++k) {
      const Vec3 d = (far[0].points[k].point - to) - near[0].points[k].point;
      EXPECT_LE(std::max({std::fabs(d.x), std::fabs(d.y), std::fabs(d.z)}), 2.5e-16 * 1e9);
      EXPECT_NEAR(far[0].points[k].depth, near[0].points[k].depth, 1e-12);
    }
  }
}

TEST(Manifold, AThinBoxIsNotLongerThanItIs) {
  const Hull hull{{2, 0, 3}, {2, -2, 1}, {-1, -1, 0}, {-3, 0, 3}, {2, -1, 2}, {-1, 2, -1}};
  for (const double half : {1e-15, 1e-16, 1e-18, 1e-100, 0.0}) {
    const auto m = manifold(OrientedBox{Vec3(3, -2, 2), {Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)}, Vec3(2, 1.5, half)}, hull);
    ASSERT_EQ(m.size(), 1u);
    ASSERT_EQ(m[0].points.size(), 2u) << half;
    EXPECT_NEAR(std::min(m[0].points[0].point.x, m[0].points[1].point.x), 1, 1e-12);
    EXPECT_NEAR(std::max(m[0].points[0].point.x, m[0].points[1].point.x), 2, 1e-12);
  }
}

TEST(Manifold, SmallOnLarge) {  // the corners of the small one, however large the other is
  for (const double size : {1.0, 1e3, 1e6, 1e9}) {
    const Triangle ground{{Vec3(-size, -size, 0), Vec3(3 * size, -size, 0), Vec3(-size, 3 * size, 0)}};
    const auto m = manifold(Box{Vec3(0.125, 0.25, -0.125), Vec3(0.25, 0.5, 0.5)}, ground);
    ASSERT_EQ(m.size(), 1u);
    EXPECT_EQ(m[0].points.size(), 4u) << size;
  }
}

TEST(Manifold, RandomPairs) {
  test::Random random(7);
  const auto shape = [&]() -> AnyShape {
    switch (random.below(7)) {
      case 0:
        return Box::from_center(random.point(-0.5, 0.5), Vec3(random.real(0.1, 1), random.real(0.1, 1), random.real(0.1, 1)));
      case 1: {
        const Vec3 a = random.point(-1, 1), b = random.point(-1, 1);
        return Capsule{a, b, random.real(0.1, 0.5)};
      }
      case 2:
        return Sphere{random.point(-0.5, 0.5), random.real(0.1, 1)};
      case 3: {
        const Vec3 a = random.point(-1, 1), b = random.point(-1, 1), c = random.point(-1, 1);
        return Triangle{{a, b, c}};
      }
      case 4: {
        std::vector<Vec3> p;
        for (int k = 0; k < 12; ++k) p.push_back(random.point(-1, 1));
        return Hull(p);
      }
      case 5: {
        const Vec3 a = random.point(-1, 1), b = random.point(-1, 1);
        return Cylinder{a, b, random.real(0.1, 0.5)};
      }
      default:
        return HalfSpace{random.point(-0.5, 0.5), random.point(-1, 1)};
    }
  };
  int met = 0;
  for (int i = 0; i < 1500; ++i) {
    const AnyShape a = shape(), b = shape();
    SCOPED_TRACE(std::string(type_name(a.kind())) + " and " + type_name(b.kind()) + ", pair " + std::to_string(i));
    const Pose p = random.pose(0.7);
    const Placed pa = at(a, p);
    const auto m = manifold(pa, b), mirrored = manifold(b, pa), all = manifold(pa, b, ManifoldPoints::all);
    const auto c = contacts(pa, b);
    ASSERT_EQ(m.size(), c.size());
    ASSERT_EQ(mirrored.size(), m.size());
    if (m.empty()) continue;
    ++met;
    EXPECT_EQ(m[0].normal, c[0].normal);
    EXPECT_EQ(mirrored[0].normal, Vec3(0, 0, 0) - m[0].normal);
    ASSERT_EQ(mirrored[0].points.size(), m[0].points.size());
    ASSERT_GE(m[0].points.size(), 1u);
    ASSERT_LE(m[0].points.size(), 4u);
    EXPECT_GE(all[0].points.size(), m[0].points.size());
    double most = 0;
    for (std::size_t k = 0; k < m[0].points.size(); ++k) {
      const ManifoldPoint& q = m[0].points[k];
      EXPECT_EQ(mirrored[0].points[k].point, q.point);
      EXPECT_EQ(mirrored[0].points[k].depth, q.depth);
      EXPECT_GE(q.depth, 0);
      most = std::max(most, q.depth);
      if (!(c[0].depth < INFINITY)) continue;
      // Both surfaces are half the depth away along the normal. A disc's octagon lies within the disc.
      const bool curved = a.kind() == kind_of<Cylinder> || b.kind() == kind_of<Cylinder>;
      const double slack = curved ? 1e-3 : 1e-9, half = q.depth / 2;  // the normal of curved shapes is that of a depth up to 1e-3 too large
      EXPECT_LE(closest(Point{q.point}, pa).distance, half + slack);
      EXPECT_LE(closest(Point{q.point}, b).distance, half + slack);
      EXPECT_LE(closest(Point{q.point - m[0].normal * half}, pa).distance, slack) << q.depth;
      EXPECT_LE(closest(Point{q.point + m[0].normal * half}, b).distance, slack) << q.depth;
    }
    EXPECT_EQ(most, c[0].depth);
  }
  EXPECT_GT(met, 500);
}

void expect_equal(const FixedManifold& m, const Manifold& n) {
  EXPECT_EQ(m.normal, n.normal);
  EXPECT_EQ(m.triangle_a, n.triangle_a);
  EXPECT_EQ(m.triangle_b, n.triangle_b);
  ASSERT_EQ(m.points().size(), n.points.size());
  for (std::size_t k = 0; k < n.points.size(); ++k) {
    EXPECT_EQ(m.points()[k].point, n.points[k].point);
    EXPECT_EQ(m.points()[k].depth, n.points[k].depth);
  }
}

/// Batches with room for all, for few and for none, on any number of threads, are the single calls, one after the other.
TEST(Manifold, BatchesAreTheSingleCalls) {
  test::Random random(9);
  const Mesh floor(MeshData{{Vec3(-5, -5, 0), Vec3(5, -5, 0), Vec3(5, 5, 0), Vec3(-5, 5, 0)}, {{0, 1, 2}, {0, 2, 3}}, {}});
  std::vector<AnyShape> shapes;
  for (int i = 0; i < 40; ++i) {
    const Vec3 half(random.real(0.1, 1), random.real(0.1, 1), random.real(0.1, 1));
    std::vector<Vec3> p;
    for (int k = 0; k < 12; ++k) p.push_back(random.point(-1, 1));
    const double radius = random.real(0.1, 0.5);
    const AnyShape all[] = {Box{half * -1.0, half}, Capsule{Vec3(0, 0, -half.z), Vec3(0, 0, half.z), radius}, Sphere{{0, 0, 0}, radius}, Hull(p)};
    shapes.push_back(all[i % 4]);
  }
  constexpr std::size_t n = 1000;
  std::vector<Placed> a, b;
  for (std::size_t i = 0; i < n; ++i) {
    const Pose p = random.pose(1), q = random.pose(1);
    const std::size_t which = random.below(shapes.size());
    a.push_back(at(shapes[random.below(shapes.size())], p));
    b.push_back(i / 100 == 3 ? at(floor, Pose{}) : at(shapes[which], q));  // some pieces have more manifolds than pairs, if all are among the first
  }
  const std::vector<ShapeRef> ra(a.begin(), a.end()), rb(b.begin(), b.end());
  std::vector<Manifold> all;
  std::vector<std::size_t> ends{0};
  for (std::size_t i = 0; i < n; ++i) {
    for (const Manifold& m : manifold(ra[i], rb[i])) all.push_back(m);
    ends.push_back(all.size());
  }
  ASSERT_GT(all.size(), n / 4);
  for (const int threads : {1, 4}) {
    set_threads(threads);
    for (const std::size_t room : {n + 200, n, all.size(), all.size() / 2, std::size_t{0}}) {
      SCOPED_TRACE(room);
      std::vector<FixedManifold> out(room);
      std::vector<std::size_t> offsets(n + 1);
      std::vector<PairHint> hints(n);
      for (int frame = 0; frame < 3; ++frame) {
        EXPECT_EQ(frame == 0 ? manifold(ra, rb, offsets, out) : manifold(ra, rb, offsets, out, hints), all.size());
        EXPECT_EQ(offsets, ends);
        for (std::size_t i = 0; i < std::min(room, all.size()); ++i) expect_equal(out[i], all[i]);
      }
    }
  }
  set_threads(0);
  FixedManifold one;
  for (std::size_t i = 0; i < n; ++i) {
    PairHint hint;
    EXPECT_EQ(manifold(ra[i], rb[i], std::span<FixedManifold>(&one, 1)), ends[i + 1] - ends[i]);
    EXPECT_EQ(manifold(ra[i], rb[i], hint, std::span<FixedManifold>(&one, 1)), ends[i + 1] - ends[i]);
    if (ends[i + 1] > ends[i]) expect_equal(one, all[ends[i]]);
  }
  std::vector<std::size_t> offsets(n);
  std::vector<PairHint> hints(n - 1);
  EXPECT_THROW((void)manifold(ra, rb, offsets, std::span<FixedManifold>()), Error);
  offsets.resize(n + 1);
  EXPECT_THROW((void)manifold(ra, rb, offsets, std::span<FixedManifold>(), hints), Error);
  EXPECT_EQ(manifold(std::span<const ShapeRef>(), std::span<const ShapeRef>(), std::span<std::size_t>(offsets).first(1), std::span<FixedManifold>()), 0u);
}

/// Parts of a compound take the way of any convex pieces.
TEST(Manifold, ClosedFormsAreTheWayOfAllPieces) {
  test::Random random(10);
  int met = 0, two = 0;
  const auto shape = [&]() -> AnyShape {
    const Vec3 half(random.real(0.1, 1), random.real(0.1, 1), random.real(0.1, 1));
    const double radius = random.real(0.05, 0.5);
    switch (random.below(4)) {
      case 0:
        return Box{half * -1.0, half};
      case 1:
        return Sphere{half, radius};
      case 2:
        return Capsule{half * -1.0, half, radius};
      default:
        return Segment{half * -1.0, half};
    }
  };
  for (int i = 0; i < 3000; ++i) {
    SCOPED_TRACE(i);
    const AnyShape a = shape(), b = shape();
    const Pose p = random.pose(0.7), q = random.pose(0.7);
    const Placed pa = at(a, p), pb = at(b, q);
    const Compound whole({{b, q}});
    const auto own = manifold(pa, pb), parts = manifold(pa, whole);
    ASSERT_EQ(own.size(), parts.size());
    if (own.empty()) continue;
    ++met;
    two += own[0].points.size() == 2;
    EXPECT_EQ(own[0].normal, parts[0].normal);
    ASSERT_EQ(own[0].points.size(), parts[0].points.size());
    for (std::size_t k = 0; k < own[0].points.size(); ++k) {
      EXPECT_EQ(own[0].points[k].point, parts[0].points[k].point);
      EXPECT_EQ(own[0].points[k].depth, parts[0].points[k].depth);
    }
  }
  EXPECT_GT(met, 1000);
  EXPECT_GT(two, 100);
}

}  // namespace
}  // namespace graze::manifold_test
