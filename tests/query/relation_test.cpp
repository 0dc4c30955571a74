// Relations of convex shapes: spheres in integers, boxes and hulls against the same as solids, shapes without bounds, and what the definition says of surfaces.
#include <graze/query/relation.hpp>

#include <gtest/gtest.h>
#include <graze/error.hpp>
#include <graze/query.hpp>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "support/random.hpp"
#include "support/rounds.hpp"
#include "support/solid_boxes.hpp"

namespace graze::relation_test {
namespace {

using test::joined_boxes;
using test::Random;
using test::solid_box;

Relation mirrored(Relation r) { return r == Relation::a_in_b ? Relation::b_in_a : r == Relation::b_in_a ? Relation::a_in_b : r; }

struct AsSolid {
  AnyShape shape;
  Hull hull;
  Solid solid() const {
    MeshData d;
    d.vertices.assign(hull.points().begin(), hull.points().end());
    d.triangles.assign(hull.triangles().begin(), hull.triangles().end());
    return Solid(Mesh(std::move(d)));
  }
};

AsSolid random_polytope(Random& random) {
  if (random.integer(0, 1) == 0) {
    Box b;
    for (int i = 0; i < 3; ++i) {
      b.min[i] = random.integer(-3, 2);
      b.max[i] = b.min[i] + random.integer(1, 3);
    }
    std::vector<Vec3> corners;
    for (int k = 0; k < 8; ++k) corners.emplace_back(k & 1 ? b.max.x : b.min.x, k & 2 ? b.max.y : b.min.y, k & 4 ? b.max.z : b.min.z);
    return {b, Hull(std::span<const Vec3>(corners))};
  }
  while (true) {
    std::vector<Vec3> points(static_cast<std::size_t>(random.integer(4, 9)));
    for (Vec3& p : points) p = random.grid(-3, 3);
    const Hull h{std::span<const Vec3>(points)};
    if (h.dimension() == 3) return {h, h};
  }
}

TEST(RelationOfShapes, PolytopesAgreeWithTheirSolidsAndOtherQueries) {
  Random random(81);
  std::map<Relation, int> found;
  for (int round = 0; round < test::rounds(20000); ++round) {
    const AsSolid a = random_polytope(random), b = round % 10 == 0 ? a : random_polytope(random);
    const Relation r = relation(a.shape, b.shape);
    ++found[r];
    ASSERT_EQ(relation(b.shape, a.shape), mirrored(r)) << round;
    ASSERT_EQ(relation(a.solid(), b.solid()), r) << round;
    const bool meet = intersects(a.shape, b.shape);
    ASSERT_EQ(meet, r != Relation::disjoint) << round;
    if (!meet) continue;
    ASSERT_EQ(penetration(a.shape, b.shape).reason == NoPenetration::touching, r == Relation::touching) << round;
  }
  for (const Relation r : {Relation::disjoint, Relation::touching, Relation::overlapping, Relation::a_in_b, Relation::b_in_a, Relation::identical})
    EXPECT_GT(found[r], 1) << name_of(r);
}

/// Exact moves of a solid's corners: axes exchanged, mirrored (with triangles turned), scaled by a power of two and shifted by whole numbers.
Solid moved_exactly(const AsSolid& s, int axis, bool mirror, double scale, const Vec3& offset) {
  MeshData d;
  for (const Vec3& p : s.hull.points()) {
    const Vec3 q(p[axis], p[(axis + 1) % 3], p[(axis + 2) % 3]);
    d.vertices.push_back(Vec3(mirror ? -q.x : q.x, q.y, q.z) * scale + offset * scale);
  }
  for (auto t : s.hull.triangles()) {
    if (mirror) std::swap(t[1], t[2]);
    d.triangles.push_back(t);
  }
  return Solid(Mesh(std::move(d)));
}

TEST(RelationOfShapes, SolidsUnderExactMovesAndContains) {
  Random random(84);
  int contained = 0;
  for (int round = 0; round < test::rounds(20000); ++round) {
    const AsSolid a = random_polytope(random), b = round % 10 == 0 ? a : random_polytope(random);
    const Solid solid_a = a.solid(), solid_b = b.solid();
    const Relation r = relation(solid_a, solid_b);
    const int axis = random.integer(0, 2);
    const bool mirror = random.integer(0, 1) == 1;
    const double scale = random.integer(0, 1) == 1 ? 0x1p-40 : 0x1p300;
    const Vec3 offset = random.grid(-9, 9);
    ASSERT_EQ(relation(moved_exactly(a, axis, mirror, scale, offset), moved_exactly(b, axis, mirror, scale, offset)), r) << round;
    bool corners_in_b = true;
    for (const Vec3& p : a.hull.points()) {
      const bool in = contains(solid_b, p);
      ASSERT_EQ(relation(Point{p}, solid_b) == Relation::a_in_b, in) << round;
      corners_in_b = corners_in_b && in;
    }
    ASSERT_EQ(corners_in_b, r == Relation::a_in_b || r == Relation::identical) << round;  // b is convex
    contained += corners_in_b;
  }
  EXPECT_GT(contained, 10);
}

TEST(RelationOfShapes, SpheresInIntegers) {
  Random random(82);
  for (int round = 0; round < test::rounds(20000); ++round) {
    const Vec3 p = random.grid(-3, 3), q = random.grid(-3, 3);
    const int r = random.integer(0, 4), s = random.integer(0, 4);
    const double square = (p.x - q.x) * (p.x - q.x) + (p.y - q.y) * (p.y - q.y) + (p.z - q.z) * (p.z - q.z), sum = (r + s) * (r + s), less = (r - s) * (r - s);
    const Relation truth = square > sum               ? Relation::disjoint
                           : square == 0 && r == s    ? Relation::identical
                           : square <= less && r <= s ? Relation::a_in_b
                           : square <= less           ? Relation::b_in_a
                           : square == sum            ? Relation::touching
                                                      : Relation::overlapping;
    ASSERT_EQ(relation(Sphere{p, double(r)}, Sphere{q, double(s)}), truth) << round;
  }
}

TEST(RelationOfShapes, RoundInFlatAndFlatInRound) {
  const Box box{Vec3(0, 0, 0), Vec3(4, 4, 4)};
  const Sphere fits{Vec3(2, 2, 2), 2}, high{Vec3(2, 2, 2.5), 2}, around{Vec3(2, 2, 2), 4};
  EXPECT_EQ(relation(fits, box), Relation::a_in_b);
  EXPECT_EQ(relation(high, box), Relation::overlapping);
  EXPECT_EQ(relation(around, box), Relation::b_in_a);
  EXPECT_EQ(relation(Sphere{Vec3(2, 2, 5), 1}, box), Relation::touching);
  const Capsule capsule{Vec3(1, 1, 1), Vec3(3, 3, 3), 1}, thin{Vec3(1, 1, 1), Vec3(3, 3, 3), 0.1};
  EXPECT_EQ(relation(capsule, box), Relation::a_in_b);
  EXPECT_EQ(relation(thin, capsule), Relation::a_in_b);
  EXPECT_EQ(relation(capsule, Capsule{Vec3(3, 3, 3), Vec3(1, 1, 1), 1}), Relation::identical);
  EXPECT_EQ(relation(Segment{Vec3(1, 1, 1), Vec3(3, 3, 3)}, capsule), Relation::a_in_b);
  // radii whose difference is no double
  EXPECT_EQ(relation(Sphere{Vec3(1, 0, 0), 0x1p-60}, Sphere{Vec3(0, 0, 0), 1}), Relation::overlapping);
  EXPECT_EQ(relation(Sphere{Vec3(0x1.fffffffffffffp-1, 0, 0), 0x1p-60}, Sphere{Vec3(0, 0, 0), 1}), Relation::a_in_b);
  // a hull under a pose: faces are those of the placed corners
  const Hull hull({Vec3(0, 0, 0), Vec3(4, 0, 0), Vec3(0, 4, 0), Vec3(0, 0, 4)});
  const Pose turn = Pose::from_quaternion(0.9, 0.1, 0.3, 0.2);
  EXPECT_EQ(relation(at(Sphere{Vec3(0.75, 0.75, 0.75), 0.7}, turn), at(hull, turn)), Relation::a_in_b);
  EXPECT_EQ(relation(at(Sphere{Vec3(0.75, 0.75, 0.75), 0.8}, turn), at(hull, turn)), Relation::overlapping);
}

TEST(RelationOfShapes, ShapesWithoutBounds) {
  const HalfSpace below{Vec3(0, 0, 0), Vec3(0, 0, 1)}, lower{Vec3(0, 0, -1), Vec3(0, 0, 3)}, above{Vec3(7, 7, 0), Vec3(0, 0, -2)},
      tilted{Vec3(0, 0, 0), Vec3(1, 0, 1)};
  const Plane floor{Vec3(5, 5, 0), Vec3(0, 0, -3)}, wall{Vec3(0, 0, 0), Vec3(1, 0, 0)};
  const Line along{Vec3(1, 2, 0), Vec3(1, 1, 0)}, up{Vec3(0, 0, 0), Vec3(0, 0, 1)};
  const Ray down{Vec3(0, 0, 0), Vec3(0, 0, -1)}, rising{Vec3(0, 0, 0), Vec3(0, 0, 1)};
  EXPECT_EQ(relation(lower, below), Relation::a_in_b);
  EXPECT_EQ(relation(below, below), Relation::identical);
  EXPECT_EQ(relation(below, HalfSpace{Vec3(9, 1, 0), Vec3(0, 0, 2)}), Relation::identical);
  EXPECT_EQ(relation(below, above), Relation::touching);
  EXPECT_EQ(relation(lower, above), Relation::disjoint);
  EXPECT_EQ(relation(below, tilted), Relation::overlapping);
  EXPECT_EQ(relation(floor, below), Relation::a_in_b);
  EXPECT_EQ(relation(floor, Plane{Vec3(1, 1, 0), Vec3(0, 0, 1)}), Relation::identical);
  EXPECT_EQ(relation(floor, wall), Relation::touching);
  EXPECT_EQ(relation(wall, below), Relation::overlapping);
  EXPECT_EQ(relation(along, floor), Relation::a_in_b);
  EXPECT_EQ(relation(up, floor), Relation::touching);
  EXPECT_EQ(relation(up, below), Relation::overlapping);
  EXPECT_EQ(relation(down, below), Relation::a_in_b);
  EXPECT_EQ(relation(rising, below), Relation::touching);
  EXPECT_EQ(relation(down, up), Relation::a_in_b);
  EXPECT_EQ(relation(up, Line{Vec3(0, 0, 3), Vec3(0, 0, -2)}), Relation::identical);
  EXPECT_EQ(relation(Box{Vec3(0, 0, -3), Vec3(1, 1, 0)}, below), Relation::a_in_b);
  EXPECT_EQ(relation(Sphere{Vec3(0, 0, -1), 1}, below), Relation::a_in_b);
  EXPECT_EQ(relation(Sphere{Vec3(0, 0, -0.5), 1}, below), Relation::overlapping);
  EXPECT_EQ(relation(below, Sphere{Vec3(0, 0, 1), 1}), Relation::touching);
}

TEST(RelationOfShapes, SurfacesAndPoints) {
  const Triangle t{{Vec3(0, 0, 0), Vec3(4, 0, 0), Vec3(0, 4, 0)}};
  EXPECT_EQ(relation(t, t), Relation::touching);
  EXPECT_EQ(relation(t, Triangle{{Vec3(0, 0, 1), Vec3(4, 0, 1), Vec3(0, 4, 1)}}), Relation::disjoint);
  EXPECT_EQ(relation(t, Polygon({Vec3(0, 0, 0), Vec3(4, 0, 0), Vec3(4, 4, 0), Vec3(0, 4, 0)})), Relation::touching);
  EXPECT_EQ(relation(t, Box{Vec3(0, 0, 0), Vec3(4, 4, 4)}), Relation::a_in_b);  // on its face
  EXPECT_EQ(relation(Segment{Vec3(1, 1, 0), Vec3(2, 1, 0)}, t), Relation::a_in_b);
  EXPECT_EQ(relation(Point{Vec3(1, 1, 0)}, t), Relation::a_in_b);
  EXPECT_EQ(relation(Point{Vec3(1, 1, 1)}, t), Relation::disjoint);
  EXPECT_EQ(relation(Point{Vec3(1, 1, 1)}, Point{Vec3(1, 1, 1)}), Relation::identical);
  EXPECT_EQ(relation(Point{Vec3(1, 1, 1)}, Sphere{Vec3(1, 1, 1), 0}), Relation::identical);
}

TEST(RelationOfShapes, TrianglesAgainstSolidsAndMeshes) {
  MeshData cube;
  const Box box{Vec3(0, 0, 0), Vec3(4, 4, 4)};
  std::vector<Vec3> corners;
  for (int k = 0; k < 8; ++k) corners.emplace_back(k & 1 ? 4 : 0, k & 2 ? 4 : 0, k & 4 ? 4 : 0);
  const Hull hull{std::span<const Vec3>(corners)};
  cube.vertices.assign(hull.points().begin(), hull.points().end());
  cube.triangles.assign(hull.triangles().begin(), hull.triangles().end());
  const Mesh mesh{MeshData(cube)};
  const Solid solid(mesh);
  const Triangle on_face{{Vec3(1, 1, 4), Vec3(3, 1, 4), Vec3(1, 3, 4)}}, within{{Vec3(1, 1, 1), Vec3(3, 1, 2), Vec3(1, 3, 3)}},
      through{{Vec3(1, 1, 1), Vec3(3, 1, 9), Vec3(1, 3, 3)}}, standing{{Vec3(1, 1, 4), Vec3(3, 1, 4), Vec3(1, 1, 9)}};
  EXPECT_EQ(relation(on_face, solid), Relation::a_in_b);
  EXPECT_EQ(relation(within, solid), Relation::a_in_b);
  EXPECT_EQ(relation(through, solid), Relation::overlapping);
  EXPECT_EQ(relation(standing, solid), Relation::touching);
  EXPECT_EQ(relation(solid, on_face), Relation::b_in_a);
  EXPECT_EQ(relation(mesh, solid), Relation::a_in_b);
  EXPECT_EQ(relation(mesh, box), Relation::a_in_b);
  EXPECT_EQ(relation(box, solid), Relation::identical);
  EXPECT_EQ(relation(hull, solid), Relation::identical);
  EXPECT_EQ(relation(Box{Vec3(1, 1, 1), Vec3(2, 2, 2)}, mesh), Relation::disjoint);
  EXPECT_EQ(relation(Box{Vec3(1, 1, 1), Vec3(2, 2, 5)}, mesh), Relation::overlapping);
  EXPECT_EQ(relation(Box{Vec3(1, 1, 4), Vec3(2, 2, 5)}, mesh), Relation::touching);
  EXPECT_EQ(relation(Polygon({Vec3(0, 0, 4), Vec3(4, 0, 4), Vec3(4, 4, 4), Vec3(0, 4, 4)}), solid), Relation::a_in_b);
  EXPECT_EQ(relation(Segment{Vec3(0, 0, 4), Vec3(4, 4, 4)}, mesh), Relation::a_in_b);  // along a face, whichever its diagonal
  EXPECT_EQ(relation(Segment{Vec3(0, 4, 4), Vec3(4, 0, 4)}, mesh), Relation::a_in_b);
  EXPECT_EQ(relation(Segment{Vec3(0, 0, 0), Vec3(4, 4, 4)}, mesh), Relation::touching);
  EXPECT_EQ(relation(Segment{Vec3(0, 0, 0), Vec3(4, 4, 4)}, solid), Relation::a_in_b);
  EXPECT_EQ(relation(Segment{Vec3(0, 0, 0), Vec3(5, 5, 5)}, solid), Relation::overlapping);
  EXPECT_EQ(relation(Segment{Vec3(4, 4, 4), Vec3(5, 5, 5)}, solid), Relation::touching);
  EXPECT_EQ(relation(Point{Vec3(4, 1, 1)}, mesh), Relation::a_in_b);
  EXPECT_EQ(relation(Point{Vec3(1, 1, 1)}, mesh), Relation::disjoint);
  EXPECT_EQ(relation(Point{Vec3(1, 1, 1)}, solid), Relation::a_in_b);
  EXPECT_EQ(relation(Segment{Vec3(1, 1, 0), Vec3(2, 1, 0)}, Polygon({Vec3(0, 0, 0), Vec3(4, 0, 0), Vec3(4, 4, 0), Vec3(0, 4, 0)})), Relation::a_in_b);
}

/// In integers, like those of convex shapes, and equal to what the box of the same corners gives.
TEST(RelationOfShapes, RoundAndTurnedShapesAgainstSolids) {
  Random random(83);
  std::map<Relation, int> found;
  for (int round = 0; round < test::rounds(2000); ++round) {
    Box box;
    for (int i = 0; i < 3; ++i) {
      box.min[i] = random.integer(-3, 0);
      box.max[i] = box.min[i] + random.integer(1, 6);
    }
    const Solid solid = solid_box(box.min, box.max);
    const Sphere ball{random.grid(-3, 3), double(random.integer(1, 3))};
    const Capsule capsule{random.grid(-3, 3), random.grid(-3, 3), double(random.integer(1, 2))};
    const OrientedBox turned{random.grid(-3, 3), {Vec3(1, 1, 0), Vec3(1, -1, 0), Vec3(0, 0, 1)}, Vec3(1, 0.1, 2)};  // corners that are no doubles
    const HalfSpace half{random.grid(-3, 3), Vec3(random.integer(-1, 1), random.integer(-1, 1), 1)};
    for (const AnyShape& s : {AnyShape(ball), AnyShape(capsule), AnyShape(turned), AnyShape(half)}) {
      const Relation r = relation(s, solid);
      ASSERT_EQ(r, relation(s, box)) << round;
      ASSERT_EQ(relation(solid, s), mirrored(r)) << round;
      ++found[r];
    }
  }
  for (const Relation r : {Relation::disjoint, Relation::touching, Relation::overlapping, Relation::a_in_b, Relation::b_in_a})
    EXPECT_GT(found[r], 0) << name_of(r);
  EXPECT_EQ(relation(Sphere{Vec3(0, 0, 0), 1}, solid_box(Vec3(-1, -1, -1), Vec3(1, 1, 1)).mesh()), Relation::touching);
  EXPECT_EQ(relation(Sphere{Vec3(0, 0, 0), 2}, solid_box(Vec3(-1, -1, -1), Vec3(1, 1, 1)).mesh()), Relation::b_in_a);
  EXPECT_EQ(relation(Sphere{Vec3(0, 0, 0), 0.5}, solid_box(Vec3(-1, -1, -1), Vec3(1, 1, 1)).mesh()), Relation::disjoint);
}

/// Two boxes with a wall between them: what lies across the wall is inside.
TEST(RelationOfShapes, WallsInsideASolidAreNoBoundary) {
  const Box two[] = {{Vec3(0, 0, 0), Vec3(2, 4, 4)}, {Vec3(2, 0, 0), Vec3(4, 4, 4)}};
  const Solid solid = joined_boxes(two);
  EXPECT_EQ(relation(Box{Vec3(1, 1, 1), Vec3(3, 3, 3)}, solid), Relation::a_in_b);
  EXPECT_EQ(relation(Box{Vec3(0, 0, 0), Vec3(4, 4, 4)}, solid), Relation::identical);
  EXPECT_EQ(relation(Sphere{Vec3(1, 2, 2), 1}, solid), Relation::a_in_b);
  EXPECT_EQ(relation(Sphere{Vec3(2, 2, 3.5), 1}, solid), Relation::overlapping);
  EXPECT_EQ(relation(Sphere{Vec3(2, 2, 2), 1}, solid), Relation::a_in_b);
  EXPECT_EQ(relation(Sphere{Vec3(2, 2, 2), 2}, solid), Relation::a_in_b);
}

TEST(RelationOfShapes, PartOfATriangleIsAWall) {
  const Box two[] = {{Vec3(0, 0, 0), Vec3(2, 4, 4)}, {Vec3(2, 1, 1), Vec3(4, 3, 3)}};
  const Solid solid = joined_boxes(two);
  const OrientedBox turned{Vec3(2, 2, 2), {Vec3(1, 1, 0), Vec3(1, -1, 0), Vec3(0, 0, 1)}, Vec3(0.3, 0.1, 0.3)};
  EXPECT_EQ(relation(turned, solid), Relation::a_in_b);
  EXPECT_EQ(relation(Box{Vec3(1.5, 1.5, 1.5), Vec3(2.5, 2.5, 2.5)}, solid), Relation::a_in_b);
  EXPECT_EQ(relation(Sphere{Vec3(2, 2, 2), 0.5}, solid), Relation::a_in_b);
  EXPECT_EQ(relation(Sphere{Vec3(2, 2, 2), 1}, solid), Relation::a_in_b);  // touches the edges of the opening
  EXPECT_EQ(relation(Sphere{Vec3(2, 2, 2), 1 + 0x1p-50}, solid), Relation::overlapping);
  EXPECT_EQ(relation(Sphere{Vec3(2, 2, 2), 1.5}, solid), Relation::overlapping);
}

TEST(RelationOfShapes, ReportsProgressAndCanBeCancelled) {
  std::vector<Box> boxes;
  for (int i = 0; i < 500; ++i) boxes.push_back({Vec3(2 * i, 0, 0), Vec3(2 * i + 1, 1, 1)});
  const Solid a = joined_boxes(boxes);
  const Box last = boxes.back();
  boxes.back().max.y = 0.5;
  boxes.push_back({Vec3(last.min.x, 0.5, 0), last.max});
  const Solid b = joined_boxes(boxes);
  std::vector<double> done;
  const Relation r = relation(a, b, [&](double x) {
    done.push_back(x);
    return true;
  });
  EXPECT_EQ(r, Relation::identical);
  ASSERT_GE(done.size(), 10u);
  EXPECT_EQ(done.front(), 0);
  EXPECT_TRUE(std::is_sorted(done.begin(), done.end()));
  EXPECT_GE(done.back(), 0.85);
  EXPECT_LE(done.back(), 1);
  try {
    (void)relation(a, b, [](double x) { return x < 0.3; });
    ADD_FAILURE() << "was not cancelled";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::cancelled);
  }
}

}  // namespace
}  // namespace graze::relation_test
