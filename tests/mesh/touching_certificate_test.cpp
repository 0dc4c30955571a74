// The certificate of solids that only touch, against the cells of a grid and against the decision of convex sets.
#include "mesh/arrangement/touching_certificate.hpp"

#include <gtest/gtest.h>
#include <graze/query.hpp>

#include <array>
#include <optional>
#include <vector>

#include "mesh/arrangement/body_relation.hpp"
#include "mesh/queries/surface_queries.hpp"
#include "support/random.hpp"
#include "support/solid_boxes.hpp"

namespace graze::touching_certificate_test {
namespace {

using test::Random;

bool proves(const MeshView& a, const MeshView& b) { return only_touch(a, b, triangle_pairs(a, b)); }

// A solid of boxes with integer corners in [0, 6].
struct Blocks {
  std::vector<Box> boxes;
  std::optional<Solid> solid;

  explicit Blocks(Random& random) {
    for (int n = random.integer(1, 3); n > 0; --n) {
      Box b;
      for (int i = 0; i < 3; ++i) {
        b.min[i] = random.integer(0, 4);
        b.max[i] = b.min[i] + random.integer(1, 2);
      }
      boxes.push_back(b);
    }
    solid.emplace(test::joined_boxes(boxes));
  }
  bool fills(const Vec3& c) const {
    for (const Box& b : boxes)
      if (c.x >= b.min.x && c.x < b.max.x && c.y >= b.min.y && c.y < b.max.y && c.z >= b.min.z && c.z < b.max.z) return true;
    return false;
  }
};

struct Truth {
  bool inner = false, a_leaves = false, b_leaves = false;
};
Truth truth_of(const Blocks& a, const Blocks& b) {
  Truth t;
  for (int x = 0; x < 6; ++x)
    for (int y = 0; y < 6; ++y)
      for (int z = 0; z < 6; ++z) {
        const bool in_a = a.fills(Vec3(x, y, z)), in_b = b.fills(Vec3(x, y, z));
        t.inner |= in_a && in_b, t.a_leaves |= in_a && !in_b, t.b_leaves |= in_b && !in_a;
      }
  return t;
}

// The mesh with its triangles turned over: as a solid it is the same set.
Solid turned_over(const Solid& s) {
  MeshData data;
  data.vertices.assign(s.mesh().vertices().begin(), s.mesh().vertices().end());
  for (const TriangleIndices& t : s.mesh().triangles()) data.triangles.push_back({t[0], t[2], t[1]});
  return Solid(Mesh(std::move(data)));
}

TEST(TouchingCertificate, ProvesOnlyWhatTheCellsOfAGridConfirm) {
  Random random(171);
  const std::array<Pose, 3> poses = {Pose{}, Pose::quarter_turn(Axis::y, 1, Vec3(0x1p40, -7, 3)), Pose::from_quaternion(1, 2, 3, 4)};
  int touching = 0, proven = 0;
  for (int i = 0; i < 3000; ++i) {
    const Blocks a(random), b(random);
    if (!intersects(ShapeRef(a.solid->mesh()), ShapeRef(b.solid->mesh()))) continue;
    const Truth truth = truth_of(a, b);
    const Solid& sa = *a.solid;
    const Solid sb = i % 2 == 0 ? *b.solid : turned_over(*b.solid);
    const Pose* pose = i % 3 == 2 ? nullptr : &poses[static_cast<std::size_t>(i % 3)];
    const bool proof = proves(MeshView(sa.mesh(), pose), MeshView(sb.mesh(), pose));
    ASSERT_EQ(proof, proves(MeshView(sb.mesh(), pose), MeshView(sa.mesh(), pose))) << i;
    const bool only = !truth.inner && truth.a_leaves && truth.b_leaves;
    if (proof) {
      ASSERT_TRUE(only) << i;
    }
    touching += only;
    proven += proof;
  }
  EXPECT_GT(touching, 250);
  EXPECT_GT(proven, touching / 2);  // the rest has edges that cross, or shells of one solid that overlap
}

TEST(TouchingCertificate, AgreesWithConvexSets) {
  Random random(172);
  int touching = 0, proven = 0;
  for (int i = 0; i < 8000; ++i) {
    std::optional<Hull> hulls[2];
    std::optional<Solid> solids[2];
    for (int k = 0; k < 2; ++k) {
      std::vector<Vec3> points;
      for (int n = random.integer(4, 7); n > 0; --n) points.emplace_back(random.integer(0, 3) + 2 * k, random.integer(0, 3), random.integer(0, 3));
      hulls[k].emplace(std::span<const Vec3>(points));
      if (hulls[k]->triangles().empty()) break;
      MeshData data;
      data.vertices.assign(hulls[k]->points().begin(), hulls[k]->points().end());
      for (const auto& t : hulls[k]->triangles()) data.triangles.push_back(t);
      solids[k].emplace(Mesh(std::move(data)));
    }
    if (!solids[0] || !solids[1] || !intersects(ShapeRef(solids[0]->mesh()), ShapeRef(solids[1]->mesh()))) continue;
    const Relation truth = relation(*hulls[0], *hulls[1]);
    const bool proof = proves(solids[0]->mesh(), solids[1]->mesh());
    if (proof) {
      ASSERT_EQ(truth, Relation::touching) << i;
    }
    touching += truth == Relation::touching;
    proven += proof;
    if (i % 8 == 0) {
      ASSERT_EQ(relation(*solids[0], *solids[1]), truth) << i;
      const MeshView a(solids[0]->mesh()), b(solids[1]->mesh());
      ASSERT_EQ(relation_of_bodies({a, true}, {b, true}, triangle_pairs(a, b)), truth) << i;
    }
  }
  EXPECT_GT(touching, 120);
  EXPECT_GT(proven, touching / 2);
}

TEST(TouchingCertificate, ProvesWhatAssembliesHave) {
  const auto proves_both = [](const Solid& a, const Solid& b) { return proves(a.mesh(), b.mesh()) && proves(b.mesh(), a.mesh()); };
  const Solid plate = test::solid_box({0, 0, 0}, {10, 10, 1});
  EXPECT_TRUE(proves_both(plate, test::solid_box({4, 4, 1}, {6, 6, 3}))) << "all corners of the smaller face touch";
  EXPECT_TRUE(proves_both(plate, test::solid_box({8, 4, 1}, {12, 6, 3}))) << "overhanging";
  EXPECT_TRUE(proves_both(plate, test::solid_box({10, 10, 1}, {12, 12, 3}))) << "a corner at a corner";
  // A frame and the block that fills it.
  const std::array<Box, 5> frame = {Box{{0, 0, 0}, {10, 10, 1}}, Box{{0, 0, 1}, {10, 4, 3}}, Box{{0, 6, 1}, {10, 10, 3}}, Box{{0, 4, 1}, {4, 6, 3}},
                                    Box{{6, 4, 1}, {10, 6, 3}}};
  const Solid filling = test::solid_box({4, 4, 1}, {6, 6, 2});
  EXPECT_EQ(relation(test::joined_boxes(frame), filling), Relation::touching) << "the frame's shells have common walls, so that nothing is proven";
  // Not proven: the same solid, one inside that touches from inside, and one that pierces.
  EXPECT_FALSE(proves_both(plate, plate));
  EXPECT_FALSE(proves_both(plate, test::solid_box({4, 4, 0}, {6, 6, 1})));
  EXPECT_FALSE(proves_both(plate, test::solid_box({4, 4, 0.5}, {6, 6, 3})));
}

}  // namespace
}  // namespace graze::touching_certificate_test
