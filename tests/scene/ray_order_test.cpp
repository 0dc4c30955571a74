// Hits whose true parameters differ by less than doubles resolve are reported in their true order, and hits at the same parameter by the lowest index: members
// of a scene, children of a compound, shots.
#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_int.hpp>
#include <graze/scene.hpp>
#include <graze/world.hpp>

#include "exact/double_parts.hpp"
#include "support/random.hpp"

namespace graze::ray_order_test {
namespace {

using boost::multiprecision::cpp_rational;
using test::Random;

/// Crosses the z axis at t plus quarters / 4 of the distance to the next double.
Triangle lid(double t, int quarters) {
  const double up = next_up(t);
  switch (quarters) {
    case 0:
      return {{Vec3(-1, -1, t), Vec3(1, -1, t), Vec3(0, 3, t)}};
    case 1:
      return {{Vec3(-1, -1, t), Vec3(1, -1, t), Vec3(0, 3, up)}};
    case 2:
      return {{Vec3(-1, -1, t), Vec3(1, -1, t), Vec3(0, 1, up)}};
    default:
      return {{Vec3(-1, 1, up), Vec3(1, 1, up), Vec3(0, -3, t)}};
  }
}
cpp_rational height(double t, int quarters) { return cpp_rational(t) + (cpp_rational(next_up(t)) - cpp_rational(t)) * quarters / 4; }

AnyShape in_form(const Triangle& t, int form) {
  if (form == 0) return t;
  if (form == 1) return Mesh(MeshData{{t.points[0], t.points[1], t.points[2]}, {{0, 1, 2}}, {}});
  if (form == 2) return Polygon(std::vector<Vec3>{t.points[0], t.points[1], t.points[2]});
  return Hull(std::vector<Vec3>{t.points[0], t.points[1], t.points[2]});
}

struct AimedRay {
  AnyShape ray;
  bool backwards;  // reaches hits of negative z
};
std::vector<AimedRay> ways() {
  return {{Ray{Vec3(0, 0, 0), Vec3(0, 0, 1)}, false}, {Line{Vec3(0, 0, 0), Vec3(0, 0, 1)}, true}, {Segment{Vec3(0, 0, 0), Vec3(0, 0, 16)}, false}};
}

TEST(RayOrder, TrianglesWithinOneStepOfTheDoubles) {
  Random random(1);
  for (int round = 0; round < 200; ++round) {
    for (const AimedRay& aimed : ways()) {
      const double t = aimed.backwards ? random.real(-8, 8) : random.real(1, 8);
      const int q[3] = {random.integer(0, 3), random.integer(0, 3), random.integer(0, 3)};
      std::vector<AnyShape> lids;
      for (const int k : q) lids.push_back(in_form(lid(t, k), random.integer(0, 3)));
      const auto first = static_cast<std::uint32_t>(std::min_element(q, q + 3) - q);
      Scene scene;
      std::vector<Compound::Child> children;
      for (const AnyShape& l : lids) {
        scene.add(l);
        children.push_back({l, {}});
      }
      const auto hit = scene.raycast(aimed.ray);
      ASSERT_TRUE(hit);
      EXPECT_EQ(hit->member, first);
      EXPECT_EQ(hit->hit.t, aimed.ray.get<Segment>() ? t / 16 : t);
      const Compound all(children);
      const auto of_compound = raycast(aimed.ray, all);
      ASSERT_TRUE(of_compound);
      EXPECT_EQ(of_compound->child, first);
      const auto list = raycast_all(aimed.ray, all);
      ASSERT_EQ(list.size(), 3u);
      for (std::size_t i = 0; i + 1 < 3; ++i) {
        const std::uint32_t a = *list[i].child, b = *list[i + 1].child;
        EXPECT_TRUE(q[a] < q[b] || (q[a] == q[b] && a < b));
      }
      Scene many;  // through the tree
      for (int i = 0; i < 12; ++i) many.add(Box{Vec3(20. + i, 0, 0), Vec3(20.5 + i, 1, 1)});
      for (const AnyShape& l : lids) many.add(l);
      EXPECT_EQ(many.raycast(aimed.ray)->member, 12 + first);
    }
  }
}

TEST(RayOrder, BallsAgainstTriangles) {
  Random random(2);
  int before = 0, after = 0;
  for (int round = 0; round < 400; ++round) {
    for (const AimedRay& aimed : ways()) {
      const double z = aimed.backwards ? random.real(-6, 6) : random.real(3, 8);
      const Sphere ball{Vec3(random.real(-.9, .9), 0, z), 1};
      const double scale = aimed.ray.get<Segment>() ? 16 : 1, t = raycast(aimed.ray, ball)->t * scale;
      const int quarters = random.integer(0, 3);
      const AnyShape plate = in_form(lid(t, quarters), random.integer(0, 3));
      if (raycast(aimed.ray, plate)->t * scale != t) continue;
      // Whether the point where the ray hits the plate lies in the ball.
      const cpp_rational h = height(t, quarters), x = cpp_rational(ball.center.x), d = h - cpp_rational(z);
      const bool ball_first = x * x + d * d <= 1;
      (ball_first ? before : after)++;
      for (const bool swapped : {false, true}) {
        Scene scene;
        scene.add(swapped ? plate : AnyShape(ball));
        scene.add(swapped ? AnyShape(ball) : plate);
        EXPECT_EQ(scene.raycast(aimed.ray)->member, static_cast<MemberId>(ball_first == swapped));
        EXPECT_EQ(raycast(aimed.ray, Compound({{scene.shape(0), {}}, {scene.shape(1), {}}}))->child, static_cast<std::uint32_t>(ball_first == swapped));
        if (!aimed.ray.get<Ray>()) continue;
        World world;
        world.add_fixed(plate);
        world.add_moving(ball, {});
        EXPECT_EQ(world.shoot(*aimed.ray.get<Ray>())->body, ball_first);
      }
    }
  }
  EXPECT_GT(before, 100);
  EXPECT_GT(after, 100);
}

// Faces in one plane, with all shapes beyond it, on both sides of the line's origin.
TEST(RayOrder, FacesInOnePlaneAlsoBeforeTheOrigin) {
  Random random(3);
  for (int round = 0; round < 100; ++round) {
    const double z = random.real(-9, 9);
    const std::vector<AnyShape> shapes{HalfSpace{Vec3(0, 0, z), Vec3(0, 0, -1)}, Box{Vec3(-1, -1, z), Vec3(1, 1, 20)},
                                       Hull(std::vector<Vec3>{Vec3(-1, -1, z), Vec3(1, -1, z), Vec3(0, 3, z), Vec3(0, 0, 30)}),
                                       Triangle{{Vec3(-1, -1, z), Vec3(1, -1, z), Vec3(0, 3, z)}}};
    for (const AnyShape& a : shapes)
      for (const AnyShape& b : shapes) {
        Scene scene;
        scene.add(a);
        scene.add(b);
        const auto hit = scene.raycast(Line{Vec3(.1, .1, 0), Vec3(0, 0, 1)});
        ASSERT_TRUE(hit);
        EXPECT_EQ(hit->member, 0u);
        EXPECT_EQ(hit->hit.t, z);
        EXPECT_EQ(raycast(Line{Vec3(.1, .1, 0), Vec3(0, 0, 1)}, Compound({{a, {}}, {b, {}}}))->child, 0u);
      }
  }
}

TEST(RayOrder, ShapesThatContainTheOriginComeFirst) {
  Scene scene;
  scene.add(Triangle{{Vec3(-1, -1, 0x1p-1074), Vec3(1, -1, 0), Vec3(0, 1, 0)}});  // t = 0, but not at the origin
  scene.add(Sphere{Vec3(0, 0, 0), 1});
  EXPECT_EQ(scene.raycast(Ray{Vec3(0, 0, 0), Vec3(0, 0, 1)})->member, 1u);
}

}  // namespace
}  // namespace graze::ray_order_test
