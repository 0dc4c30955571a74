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

}  // namespace
}  // namespace graze::test
