// The mesh of a height field: the arrays of an ordinary mesh with its tree, whatever was made when, and no tile before it is needed.
#include <gtest/gtest.h>
#include <bit>
#include <cmath>
#include <cstdint>
#include <graze/graze.hpp>
#include <limits>
#include <numeric>

#include "mesh/mesh_impl.hpp"
#include "mesh/queries/leaf.hpp"
#include "mesh/stored_mesh.hpp"
#include "support/random.hpp"
#include "support/terrain.hpp"

using namespace graze;
using test::Terrain;

namespace field_tiles_test {
namespace {

constexpr double kHole = std::numeric_limits<double>::quiet_NaN();

/// The numbers of nodes that wait, of a field of which none has been made.
std::vector<std::size_t> tiles_of(const HeightField& fresh) {
  const WideBvh& tree = fresh.impl().tree;
  std::vector<std::size_t> tiles;
  for (std::size_t k = 0, end = tree.empty() ? 0 : 1; k < end; ++k) {
    const WideNode& node = tree.nodes()[k];
    if (node.source != 0)
      tiles.push_back(k);
    else
      end += node.used;
  }
  return tiles;
}

template <class T>
LargeArray<T> copy(std::span<const T> all) {
  return LargeArray<T>(all.begin(), all.end());
}

void expect_mesh(const HeightField& field, const Mesh& plain) {
  const Box before = bounding_box(field);
  const Mesh& mesh = field.mesh();
  ASSERT_TRUE(std::ranges::equal(mesh.triangles(), plain.triangles()));
  ASSERT_EQ(mesh.vertices().size(), plain.vertices().size());
  for (std::size_t v = 0; v < plain.vertices().size(); ++v)
    for (int k = 0; k < 3; ++k)
      ASSERT_EQ(std::bit_cast<std::uint64_t>(mesh.vertices()[v][k]), std::bit_cast<std::uint64_t>(plain.vertices()[v][k])) << v << " " << k;
  EXPECT_EQ(mesh.impl().largest_coordinate, plain.impl().largest_coordinate);
  const Box3 &a = mesh.impl().bounds(), &b = plain.impl().bounds();
  for (int k = 0; k < 3; ++k) {
    EXPECT_EQ(std::bit_cast<std::uint64_t>(a.lo[k]), std::bit_cast<std::uint64_t>(b.lo[k])) << k;
    EXPECT_EQ(std::bit_cast<std::uint64_t>(a.hi[k]), std::bit_cast<std::uint64_t>(b.hi[k])) << k;
  }
  EXPECT_EQ(before.min, a.lo);
  if (plain.size() == 0) return;
  const QueryBox &root = mesh.impl().tree.root_box(), &of_plain = plain.impl().tree.root_box();
  for (int k = 0; k < 3; ++k) EXPECT_TRUE(root.lo[k] == of_plain.lo[k] && root.hi[k] == of_plain.hi[k]) << k;
  const MeshArrays all = arrays_of(mesh);
  StoredMesh stored{copy(all.vertices), copy(all.triangles), {}, {}, copy(all.items), copy(all.nodes), copy(all.blocks)};
  EXPECT_NO_THROW((void)StoredMesh::take(std::move(stored)));  // checks every number of the tree
}

}  // namespace

TEST(FieldTiles, ArraysOfAnOrdinaryMesh) {
  test::Random r(1);
  const std::pair<std::size_t, std::size_t> sizes[] = {{2, 2},   {3, 2},    {2, 3},    {5, 5},    {6, 5},     {5, 6},   {17, 9},
                                                       {18, 9},  {17, 10},  {33, 33},  {34, 3},   {33, 34},   {32, 65}, {65, 129},
                                                       {2, 300}, {1000, 2}, {129, 65}, {130, 65}, {257, 258}, {300, 40}};
  for (const auto& [columns, rows] : sizes)
    for (const int hole : {0, 50, 5, 2}) {
      std::vector<double> h(columns * rows);
      for (double& x : h) x = hole > 0 && r.below(hole) == 0 ? kHole : r.real(-3, 3);
      if (hole == 50)  // wide gaps, so that whole nodes are missing
        for (std::size_t k = 0; k < h.size(); ++k)
          if (k % columns / 20 % 3 == 1 || k / columns / 9 % 4 == 1) h[k] = kHole;
      SCOPED_TRACE(std::to_string(columns) + " x " + std::to_string(rows) + ", one hole in " + std::to_string(hole));
      const Terrain t(Vec3(-7, 3, .1), .25, 2, columns, std::move(h));
      expect_mesh(t.field(), t.mesh);
      if (HasFatalFailure()) return;
    }
}

TEST(FieldTiles, ZerosOfBothSigns) {
  test::Random r(2);
  for (const double z : {0.0, -0.0})
    for (int round = 0; round < 200; ++round) {
      std::vector<double> h(12);
      for (double& x : h) x = r.below(6) == 0 ? kHole : r.coin() ? 0.0 : r.coin() ? -0.0 : round % 3 - 1.0;
      const Terrain t(Vec3(-1, -2, z), 1, 1, 4, std::move(h));
      expect_mesh(t.field(), t.mesh);
    }
}

TEST(FieldTiles, AnyExponents) {
  for (const double scale : {0x1p-1060, 0x1p-1000, 0x1p-60, 0x1p500, 0x1p1017}) {
    std::vector<double> h(40 * 70);
    test::Random r(3);
    for (double& x : h) x = r.integer(-9, 9) * scale;
    const Terrain t(Vec3(8 * scale, 0, 0), scale, 1, 40, std::move(h));
    expect_mesh(t.field(), t.mesh);
  }
  const Terrain flat(Vec3(0x1p60, 0, 0), 1, 1, 70, std::vector<double>(70 * 70, .5));  // grid lines that coincide
  expect_mesh(flat.field(), flat.mesh);
}

TEST(FieldTiles, OnlyHoles) {
  const HeightField field(Vec3(0, 0, 0), 1, 1, 70, std::vector<double>(70 * 70, kHole));
  EXPECT_EQ(field.mesh().size(), 0u);
  EXPECT_FALSE(intersects(field, Box{Vec3(-1000, -1000, -1000), Vec3(1000, 1000, 1000)}));
}

TEST(FieldTiles, MadeWhereQueriesCome) {
  const std::vector<double> h(321 * 321, 0);
  const auto fresh = [&] { return HeightField(Vec3(0, 0, 0), 1, 1, 321, h); };
  EXPECT_EQ(tiles_of(fresh()).size(), 100u);
  const auto made_by = [&](const auto& query) {
    const HeightField field = fresh();
    const std::vector<std::size_t> tiles = tiles_of(field);
    (void)query(field);
    return static_cast<std::size_t>(std::ranges::count_if(tiles, [&](std::size_t k) { return field.impl().tree.nodes()[k].source == 0; }));
  };
  EXPECT_EQ(made_by([](const HeightField& f) { return raycast(Ray{Vec3(50, 50, 9), Vec3(0, 0, -1)}, f); }), 1u);
  EXPECT_EQ(made_by([](const HeightField& f) { return raycast(Ray{Vec3(64, 64, 9), Vec3(0, 0, -1)}, f); }), 4u);
  EXPECT_EQ(made_by([](const HeightField& f) { return intersects(at(f, translation(Vec3(1, 2, 3))), Sphere{Vec3(51, 52, 2), 2}); }), 1u);
  EXPECT_LE(made_by([](const HeightField& f) { return closest(f, Point{Vec3(50, 50, 1)}); }), 2u);
  EXPECT_LE(made_by([](const HeightField& f) { return sweep(Sphere{Vec3(50, 50, 9), 1}, Vec3(0, 0, -20), f); }), 2u);
  EXPECT_LE(made_by([](const HeightField& f) {
              return intersects(ShapeRef(f), Mesh(MeshData{{{40, 40, -1}, {45, 40, 1}, {40, 45, 1}}, {{0, 1, 2}}, {}}));
            }),
            2u);
  EXPECT_EQ(made_by([](const HeightField& f) { return bounding_box(f); }), 0u);
  EXPECT_EQ(made_by([](const HeightField& f) { return f.mesh(); }), 100u);
  EXPECT_EQ(made_by([](const HeightField& f) { return MeshView(f).triangle(2 * 320 * 40 + 2 * 70); }), 1u);
}

/// The mesh may be all that is left of a field.
TEST(FieldTiles, OutlivesTheField) {
  const Mesh mesh = HeightField(Vec3(0, 0, 0), 1, 1, 70, std::vector<double>(70 * 70, 0)).mesh();
  EXPECT_EQ(mesh.impl().canonical().size(), 70u * 70u);
  Scene scene;
  const MemberId id = scene.add(HeightField(Vec3(0, 0, 0), 1, 1, 70, std::vector<double>(70 * 70, 0)));
  EXPECT_TRUE(scene.intersects(Sphere{Vec3(40, 40, 0), 1}));
  scene.remove(id);
  EXPECT_FALSE(scene.intersects(Sphere{Vec3(40, 40, 0), 1}));
}

}  // namespace field_tiles_test
