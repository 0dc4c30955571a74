// Facets that two surfaces of unit cubes share: equal outlines in any triangulation, and what must not be taken for equal.
#include "mesh/arrangement/shared_facets.hpp"

#include <gtest/gtest.h>

#include <set>

#include "mesh/cubes.hpp"
#include "mesh/meshes.hpp"
#include "support/random.hpp"

namespace graze {
namespace {

using namespace cubes;

std::size_t shared_triangles(const SharedFacets& s, int k) {
  std::size_t n = 0;
  for (const std::uint32_t region : s.region[k]) n += region != SharedFacets::kNone;
  return n;
}

TEST(SharedFacets, OneRegionForOneSurfaceInAnyTriangulation) {
  test::Random random(51);
  const Block block{{0, 0, 0}, {3, 2, 4}};
  const Mesh coarse = block_mesh(block, false, 1, random), fine = block_mesh(block, true, 1, random);
  const SharedFacets s = shared_facets(coarse, fine, {}, {});
  EXPECT_EQ(s.regions, 1u);
  EXPECT_EQ(shared_triangles(s, 0), coarse.size());
  EXPECT_EQ(shared_triangles(s, 1), fine.size());
}

TEST(SharedFacets, OnlyTheFaceBetweenTwoBlocks) {
  test::Random random(52);
  const Mesh a = block_mesh({{0, 0, 0}, {2, 2, 2}}, true, 1, random), b = block_mesh({{0, 0, 2}, {2, 2, 5}}, false, 1, random),
             c = block_mesh({{0, 0, 2}, {2, 3, 5}}, false, 1, random);
  const SharedFacets s = shared_facets(a, b, {}, {});
  EXPECT_EQ(s.regions, 1u);
  EXPECT_EQ(shared_triangles(s, 0), 8u);
  EXPECT_EQ(shared_triangles(s, 1), 2u);
  EXPECT_EQ(shared_facets(a, c, {}, {}).regions, 0u);  // its face is larger
}

/// A surface with a third face along an edge: the shared faces beside it are two regions.
TEST(SharedFacets, RegionsEndAtBranchedEdges) {
  test::Random random(53);
  Cubes one{}, two{};
  one[static_cast<std::size_t>(place(0, 0, 0))] = true;
  two = one;
  two[static_cast<std::size_t>(place(1, 1, 0))] = true;  // touches the first along an edge
  const Mesh a = cubes_mesh(one, false, 1, random), b = cubes_mesh(two, false, 1, random);
  const SharedFacets s = shared_facets(a, b, {}, {});
  EXPECT_EQ(shared_triangles(s, 0), 12u);
  EXPECT_EQ(s.regions, 1u);  // joined around the other edges
  MeshData fin = test::closed_box(Vec3(0, 0, 0), Vec3(1, 1, 1));
  const Mesh plain{MeshData(fin)};
  for (int k = 0; k < 12; ++k) {  // a sheet at every edge
    const Vec3 p = k < 4 ? Vec3(0, k & 1, k / 2) : k < 8 ? Vec3(k & 1, 0, (k - 4) / 2) : Vec3(k & 1, (k - 8) / 2, 0);
    const Vec3 q = p + (k < 4 ? Vec3(1, 0, 0) : k < 8 ? Vec3(0, 1, 0) : Vec3(0, 0, 1)), out = (p + q) * 2.0 - Vec3(1.5, 1.5, 1.5);
    MeshData sheet;
    sheet.vertices = {p, q, out};
    sheet.triangles = {{0, 1, 2}, {0, 2, 1}};
    test::append(fin, sheet);
  }
  const SharedFacets t = shared_facets(plain, Mesh(std::move(fin)), {}, {});
  EXPECT_EQ(shared_triangles(t, 0), 12u);
  EXPECT_EQ(t.regions, 6u);
}

TEST(SharedFacets, TrianglesWithoutAreaAndOfSelfPairsAreInNone) {
  MeshData d = test::closed_box(Vec3(0, 0, 0), Vec3(1, 1, 1));
  const Mesh plain{MeshData(d)};
  const TrianglePair pair{0, 1};
  EXPECT_EQ(shared_triangles(shared_facets(plain, plain, std::span(&pair, 1), {}), 0), 10u);
  d.triangles.push_back({0, 7, 7});
  EXPECT_EQ(shared_triangles(shared_facets(Mesh(std::move(d)), plain, {}, {}), 0), 12u);
}

}  // namespace
}  // namespace graze
