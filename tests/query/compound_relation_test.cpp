// Compounds against the solids and boxes of the same points: unit cubes one by one, turned boxes, shapes without bounds, flat and round children.
#include "query/compound_relation.hpp"

#include <gtest/gtest.h>
#include <graze/error.hpp>
#include <graze/query.hpp>

#include <map>

#include "mesh/cubes.hpp"
#include "support/exact_oracle.hpp"
#include "support/random.hpp"
#include "support/rounds.hpp"

namespace graze::compound_relation_test {
namespace {

using namespace cubes;
using test::Random;

/// The cubes one by one, with flat pieces between them that change nothing.
Compound compound_of(const Cubes& c, test::Random& random) {
  std::vector<Compound::Child> children;
  for (int x = 0; x < kSide; ++x)
    for (int y = 0; y < kSide; ++y)
      for (int z = 0; z < kSide; ++z) {
        if (!filled(c, x, y, z)) continue;
        if (random.below(2))
          children.push_back({Box{Vec3(x, y, z), Vec3(x + 1, y + 1, z + 1)}, Pose{}});
        else
          children.push_back({Box{Vec3(0, 0, 0), Vec3(1, 1, 1)}, translation(Vec3(x, y, z))});
        if (random.below(8) == 0) children.push_back({Triangle{{Vec3(x, y, z), Vec3(x + 1, y, z), Vec3(x, y + 1, z)}}, Pose{}});
        if (random.below(8) == 0) children.push_back({Segment{Vec3(x, y, z), Vec3(x + 1, y + 1, z + 1)}, Pose{}});
      }
  return Compound(std::move(children));
}

Relation counted(const Cubes& a, const Cubes& b) {
  bool meet = false, both = false, only_a = false, only_b = false;
  for (int x = 0; x < kSide; ++x)
    for (int y = 0; y < kSide; ++y)
      for (int z = 0; z < kSide; ++z) {
        const bool in_a = filled(a, x, y, z), in_b = filled(b, x, y, z);
        both = both || (in_a && in_b);
        only_a = only_a || (in_a && !in_b);
        only_b = only_b || (in_b && !in_a);
        for (int i = -1; in_a && i <= 1; ++i)
          for (int j = -1; j <= 1; ++j)
            for (int k = -1; k <= 1; ++k) meet = meet || filled(b, x + i, y + j, z + k);
      }
  return !meet     ? Relation::disjoint
         : !only_a ? only_b ? Relation::a_in_b : Relation::identical
         : !only_b ? Relation::b_in_a
         : both    ? Relation::overlapping
                   : Relation::touching;
}

TEST(CompoundRelation, CubesOneByOne) {
  test::Random random(91);
  std::map<Relation, int> found;
  for (int round = 0; round < test::rounds(64); ++round) {
    const Cubes a = random_cubes(random);
    Cubes b = round % 4 == 0 ? a : random_cubes(random);
    if (round % 8 == 0) b[random.below(b.size())] ^= true;
    const Relation truth = counted(a, b);
    ++found[truth];
    const Compound ca = compound_of(a, random), cb = compound_of(b, random);
    ASSERT_EQ(relation(ca, cb), truth) << round;
    ASSERT_EQ(relation(cb, ca), mirrored(truth)) << round;
    ASSERT_EQ(relation(ca, Solid(cubes_mesh(b, false, 1, random))), truth) << round;
    ASSERT_EQ(relation(Solid(cubes_mesh(a, true, 1, random)), cb), truth) << round;
    if (truth == Relation::touching) {
      ASSERT_EQ(penetration(ca, cb).reason, NoPenetration::touching) << round;
    }
  }
  EXPECT_GE(found.size(), test::kSanitized ? 2u : 4u);
}

/// A box turned about z by a pose whose corners are no doubles: as a convex shape, in a compound, against solids and their boxes.
TEST(CompoundRelation, TurnedBoxesAsExactBodies) {
  Random random(92);
  std::map<Relation, int> found;
  for (int round = 0; round < test::rounds(150); ++round) {
    const auto box = [&] {
      Box b;
      for (int i = 0; i < 3; ++i) {
        b.min[i] = random.integer(-3, 0);
        b.max[i] = b.min[i] + random.integer(0, 6);
      }
      return b;
    };
    const Box fixed = box();
    const OrientedBox turned{random.grid(-3, 3), {Vec3(1, 1, 0), Vec3(1, -1, 0), Vec3(0, 0, 1)}, Vec3(round % 3 == 0 ? 0 : 0.7, 0.1, round % 5 == 0 ? 0 : 1.3)};
    const Pose pose = round % 2 == 0 ? Pose{} : Pose::from_quaternion(0.9, 0.1, 0.3, 0.2);
    const Placed a = at(turned, pose);
    const Relation truth = relation(a, fixed);
    ++found[truth];
    const Compound alone({{turned, pose}}), split({{turned, pose}, {Point{fixed.min}, Pose{}}});
    ASSERT_EQ(relation(alone, fixed), truth) << round;
    ASSERT_EQ(relation(fixed, alone), mirrored(truth)) << round;
    ASSERT_EQ(relation(alone, a), Relation::identical) << round;
    if (intersects(Point{fixed.min}, a)) {
      ASSERT_EQ(relation(split, fixed), truth) << round;
    }
    // cut in two: the union is the same
    Box low = fixed, high = fixed;
    low.max.x = high.min.x = (fixed.min.x + fixed.max.x) / 2;
    ASSERT_EQ(relation(a, Compound({{low, Pose{}}, {high, Pose{}}})), truth) << round;
    const Compound parts({{Box{low}, pose}, {Box{high}, pose}});
    ASSERT_EQ(relation(parts, at(fixed, pose)), Relation::identical) << round;
  }
  EXPECT_GE(found.size(), test::kSanitized ? 2u : 4u);
}

TEST(CompoundRelation, UnboundedShapesAgainstSolidsAndCompounds) {
  test::Random random(93);
  const Box box{Vec3(0, 0, 0), Vec3(2, 2, 2)};
  const Solid solid(block_mesh({{0, 0, 0}, {2, 2, 2}}, true, 1, random));
  const Compound halves({{Box{Vec3(0, 0, 0), Vec3(2, 2, 1)}, Pose{}}, {Box{Vec3(0, 0, 1), Vec3(2, 2, 2)}, Pose{}}});
  Random numbers(94);
  std::map<Relation, int> found;
  for (int round = 0; round < test::rounds(120); ++round) {
    const Vec3 p = numbers.grid(-1, 3), d(numbers.integer(-1, 1), numbers.integer(-1, 1), 1);
    for (const AnyShape& s : {AnyShape(Line{p, d}), AnyShape(Ray{p, d}), AnyShape(Plane{p, d}), AnyShape(HalfSpace{p, d})}) {
      const Relation truth = relation(s, box);
      ++found[truth];
      ASSERT_EQ(relation(s, solid), truth) << round << " " << type_name(s.kind());
      ASSERT_EQ(relation(solid, s), mirrored(truth)) << round;
      ASSERT_EQ(relation(s, halves), truth) << round << " " << type_name(s.kind());
      ASSERT_EQ(relation(Compound({{s, Pose{}}}), solid), truth) << round;
      ASSERT_EQ(penetration(s, solid).reason == NoPenetration::touching, truth == Relation::touching) << round << " " << type_name(s.kind());
    }
  }
  EXPECT_GE(found.size(), test::kSanitized ? 2u : 4u);
  // far away and steep
  EXPECT_EQ(relation(Plane{Vec3(1e6, 0, 1), Vec3(0, 0x1p-30, 1)}, solid), Relation::overlapping);
  EXPECT_EQ(relation(Plane{Vec3(1e30, 5, 2), Vec3(0, 0, 1e-200)}, solid), Relation::touching);
  EXPECT_EQ(relation(Line{Vec3(0, 0, -1e300), Vec3(0, 0, 1e-300)}, solid), Relation::touching);
  EXPECT_EQ(relation(Line{Vec3(1, 1, -1e300), Vec3(0, 0, 1e-300)}, solid), Relation::overlapping);
  EXPECT_EQ(relation(Plane{Vec3(0, 0, 1), Vec3(0, 0, 1)}, solid.mesh()), Relation::touching);  // a plane has no inner points, nor has a mesh
  EXPECT_EQ(relation(HalfSpace{Vec3(0, 0, 9), Vec3(0, 0, 1)}, Compound({{box, Pose{}}, {Line{Vec3(0, 0, 8), Vec3(1, 0, 0)}, Pose{}}})), Relation::b_in_a);
}

TEST(CompoundRelation, RoundAndCurvedChildren) {
  const Compound halves({{Box{Vec3(0, 0, 0), Vec3(2, 4, 4)}, Pose{}}, {Box{Vec3(2, 0, 0), Vec3(4, 4, 4)}, Pose{}}});
  EXPECT_EQ(relation(Sphere{Vec3(2, 2, 2), 2}, halves), Relation::a_in_b);  // across the wall between both
  EXPECT_EQ(relation(Sphere{Vec3(2, 2, 2), 2.5}, halves), Relation::overlapping);
  EXPECT_EQ(relation(Sphere{Vec3(2, 2, 2), 9}, halves), Relation::b_in_a);
  const Compound balls({{Sphere{Vec3(0, 0, 0), 1}, Pose{}}, {Sphere{Vec3(1.5, 0, 0), 1}, Pose{}}});
  EXPECT_EQ(relation(balls, balls), Relation::identical);
  EXPECT_EQ(relation(Sphere{Vec3(0, 0, 0), 0.5}, balls), Relation::a_in_b);
  EXPECT_EQ(relation(Sphere{Vec3(0.75, 0, 0), 1}, balls), Relation::overlapping);
  EXPECT_EQ(relation(Sphere{Vec3(0.75, 0, 0), 9}, balls), Relation::b_in_a);
  EXPECT_EQ(relation(Sphere{Vec3(0.75, 3, 0), 1}, balls), Relation::disjoint);
  EXPECT_EQ(relation(Sphere{Vec3(-2, 0, 0), 1}, balls), Relation::touching);
  EXPECT_EQ(relation(Box{Vec3(-2, -2, 1), Vec3(2, 2, 3)}, balls), Relation::touching);
  EXPECT_EQ(relation(Segment{Vec3(0, 0, 0), Vec3(0, 0, 3)}, balls), Relation::overlapping);
  EXPECT_EQ(relation(Segment{Vec3(0, 0, 1), Vec3(0, 0, 3)}, balls), Relation::touching);
  EXPECT_EQ(relation(Triangle{{Vec3(0, 0, 1), Vec3(0, 1, 3), Vec3(0, 0, 3)}}, balls), Relation::touching);
  // inside both together but inside neither: the segment between the centres of balls that overlap
  const std::string message = oracle::message_of([&] { (void)relation(Segment{Vec3(0, 0, 0), Vec3(1.5, 0, 0)}, balls); });
  EXPECT_TRUE(message.starts_with("relation: child 0 of the first shape, a segment, meets 2 children of the other; must lie inside one of them")) << message;
}

TEST(CompoundRelation, CompoundsOfSurfacesAreSurfaces) {
  const Triangle t{{Vec3(0, 0, 0), Vec3(4, 0, 0), Vec3(0, 4, 0)}};
  const Compound sheets({{t, Pose{}}, {t, translation(Vec3(0, 0, 1))}});
  EXPECT_EQ(relation(sheets, sheets), Relation::touching);
  EXPECT_EQ(relation(sheets, t), Relation::touching);
  EXPECT_EQ(relation(sheets, at(t, translation(Vec3(0, 0, 2)))), Relation::disjoint);
  EXPECT_EQ(relation(Segment{Vec3(1, 1, 0), Vec3(2, 1, 0)}, sheets), Relation::a_in_b);
  EXPECT_EQ(relation(sheets, Box{Vec3(0, 0, 0), Vec3(4, 4, 4)}), Relation::a_in_b);
  // between two boxes that share a face, a sheet is inside
  const Compound halves({{Box{Vec3(0, 0, -1), Vec3(4, 4, 0)}, Pose{}}, {Box{Vec3(0, 0, 0), Vec3(4, 4, 1)}, Pose{}}});
  EXPECT_EQ(relation(Triangle{{Vec3(1, 1, 0), Vec3(9, 1, 0), Vec3(1, 2, 0)}}, halves), Relation::overlapping);
  EXPECT_EQ(relation(Triangle{{Vec3(4, 0, 0), Vec3(9, 1, 0), Vec3(4, 4, 0)}}, halves), Relation::touching);
}

}  // namespace
}  // namespace graze::compound_relation_test
