// Which of several pairs of closest triangles of two meshes is reported, with the operands in either order; compounds against their children.
#include <gtest/gtest.h>
#include <graze/query.hpp>

#include <algorithm>
#include <optional>
#include <vector>

#include "math/vec3.hpp"
#include "support/random.hpp"
#include "support/random_shapes.hpp"

namespace graze::closest_test {
namespace {

bool less(const Vec3& a, const Vec3& b) { return a.x != b.x ? a.x < b.x : a.y != b.y ? a.y < b.y : a.z < b.z; }

Triangle triangle(const Mesh& m, std::uint32_t i) {
  const TriangleIndices& t = m.triangles()[i];
  return {{m.vertices()[t[0]], m.vertices()[t[1]], m.vertices()[t[2]]}};
}

/// The rule of query.hpp for two meshes of one kind.
bool leads(const Mesh& a, const Mesh& b) {
  if (a.size() != b.size()) return a.size() < b.size();
  for (std::uint32_t i = 0; i < a.size(); ++i)
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3 p = triangle(a, i).points[k], q = triangle(b, i).points[k];
      if (p != q) return less(p, q);
    }
  return true;
}

/// Among all pairs at the least distance: the lowest triangle of `first`, then of `second`.
std::pair<std::uint32_t, std::uint32_t> lowest(const Mesh& first, const Mesh& second) {
  double least = std::numeric_limits<double>::infinity();
  std::pair<std::uint32_t, std::uint32_t> best;
  for (std::uint32_t i = 0; i < first.size(); ++i)
    for (std::uint32_t j = 0; j < second.size(); ++j) {
      const double d = closest(triangle(first, i), triangle(second, j)).distance;
      if (d >= least) continue;
      least = d;
      best = {i, j};
    }
  return best;
}

/// Squares on whole numbers, parallel to the z plane, so that distances are whole numbers: many pairs tie.
Mesh tiles(test::Random& random, double level, std::size_t n) {
  MeshData d;
  for (std::size_t k = 0; k < n; ++k) {
    const double x = random.below(4), y = random.below(4), z = level + random.below(2);
    const auto v = static_cast<std::uint32_t>(d.vertices.size());
    for (const Vec3& p : {Vec3(x, y, z), Vec3(x + 2, y, z), Vec3(x, y + 2, z)}) d.vertices.push_back(p);
    d.triangles.push_back({v, v + 1, v + 2});
  }
  return Mesh(std::move(d));
}

TEST(ClosestMeshes, TheLeadingMeshHasTheLowestTriangle) {
  test::Random random(1);
  int second_not_lowest = 0;
  for (int round = 0; round < 300; ++round) {
    const Mesh a = tiles(random, 0, 3 + random.below(6)), b = tiles(random, 2 + random.below(4), 3 + random.below(6));
    const auto [i, j] = leads(a, b) ? lowest(a, b) : [&] {
      const auto p = lowest(b, a);
      return std::pair(p.second, p.first);
    }();
    const Closest c = closest(ShapeRef(a), b), d = closest(ShapeRef(b), a);
    ASSERT_EQ(c.triangle_a, i) << round;
    ASSERT_EQ(c.triangle_b, j) << round;
    EXPECT_EQ(d.triangle_a, j);
    EXPECT_EQ(d.triangle_b, i);
    EXPECT_EQ(c.on_a, d.on_b);
    EXPECT_EQ(c.distance, d.distance);
    second_not_lowest += leads(a, b) ? lowest(b, a).first != j : lowest(a, b).first != i;
  }
  EXPECT_GT(second_not_lowest, 10);  // the rule is not vacuous
}

// Of meshes that touch, one pair is named; exchanging them exchanges it, also where they are the same triangles in different trees.
TEST(ClosestMeshes, TouchingMeshesAreExchangedBitForBit) {
  test::Random random(2);
  for (int round = 0; round < 200; ++round) {
    const Mesh a = tiles(random, 0, 3 + random.below(30)), other = tiles(random, 0, 3 + random.below(30));
    const Mesh same(VertexView(a.vertices()), a.triangles(), Build::fast);
    for (const Mesh* b : {&other, &same, &a}) {
      const Closest c = closest(ShapeRef(a), *b), d = closest(ShapeRef(*b), a);
      EXPECT_EQ(c.distance, d.distance);
      EXPECT_EQ(c.triangle_a, d.triangle_b) << round;
      EXPECT_EQ(c.triangle_b, d.triangle_a) << round;
      EXPECT_EQ(c.on_a, d.on_b);
      EXPECT_EQ(c.on_b, d.on_a);
      EXPECT_EQ(c.distance == 0, intersects(ShapeRef(a), *b));
    }
  }
}

TEST(ClosestMeshes, SolidsLeadBeforeMeshesAndMeshesBeforeHeightFields) {
  const auto cube = [](const Vec3& at) {
    MeshData d;
    for (int i = 0; i < 8; ++i) d.vertices.push_back({at.x + (i & 1), at.y + (i >> 1 & 1), at.z + (i >> 2)});
    d.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7}, {3, 7, 5}, {2, 4, 6}, {1, 3, 5}, {0, 4, 2}};
    return Mesh(std::move(d));
  };
  const Mesh low = cube({0, 0, 0}), high = cube({3, 0.75, 0.75});  // low would lead among equals
  const auto [i, j] = lowest(high, low);
  ASSERT_NE(lowest(low, high), std::pair(j, i));
  const Closest c = closest(ShapeRef(low), solid(high)), d = closest(solid(high), ShapeRef(low));
  EXPECT_EQ(std::pair(*c.triangle_b, *c.triangle_a), std::pair(i, j));
  EXPECT_EQ(std::pair(*d.triangle_a, *d.triangle_b), std::pair(i, j));
  const std::vector<double> heights(9, 0.0);
  const HeightField floor({0, 0, -2}, 1, 1, 3, heights);
  const auto [k, l] = lowest(low, floor.mesh());
  const Closest e = closest(ShapeRef(floor), low), f = closest(ShapeRef(low), floor);
  EXPECT_EQ(std::pair(*e.triangle_b, *e.triangle_a), std::pair(k, l));
  EXPECT_EQ(std::pair(*f.triangle_a, *f.triangle_b), std::pair(k, l));
}

// Children that cannot be nearer are left out: the result is still that of the first child at the least distance.
TEST(ClosestCompounds, MatchTheirChildren) {
  test::Random random(2);
  int touching = 0, apart = 0;
  for (int round = 0; round < 400; ++round) {
    const bool grid = round % 4 == 0;  // exact ties
    std::vector<Compound::Child> children;
    for (int i = random.integer(1, 12); i > 0; --i) {
      const Vec3 at = grid ? random.grid(-3, 3) : random.point(-3, 3);
      if (grid)
        children.push_back({Sphere{at, .25}, {}});
      else
        children.push_back({test_scene::random_shape(random, random.integer(0, 16)), random.pose(3)});
    }
    const Compound compound(children);
    const AnyShape other = grid ? AnyShape(Sphere{Vec3(0, 0, 0), .5}) : test_scene::random_shape(random, random.integer(0, 16));
    const Placed placed = grid ? at(other, translation(random.grid(-5, 5))) : at(other, random.pose(round % 3 == 0 ? 2 : 9));
    std::optional<Closest> best;
    for (const Compound::Child& child : children) {
      const Placed own = at(child.shape, child.pose);
      const Closest c = closest(placed, is_identity(child.pose) ? ShapeRef(child.shape) : ShapeRef(own));
      if (!best || c.distance < best->distance * (1 - 1e-14)) best = c;
    }
    const Closest got = closest(placed, compound), exchanged = closest(compound, placed);
    // pairs of shapes of their own may have closed forms, of other roundings
    EXPECT_NEAR(got.distance, best->distance, 1e-12 * (1 + best->distance)) << round;
    EXPECT_EQ(got.distance == 0, best->distance == 0) << round;
    EXPECT_EQ(exchanged.distance, got.distance) << round;
    EXPECT_EQ(exchanged.on_a, got.on_b) << round;
    if (grid && best->distance > 0) {
      const Vec3 d = got.on_b - best->on_b;
      EXPECT_LT(dot(d, d), 1e-24) << round;
    }
    ++(got.distance == 0 ? touching : apart);
  }
  EXPECT_GT(touching, 50);
  EXPECT_GT(apart, 100);
}

}  // namespace
}  // namespace graze::closest_test
