// Relations of curved shapes: ties that users make, moved exactly; agreement with other queries on random pairs of all kinds; fine hulls; bodies of triangles.
#include <graze/query/relation.hpp>

#include <gtest/gtest.h>
#include <graze/error.hpp>
#include <graze/query.hpp>

#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "support/random.hpp"
#include "support/random_shapes.hpp"
#include "support/rounds.hpp"
#include "support/solid_boxes.hpp"

namespace graze::curved_relation_test {
namespace {

using test::joined_boxes;
using test::Random;
using test::solid_box;

Relation mirror(Relation r) { return r == Relation::a_in_b ? Relation::b_in_a : r == Relation::b_in_a ? Relation::a_in_b : r; }

struct Case {
  AnyShape a, b;
  Relation relation;
};

/// All lengths times e.
std::vector<Case> ties(double e) {
  const auto v = [e](double x, double y, double z) { return e * Vec3(x, y, z); };
  const Cylinder can{v(0, 0, -1), v(0, 0, 1), e};
  const Cone cone{v(0, 0, -1), v(0, 0, 1), e};
  const Ellipsoid egg{v(0, 0, 0), v(1, 2, 3)}, disc{v(0, 0, 0), v(1, 1, 0)};
  const Box cube{v(-1, -1, -1), v(1, 1, 1)}, slab{v(-5, -5, -2), v(5, 5, -1)};
  const auto in = Relation::a_in_b, around = Relation::b_in_a, touching = Relation::touching, overlapping = Relation::overlapping, same = Relation::identical,
             apart = Relation::disjoint;
  return {
      {can, can, same},
      {can, TruncatedCone{v(0, 0, 1), v(0, 0, -1), e, e}, same},
      {cone, TruncatedCone{v(0, 0, -1), v(0, 0, 1), e, 0}, same},
      {egg, egg, same},
      {Ellipsoid{v(1, 0, 0), v(1, 1, 1)}, Sphere{v(1, 0, 0), e}, same},
      {Cylinder{v(0, 0, 0), v(1, 2, 3), 0}, Segment{v(0, 0, 0), v(1, 2, 3)}, same},
      {Sphere{v(0, 0, 0), e}, can, in},
      {Sphere{v(0, 0, 0), 1.5 * e}, can, around},
      {Sphere{v(0, 0, 0), 1.0000001 * e}, can, overlapping},
      {Sphere{v(0, 0, 2), e}, can, touching},
      {Sphere{v(2, 0, 0), e}, can, touching},
      {Sphere{v(0, 0, 2), 0.9999999 * e}, can, apart},
      {cone, can, in},
      {Cone{v(0, 0, 1), v(0, 0, 3), e}, can, touching},
      {cone, Cone{v(0, 0, 1), v(0, 0, 3), e}, touching},
      {cone, TruncatedCone{v(0, 0, -1), v(0, 0, 0), e, 0.5 * e}, around},
      {Capsule{v(0, 0, -1), v(0, 0, 1), e}, can, around},
      {Capsule{v(0, 0, -0.5), v(0, 0, 0.5), 0.5 * e}, can, in},
      {Capsule{v(0, 0, -1), v(0, 0, 1), 0.5 * e}, can, overlapping},
      {Capsule{v(0, 0, 2), v(0, 0, 3), e}, can, touching},
      {egg, Ellipsoid{v(0, 0, 0), v(2, 4, 6)}, in},
      {egg, Ellipsoid{v(0, 0, 0), v(2, 2, 6)}, in},
      {egg, Ellipsoid{v(0, 0, 0), v(0.5, 4, 6)}, overlapping},
      {egg, Ellipsoid{v(2, 0, 0), v(1, 2, 3)}, touching},
      {egg, Sphere{v(0, 0, 0), 3 * e}, in},
      {egg, Sphere{v(0, 0, 0), e}, around},
      {egg, Box{v(-1, -2, -3), v(1, 2, 3)}, in},
      {egg, Box{v(1, -2, -3), v(2, 2, 3)}, touching},
      {egg, HalfSpace{v(0, 0, 3), v(0, 0, 1)}, in},
      {egg, HalfSpace{v(0, 0, -3), v(0, 0, 1)}, touching},
      {Ellipsoid{v(0, 0, 0), v(1, 1, 2)}, Capsule{v(0, 0, -1), v(0, 0, 1), e}, in},
      {Ellipsoid{v(0, 0, 0), v(1, 1, 2)}, Capsule{v(0, 0, -0.9), v(0, 0, 1), e}, overlapping},
      {Ellipsoid{v(0, 0, 0), v(1, 1, 1)}, can, in},
      {can, cube, in},
      {can, Hull({v(-1, -1, -1), v(1, -1, -1), v(-1, 1, -1), v(1, 1, -1), v(-1, -1, 1), v(1, -1, 1), v(-1, 1, 1), v(1, 1, 1)}), in},
      {can, Hull({v(-1, -1, -1), v(1, -1, -1), v(-1, 1, -1), v(1, 1, -1), v(-1, -1, 1), v(1, -1, 1), v(-1, 1, 1), v(1, 0.9999999, 1)}), overlapping},
      {can, Hull({v(3, 0, -2), v(-3, 3, -2), v(-3, -3, -2), v(0, 0, 19)}), in},
      {can, slab, touching},
      {can, Box{v(-5, -5, -2), v(5, 5, -1 + 1e-9)}, overlapping},
      {can, Box{v(1, -1, -1), v(2, 1, 1)}, touching},
      {can, Box{v(-0.5, -0.5, -1), v(0.5, 0.5, 1)}, around},
      {can, HalfSpace{v(0, 0, -1), v(0, 0, -1)}, in},
      {can, HalfSpace{v(0, 0, -1), v(0, 0, 1)}, touching},
      {can, HalfSpace{v(0, 0, 0), v(1, 2, 3)}, overlapping},
      {can, Plane{v(7, 7, 1), v(0, 0, 1)}, touching},
      {can, Plane{v(1, 7, 1), v(1, 0, 0)}, touching},
      {can, Plane{v(0, 0, 0), v(1, 2, 3)}, overlapping},
      {can, Line{v(1, 0, 0), v(0, 0, 1)}, touching},
      {can, Line{v(0, 0, 1), v(1, 1, 0)}, touching},
      {can, Line{v(0, 0, 0), v(1, 1, 1)}, overlapping},
      {can, Ray{v(0, 0, 0), v(0, 0, 1)}, overlapping},
      {can, Ray{v(0, 0, 1), v(0, 0, 1)}, touching},
      {can, Ray{v(3, 0, 1), v(1, 0, 1)}, apart},
      {can, Segment{v(1, 0, -1), v(1, 0, 1)}, around},
      {can, Segment{v(1, 0, -1), v(1, 0, 2)}, touching},
      {can, Segment{v(0, 0, -1), v(0, 0, 2)}, overlapping},
      {can, Point{v(0, 1, -1)}, around},
      {can, Triangle{v(1, 0, 1), v(0, 1, 1), v(0, -1, 1)}, around},
      {can, Triangle{v(1, 0, 1), v(0, 2, 1), v(0, -1, 1)}, touching},
      {can, Triangle{v(1, 0, 1), v(0, 2, 0.5), v(0, -1, 1)}, overlapping},
      {can, Cylinder{v(2, 0, -1), v(2, 0, 1), e}, touching},
      {can, Cylinder{v(2, 5, 0), v(2, -5, 0), e}, touching},
      {can, Cylinder{v(0, 0, 1), v(0, 0, 2), 0.5 * e}, touching},
      {can, Cylinder{v(0, 0, 0), v(0, 0, 1), 0.5 * e}, around},
      {can, Cylinder{v(0.5, 0, -1), v(0.5, 0, 1), 0.5 * e}, around},
      {can, Cylinder{v(0, -2, 0), v(0, 2, 0), e}, overlapping},
      {disc, Plane{v(0, 0, 0), v(0, 0, 1)}, in},
      {disc, Box{v(-5, -5, 0), v(5, 5, 5)}, in},
      {disc, Triangle{v(-5, -5, 0), v(5, -5, 0), v(0, 5, 0)}, in},
      {disc, can, in},
      {Ellipsoid{v(0, 0, 1), v(1, 1, 0)}, can, in},
      {Ellipsoid{v(0, 0, 1), v(2, 1, 0)}, can, touching},
      {Ellipsoid{v(0, 0, 0.5), v(2, 1, 0)}, can, overlapping},
      {disc, Ellipsoid{v(0, 0, 0), v(0, 1, 1)}, touching},
      {disc, Ellipsoid{v(0, 0, 0), v(2, 1, 0)}, in},
      {disc, Sphere{v(0, 0, 0), e}, in},
      {disc, Sphere{v(0, 0, 1), e}, touching},
  };
}

TEST(CurvedRelation, TiesUnderExactMoves) {
  for (const double e : {1.0, 0x1p-70, 0x1p90})
    for (int axis = 0; axis < 3; ++axis)
      for (int turns = 0; turns < 4; ++turns) {
        const Pose pose = Pose::quarter_turn(static_cast<Axis>(axis), turns, e * Vec3(turns, 8 * axis, -3));
        const std::vector<Case> cases = ties(e);
        for (std::size_t i = 0; i < cases.size(); ++i) {
          const Case& c = cases[i];
          EXPECT_EQ(relation(at(c.a, pose), at(c.b, pose)), c.relation) << i << " " << e << " " << axis << " " << turns;
          EXPECT_EQ(relation(at(c.b, pose), at(c.a, pose)), mirror(c.relation)) << i << " " << e << " " << axis << " " << turns;
        }
      }
}

constexpr int kCurved[] = {9, 10, 11};  // of random_shape

AnyShape random_curved(Random& r) {
  const int kind = r.integer(0, 3);
  if (kind < 3) return test_scene::random_shape(r, kCurved[kind]);
  return TruncatedCone{r.point(-.4, 0), r.point(.1, .5), r.real(.05, .3), r.real(0, .3)};
}

TEST(CurvedRelation, AgreesWithOtherQueries) {
  Random random(311);
  std::map<Relation, int> found;
  int bodies = 0;
  for (int round = 0; round < test::rounds(6000); ++round) {
    const AnyShape a = random_curved(random), other = round % 3 == 0 ? random_curved(random) : test_scene::random_shape(random, random.integer(0, 16));
    const double reach = random.integer(0, 2) == 0 ? 0.05 : 0.6;
    const Pose pose_a = random.pose(reach), pose_b = round % 7 == 0 ? pose_a : random.pose(reach);
    const Placed pa = at(a, pose_a), pb = at(other, pose_b);
    const Relation r = relation(pa, pb);
    ++found[r];
    ASSERT_EQ(relation(pb, pa), mirror(r)) << round;
    const bool meet = intersects(pa, pb);
    ASSERT_EQ(meet, r != Relation::disjoint) << round;
    const Kind kind = other.kind();
    if (const Point* p = other.get<Point>()) {
      ASSERT_EQ(r, contains(pa, pose_b.apply(p->point)) ? Relation::b_in_a : Relation::disjoint) << round;
    }
    if (kind == Kind::mesh || kind == Kind::polygon) {
      ++bodies;
      ASSERT_NE(r, Relation::a_in_b) << round;
      continue;
    }
    if (!meet || r == Relation::a_in_b || r == Relation::b_in_a || r == Relation::identical) continue;
    ASSERT_EQ(penetration(pa, pb).reason == NoPenetration::touching, r == Relation::touching) << round;
  }
  for (const Relation r : {Relation::disjoint, Relation::overlapping, Relation::a_in_b, Relation::b_in_a})
    EXPECT_GT(found[r], test::kSanitized ? -1 : 20) << name_of(r);
  EXPECT_GT(bodies, 20);
}

/// Points of the surface whose hull is inside the shape by less than 2e-3 of its size.
std::vector<Vec3> fine_points(const AnyShape& s, double grow) {
  std::vector<Vec3> points;
  constexpr int kSteps = 128;
  const auto circle = [&](const Vec3& centre, const Vec3& axis, double r) {
    const Vec3 n = axis * (1 / std::sqrt(axis.x * axis.x + axis.y * axis.y + axis.z * axis.z));
    const Vec3 e = std::fabs(n.x) < 0.6 ? Vec3(1, 0, 0) : Vec3(0, 1, 0);
    Vec3 u(n.y * e.z - n.z * e.y, n.z * e.x - n.x * e.z, n.x * e.y - n.y * e.x);
    u = u * (1 / std::sqrt(u.x * u.x + u.y * u.y + u.z * u.z));
    const Vec3 w(n.y * u.z - n.z * u.y, n.z * u.x - n.x * u.z, n.x * u.y - n.y * u.x);
    for (int k = 0; k < kSteps; ++k) {
      const double t = 2 * 3.14159265358979 * k / kSteps;
      points.push_back(centre + (r * grow * std::cos(t)) * u + (r * grow * std::sin(t)) * w);
    }
  };
  if (const auto* c = s.get<Cylinder>()) {
    circle(c->a, c->b - c->a, c->radius);
    circle(c->b, c->b - c->a, c->radius);
  } else if (const auto* c = s.get<Cone>()) {
    circle(c->a, c->b - c->a, c->radius);
    points.push_back(c->b);
  } else if (const auto* c = s.get<TruncatedCone>()) {
    circle(c->a, c->b - c->a, c->radius_a);
    circle(c->b, c->b - c->a, c->radius_b);
  } else if (const auto* e = s.get<Ellipsoid>()) {
    for (int i = 0; i <= kSteps / 2; ++i)
      for (int k = 0; k < kSteps / 2; ++k) {
        const double z = 3.14159265358979 * i / (kSteps / 2), t = 4 * 3.14159265358979 * k / kSteps;
        const Vec3 unit(std::sin(z) * std::cos(t), std::sin(z) * std::sin(t), std::cos(z));
        points.push_back(e->center + Vec3(grow * e->radii.x * unit.x, grow * e->radii.y * unit.y, grow * e->radii.z * unit.z));
      }
  }
  return points;
}

/// Where an inscribed and a circumscribed hull have one relation, the curved shape between them has it, too.
TEST(CurvedRelation, LiesBetweenInscribedAndCircumscribedHulls) {
  Random random(312);
  std::map<Relation, int> clear;
  for (int round = 0; round < test::rounds(160); ++round) {
    const AnyShape a = random_curved(random), other = test_scene::random_shape(random, std::vector<int>{0, 1, 2, 3, 5, 8, 13, 14}[round % 8]);
    const std::vector<Vec3> inner = fine_points(a, 1), outer = fine_points(a, 1.004);  // more than 1 / cos(pi / 64)^2
    const Hull inscribed{std::span<const Vec3>(inner)}, circumscribed{std::span<const Vec3>(outer)};
    const double reach = round % 3 == 0 ? 0.02 : 0.3;
    const Pose pose_a = random.pose(reach), pose_b = random.pose(reach);
    const Relation least = relation(at(inscribed, pose_a), at(other, pose_b)), most = relation(at(circumscribed, pose_a), at(other, pose_b));
    if (least != most) continue;
    ++clear[least];
    ASSERT_EQ(relation(at(a, pose_a), at(other, pose_b)), least) << round;
  }
  for (const Relation r : {Relation::disjoint, Relation::overlapping}) EXPECT_GT(clear[r], test::kSanitized ? -1 : 0) << name_of(r);
}

TEST(CurvedRelation, SolidsAsTheirBoxes) {
  Random random(313);
  std::map<Relation, int> found;
  for (int round = 0; round < test::rounds(400); ++round) {
    Box box;
    for (int i = 0; i < 3; ++i) {
      box.min[i] = random.integer(-3, 0);
      box.max[i] = box.min[i] + random.integer(1, 6);
    }
    const Solid solid = solid_box(box.min, box.max);
    const Vec3 p = random.grid(-3, 3);
    Vec3 d(0, 0, 0);
    d[random.integer(0, 2)] = random.integer(1, 3);
    const double r = random.integer(1, 2), s = random.integer(0, 2);
    const AnyShape shapes[] = {Cylinder{p, p + d, r}, Cone{p, p + d, r}, TruncatedCone{p, p + d, r, s}, Ellipsoid{p, Vec3(r, 1 + s, 2)},
                               Cylinder{p, p + d + Vec3(0, 0.5, 0.25), r}};
    for (const AnyShape& c : shapes) {
      const Relation of_box = relation(c, box);
      ASSERT_EQ(relation(c, solid), of_box) << round;
      ASSERT_EQ(relation(solid, c), mirror(of_box)) << round;
      ++found[of_box];
    }
  }
  for (const Relation r : {Relation::disjoint, Relation::touching, Relation::overlapping, Relation::a_in_b, Relation::b_in_a})
    EXPECT_GT(found[r], test::kSanitized ? -1 : 0) << name_of(r);
}

TEST(CurvedRelation, BodiesOfTriangles) {
  const Solid cube = solid_box(Vec3(-1, -1, -1), Vec3(1, 1, 1));
  const Cylinder inscribed{Vec3(0, 0, -1), Vec3(0, 0, 1), 1}, around{Vec3(0, 0, -1), Vec3(0, 0, 1), 1.5};
  EXPECT_EQ(relation(inscribed, cube.mesh()), Relation::touching);  // the surface alone
  EXPECT_EQ(relation(around, cube.mesh()), Relation::b_in_a);
  EXPECT_EQ(relation(Cylinder{Vec3(0, 0, -0.5), Vec3(0, 0, 0.5), 0.5}, cube.mesh()), Relation::disjoint);
  EXPECT_EQ(relation(Cone{Vec3(0, 0, -2), Vec3(0, 0, 2), 1}, cube.mesh()), Relation::overlapping);
  const Polygon square({Vec3(-1, -1, 1), Vec3(1, -1, 1), Vec3(1, 1, 1), Vec3(-1, 1, 1)});
  EXPECT_EQ(relation(inscribed, square), Relation::touching);
  EXPECT_EQ(relation(square, around), Relation::a_in_b);
  EXPECT_EQ(relation(Ellipsoid{Vec3(0, 0, 1), Vec3(1, 1, 0.125)}, square), Relation::overlapping);
  // two boxes with a wall between them: what lies across the wall is inside
  const Box two[] = {{Vec3(0, 0, 0), Vec3(2, 4, 4)}, {Vec3(2, 0, 0), Vec3(4, 4, 4)}};
  const Solid solid = joined_boxes(two);
  EXPECT_EQ(relation(Cylinder{Vec3(0, 2, 2), Vec3(4, 2, 2), 2}, solid), Relation::a_in_b);
  EXPECT_EQ(relation(Cylinder{Vec3(0, 2, 2), Vec3(5, 2, 2), 2}, solid), Relation::overlapping);
  EXPECT_EQ(relation(Ellipsoid{Vec3(2, 2, 2), Vec3(2, 1, 1)}, solid), Relation::a_in_b);
}

TEST(CurvedRelation, FlatAndThinShapesAgainstBodies) {
  const Solid cube = solid_box(Vec3(-1, -1, -1), Vec3(1, 1, 1));
  const auto disc = [](const Vec3& c, double r) { return Ellipsoid{c, Vec3(r, r, 0)}; };
  EXPECT_EQ(relation(disc(Vec3(0, 0, 0), 0.5), cube), Relation::a_in_b);
  EXPECT_EQ(relation(disc(Vec3(0, 0, 0), 1.25), cube), Relation::overlapping);
  EXPECT_EQ(relation(disc(Vec3(0, 0, 2), 1), cube), Relation::disjoint);
  EXPECT_EQ(relation(disc(Vec3(0.5, 0.25, 1), 0.1), cube), Relation::a_in_b);  // within one triangle of a face
  EXPECT_EQ(relation(disc(Vec3(0, 0, 0), 1), cube.mesh()), Relation::touching);
  EXPECT_EQ(relation(disc(Vec3(0, 0, 0), 0.5), cube.mesh()), Relation::disjoint);
  EXPECT_EQ(relation(Cylinder{Vec3(0, 0, 0), Vec3(0, 0, 0x1p-60), 1.25}, cube), Relation::overlapping);
  EXPECT_EQ(relation(Cylinder{Vec3(-3, 0, 0), Vec3(3, 0, 0), 0x1p-60}, cube), Relation::overlapping);
  EXPECT_EQ(relation(Cylinder{Vec3(-0.5, 0, 0), Vec3(0.5, 0, 0), 0x1p-60}, cube), Relation::a_in_b);
  EXPECT_EQ(relation(Cylinder{Vec3(-0.5, 0, 0), Vec3(0.5, 0, 0), 0}, cube), Relation::a_in_b);
  EXPECT_EQ(relation(Cylinder{Vec3(-3, 0, 0), Vec3(3, 0, 0), 0}, cube), Relation::overlapping);
  EXPECT_EQ(relation(disc(Vec3(0, 0, 1), 1), cube), Relation::a_in_b);  // in both triangles of a face, and as wide
  EXPECT_EQ(relation(disc(Vec3(0, 0, 1), 1.25), cube), Relation::touching);
  EXPECT_EQ(relation(disc(Vec3(2, 0, 0), 1), cube), Relation::touching);
}

TEST(CurvedRelation, FarNearParallelAndExtreme) {
  for (const double far : {0.0, 1e6, 1e12}) {
    const Vec3 o(far, -far, far);
    const Cylinder can{o + Vec3(0, 0, -1), o + Vec3(0, 0, 1), 1};
    EXPECT_EQ(relation(can, Box{o + Vec3(-5, -5, 1), o + Vec3(5, 5, 2)}), Relation::touching) << far;
    EXPECT_EQ(relation(can, Sphere{o, 1}), Relation::b_in_a) << far;
    EXPECT_EQ(relation(can, Ellipsoid{o, Vec3(1, 1, 1)}), Relation::b_in_a) << far;
    EXPECT_EQ(relation(can, Cylinder{o + Vec3(2, 0, -1), o + Vec3(2, 0, 1), 1}), Relation::touching) << far;
    for (const double tilt : {0x1p-20, 0x1p-10}) {
      if (far > 1e9) continue;  // lost in rounding
      EXPECT_EQ(relation(can, Cylinder{o + Vec3(tilt, 0, -1), o + Vec3(-tilt, 0, 1), 1}), Relation::overlapping) << far << " " << tilt;
      EXPECT_EQ(relation(can, Cylinder{o + Vec3(tilt, 0, -2), o + Vec3(-tilt, 0, 2), 1.01}), Relation::a_in_b) << far << " " << tilt;
    }
  }
  for (const double thin : {1e-6, 1e-12, 1e-30}) {
    const Cylinder needle{Vec3(-4, 1, 1), Vec3(4, 1, 1), thin};
    EXPECT_EQ(relation(needle, Box{Vec3(-5, 0, 0), Vec3(5, 2, 2)}), Relation::a_in_b) << thin;
    EXPECT_EQ(relation(needle, Box{Vec3(-1, 0, 0), Vec3(5, 2, 2)}), Relation::overlapping) << thin;
    EXPECT_EQ(relation(needle, Sphere{Vec3(0, 1, 1), 5}), Relation::a_in_b) << thin;
    EXPECT_EQ(relation(needle, needle), Relation::identical) << thin;
    EXPECT_EQ(relation(needle, Box{Vec3(-5, 3, 0), Vec3(5, 4, 2)}), Relation::disjoint) << thin;
    EXPECT_EQ(relation(Ellipsoid{Vec3(0, 0, 0), Vec3(1, 1, thin)}, Box{Vec3(-2, -2, -1), Vec3(2, 2, 1)}), Relation::a_in_b) << thin;
    EXPECT_EQ(relation(Ellipsoid{Vec3(0, 0, 0), Vec3(1, 1, thin)}, Ellipsoid{Vec3(0, 0, 0), Vec3(1, thin, 1)}), Relation::overlapping) << thin;
  }
  EXPECT_EQ(relation(Cylinder{Vec3(0, 0, 0), Vec3(0, 0, 1e-9), 1e-9}, Sphere{Vec3(0, 0, 0), 1e9}), Relation::a_in_b);
  EXPECT_EQ(relation(Cone{Vec3(0, 0, 0), Vec3(0, 0, 1e300), 1e300}, Point{Vec3(0, 0, 1e300)}), Relation::b_in_a);
}

TEST(CurvedRelation, Compounds) {
  const Compound pair({{Sphere{Vec3(0, 0, 0), 1}, {}}, {Box{Vec3(0, 0, 0), Vec3(1, 1, 1)}, {}}});
  const Cylinder wide{Vec3(0, 0, 0), Vec3(0, 0, 1), 1}, inner{Vec3(0.25, 0.25, 0), Vec3(0.25, 0.25, 0.9), 0.125}, around{Vec3(0, 0, -9), Vec3(0, 0, 9), 9},
      beside{Vec3(3, 0, 0), Vec3(3, 0, 1), 2};
  EXPECT_EQ(relation(pair, wide), Relation::overlapping);
  EXPECT_EQ(relation(wide, pair), Relation::overlapping);
  EXPECT_EQ(relation(inner, pair), Relation::a_in_b);
  EXPECT_EQ(relation(pair, inner), Relation::b_in_a);
  EXPECT_EQ(relation(pair, around), Relation::a_in_b);
  EXPECT_EQ(relation(beside, pair), Relation::touching);
  EXPECT_EQ(relation(Compound({{wide, {}}}), Compound({{wide, {}}})), Relation::identical);
  // across the face between two boxes
  const Compound halves({{Box{Vec3(-2, -2, 0), Vec3(0, 2, 2)}, {}}, {Box{Vec3(0, -2, 0), Vec3(2, 2, 2)}, {}}});
  EXPECT_EQ(relation(wide, halves), Relation::a_in_b);
  EXPECT_EQ(relation(beside, halves), Relation::overlapping);
}

}  // namespace
}  // namespace graze::curved_relation_test
