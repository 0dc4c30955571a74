// The triangles of two surfaces as those of one: equal triangles and facets with equal outlines once, and what must not be taken for equal.
#include "mesh/arrangement/united_triangles.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "mesh/cubes.hpp"
#include "mesh/meshes.hpp"
#include "pairs/point_triangle.hpp"
#include "support/random.hpp"

namespace graze::united_triangles_test {
namespace {

using namespace cubes;

constexpr std::uint8_t kA = UnitedTriangles::kA, kB = UnitedTriangles::kB;

std::size_t number(const UnitedTriangles& u, std::uint8_t of) { return static_cast<std::size_t>(std::ranges::count(u.of, of)); }

bool covers(const UnitedTriangles& u, std::uint8_t of, const Vec3& p) {
  for (std::size_t t = 0; t < u.triangles.size(); ++t) {
    const TriangleIndices& v = u.triangles[t];
    if ((u.of[t] & of) != 0 && triangle_contains({{u.vertices[v[0]], u.vertices[v[1]], u.vertices[v[2]]}}, p)) return true;
  }
  return false;
}
bool covers(const MeshView& view, const Vec3& p) {
  for (std::uint32_t t = 0; t < view.mesh->triangles.size(); ++t)
    if (triangle_contains(view.triangle(t), p)) return true;
  return false;
}

TEST(UnitedTriangles, OneSurfaceInAnyTriangulation) {
  test::Random random(51);
  const Block block{{0, 0, 0}, {3, 2, 4}};
  const Mesh coarse = block_mesh(block, false, 1, random), fine = block_mesh(block, true, 1, random);
  const UnitedTriangles u = united_triangles(coarse, fine), v = united_triangles(fine, coarse);
  EXPECT_EQ(number(u, kA | kB), coarse.size());
  EXPECT_EQ(u.triangles.size(), coarse.size());
  EXPECT_EQ(number(v, kA | kB), fine.size());
  EXPECT_EQ(v.triangles.size(), fine.size());
}

TEST(UnitedTriangles, OnlyTheFaceBetweenTwoBlocks) {
  test::Random random(52);
  const Mesh a = block_mesh({{0, 0, 0}, {2, 2, 2}}, true, 1, random), b = block_mesh({{0, 0, 2}, {2, 2, 5}}, false, 1, random),
             c = block_mesh({{0, 0, 2}, {2, 3, 5}}, false, 1, random);
  const UnitedTriangles u = united_triangles(a, b);
  EXPECT_EQ(number(u, kA | kB), 8u);
  EXPECT_EQ(number(u, kA), a.size() - 8);
  EXPECT_EQ(number(u, kB), b.size() - 2);
  EXPECT_EQ(number(united_triangles(a, c), kA | kB), 0u);  // its face is larger
}

// A flat strip that winds more than once around a point covers what its outline says, and no less.
TEST(UnitedTriangles, FacetsThatLieOnThemselves) {
  MeshData spiral;
  constexpr std::uint32_t kSteps = 13;  // of an eighth of a turn each
  for (std::uint32_t k = 0; k <= kSteps; ++k) {
    constexpr int at[8][2] = {{2, 0}, {2, 2}, {0, 2}, {-2, 2}, {-2, 0}, {-2, -2}, {0, -2}, {2, -2}};
    const Vec3 p(at[k % 8][0], at[k % 8][1], 0);
    spiral.vertices.push_back(p * (1 + .0625 * k));
    spiral.vertices.push_back(p * (2 + .0625 * k));
  }
  for (std::uint32_t k = 0; k < 2 * kSteps; k += 2) {
    spiral.triangles.push_back({k, k + 1, k + 3});
    spiral.triangles.push_back({k, k + 3, k + 2});
  }
  MeshData other = spiral;
  for (std::uint32_t k = 0; k < 2 * kSteps; k += 2) {
    other.triangles[k] = {k, k + 1, k + 2};
    other.triangles[k + 1] = {k + 2, k + 1, k + 3};
  }
  const Mesh a(spiral), b(other);
  const UnitedTriangles u = united_triangles(a, b);
  EXPECT_EQ(number(u, kA | kB), a.size());
  EXPECT_EQ(u.triangles.size(), a.size());
}

// A square without another that touches it in a corner from inside, and both squares as one facet that covers the inner one twice: a disc that winds twice
// around its middle. Their outlines have the same sides, of which half run the other way.
TEST(UnitedTriangles, OutlinesWithOtherDirections) {
  const std::vector<Vec3> outer = {{-8, -8, 0}, {8, -8, 0}, {8, 8, 0}, {-8, 8, 0}}, inner = {{-8, -8, 0}, {4, -6, 0}, {4, 4, 0}, {-6, 4, 0}};
  MeshData without, twice;
  without.vertices = {outer[0], outer[1], outer[2], outer[3], inner[1], inner[2], inner[3]};
  without.triangles = {{0, 1, 4}, {1, 2, 4}, {4, 2, 5}, {2, 3, 5}, {5, 3, 6}, {3, 0, 6}};
  for (const std::vector<Vec3>& square : {outer, inner})
    for (const Vec3& corner : square) twice.vertices.push_back(corner);
  for (const double r : {2., 1.})
    for (const Vec3& at : {Vec3(-r, -r, 0), Vec3(r, -r, 0), Vec3(r, r, 0), Vec3(-r, r, 0)}) twice.vertices.push_back(at);
  twice.vertices.emplace_back(0, 0, 0);
  for (std::uint32_t k = 0; k < 8; ++k) {
    const std::uint32_t next = (k + 1) % 8;
    for (const TriangleIndices& x : {TriangleIndices{16, 8 + k, 8 + next}, {8 + k, k, next}, {8 + k, next, 8 + next}}) twice.triangles.push_back(x);
  }
  const UnitedTriangles u = united_triangles(Mesh(without), Mesh(twice));
  EXPECT_EQ(number(u, kA), 6u);
  EXPECT_EQ(number(u, kB), 24u);
}

TEST(UnitedTriangles, CoverWhatTheSurfacesCover) {
  test::Random random(53);
  std::size_t both = 0;
  for (int round = 0; round < 60; ++round) {
    const bool walls = random.coin();
    Cubes c = random_cubes(random), d = random.coin() ? c : random_cubes(random);
    c[0] = d[0] = true;
    const Mesh a = cubes_mesh(c, walls, 1, random), b = cubes_mesh(d, false, 1, random);
    MeshData more;  // and some that lie anyhow, also without area
    more.vertices.assign(b.vertices().begin(), b.vertices().end());
    more.triangles.assign(b.triangles().begin(), b.triangles().end());
    test::append(more, test::lattice(random, 10, 1, Vec3(2, 2, 2), 2));
    const Mesh e(more);
    const UnitedTriangles u = united_triangles(a, e);
    both += number(u, kA | kB);
    for (int k = 0; k < 200; ++k) {
      const Vec3 p = random.grid(0, 8) * .5;
      ASSERT_EQ(covers(u, kA, p), covers(a, p)) << round;
      ASSERT_EQ(covers(u, kB, p), covers(e, p)) << round;
    }
    std::set<std::array<std::uint32_t, 3>> corners;
    for (TriangleIndices t : u.triangles) {
      std::sort(t.begin(), t.end());
      ASSERT_TRUE(corners.insert({t[0], t[1], t[2]}).second);
    }
  }
  EXPECT_GT(both, 2000u);
}

}  // namespace
}  // namespace graze::united_triangles_test
