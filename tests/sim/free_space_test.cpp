// The free-space grid of a world: no member meets what the grid reports as free, and steps with and without the grid give the same bits.
#include "sim/free_space.hpp"

#include <gtest/gtest.h>
#include <graze/graze.hpp>

#include "support/random.hpp"

using namespace graze;

namespace free_space_test {
namespace {

MeshData bumpy_ball(int n, double size, const Vec3& at) {
  MeshData m;
  for (int i = 0; i <= n; ++i)
    for (int j = 0; j < 2 * n; ++j) {
      const double a = 3.14159 * i / n, b = 3.14159 * j / n, r = size * (1 + .2 * ((i * 7 + j * 3) % 5) / 5.0);
      m.vertices.push_back(at + r * Vec3(std::sin(a) * std::cos(b), std::sin(a) * std::sin(b), std::cos(a)));
    }
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < 2 * n; ++j) {
      const auto v = [&](int x, int y) { return static_cast<std::uint32_t>(x * 2 * n + y % (2 * n)); };
      m.triangles.push_back({v(i, j), v(i + 1, j), v(i + 1, j + 1)});
      m.triangles.push_back({v(i, j), v(i + 1, j + 1), v(i, j + 1)});
    }
  return m;
}

/// Checks that all paths of points and balls reported as free are free, and that some are reported.
void check(const Scene& scene, double size, const Vec3& at, int ways = 4000) {
  const auto space = FreeSpace::of(scene);
  ASSERT_NE(space, nullptr);
  test::Random random(7);
  int clear = 0, met = 0;
  for (int i = 0; i < ways; ++i) {
    const double reach = i % 3 == 0 ? 0 : random.real(0, .1) * size, step = i % 5 == 0 ? .3 : .03;
    const Vec3 from = at + random.point(-1.6 * size, 1.6 * size), to = from + random.point(-step * size, step * size);
    const bool by_bit = space->is_clear(space->place_of(from, to, reach));
    clear += by_bit;
    const bool hits = reach == 0 ? scene.raycast(Segment{from, to}).has_value() : scene.sweep(Sphere{from, reach}, {from, to}).has_value();
    met += hits;
    if (by_bit) {
      EXPECT_FALSE(hits) << i;
    }
  }
  EXPECT_GT(clear, 0);
  EXPECT_GT(met, 0);
}

}  // namespace

TEST(FreeSpace, UnplacedAndPlacedMeshes) {
  for (const double size : {1.0, 1e-6, 3e5}) {
    Scene one, two;
    one.add(Mesh(bumpy_ball(24, size, Vec3(0, 0, 0))));
    check(one, size, Vec3(0, 0, 0));
    two.add(Mesh(bumpy_ball(8, size * .5, Vec3(0, 0, 0))), Pose::from_quaternion(1, .3, -.2, .7, size * Vec3(.4, -.3, .2)));
    two.add(Mesh(bumpy_ball(3, size * .3, Vec3(0, 0, 0))), translation(size * Vec3(-.8, .3, .2)));
    check(two, size, Vec3(0, 0, 0));
  }
}

TEST(FreeSpace, FarFromTheOrigin) {
  Scene scene;
  const Vec3 at(1e6, -2e6, 3e5);
  scene.add(Mesh(bumpy_ball(16, 1, at)));
  check(scene, 1, at);
}

TEST(FreeSpace, ManyKindsOfMembers) {
  Scene scene;
  scene.add(Mesh(bumpy_ball(12, .5, Vec3(0, 0, 0))));
  scene.add(Plane{{0, 0, -.6}, {0, 0, 1}});
  scene.add(HalfSpace{{-.5, -.5, 0}, {1, 1, 0}});
  scene.add(Cylinder{{.7, .7, -.2}, {.7, .7, .4}, .1});
  scene.add(Sphere{{-.5, .7, .3}, .2}, translation(Vec3(.1, 0, 0)));
  scene.add(Capsule{{0, 0, .7}, {.2, .2, .7}, .05});
  scene.add(Box{{.5, -.8, -.2}, {.6, -.7, .2}}, Pose::from_quaternion(1, .1, .2, .3, Vec3(0, 0, 0)));
  scene.add(Triangle{{Vec3(-.7, -.7, 0), Vec3(-.7, -.3, .1), Vec3(-.3, -.7, .2)}});
  check(scene, .7, Vec3(0, 0, 0));
  Scene without;  // no mesh: the grid covers the bounded members
  without.add(Sphere{{0, 0, 0}, .3});
  without.add(Ellipsoid{{.6, 0, 0}, {.1, .2, .3}});
  without.add(Triangle{{Vec3(-.9, -.9, -.9), Vec3(-.7, -.3, .1), Vec3(-.3, -.7, .2)}});
  check(without, .7, Vec3(0, 0, 0));
}

TEST(FreeSpace, BuildsNoGridWithoutUsableBounds) {
  Scene scene;
  EXPECT_EQ(FreeSpace::of(scene), nullptr);
  const MemberId plane = scene.add(Plane{{0, 0, 0}, {0, 0, 1}});
  EXPECT_EQ(FreeSpace::of(scene), nullptr);
  scene.remove(plane);
  scene.add(Sphere{{1e17, 0, 0}, 1});
  EXPECT_EQ(FreeSpace::of(scene), nullptr);
}

/// Many large members in the same few cells leave most of the grid free, but marking the cells for each costs more than the marks save. The number of cells
/// bounds the work.
TEST(FreeSpace, BuildsNoGridInATriangleSoup) {
  const Triangle large{{Vec3(-1, -1, -1), Vec3(1, .9, -.8), Vec3(-.7, 1, 1)}};
  for (const std::uint32_t many : {1u, 30000u}) {
    MeshData soup;
    soup.vertices.assign(large.points.begin(), large.points.end());
    soup.triangles.assign(many, {0, 1, 2});
    Scene scene;
    scene.add(Mesh(std::move(soup)));
    EXPECT_EQ(FreeSpace::of(scene) != nullptr, many == 1) << many;
    Scene balls;
    balls.add(Sphere{{3, 3, 3}, .1});
    for (std::uint32_t i = 0; i < many; i += 10) balls.add(Sphere{{0, 0, 0}, 1});
    EXPECT_EQ(FreeSpace::of(balls) != nullptr, many == 1) << many;
  }
}

/// Moving a member discards what a world knows of its members, so this world builds the grid at other times or never. The answers are the same.
TEST(FreeSpace, SameBitsWithAndWithoutTheGrid) {
  for (const bool balls : {false, true}) {
    WorldOptions options;
    options.gravity = Vec3(.1, 0, -1);
    World with(options);
    const MemberId ball = with.add_fixed(Mesh(bumpy_ball(24, 1, Vec3(0, 0, 0))), {}, {.restitution = 1});
    with.add_fixed(Box{{-3, -3, -2}, {3, 3, -1.5}});
    with.add_fixed(Sphere{{0, 0, 1.6}, .2}, {}, {}, {.group = 2});
    test::Random random(7);
    for (int i = 0; i < 600; ++i) {
      BodyOptions body{.velocity = random.point(-1, 1)};
      if (i % 7 == 0) body.meets = 2;
      if (i % 11 == 0) body.fuse = .8;
      if (i % 13 == 0) body.drag = .3;
      const Vec3 at = random.point(-1.5, 1.5);
      if (balls)
        with.add_moving(Sphere{{0, 0, 0}, .02 + .01 * (i % 3)}, translation(at), body);
      else
        with.add_moving(Point{}, translation(at), body);
    }
    World without = with;
    for (int step = 0; step < 60; ++step) {
      with.step(.02);
      without.move_fixed(ball, {});  // discards the grid
      without.step(.02);
      ASSERT_EQ(with.snapshot(), without.snapshot()) << step;
      ASSERT_EQ(with.impacts().size(), without.impacts().size());
      for (std::size_t i = 0; i < with.impacts().size(); ++i) {
        ASSERT_EQ(with.impacts()[i].time, without.impacts()[i].time);
        ASSERT_EQ(with.impacts()[i].b, without.impacts()[i].b);
        ASSERT_EQ(with.impacts()[i].point, without.impacts()[i].point);
      }
    }
  }
}

}  // namespace free_space_test
