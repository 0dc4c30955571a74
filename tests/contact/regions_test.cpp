// Regions of contact: their number, kinds and sizes on models with known contact, in either order of the operands.
#include "contact/regions.hpp"
#include <gtest/gtest.h>
#include <algorithm>

#include "support/random.hpp"

namespace graze::contact {
namespace {

/// The box as twelve triangles with shared vertices.
void add_box(MeshData& d, const Vec3& min, const Vec3& max, const std::string& name = "") {
  const auto first = static_cast<std::uint32_t>(d.vertices.size());
  for (int i = 0; i < 8; ++i) d.vertices.emplace_back(i & 1 ? max.x : min.x, i & 2 ? max.y : min.y, i & 4 ? max.z : min.z);
  constexpr std::uint32_t kFaces[][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  if (!name.empty()) d.parts.push_back({name, static_cast<std::uint32_t>(d.triangles.size()), 12});
  for (const auto& f : kFaces) {
    d.triangles.push_back({first + f[0], first + f[1], first + f[2]});
    d.triangles.push_back({first + f[0], first + f[2], first + f[3]});
  }
}
Mesh box(const Vec3& min, const Vec3& max) {
  MeshData d;
  add_box(d, min, max);
  return Mesh(std::move(d));
}
/// Each triangle gets its own vertices, as in STL files.
Mesh loose(const Mesh& mesh) {
  MeshData d;
  for (const TriangleIndices& t : mesh.triangles()) {
    const auto first = static_cast<std::uint32_t>(d.vertices.size());
    for (const std::uint32_t v : t) d.vertices.push_back(mesh.vertices()[v]);
    d.triangles.push_back({first, first + 1, first + 2});
  }
  return Mesh(std::move(d));
}
Mesh plate() {
  MeshData d;
  d.vertices = {{-10, -10, 0}, {10, -10, 0}, {10, 10, 0}, {-10, 10, 0}};
  d.triangles = {{0, 1, 2}, {0, 2, 3}};
  return Mesh(std::move(d));
}
Regions regions(const Mesh& a, const Mesh& b) { return regions_of(a, b, intersecting_triangles(a, b)); }

TEST(Regions, RodsThroughTheSameTrianglesAreSeparateRegions) {
  MeshData d;
  add_box(d, {-6, -6, -1}, {-4, -4, 1}, "left");
  add_box(d, {3, 3, -1}, {6, 6, 1}, "right");
  const Mesh rods(std::move(d));
  for (const Mesh& m : {rods, loose(rods)}) {
    const Regions r = regions(plate(), m);
    ASSERT_EQ(r.list.size(), 2u);
    EXPECT_DOUBLE_EQ(r.list[0].length, 12);
    EXPECT_DOUBLE_EQ(r.list[1].length, 8);
    EXPECT_EQ(r.list[0].box.min, Vec3(3, 3, 0));
    EXPECT_EQ(r.list[0].box.max, Vec3(6, 6, 0));
    EXPECT_EQ(size_text(r.list[1]), "curve of length 8");
  }
  const Regions r = regions(plate(), rods);
  EXPECT_EQ(r.list[0].parts_b, std::vector<std::string>{"right"});
  EXPECT_EQ(r.list[1].parts_b, std::vector<std::string>{"left"});
  EXPECT_TRUE(r.list[0].parts_a.empty());
  std::size_t pairs = 0;
  for (const Region& region : r.list) pairs += region.pairs;
  EXPECT_EQ(pairs, r.region_of.size());
}

TEST(Regions, ABoxOnAPlateIsAnArea) {
  for (const Mesh& m : {box({-1, -2, 0}, {3, 2, 5}), loose(box({-1, -2, 0}, {3, 2, 5}))}) {
    const Regions r = regions(m, plate());
    ASSERT_EQ(r.list.size(), 1u);
    EXPECT_DOUBLE_EQ(r.list[0].area, 16);
    EXPECT_EQ(r.list[0].length, 0) << "its border is no curve";
    EXPECT_EQ(size_text(r.list[0]), "area 16");
  }
}

TEST(Regions, StackedBoxesWithEqualFootprints) {
  const Regions r = regions(box({0, 0, 0}, {1, 1, 1}), box({0, 0, 1}, {1, 1, 2}));
  ASSERT_EQ(r.list.size(), 1u);
  EXPECT_DOUBLE_EQ(r.list[0].area, 1);
  EXPECT_EQ(r.list[0].length, 0);
}

TEST(Regions, CountsASharedEdgeOnce) {
  const Regions on_face =
      regions(box({0, 0, 0}, {1, 1, 1}), Mesh(MeshData{{{0.25, 0.5, 1}, {0.75, 0.5, 1}, {0.5, 0, 2}, {0.5, 1, 2}}, {{0, 1, 2}, {1, 0, 3}}, {}}));
  ASSERT_EQ(on_face.list.size(), 1u);
  EXPECT_DOUBLE_EQ(on_face.list[0].length, 0.5);
  const Regions edges = regions(box({0, 0, 0}, {1, 1, 1}), box({1, 1, 0}, {2, 2, 1}));
  ASSERT_EQ(edges.list.size(), 1u);
  EXPECT_DOUBLE_EQ(edges.list[0].length, 1);
  EXPECT_EQ(edges.list[0].area, 0);
}

TEST(Regions, Points) {
  const Regions r = regions(plate(), Mesh(MeshData{{{1, 2, 0}, {0, 0, 3}, {5, 5, 3}, {-5, 0, 0}, {-6, 0, 1}, {-5, 1, 1}}, {{0, 1, 2}, {3, 4, 5}}, {}}));
  ASSERT_EQ(r.list.size(), 2u);
  EXPECT_EQ(size_text(r.list[0]), "point");
  EXPECT_EQ(r.list[0].point, Vec3(1, 2, 0));
  EXPECT_EQ(r.list[0].box.min, r.list[0].box.max);
}

TEST(Regions, FormatsSizesAsText) {
  Region r;
  r.area = 37200.4;
  r.length = 0.12345;
  EXPECT_EQ(size_text(r), "area 37200 and a curve of length 0.1235");
  r.area = 0;
  r.length = 3.2e8;
  EXPECT_EQ(size_text(r), "curve of length 3.2e+08");
}

TEST(Regions, AModelAgainstItself) {
  const Mesh m = box({0, 0, 0}, {1, 2, 3});
  const Regions r = regions(m, m);
  ASSERT_EQ(r.list.size(), 1u);
  EXPECT_DOUBLE_EQ(r.list[0].area, 22);
  EXPECT_EQ(r.list[0].length, 0);
}

TEST(Regions, SizesDoNotDependOnTessellation) {
  // The same square tube through a plate of two and of 800 triangles: one region of the same length.
  MeshData d;
  constexpr int kCells = 20;
  for (int j = 0; j <= kCells; ++j)
    for (int i = 0; i <= kCells; ++i) d.vertices.emplace_back(-10 + i, -10 + j, 0);
  for (std::uint32_t j = 0; j < kCells; ++j)
    for (std::uint32_t i = 0; i < kCells; ++i) {
      const std::uint32_t at = j * (kCells + 1) + i;
      d.triangles.push_back({at, at + 1, at + kCells + 2});
      d.triangles.push_back({at, at + kCells + 2, at + kCells + 1});
    }
  for (const double shift : {0.0, 0.3}) {  // along its lines, and across
    const Regions r = regions(Mesh(d), box({-3 + shift, -2 + shift, -1}, {4 + shift, 5 + shift, 1}));
    ASSERT_EQ(r.list.size(), 1u);
    EXPECT_NEAR(r.list[0].length, 28, 1e-12);
  }
}

TEST(Regions, IndependentOfOperandAndTriangleOrder) {
  test::Random random(7);
  std::size_t kinds[3] = {};
  for (int round = 0; round < 400; ++round) {
    const auto soup = [&] {
      MeshData d;
      for (int i = 0; i < 8; ++i) d.vertices.emplace_back(random.integer(-3, 3), random.integer(-3, 3), random.integer(-(round % 3), round % 3));
      for (std::uint32_t i = 0; i < 8; ++i)
        d.triangles.push_back({i, static_cast<std::uint32_t>((i + 1 + random.below(3)) % 8), static_cast<std::uint32_t>((i + 4 + random.below(3)) % 8)});
      return d;
    };
    const MeshData da = soup(), db = soup();
    const Mesh a(da), b(db);
    MeshData reversed = da;
    std::reverse(reversed.triangles.begin(), reversed.triangles.end());
    const Regions r = regions(a, b), swapped = regions(b, a), other = regions(Mesh(reversed), b);
    ASSERT_EQ(r.list.size(), swapped.list.size());
    ASSERT_EQ(r.list.size(), other.list.size());
    const auto sizes = [](const Regions& s, double Region::*what) {  // sorted: regions of equal sizes may swap places
      std::vector<double> list;
      for (const Region& region : s.list) list.push_back(region.*what);
      std::sort(list.begin(), list.end());
      return list;
    };
    for (double Region::*what : {&Region::area, &Region::length})
      for (const Regions* s : {&swapped, &other})
        for (std::size_t i = 0; i < r.list.size(); ++i) EXPECT_NEAR(sizes(r, what)[i], sizes(*s, what)[i], 1e-12);
    for (const Region& region : r.list) ++kinds[region.area > 0 ? 2 : region.length > 0 ? 1 : 0];
  }
  for (const std::size_t k : kinds) EXPECT_GT(k, 20u);
}

}  // namespace
}  // namespace graze::contact
