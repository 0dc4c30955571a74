// The Mesh class: what it accepts, what it refuses and says then, views of foreign memory, refitting, equal vertices and components.
#include <gtest/gtest.h>

#include <cmath>
#include <graze/error.hpp>
#include <thread>

#include "mesh/meshes.hpp"

namespace graze::test {
namespace {

std::string error_of(MeshData d) {
  try {
    Mesh m(std::move(d));
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

TEST(Mesh, NamesEveryDefect) {
  const double nan = std::nan(""), inf = std::numeric_limits<double>::infinity();
  MeshData d;
  d.vertices = {Vec3(0, 0, 0), Vec3(1, nan, 0), Vec3(inf, 0, -inf)};
  d.triangles = {{0, 1, 2}, {0, 3, 9}};
  d.parts = {{"a", 0, 2}, {"b", 1, 4}};
  EXPECT_EQ(error_of(d),
            "vertex 1: y is NaN\nvertex 2: x is infinity\nvertex 2: z is -infinity\ntriangle 1 uses vertex 3 of 3\ntriangle 1 uses vertex 9 of 3\n"
            "part 1 (\"b\"): triangles [1, 5) of 2\npart 1 (\"b\") starts at triangle 1, before the end 2 of an earlier part");
  MeshData e;
  e.triangles = {{0, 0, 0}};
  EXPECT_EQ(error_of(e), "triangle 0 uses vertex 0 of 0\ntriangle 0 uses vertex 0 of 0\ntriangle 0 uses vertex 0 of 0");
  d.parts = {{"", 0xFFFFFFFFu, 0xFFFFFFFFu}};
  EXPECT_NE(error_of(d).find("triangles [4294967295, 8589934590) of 2"), std::string::npos);
}

TEST(Mesh, AcceptsEmptyAndDegenerate) {
  EXPECT_EQ(error_of({}), "");
  EXPECT_EQ(error_of({{Vec3(1)}, {{0, 0, 0}, {0, 0, 0}}, {}}), "");
  EXPECT_EQ(Mesh(MeshData{}).size(), 0u);
  const double big = std::numeric_limits<double>::max();
  EXPECT_EQ(error_of({{Vec3(-big), Vec3(big), Vec3(0)}, {{0, 1, 2}}, {}}), "");
}

TEST(Mesh, ReadsForeignMemory) {
  struct Fat {
    float extra;
    float xyz[3];
    char more;
  };
  const Fat fat[3] = {{9, {0.1f, 2, 3}, 'x'}, {9, {4, 5, 6}, 'x'}, {9, {7, 8, 9}, 'x'}};
  const TriangleIndices t[1] = {{0, 1, 2}};
  const Mesh m(VertexView(fat[0].xyz, 3, sizeof(Fat)), t);
  EXPECT_EQ(m.vertices()[0].x, static_cast<double>(0.1f));
  EXPECT_EQ(m.vertices()[2], Vec3(7, 8, 9));
  const double packed[9] = {0.1, 2, 3, 4, 5, 6, 7, 8, 9};
  EXPECT_EQ(Mesh(VertexView(packed, 3), t).vertices()[0], Vec3(0.1, 2, 3));
  const double strided[12] = {0.1, 2, 3, -1, 4, 5, 6, -1, 7, 8, 9, -1};
  EXPECT_EQ(Mesh(VertexView(strided, 3, 4 * sizeof(double)), t).vertices()[1], Vec3(4, 5, 6));
}

TEST(Mesh, RefitEqualsBuildingAnew) {
  Random r(1);
  for (const NamedMesh& n : meshes()) {
    SCOPED_TRACE(n.name);
    const Mesh m(n.data);
    MeshData moved = n.data;
    for (Vec3& v : moved.vertices) v += r.point(-0.3, 0.3) * n.size;
    const Mesh refitted = m.refit(moved.vertices), anew(moved);
    EXPECT_TRUE(std::equal(m.vertices().begin(), m.vertices().end(), n.data.vertices.begin()));
    for (int i = 0; i < 30; ++i) {
      const Vec3 o = n.at + r.point(-2, 2) * n.size;
      const RayQuery ray{o, n.at + r.point(-1, 1) * n.size, true, 0, 2};
      const auto a = ray_first(refitted, ray), b = ray_first(anew, ray);
      ASSERT_EQ(a.has_value(), b.has_value());
      if (a) {
        EXPECT_EQ(a->triangle, b->triangle);
      }
    }
    EXPECT_EQ(self_pairs(refitted), self_pairs(anew));
  }
  const Mesh m(meshes()[0].data);
  EXPECT_THROW(m.refit(std::vector<Vec3>(3)), Error);
  std::vector<Vec3> bad(m.vertices().begin(), m.vertices().end());
  bad[5].z = std::nan("");
  try {
    m.refit(bad);
    FAIL();
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(), "vertex 5: z is NaN");
  }
}

TEST(Mesh, KnowsEqualVerticesAndComponents) {
  MeshData d;
  d.vertices = {Vec3(1, 0, 0), Vec3(0.0, 0, 0), Vec3(1, 0, 0), Vec3(-0.0, 0, 0), Vec3(0, 1, 0), Vec3(5, 5, 5), Vec3(6, 5, 5), Vec3(5, 6, 5)};
  d.triangles = {{5, 6, 7}, {0, 1, 4}, {2, 3, 3}};
  const Mesh m(d);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back([&] { EXPECT_EQ(m.impl().component_triangles(), (std::vector<std::uint32_t>{0, 1})); });
  for (auto& t : threads) t.join();
  EXPECT_EQ(m.impl().canonical(), (std::vector<std::uint32_t>{0, 1, 0, 1, 4, 5, 6, 7}));
  const Mesh two([] {
    MeshData x = closed_box(Vec3(0), Vec3(1));
    append(x, closed_box(Vec3(2), Vec3(3)));
    append(x, closed_box(Vec3(1), Vec3(2)));  // touches both in a corner
    append(x, closed_box(Vec3(7), Vec3(8)));
    return x;
  }());
  EXPECT_EQ(two.impl().component_triangles(), (std::vector<std::uint32_t>{0, 36}));
}

}  // namespace
}  // namespace graze::test
