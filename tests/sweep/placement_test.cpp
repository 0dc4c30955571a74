// Placements after sweeps: certified by the triangles near the path, they are those of the general test; compounds of convex shapes against meshes; sweeps
// without a placement.
#include "sweep/linear/safe_placement.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <graze/sweep.hpp>
#include <optional>
#include <vector>

#include "mesh/grid.hpp"
#include "mesh/meshes.hpp"
#include "support/random.hpp"

namespace graze::test::placement_test {
namespace {

AnyShape body(Random& r, int kind, double size) {
  const Vec3 c = r.point(-0.1, 0.1);
  switch (kind) {
    case 0:
      return Sphere{c, size};
    case 1:
      return Capsule{c, c + r.point(-1, 1) * size, size * 0.5};
    case 2:
      return Box::from_center(c, Vec3(size, size * 0.5, size * 0.7));
    default: {
      const Pose p = r.pose(0);
      const auto axis = [&](int k) { return Vec3(p.rotation[0][k], p.rotation[1][k], p.rotation[2][k]); };
      return OrientedBox{c, {axis(0), axis(1), axis(2)}, Vec3(size, size * 0.5, size * 0.2)};
    }
  }
}

struct Scene {
  Mesh mesh;
  AnyShape shape;
  Pose pose;
  Vec3 motion;
};

Scene random_scene(Random& r, int round) {
  const Vec3 at = round % 5 == 4 ? Vec3(1e4, -3e3, 2e4) : Vec3(0, 0, 0);
  Mesh mesh = round % 3 == 0 ? Mesh(soup(r, 200, 1, at, 0.1)) : grid(r, 12, 1, at, round % 3 == 1 ? 0.05 : 0);
  Pose pose = round % 2 != 0 ? r.pose(0) : Pose{};
  pose.translation = at + r.point(-1, 1) + Vec3(0, 0, 1.5);
  return {std::move(mesh), body(r, round / 6 % 4, std::exp(r.real(-4, -1))), pose, r.point(-0.5, 0.5) + Vec3(0, 0, -r.real(0.5, 3))};
}

bool same_bits(const Vec3& x, const Vec3& y) { return std::memcmp(&x, &y, sizeof x) == 0; }

TEST(Placement, SurroundingsChangeNothing) {
  Random r(941);
  int moved = 0;
  for (int round = 0; round < 3000; ++round) {
    const Scene s = random_scene(r, round);
    const Placed placed = at(s.shape, s.pose);
    const auto hit = sweep(placed, s.motion, s.mesh);
    if (!hit || hit->t == 0) continue;
    const Motion motion{s.motion};
    const PartList target(s.mesh);
    const double back = first_step_back(placed, motion, hit->normal.value_or(Vec3(0, 0, 0)), hit->t);
    const SafePlacement general = place_safely(placed, motion, s.mesh, target, hit->t, back);
    ASSERT_EQ(hit->moved, general.moved) << round;
    ASSERT_TRUE(same_bits(hit->safe.translation, general.pose.translation)) << round;
    ASSERT_TRUE(same_bits(hit->safe_point, general.point)) << round;
    moved += hit->moved;
    if (hit->moved) {
      ASSERT_FALSE(intersects(at(s.shape, hit->safe), s.mesh)) << round;
    }
  }
  EXPECT_GT(moved, 800);
}

/// The first contact of a compound is that of its children, each swept alone. (The plane of one child's contact says nothing about another child.)
TEST(Placement, CompoundsMeetMeshesAsTheirChildrenDo) {
  Random r(942);
  int hits = 0;
  for (int round = 0; round < 2000; ++round) {
    const Scene s = random_scene(r, round);
    std::vector<Compound::Child> children;
    for (int k = 0; k < 3; ++k)
      children.push_back({body(r, k == 0 ? round / 6 % 4 : r.integer(0, 3), std::exp(r.real(-4, -1))), translation(r.point(-0.3, 0.3))});
    const Compound whole(children);
    Pose pose;
    pose.translation = s.pose.translation;
    const auto hit = sweep(at(whole, pose), s.motion, s.mesh);
    std::optional<SweepHit> first;
    for (std::uint32_t k = 0; k < children.size(); ++k) {
      const Compound alone({children[k]});
      auto one = sweep(at(alone, pose), s.motion, s.mesh);
      if (one && (!first || one->t < first->t)) {
        first = one;
        first->child_a = k;
      }
    }
    ASSERT_EQ(hit.has_value(), first.has_value()) << round;
    if (!hit) continue;
    ++hits;
    ASSERT_EQ(hit->t, first->t) << round;
    if (hit->t > 0) {
      ASSERT_EQ(hit->triangle_b, first->triangle_b) << round;
    }
  }
  EXPECT_GT(hits, 1000);
}

TEST(Placement, SweepsWithoutOneAreTheSame) {
  Random r(943);
  for (int round = 0; round < 400; ++round) {
    const Scene s = random_scene(r, round);
    const Placed placed = at(s.shape, s.pose);
    const auto hit = sweep(placed, s.motion, s.mesh), plain = sweep(placed, s.motion, s.mesh, {.place = false});
    ASSERT_EQ(hit.has_value(), plain.has_value());
    if (!hit) continue;
    ASSERT_EQ(hit->t, plain->t);
    ASSERT_EQ(hit->triangle_b, plain->triangle_b);
    ASSERT_TRUE(same_bits(hit->point, plain->point));
    ASSERT_FALSE(plain->moved);
    ASSERT_TRUE(same_bits(plain->safe.translation, s.pose.translation));
  }
}

}  // namespace
}  // namespace graze::test::placement_test
