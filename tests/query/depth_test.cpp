// penetration and contacts of all kinds: convex pairs, polygons, meshes, solids, compounds; clearing translations verified by the exact decision.
#include <graze/query.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "mesh/mesh_queries.hpp"

namespace graze {
namespace {

double length(const Vec3& v) { return std::sqrt(v.x * v.x + v.y * v.y + v.z * v.z); }

/// The surface of a box, two triangles a side.
Mesh box_mesh(const Vec3& lo, const Vec3& hi) {
  MeshData d;
  for (int i = 0; i < 8; ++i) d.vertices.push_back({i & 1 ? hi.x : lo.x, i & 2 ? hi.y : lo.y, i & 4 ? hi.z : lo.z});
  d.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  return Mesh(std::move(d));
}

/// A shape and its vector at the same place as `clears` in the library sees it: the pose's translation.
bool separate(ShapeRef moved, ShapeRef other) { return !intersects(moved, other); }

TEST(Depth, ConvexPairs) {
  const PenetrationResult p = penetration(Sphere{{0, 0, 0}, 2}, Sphere{{3, 0, 0}, 1.5});
  ASSERT_TRUE(p.value);
  EXPECT_DOUBLE_EQ(p.value->depth, 0.5);
  EXPECT_EQ(p.value->normal, Vec3(-1, 0, 0));
  EXPECT_EQ(penetration(Sphere{{0, 0, 0}, 2}, Sphere{{3, 0, 0}, 1}).reason, NoPenetration::touching);
  EXPECT_EQ(penetration(Sphere{{0, 0, 0}, 2}, Sphere{{9, 0, 0}, 1}).reason, NoPenetration::apart);
  EXPECT_EQ(penetration(Plane{{0, 0, 0}, {0, 0, 1}}, Line{{0, 0, 0}, {0, 0, 1}}).reason, NoPenetration::unbounded);
  const std::vector<Contact> c = contacts(Sphere{{0, 0, 0}, 2}, Sphere{{3, 0, 0}, 1.5});
  ASSERT_EQ(c.size(), 1u);
  EXPECT_NEAR(c[0].point.x, 1.75, 1e-12);
  EXPECT_NEAR(c[0].depth, 0.5, 1e-15);
  const std::vector<Contact> touch = contacts(Box{{0, 0, 0}, {1, 1, 1}}, Box{{1, 0, 0}, {2, 1, 1}});
  ASSERT_EQ(touch.size(), 1u);
  EXPECT_EQ(touch[0].depth, 0);
  EXPECT_EQ(touch[0].normal, Vec3(-1, 0, 0));
  EXPECT_EQ(touch[0].point.x, 1);
  EXPECT_TRUE(contacts(Sphere{{0, 0, 0}, 2}, Sphere{{9, 0, 0}, 1}).empty());
  const PenetrationResult cylinder = penetration(Cylinder{{0, 0, 0}, {0, 0, 10}, 3}, Sphere{{4, 0, 5}, 2});
  ASSERT_TRUE(cylinder.value);
  EXPECT_NEAR(cylinder.value->depth, 1, 1e-12);
}

TEST(Depth, SphereOnMesh) {
  const Mesh floor = box_mesh({-10, -10, -1}, {10, 10, 0});
  const Sphere s{{1, 2, 0.75}, 1};
  const std::vector<Contact> c = contacts(s, floor);
  ASSERT_FALSE(c.empty());
  for (const Contact& k : c) {
    EXPECT_TRUE(k.triangle_b);
    EXPECT_FALSE(k.triangle_a);
    EXPECT_LE(k.depth, 0.25 + 1e-12);
    EXPECT_GE(k.depth, 0);
  }
  const PenetrationResult p = penetration(s, floor);
  ASSERT_TRUE(p.value);
  EXPECT_NEAR(p.value->depth, 0.25, 1e-9);
  EXPECT_NEAR(p.value->normal.z, 1, 1e-9);
  EXPECT_TRUE(separate(at(s, translation(p.value->vector)), floor));
  const PenetrationResult q = penetration(floor, s);
  ASSERT_TRUE(q.value);
  EXPECT_NEAR(q.value->normal.z, -1, 1e-9);
  EXPECT_EQ(penetration(Sphere{{1, 2, 1}, 1}, floor).reason, NoPenetration::touching);
  EXPECT_EQ(penetration(Sphere{{1, 2, 1.5}, 1}, floor).reason, NoPenetration::apart);
}

TEST(Depth, MeshAndMesh) {
  const Mesh a = box_mesh({0, 0, 0}, {2, 2, 2}), b = box_mesh({1.75, -3, -3}, {6, 5, 5});
  const PenetrationResult p = penetration(a, b);
  ASSERT_TRUE(p.value);
  EXPECT_TRUE(separate(at(a, translation(p.value->vector)), b));
  EXPECT_LE(p.value->depth, 0.2501);
  const std::vector<Contact> c = contacts(a, b);
  ASSERT_FALSE(c.empty());
  EXPECT_TRUE(std::is_sorted(c.begin(), c.end(), [](const Contact& x, const Contact& y) { return std::pair(*x.triangle_a, *x.triangle_b) < std::pair(*y.triangle_a, *y.triangle_b); }));
  EXPECT_EQ(c.size(), triangle_pairs(MeshView(a), MeshView(b)).size());
}

TEST(Depth, Solids) {
  const Solid block(box_mesh({0, 0, 0}, {10, 10, 10}));
  const Sphere inside{{2, 5, 5}, 0.5};
  EXPECT_TRUE(intersects(inside, block));
  const PenetrationResult p = penetration(inside, block);
  ASSERT_TRUE(p.value);
  EXPECT_NEAR(p.value->depth, 2.5, 1e-6);
  EXPECT_NEAR(p.value->normal.x, -1, 1e-9);
  EXPECT_TRUE(separate(at(inside, translation(p.value->vector)), block));
  const std::vector<Contact> c = contacts(inside, block);
  ASSERT_EQ(c.size(), 1u);
  EXPECT_NEAR(c[0].depth, 2.5, 1e-6);
  EXPECT_EQ(penetration(Sphere{{-1, 5, 5}, 1}, block).reason, NoPenetration::touching);
  const PenetrationResult from_inside = penetration(Sphere{{1, 5, 5}, 1}, block);
  ASSERT_TRUE(from_inside.value);
  EXPECT_NEAR(from_inside.value->depth, 2, 1e-6);
  const PenetrationResult half = penetration(block, HalfSpace{{0, 0, 1}, {0, 0, 1}});
  ASSERT_TRUE(half.value);
  EXPECT_NEAR(half.value->depth, 1, 1e-6);
}

TEST(Depth, PolygonsAndCompounds) {
  const Polygon square{{0, 0, 0}, {4, 0, 0}, {4, 4, 0}, {0, 4, 0}};
  const PenetrationResult p = penetration(Box{{1, 1, -0.25}, {2, 2, 3}}, square);
  ASSERT_TRUE(p.value);
  EXPECT_NEAR(p.value->depth, 0.25, 1e-6);
  EXPECT_NEAR(p.value->normal.z, 1, 1e-9);
  EXPECT_EQ(penetration(Box{{1, 1, 0}, {2, 2, 3}}, square).reason, NoPenetration::touching);
  std::vector<Compound::Child> children;
  children.push_back({Sphere{{0, 0, 0}, 1}, Pose{}});
  children.push_back({Box{{0, 0, 0}, {1, 1, 1}}, translation({3, 0, 0})});
  const Compound dumbbell(children);
  const PenetrationResult q = penetration(dumbbell, Box{{0.5, -1, -1}, {3.5, 2, 2}});
  ASSERT_TRUE(q.value);
  EXPECT_TRUE(separate(at(dumbbell, translation(q.value->vector)), Box{{0.5, -1, -1}, {3.5, 2, 2}}));
  EXPECT_EQ(contacts(dumbbell, Box{{0.5, -1, -1}, {3.5, 2, 2}}).size(), 2u);
}

TEST(Depth, RandomMeshesAreCleared) {
  std::mt19937_64 r(9);
  const auto uniform = [&](double lo, double hi) { return lo + (hi - lo) * (static_cast<double>(r() >> 11) * 0x1p-53); };
  for (int i = 0; i < 40; ++i) {
    const Mesh a = box_mesh({-1, -1, -1}, {1, 0.5, 2}), b = box_mesh({-1, -2, -1}, {1.5, 1, 1});
    const Pose pose = Pose::from_quaternion(uniform(-1, 1), uniform(-1, 1), uniform(-1, 1), uniform(-1, 1), {uniform(-2, 2), uniform(-2, 2), uniform(-2, 2)});
    const bool touching = intersects(at(a, pose), b);
    const PenetrationResult p = penetration(at(a, pose), b);
    if (!touching) {
      EXPECT_EQ(p.reason, NoPenetration::apart);
      continue;
    }
    ASSERT_TRUE(p.value);
    Pose moved = pose;
    moved.translation += p.value->vector;
    EXPECT_FALSE(intersects(at(a, moved), b));
    EXPECT_LE(p.value->depth, 8);
    EXPECT_NEAR(length(p.value->normal), 1, 1e-12);
  }
}

}  // namespace
}  // namespace graze
