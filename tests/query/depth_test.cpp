// penetration and contacts of all kinds of shapes: convex pairs, polygons, meshes, solids, compounds; separating translations are verified by the exact
// decision.
#include <graze/error.hpp>
#include <graze/explain.hpp>
#include <graze/query.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "mesh/queries/convex_queries.hpp"
#include "mesh/queries/surface_queries.hpp"
#include "support/random.hpp"
#include "support/solid_boxes.hpp"

namespace graze::depth_test {
namespace {

double length(const Vec3& v) { return std::sqrt(v.x * v.x + v.y * v.y + v.z * v.z); }

/// The surface of a box, two triangles per side.
Mesh box_mesh(const Vec3& lo, const Vec3& hi) {
  MeshData d;
  for (int i = 0; i < 8; ++i) d.vertices.push_back({i & 1 ? hi.x : lo.x, i & 2 ? hi.y : lo.y, i & 4 ? hi.z : lo.z});
  d.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  return Mesh(std::move(d));
}

/// Whether the moved shape is clear of the other. Callers add the vector to the pose's translation, as `clears` in the library does.
bool separate(ShapeRef moved, ShapeRef other) { return !intersects(moved, other); }

TEST(Depth, ConvexPairs) {
  const PenetrationResult p = penetration(Sphere{{0, 0, 0}, 2}, Sphere{{3, 0, 0}, 1.5});
  ASSERT_TRUE(p.value);
  EXPECT_DOUBLE_EQ(p.value->depth, 0.5);
  EXPECT_EQ(p.value->normal, Vec3(-1, 0, 0));
  EXPECT_EQ(penetration(Sphere{{0, 0, 0}, 2}, Sphere{{3, 0, 0}, 1}).reason, NoPenetration::touching);
  EXPECT_EQ(penetration(Sphere{{0, 0, 0}, 2}, Sphere{{9, 0, 0}, 1}).reason, NoPenetration::apart);
  EXPECT_EQ(penetration(Plane{{0, 0, 0}, {0, 0, 1}}, Line{{0, 0, 0}, {0, 0, 1}}).reason, NoPenetration::unbounded);
  const std::vector<Contact> through = contacts(Plane{{0, 0, 0}, {0, 0, 1}}, Line{{3, 4, 1}, {0, 0, 1}});
  ASSERT_EQ(through.size(), 1u);
  EXPECT_EQ(through[0].depth, INFINITY);
  EXPECT_EQ(through[0].normal, Vec3(0, 0, 0));
  EXPECT_EQ(through[0].point, Vec3(3, 4, 0));
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
  EXPECT_TRUE(std::is_sorted(c.begin(), c.end(), [](const Contact& x, const Contact& y) {
    return std::pair(*x.triangle_a, *x.triangle_b) < std::pair(*y.triangle_a, *y.triangle_b);
  }));
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
  EXPECT_EQ(relation(at(inside, translation(p.value->vector)), block), Relation::touching);
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

TEST(Depth, PlanarPolygonsAreConvexShapes) {
  const Polygon p{{3, -1, -2}, {-1, -3, -2}, {-3, -2, -2}, {-3, -1, -2}, {1, 2, -2}};
  const Triangle t{{Vec3(0, -3, 3), Vec3(1, -3, 0), Vec3(-3, -1, -3)}};
  const PenetrationResult d = penetration(p, t);
  ASSERT_TRUE(d.value);
  EXPECT_NEAR(d.value->depth, 0.8, 0.01);
  EXPECT_EQ(d.value->vector, penetration(Hull(p.points()), t).value->vector);
  ASSERT_EQ(contacts(p, t).size(), 1u);
  EXPECT_FALSE(contacts(p, t)[0].triangle_a);
  // Bent by one unit in the last place: a fan of triangles.
  const Polygon bent{{3, -1, -2}, {-1, -3, -2}, {-3, -2, std::nextafter(-2.0, 0)}, {-3, -1, -2}, {1, 2, -2}};
  EXPECT_GT(contacts(bent, Box{{-4, -4, -3}, {4, 4, 3}}).size(), 1u);
  EXPECT_TRUE(contacts(bent, Box{{-4, -4, -3}, {4, 4, 3}})[0].triangle_a);
}

TEST(Depth, PlanarPolygonsAgainstSolids) {
  const Solid block(box_mesh({0, 0, 0}, {10, 10, 10}));
  EXPECT_EQ(penetration(Polygon{{2, 2, 10}, {8, 2, 10}, {9, 9, 10}, {5, 9, 10}, {2, 8, 10}}, block).reason, NoPenetration::touching);
  EXPECT_EQ(penetration(block, Polygon{{0, 0, 10}, {10, 0, 10}, {10, 10, 10}, {0, 10, 10}}).reason, NoPenetration::touching);
  // A section of the block whose edges lie in its faces: it is inside although it crosses no triangle.
  EXPECT_TRUE(penetration(Polygon{{0, 0, 5}, {10, 0, 5}, {10, 10, 5}, {0, 10, 5}}, block).value);
}

/// The corners of a convex polygon on a tilted plane with integer coordinates; placed by turns of quarters, exactly.
TEST(Depth, RandomPlanarPolygonsAreTheirHulls) {
  test::Random r(14);
  int found = 0, touching = 0, polygons = 0;
  for (int i = 0; i < 1500; ++i) {
    // Corners of an octagon-like outline in steps of two vectors of the plane.
    const Vec3 u = r.grid(-2, 2), v = r.grid(-2, 2), o = r.grid(-2, 2);
    std::vector<Vec3> corners;
    const int steps[][2] = {{1, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 1}, {-1, 1}, {-1, 0}, {-2, -1}, {-1, -1}, {-1, -2}, {0, -1}, {1, -1}};
    Vec3 corner = o;
    for (const auto& s : steps) {
      corners.push_back(corner);
      corner += u * double(s[0]) + v * double(s[1]);
    }
    while (corners.size() > static_cast<std::size_t>(4 + i % 7)) corners.erase(corners.begin() + r.integer(0, static_cast<int>(corners.size()) - 1));
    std::optional<Polygon> p;
    try {
      p.emplace(corners);
    } catch (const Error&) {
      continue;  // u and v along one line can fold
    }
    ++polygons;
    const Hull h(corners);
    const Pose turned = Pose::from_quaternion(i % 2, i % 3 == 0, 0, i % 2 == 0, r.grid(-2, 2));
    const auto check = [&](ShapeRef a, ShapeRef b, ShapeRef c) {
      const PenetrationResult x = penetration(a, c), y = penetration(b, c), z = penetration(c, a);
      ASSERT_EQ(x.reason, y.reason);
      ASSERT_EQ(x.reason, z.reason);
      EXPECT_EQ(contacts(a, c).size(), contacts(b, c).size());
      if (!x.value) {
        touching += x.reason == NoPenetration::touching;
        return;
      }
      ++found;
      EXPECT_NEAR(x.value->depth, y.value->depth, 1e-9 * y.value->depth);
      EXPECT_EQ(x.value->vector, z.value->vector * -1.0);
    };
    const Triangle t{{r.grid(-4, 4), r.grid(-4, 4), r.grid(-4, 4)}};
    const Sphere s{r.grid(-3, 3), 1.0 + r.integer(0, 2)};
    check(*p, h, t);
    check(at(*p, turned), at(h, turned), t);
    check(*p, h, Segment{r.grid(-4, 4), r.grid(-4, 4)});
    check(*p, h, s);
    check(at(*p, turned), at(h, turned), at(Box{{-1, -1, -1}, {1, 2, 1}}, turned));
    check(*p, h, HalfSpace{r.grid(-2, 2), r.grid(-2, 2) + Vec3(0, 0, 5)});
    const std::vector<Compound::Child> as_polygon{{*p, turned}}, as_hull{{h, turned}};
    check(Compound(as_polygon), Compound(as_hull), s);
  }
  EXPECT_GT(polygons, 750);
  EXPECT_GT(found, 750);
  EXPECT_GT(touching, 40);
}

TEST(Depth, RandomMeshesAreCleared) {
  test::Random r(9);
  for (int i = 0; i < 40; ++i) {
    const Mesh a = box_mesh({-1, -1, -1}, {1, 0.5, 2}), b = box_mesh({-1, -2, -1}, {1.5, 1, 1});
    const Pose pose = r.pose(2);
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

/// The overlap is a fraction of a denormal, which no translation by doubles matches.
// The box of a curved shape moved exactly was that of the shape unmoved, so that triangles it had come to meet were missed.
TEST(Depth, CurvedShapesLeaveMeshesAndSolids) {
  test::Random r(77);
  int found = 0;
  for (int k = 0; k < 400; ++k) {
    const Ellipsoid e{r.point(-3, 3), {r.real(0.02, 4), r.real(0.02, 4), r.real(0.02, 4)}};
    const Cylinder c{r.point(-3, 3), r.point(-3, 3), r.real(0.02, 2)};
    const Solid solid =
        k % 2 ? test::solid_box({-2, -2, -2}, {2, 2, 2}) : test::joined_boxes(std::array{Box{{-3, -2, -2}, {-1, 2, 2}}, Box{{1, -2, -2}, {3, 2, 2}}});
    const auto check = [&](const auto& shape, const auto& other) {
      const PenetrationResult p = penetration(shape, other);
      if (!p.value) return;
      ++found;
      EXPECT_FALSE(intersects(at(shape, translation(p.value->vector * (1 + 1e-9))), other)) << k;
    };
    check(e, solid);
    check(c, solid);
    check(e, solid.mesh());
    check(c, solid.mesh());
  }
  EXPECT_GT(found, 500);
}

TEST(Depth, CylindersOfDenormalsOverlapByLessThanOne) {
  for (const int exponent : {0, -900, -1074}) {
    const double s = std::ldexp(1.0, exponent);
    const Cylinder a{{0, 0, 0}, {0, 0, 400 * s}, 144 * s}, b{{192 * s, 216 * s, 0}, {192 * s, 216 * s, 400 * s}, 145 * s};
    ASSERT_TRUE(intersects(a, b)) << exponent;
    const PenetrationResult p = penetration(a, b);
    ASSERT_TRUE(p.value) << exponent;
    EXPECT_FALSE(intersects(at(a, translation(1.001 * p.value->vector)), b)) << exponent;
    EXPECT_LE(length(p.value->vector), std::max(1.001 * p.value->depth, 4 * s)) << exponent;
  }
}

/// Penetration takes these pairs to their closed form by their kinds, contacts by their convex sets: the same bits, at any pose and in either order.
TEST(Depth, ClosedFormsOfPlacedShapes) {
  test::Random random(21);
  const auto shape = [&](int kind) -> AnyShape {
    const Vec3 p = random.point(-0.5, 0.5), q = random.point(-0.5, 0.5), half(random.real(0.1, 0.6), random.real(0.1, 0.6), random.real(0.1, 0.6));
    const double r = random.real(0.1, 0.5);
    switch (kind) {
      case 0:
        return Point{p};
      case 1:
        return Segment{p, q};
      case 2:
        return Sphere{p, r};
      case 3:
        return Capsule{p, q, r};
      case 4:
        return Box{half * -1.0, half};
      default: {
        const Pose turn = random.pose(0.5);
        OrientedBox b{p, {}, half};
        for (int k = 0; k < 3; ++k) b.axes[static_cast<std::size_t>(k)] = turn.rotate(Vec3(k == 0, k == 1, k == 2));
        return b;
      }
    }
  };
  int deep = 0, all = 0;
  reset_tier_counts();
  for (int i = 0; i < 3000; ++i) {
    SCOPED_TRACE(i);
    const AnyShape a = shape(i % 6), b = shape(i / 6 % 6);
    const Placed pa = at(a, random.pose(0.5)), pb = at(b, random.pose(0.5));
    const ShapeRef x = i % 4 < 2 ? ShapeRef(pa) : ShapeRef(a), y = i % 8 < 4 ? ShapeRef(pb) : ShapeRef(b);
    const PenetrationResult forth = penetration(x, y), back = penetration(y, x);
    ++all;
    EXPECT_EQ(forth.reason, back.reason);
    EXPECT_EQ(forth.value.has_value() || forth.reason == NoPenetration::touching, intersects(x, y));
    if (!forth.value) continue;
    ++deep;
    EXPECT_EQ(forth.value->vector, back.value->vector * -1.0);
    EXPECT_EQ(forth.value->normal, back.value->normal * -1.0);
    const std::vector<Contact> c = contacts(x, y);
    ASSERT_EQ(c.size(), 1u);
    EXPECT_EQ(c[0].depth, forth.value->depth);
    EXPECT_EQ(c[0].normal, forth.value->normal);
  }
  EXPECT_GT(deep, all / 3);
  EXPECT_EQ(tier_counts().big, 0u);
}

}  // namespace
}  // namespace graze::depth_test
