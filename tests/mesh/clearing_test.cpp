// Translations that end an overlap, against those known from the shapes.
#include "mesh/arrangement/clearing.hpp"

#include <gtest/gtest.h>
#include <cmath>
#include <graze/error.hpp>
#include <graze/progress.hpp>
#include <graze/query.hpp>

#include "mesh/meshes.hpp"
#include "mesh/queries/surface_queries.hpp"
#include "support/random.hpp"
#include "support/solid_boxes.hpp"

namespace graze::test::clearing_test {
namespace {

std::optional<Shift> shortest(const Solid& a, const Pose& pose_a, const Solid& b, double most = kInfinity) {
  const SurfaceOrSolid sa{MeshView(a, &pose_a), true}, sb{MeshView(b), true};
  return Clearing(sa, sb, triangle_pairs(sa.surface, sb.surface)).shortest(most);
}

/// A block around a room.
Solid room(const Box& block, const Box& inside) {
  MeshData d;
  for (const Box& box : {block, inside}) {
    const Solid solid = solid_box(box.min, box.max);
    const auto n = static_cast<std::uint32_t>(d.vertices.size());
    d.vertices.insert(d.vertices.end(), solid.mesh().vertices().begin(), solid.mesh().vertices().end());
    for (TriangleIndices t : solid.mesh().triangles()) {
      if (n > 0) std::swap(t[1], t[2]);
      d.triangles.push_back({n + t[0], n + t[1], n + t[2]});
    }
  }
  return Solid(Mesh(std::move(d)));
}

TEST(Clearing, LengthsKnownFromTheShapes) {
  const Solid unit = solid_box({0, 0, 0}, {1, 1, 1}), big = solid_box({0, 0, 0}, {10, 10, 10});
  const Solid around = room({{0, 0, 0}, {10, 10, 10}}, {{4, 4, 4}, {6, 6, 6}}), fits = room({{0, 0, 0}, {10, 10, 10}}, {{4, 4, 4}, {5, 5, 5}});
  EXPECT_EQ(shortest(unit, translation({9.75, 5, 5}), big)->length, 0.25);
  EXPECT_EQ(shortest(unit, translation({3, 4, 5}), big)->length, 4) << "inside, no triangles touch";
  EXPECT_EQ(shortest(unit, translation({0, 0, 0}), unit)->length, 1) << "identical";
  EXPECT_EQ(shortest(unit, translation({3.75, 4.5, 4.5}), around)->length, 0.25) << "into the room";
  EXPECT_EQ(shortest(unit, translation({4, 4, 4.125}), fits)->length, 0.125) << "where only one place is free";
  EXPECT_FALSE(shortest(unit, translation({3, 4, 5}), big, 3.9));
  EXPECT_TRUE(shortest(unit, translation({3, 4, 5}), big, 4));
}

TEST(Clearing, ProductsOfEdges) {
  const Solid a = solid_box({-1, -1, -1}, {1, 1, 1});
  test::Random random(3);
  for (int i = 0; i < 50; ++i) {
    Pose pose = random.pose(1);
    pose.translation.z *= 1.5;
    const PenetrationResult truth = penetration(at(Box{{-1, -1, -1}, {1, 1, 1}}, pose), Box{{-1, -1, -1}, {1, 1, 1}});
    if (!truth.value) continue;
    const std::optional<Shift> s = shortest(a, pose, a);
    ASSERT_TRUE(s);
    EXPECT_GE(s->length, truth.value->depth * (1 - 1e-12));
    EXPECT_LE(s->length, truth.value->depth * (1 + 1e-9)) << "the axes of two boxes are all tried";
  }
}

TEST(Clearing, NothingBeyondTheMost) {
  const Solid a = solid_box({-1, -1, -1}, {1, 1, 1});
  test::Random random(4);
  for (int i = 0; i < 50; ++i) {
    const Pose pose = random.pose(1);
    const std::optional<Shift> s = shortest(a, pose, a);
    ASSERT_TRUE(s);
    for (const double most : {s->length * (1 - 0x1p-52), s->length, s->length * (1 + 0x1p-52), s->length * (1 + 0x1p-30)})
      EXPECT_LE(shortest(a, pose, a, most).value_or(Shift{}).length, most);
    EXPECT_TRUE(shortest(a, pose, a, s->length));
    EXPECT_FALSE(shortest(a, pose, a, s->length * 0.999));
  }
}

/// Only what lies near is looked at, so that a large surface costs little, and a search ends when its caller wants it to.
TEST(Clearing, ManyTriangles) {
  const Solid round(Mesh(ball(60, Vec3(0), 1))), small = solid_box({-0.01, -0.01, -0.01}, {0.01, 0.01, 0.01});
  const SurfaceOrSolid b{MeshView(round), true};
  const Pose at_the_side = translation({1.005, 0, 0});
  const std::optional<Shift> s = shortest(small, at_the_side, round);
  ASSERT_TRUE(s);
  EXPECT_NEAR(s->length, 0.005, 1e-4);
  const Pose within = translation({0.5, 0.25, 0.125});
  const std::vector<TrianglePair> touching = triangle_pairs(MeshView(round, &within), b.surface);
  const Clearing both({MeshView(round, &within), true}, b, touching);
  const std::optional<Shift> apart = both.shortest();
  ASSERT_TRUE(apart);
  EXPECT_NEAR(apart->length, 2 - std::sqrt(0.25 + 0.0625 + 0.015625), 2e-3);
  const ProgressScope scope([](double) { return false; });
  try {
    (void)both.shortest();
    ADD_FAILURE() << "not cancelled";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::cancelled);
  }
}

TEST(Clearing, MovesExactly) {
  const Solid unit = solid_box({0, 0, 0}, {1, 1, 1});
  const Pose far = translation({0x1p30, 0, 0});
  const SurfaceOrSolid a{MeshView(unit, &far), true}, b{MeshView(unit), true};
  const std::vector<TrianglePair> none;
  const Clearing c(a, b, none);
  EXPECT_TRUE(c.moves_exactly({0.5, 0, 0}));
  EXPECT_FALSE(c.moves_exactly({0x1p-30, 0, 0}));
  EXPECT_TRUE(c.moves_exactly({0, 0x1p-30, 0}));
  EXPECT_GT(c.rounding(), 0x1p-22);
}

}  // namespace
}  // namespace graze::test::clearing_test
