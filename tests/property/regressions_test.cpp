// Wrong answers that were found, each with its least input.
#include <gtest/gtest.h>

#include "property/instances.hpp"

namespace graze::test {
namespace {

/// A very small mesh beside an ordinary one: the nearest pair was left out, the distance 8e-12 too large.
TEST(Regressions, DistanceOfATinyMesh) {
  const double y = next_up(-1), w = -4.5474735088646412e-13, z = 2.1827872842550278e-11;
  const Mesh a(MeshData{{{w, -1, 0}, {0, -1, 0}, {w, y, 0}, {0, -1, z}, {0, y, z}, {w, y, z}}, {{0, 2, 1}, {3, 4, 5}}, {}});
  const Triangle t{{Vec3(0, 0, 1), Vec3(1, 0, 2), Vec3(1, 1, -1)}};
  const Mesh b(MeshData{{t.points[0], t.points[1], t.points[2]}, {{0, 1, 2}}, {}});
  const Closest c = closest(a, b);
  EXPECT_EQ(c.distance, closest(Triangle{{a.vertices()[3], a.vertices()[4], a.vertices()[5]}}, t).distance);
  EXPECT_EQ(c.triangle_a, 1u);
  EXPECT_FALSE(within(a, b, 1.35400640076));
  EXPECT_TRUE(within(a, b, 1.35400640077));
}

/// The common point of a set and one without bounds is one point, rounded: a Point must be its own witness.
TEST(Regressions, WitnessInAHalfSpaceIsThePoint) {
  const Closest c = closest(Point{{-1, 3, 2}}, HalfSpace{{1, 1, 3}, {0, -3, -1}});
  EXPECT_EQ(c.distance, 0);
  EXPECT_EQ(c.on_a, Vec3(-1, 3, 2));
}
TEST(Regressions, WitnessOfALineInAFrustumIsOnTheLine) {
  const Line line{{-1, -4, 3}, {2, 3, -3}};
  const Frustum frustum(std::vector<Vec3>{{-4, 0, -1}, {4, 2, -2}, {2, 1, -4}, {-1, 0, 0}, {1, -1, 0}, {0, -4, -2}, {4, -2, 2}, {-4, 1, -2}});
  const Pose half = Pose::quarter_turn(Axis::z, 2, {-2, 0, 2});
  const Closest c = closest(line, at(frustum, half));
  EXPECT_LE(closest(Point{c.on_a}, line).distance, c.distance + 8 * 0x1p-51);
}

/// Exchanging two meshes exchanges the result bit for bit, which of many common points included.
TEST(Regressions, WitnessesOfCrossingMeshesAreSymmetric) {
  const HeightField a({-1, 0, 0}, 1, 1, 3, std::vector<double>{1, 1, 0, 1, 0, 1, 1, 1, 2}), b({-1, -1, 0}, 2, 1, 3, std::vector<double>{0, 1, 2, 2, 0, 0});
  const Closest c = closest(a, b), d = closest(b, a);
  EXPECT_EQ(c.on_a, d.on_b);
  EXPECT_EQ(c.triangle_a, d.triangle_b);
  const Polygon p{{1, -1, -1}, {0, -1, -1}, {-1, -2, 0}, {0, -2, 0}}, q{{0, -1, 0}, {1, -1, 0}, {1, -2, -1}, {0, -2, -1}};
  EXPECT_EQ(closest(p, q).on_a, closest(q, p).on_b);
}

/// The normal of a hit does not depend on t_max.
TEST(Regressions, NormalDoesNotDependOnTMax) {
  const Line line{{-1, 1, 0}, {2, -2, 1}};
  const Plane plane{{-1, 1, 0}, {3, -3, 2}};
  EXPECT_EQ(raycast(line, plane)->normal, raycast(line, plane, {0x1p-1074})->normal);
}

/// "No finite translation separates" is as true of B and A as of A and B.
TEST(Regressions, UnboundedIsSymmetric) {
  const OrientedBox a{{-1, 1, 0}, {Vec3(-1, 0, 1), Vec3(1, -1, 0), Vec3(1, 0, 1)}, {1, 0, 1}};
  const Mesh mesh(MeshData{{{-1, -1, -1}, {0, 1, -1}, {-1, 0, 1}, {1, -1, 1}, {1, -1, 1}, {-1, 0, 0}, {-1, 1, 1}, {-1, 1, -1}, {0, 1, 0}}, {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}}, {}});
  const Compound b({{mesh, Pose::quarter_turn(Axis::y, 1, {-1, 0, 2})}, {HalfSpace{{1, 0, 0}, {1, -1, 1}}, Pose{}}});
  EXPECT_EQ(penetration(a, b).reason, penetration(b, a).reason);
}

/// A line's first parameter at a curved shape was the start of the search.
TEST(Regressions, LinesAtCurvedShapes) {
  EXPECT_NEAR(raycast(Line{{0, 0, 0}, {0, 0, 1}}, Cylinder{{0, 0, 0}, {0, 0, 1}, 1})->t, 0, 1e-12);
  EXPECT_NEAR(raycast(Line{{0, -5, 0}, {0, 1, 0}}, Ellipsoid{{0, 0, 0}, {1, 2, 3}})->t, 3, 1e-12);
  EXPECT_NEAR(raycast(Line{{0, 0, 0}, {1, 0, 0}}, Cone{{0, 0, 0}, {0, 0, 1}, 1})->t, -1, 1e-12);
}

/// A ray that misses by less than the bound may hit or not, but a hit lies on the shape; a point in motion has the same time.
TEST(Regressions, GrazingCurvedShapes) {
  struct Case {
    Vec3 origin, direction;
    AnyShape shape;
    double t;
  };
  for (const Case& c : {Case{{0.8, -0.6, 12}, {0, 0, -6}, Cylinder{{0, 0, 0}, {3, 4, 0}, 1}, 2}, Case{{11.414213562373096, -8.585786437626904, 0}, {-1, 1, 0}, Cone{{0, 0, 0}, {0, 0, 1}, 2}, 10},
                        Case{{20.447213595499957, -9.105572809000083, 1}, {-2, 1, 0}, Cylinder{{0, 0, 0}, {0, 0, 1}, 1}, 10}}) {
    const auto hit = raycast(Ray{c.origin, c.direction}, c.shape);
    if (hit) {
      EXPECT_NEAR(hit->t, c.t, 1e-7);
      EXPECT_LE(closest(Point{hit->point}, c.shape).distance, 0x1p-36 * 10);
    }
    const auto far = raycast(Ray{c.origin, c.direction * 20.0}, c.shape);
    const auto moved = sweep(Point{c.origin}, c.direction * 20.0, c.shape);
    ASSERT_EQ(far.has_value() && far->t <= 1, moved.has_value());
    if (moved) {
      EXPECT_EQ(moved->t, far->t);
    }
  }
}

/// A set with pieces on both sides of a plane that it does not touch was said to lie behind.
TEST(Regressions, PiecesOnBothSidesOfAPlane) {
  const Plane plane{{0, 0, 0}, {0, 0, 1}};
  for (const double sign : {1.0, -1.0}) {
    const Compound c({{Point{{0, 0, -5 * sign}}, Pose{}}, {Point{{0, 0, sign}}, Pose{}}});
    const Classification r = classify(c, plane);
    EXPECT_EQ(r.side, Side::intersects);
    EXPECT_EQ(r.distance, sign);
  }
}

/// The normal of a segment met by a ray nearly along it was not perpendicular to the segment.
TEST(Regressions, NormalOfASegmentAlongTheRay) {
  const Triangle segment{{Vec3(0, 0, 0), Vec3(3, 1, 0), Vec3(6, 2, 0)}};
  for (const double z : {1e-12, 1e-15, 1e-100}) {
    const auto hit = raycast(Ray{{-3, -1, -z}, {3, 1, z}}, segment);
    ASSERT_TRUE(hit && hit->normal);
    EXPECT_EQ(*hit->normal, Vec3(0, 0, -1));
  }
}

}  // namespace
}  // namespace graze::test
