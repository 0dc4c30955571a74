// Sweeps that count only one side of the target's triangles, or those that a filter accepts: every answer is that of a target of the triangles that count,
// whose sides are found here in rational numbers.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <graze/error.hpp>
#include <graze/scene.hpp>
#include <graze/sweep.hpp>
#include <string>
#include <utility>
#include <vector>

#include "bvh/scenes.hpp"
#include "mesh/meshes.hpp"
#include "mesh/queries/leaf.hpp"
#include "support/random.hpp"
#include "support/random_shapes.hpp"
#include "support/rational_oracle.hpp"

namespace graze::sides_test {
namespace {

using test::Random;
using test_scene::kShapes;

int exact_side(const Triangle& t, const Vec3& from, const Vec3& to) { return test::exact_side(t.points[0], t.points[1], t.points[2], from, to); }

struct Counted {
  Mesh mesh;
  std::vector<std::uint32_t> number;
};
Counted counted(const Mesh& mesh, const Pose* pose, const Vec3& from, const Vec3& to, const SweepOptions& o) {
  MeshData d;
  d.vertices.assign(mesh.vertices().begin(), mesh.vertices().end());
  std::vector<std::uint32_t> number;
  for (std::uint32_t i = 0; i < mesh.size(); ++i) {
    if (o.sides != Sides::both && exact_side(MeshView(mesh, pose).triangle(i), from, to) != (o.sides == Sides::front ? -1 : 1)) continue;
    if (o.accept && !o.accept({i, mesh.user()[i], {}, {}})) continue;
    d.triangles.push_back(mesh.triangles()[i]);
    d.user.push_back(mesh.user()[i]);
    number.push_back(i);
  }
  return {Mesh(std::move(d)), std::move(number)};
}

bool is_curved(const AnyShape& s) { return s.get<Cylinder>() || s.get<Cone>() || s.get<Ellipsoid>(); }

void expect_same(const std::optional<SweepHit>& got, const std::optional<SweepHit>& want, bool curved, const std::vector<std::uint32_t>& number) {
  ASSERT_EQ(got.has_value(), want.has_value());
  if (!got) return;
  EXPECT_EQ(got->started_inside, want->started_inside);
  if (curved) {
    EXPECT_NEAR(got->t, want->t, 1e-9);
    return;
  }
  EXPECT_EQ(got->t, want->t);
  ASSERT_EQ(got->normal.has_value(), want->normal.has_value());
  for (int i = 0; i < 3; ++i) {  // rounded, by one tier or another
    EXPECT_NEAR(got->point[i], want->point[i], 1e-12 * (1 + std::fabs(want->point[i])));
    if (got->normal) {
      EXPECT_NEAR((*got->normal)[i], (*want->normal)[i], 1e-12);
    }
    EXPECT_NEAR(got->safe_point[i], want->safe_point[i], 1e-9 * (1 + std::fabs(want->safe_point[i])));
  }
  ASSERT_EQ(got->triangle_b.has_value(), want->triangle_b.has_value());
  if (got->triangle_b) {
    EXPECT_EQ(*got->triangle_b, number[*want->triangle_b]);
  }
  EXPECT_EQ(got->triangle_a, want->triangle_a);
  EXPECT_EQ(got->user_b, want->user_b);
  EXPECT_EQ(got->child_a, want->child_a);
  EXPECT_EQ(got->departing, want->departing);
  EXPECT_EQ(got->moved, want->moved);
}

Mesh with_users(MeshData d) {
  for (std::uint32_t i = 0; i < d.triangles.size(); ++i) d.user.push_back(i * 5 + 1);
  return Mesh(std::move(d));
}

TEST(SweepSides, AnswersAreThoseOfTheTrianglesThatCount) {
  Random r(601);
  test::Random m(602);
  MeshData lattice = test::lattice(m, 60, .25, Vec3(0, 0, 0));
  const Mesh meshes[] = {with_users(test::ball(6, Vec3(0, 0, 0), .8)), with_users(test::soup(m, 80, 1, Vec3(0, 0, 0), .4)), with_users(lattice),
                         with_users(test::soup(m, 30, 1e150, Vec3(0, 0, 0), .4))};
  const Solid block(Mesh(test::closed_box(Vec3(-.3, -.2, -.1), Vec3(.2, .3, .4))));
  std::size_t hits = 0, inside = 0, later = 0;
  for (int round = 0; round < 210; ++round) {
    const Mesh& mesh = meshes[round % 4];
    const double size = round % 4 == 3 ? 1e150 : 1;
    const AnyShape body = round % 11 == 10 ? AnyShape(block) : test_scene::random_shape(r, round % kShapes);
    const Placed mover = at(body, r.pose(round % 5 == 0 ? .5 : 2));
    const bool turned = round % 3 == 0;
    const Pose pose = turned ? r.pose(.5) : Pose{};
    Vec3 motion = round % 13 == 5 ? Vec3(0, 0, 0) : round % 7 == 2 ? Vec3(0, 0, r.real(-4, 4)) : r.point(-4, 4);
    if (round % 8 == 3) motion *= size;
    const Vec3 motion_b = r.point(-1, 1);
    const Placed target = at(mesh, pose);
    const ShapeRef b = turned ? ShapeRef(target) : ShapeRef(mesh);
    const auto nearest = sweep(mover, motion, b);
    for (const Sides sides : {Sides::both, Sides::front, Sides::back}) {
      for (int kind = 0; kind < 3; ++kind) {
        SweepOptions o;
        o.sides = sides;
        o.skip_departing = (round + kind) % 2 == 0;
        if (kind == 1) o.accept = [](const TargetTriangle& t) { return t.user % 3 != 0; };
        if (kind == 2) o.accept = [n = nearest ? nearest->triangle_b : std::nullopt](const TargetTriangle& t) { return t.triangle != n; };
        SCOPED_TRACE("round " + std::to_string(round) + " sides " + std::to_string(static_cast<int>(sides)) + " filter " + std::to_string(kind));
        SweepOptions plain;
        plain.skip_departing = o.skip_departing;
        const Counted only = counted(mesh, turned ? &pose : nullptr, Vec3(0, 0, 0), motion, o);
        const Placed placed_only = at(only.mesh, pose);
        const ShapeRef want_b = turned ? ShapeRef(placed_only) : ShapeRef(only.mesh);
        const auto want = sweep(mover, motion, want_b, plain);
        const auto got = sweep(mover, motion, b, o);
        expect_same(got, want, is_curved(body), only.number);
        if (round % 3 == 1) test::for_each_cpu_level([&](CpuLevel) { expect_same(sweep(mover, motion, b, o), want, is_curved(body), only.number); });
        if (got && got->moved && !body.get<Point>() && !body.get<Sphere>()) {
          EXPECT_FALSE(intersects(at(body, got->safe), want_b));
        }
        const Counted relative = counted(mesh, turned ? &pose : nullptr, motion_b, motion, o);
        const Placed placed_relative = at(relative.mesh, pose);
        const ShapeRef relative_b = turned ? ShapeRef(placed_relative) : ShapeRef(relative.mesh);
        expect_same(sweep(mover, motion, b, motion_b, o), sweep(mover, motion, relative_b, motion_b, plain), is_curved(body), relative.number);
        const std::vector<ShapeRef> movers(3, mover);
        const std::vector<Vec3> motions(3, motion);
        for (const auto& one : sweep(movers, motions, b, o)) expect_same(one, want, is_curved(body), only.number);
        if (HasFailure()) return;
        hits += want.has_value();
        inside += want && want->started_inside;
        later += want && nearest && want->t > nearest->t;
      }
    }
  }
  EXPECT_GT(hits, 400u);
  EXPECT_GT(inside, 50u);
  EXPECT_GT(later, 50u);
}

TEST(SweepSides, ContactsThatAreLeftCountOnTheirSide) {
  // Bodies that stand exactly on a floor whose squares face up or down, below a ceiling of the same kind: a body that leaves the floor does not meet the
  // squares that face it, departs from the others, and may go on to the ceiling.
  Random r(603);
  std::size_t departing = 0, behind = 0, onward = 0, skipped = 0;
  for (int round = 0; round < 300; ++round) {
    MeshData d;
    for (const double z : {0.0, 2.0}) {
      for (int y = -2; y < 2; ++y) {
        for (int x = -2; x < 2; ++x) {
          const auto i = static_cast<std::uint32_t>(d.vertices.size());
          for (const auto& [u, v] : {std::pair(0, 0), std::pair(1, 0), std::pair(1, 1), std::pair(0, 1)}) d.vertices.push_back(Vec3(x + u, y + v, z));
          const bool up = r.integer(0, 1) == 1;
          d.triangles.push_back(up ? TriangleIndices{i, i + 1, i + 2} : TriangleIndices{i, i + 2, i + 1});
          d.triangles.push_back(up ? TriangleIndices{i, i + 2, i + 3} : TriangleIndices{i, i + 3, i + 2});
        }
      }
    }
    const Mesh mesh = with_users(d);
    const double x = .25 * r.integer(-6, 5), y = .25 * r.integer(-6, 5), s = .25 * r.integer(1, 3);
    const Hull top({Vec3(x, y, 0), Vec3(x - s, y, s), Vec3(x + s, y + s, s), Vec3(x, y - s, s)});  // stands on its tip
    const AnyShape bodies[] = {Box{Vec3(x, y, 0), Vec3(x + s, y + s, .5)},
                               Sphere{Vec3(x, y, s), s},
                               Point{Vec3(x, y, 0)},
                               top,
                               Capsule{Vec3(x, y, s), Vec3(x + s, y, s), s},
                               Triangle{{Vec3(x, y, 0), Vec3(x + s, y, 0), Vec3(x, y, s)}}};
    const AnyShape& body = bodies[round % 6];
    const Vec3 motion(.25 * r.integer(-2, 2), .25 * r.integer(-2, 2), r.integer(-1, 3));
    const auto both = sweep(body, motion, mesh);
    ASSERT_TRUE(both && both->started_inside);
    for (const Sides sides : {Sides::both, Sides::front, Sides::back}) {
      for (int kind = 0; kind < 4; ++kind) {
        SweepOptions o, plain;
        o.sides = sides;
        o.skip_departing = plain.skip_departing = kind % 2 == 1;
        if (kind >= 2) o.accept = [](const TargetTriangle& t) { return t.user % 3 != 0; };
        SCOPED_TRACE("round " + std::to_string(round) + " sides " + std::to_string(static_cast<int>(sides)) + " kind " + std::to_string(kind));
        const Counted only = counted(mesh, nullptr, Vec3(0, 0, 0), motion, o);
        const auto want = sweep(body, motion, only.mesh, plain), got = sweep(body, motion, mesh, o);
        expect_same(got, want, false, only.number);
        if (round % 5 == 0) test::for_each_cpu_level([&](CpuLevel) { expect_same(sweep(body, motion, mesh, o), want, false, only.number); });
        if (got && got->departing) {
          EXPECT_EQ(got->t, 0);
          const Triangle left = MeshView(mesh, nullptr).triangle(*got->triangle_b);
          EXPECT_EQ(left.points[0].z, 0);
          if (sides != Sides::both) {
            EXPECT_EQ(exact_side(left, Vec3(0, 0, 0), motion), sides == Sides::front ? -1 : 1);
          }
        }
        if (HasFailure()) return;
        departing += sides != Sides::both && got && got->departing;
        behind += sides != Sides::both && kind == 0 && both->departing && !(got && got->started_inside);
        onward += sides != Sides::both && kind == 0 && both->departing && got && !got->started_inside;
        skipped += sides != Sides::both && kind == 1 && got && !got->started_inside;
      }
    }
  }
  EXPECT_GT(departing, 100u);
  EXPECT_GT(behind, 50u);
  EXPECT_GT(onward, 30u);
  EXPECT_GT(skipped, 30u);
}

TEST(SweepSides, TrianglesPolygonsAndFields) {
  const Triangle triangle{{Vec3(-3, -3, 0), Vec3(3, -3, 0), Vec3(0, 5, 0)}};
  const Polygon polygon{Vec3(-1, -1, 0), Vec3(1, -1, 0), Vec3(1, 1, 0), Vec3(-1, 1, 0)};
  const HeightField field(Vec3(-1, -1, 0), 1, 1, 3, std::vector<double>(9, 0));
  const Compound compound({{Sphere{Vec3(0, 0, -9), .5}, {}}, {polygon, {}}});
  const Sphere ball{Vec3(.3, .2, 3), .5};
  const Cylinder cylinder{Vec3(.3, .2, 3), Vec3(.3, .2, 4), .5};
  const Point point{Vec3(.3, .2, 3)};
  const Mesh sheet(MeshData{{{0, 0, 3}, {.5, 0, 3}, {0, .5, 3}}, {{0, 1, 2}}, {}});
  const Vec3 down(0, 0, -5), up(0, 0, 5);
  for (const ShapeRef& b : {ShapeRef(triangle), ShapeRef(polygon), ShapeRef(field), ShapeRef(compound)}) {
    for (const ShapeRef& a : {ShapeRef(ball), ShapeRef(point), ShapeRef(cylinder), ShapeRef(sheet)}) {
      SweepOptions front, back, none;
      front.sides = Sides::front;
      back.sides = Sides::back;
      none.accept = [](const TargetTriangle&) { return false; };
      const auto hit = sweep(a, down, b, front), want = sweep(a, down, b);
      ASSERT_TRUE(hit && want);
      EXPECT_EQ(hit->t, want->t);
      EXPECT_EQ(hit->triangle_b, want->triangle_b);
      EXPECT_EQ(hit->child_b, want->child_b);
      EXPECT_TRUE(hit->moved);
      EXPECT_FALSE(sweep(a, down, b, back));
      EXPECT_FALSE(sweep(a, down, b, none));
      const Placed below = at(*(b.get<Compound>() ? b.get<Compound>() : &compound), translation(Vec3(0, 0, 6)));
      EXPECT_TRUE(sweep(a, up, below, back));
      EXPECT_EQ(sweep(a, up, below, front).has_value(), false);
    }
  }
  // Resting contact obeys the same rule: a ball on the floor may leave it, and is stopped only by the side that it moves into.
  const Sphere resting{Vec3(0, 0, 1), 1};
  SweepOptions front;
  front.sides = Sides::front;
  EXPECT_TRUE(sweep(resting, down, triangle, front)->started_inside);
  EXPECT_FALSE(sweep(resting, up, triangle, front));
  EXPECT_FALSE(sweep(resting, Vec3(1, 0, 0), triangle, front));
  EXPECT_FALSE(sweep(resting, Vec3(0, 0, 0), triangle, front));
  EXPECT_TRUE(sweep(resting, Vec3(0, 0, 0), triangle));
  // Solids have no sides.
  const Solid solid(Mesh(test::closed_box(Vec3(-1, -1, -1), Vec3(1, 1, 1))));
  SweepOptions back;
  back.sides = Sides::back;
  back.accept = [](const TargetTriangle&) { return false; };
  EXPECT_EQ(sweep(ball, down, solid, back)->t, sweep(ball, down, solid)->t);
  EXPECT_TRUE(sweep(Sphere{Vec3(0, 0, 0), .25}, down, solid, back)->started_inside);
}

TEST(SweepSides, ScenesNameTheMember) {
  const Mesh floor = with_users(MeshData{{{-9, -9, 0}, {9, -9, 0}, {0, 9, 0}}, {{0, 1, 2}}, {}});
  Scene scene;
  const MemberId high = scene.add(floor, translation(Vec3(0, 0, 2))), low = scene.add(floor), body = scene.add(Sphere{Vec3(0, 0, -4), .5});
  const Sphere ball{Vec3(0, 0, 5), .5};
  SweepOptions o;
  o.accept = [&](const TargetTriangle& t) { return t.member == low; };
  const auto hit = scene.sweep(ball, Vec3(0, 0, -10), o);
  ASSERT_TRUE(hit);
  EXPECT_EQ(hit->member, low);
  EXPECT_EQ(hit->hit.user_b, 1u);
  EXPECT_NEAR(hit->hit.t, .45, 1e-15);
  EXPECT_TRUE(hit->hit.moved);
  EXPECT_EQ(scene.sweep_all(ball, Vec3(0, 0, -10), o).size(), 2u);
  SweepOptions back;
  back.sides = Sides::back;
  EXPECT_EQ(scene.sweep(ball, Vec3(0, 0, -10), back)->member, body);
  EXPECT_EQ(scene.sweep(Sphere{Vec3(0, 0, 1), .5}, Vec3(0, 0, 5), back)->member, high);
  // A scene of one member decides in a shorter way.
  Scene one;
  one.add(floor);
  EXPECT_FALSE(one.sweep(ball, Vec3(0, 0, -10), back));
}

TEST(SweepSides, ChildrenAreNamed) {
  const Mesh floor = with_users(MeshData{{{-9, -9, 0}, {9, -9, 0}, {0, 9, 0}}, {{0, 1, 2}}, {}});
  const Compound two({{floor, translation(Vec3(0, 0, 2))}, {floor, {}}});
  SweepOptions o;
  o.accept = [](const TargetTriangle& t) { return t.child == 1u && t.user == 1; };
  for (const AnyShape& a : {AnyShape(Sphere{Vec3(0, 0, 5), .5}), AnyShape(Cylinder{Vec3(0, 0, 4.5), Vec3(0, 0, 5), .5})}) {
    const auto hit = sweep(a, Vec3(0, 0, -10), two, o);
    ASSERT_TRUE(hit);
    EXPECT_EQ(hit->child_b, 1u);
    EXPECT_NEAR(hit->point.z, 0, 1e-9);
    // The mover's triangles are not chosen, but numbered.
    const auto turned = sweep(two, Vec3(0, 0, 10), a, o);
    ASSERT_TRUE(turned);
    EXPECT_EQ(turned->user_a, 1u);
  }
}

}  // namespace
}  // namespace graze::sides_test
