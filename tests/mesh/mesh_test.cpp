// The Mesh class: accepted and refused input with its messages, views of external memory, refitting, equal vertices and components.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <graze/error.hpp>
#include <graze/query/intersects.hpp>
#include <graze/threads.hpp>
#include <thread>

#include "bvh/scenes.hpp"
#include "mesh/meshes.hpp"
#include "platform/parallel.hpp"
#include "support/random.hpp"

namespace graze::test::mesh_test {
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

TEST(Mesh, ReadsExternalMemory) {
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

TEST(Mesh, RefitEqualsRebuild) {
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
  EXPECT_THROW((void)m.refit(std::vector<Vec3>(3)), Error);
  std::vector<Vec3> bad(m.vertices().begin(), m.vertices().end());
  bad[5].z = std::nan("");
  try {
    (void)m.refit(bad);
    FAIL();
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(), "vertex 5: z is NaN");
  }
}

// A mesh that is refitted to its own vertices has the same boxes and blocks, bit for bit.
TEST(Mesh, RefitToTheSameVerticesChangesNothing) {
  auto all = meshes();
  all.push_back({"ball", ball(40, Vec3(0), 1), 1});
  for (const NamedMesh& n : all) {
    for (const Build how : {Build::best, Build::fast}) {
      for_each_cpu_level([&](CpuLevel) {
        SCOPED_TRACE(n.name);
        const Mesh before(n.data, how), after = before.refit(n.data.vertices);
        const MeshImpl &a = before.impl(), &b = after.impl();
        ASSERT_EQ(a.tree.node_count(), b.tree.node_count());
        for (std::uint32_t k = 0; k < a.tree.node_count(); ++k) ASSERT_EQ(std::memcmp(&a.tree.node(k), &b.tree.node(k), sizeof(WideNode)), 0) << k;
        EXPECT_TRUE(std::ranges::equal(a.tree.items(), b.tree.items()));
        ASSERT_EQ(a.blocks.size(), b.blocks.size());
        EXPECT_EQ(std::memcmp(a.blocks.data(), b.blocks.data(), a.blocks.size() * sizeof(TriangleBlock)), 0);
        EXPECT_EQ(std::memcmp(&a.tree.root_box(), &b.tree.root_box(), sizeof(QueryBox)), 0);
        EXPECT_EQ(a.tree.leaf_count(), b.tree.leaf_count());
      });
    }
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
    append(x, closed_box(Vec3(1), Vec3(2)));  // touches both at a vertex
    append(x, closed_box(Vec3(7), Vec3(8)));
    return x;
  }());
  EXPECT_EQ(two.impl().component_triangles(), (std::vector<std::uint32_t>{0, 36}));
}

/// Meshes that are hard for a builder: any small number of triangles, all equal, all at one point, exponents over the whole range.
std::vector<NamedMesh> build_meshes() {
  Random r(81);
  std::vector<NamedMesh> list = meshes();
  list.push_back({"empty", {}, 1});
  for (std::size_t n = 1; n <= 40; ++n) list.push_back({"soup of " + std::to_string(n), soup(r, n, 1, Vec3(0)), 1});
  MeshData equal, point, spread;
  for (int i = 0; i < 300; ++i) {
    append(equal, {{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 1)}, {{0, 1, 2}}, {}});
    append(point, {{Vec3(1e5, 2, 3), Vec3(1e5, 2, 3), Vec3(1e5, 2, 3)}, {{0, 1, 2}}, {}});
    append(spread, soup(r, 1, std::ldexp(1.0, r.integer(-1000, 900)), Vec3(0)));
  }
  list.push_back({"all equal", equal, 1});
  list.push_back({"all at one point", point, 1, Vec3(1e5, 2, 3)});
  list.push_back({"spread exponents", spread, 1});
  list.push_back({"balls",
                  [] {
                    MeshData d = ball(12, Vec3(0), 1);
                    append(d, ball(10, Vec3(0.5, 0.25, 0), 0.75));
                    return d;
                  }(),
                  1});
  return list;
}

TEST(Mesh, AnswersDoNotDependOnHowItsTreeIsBuilt) {
  Random r(82);
  const Mesh other(soup(r, 60, 1, Vec3(0)));
  for (const NamedMesh& n : build_meshes()) {
    SCOPED_TRACE(n.name);
    const Mesh best(n.data), fast(n.data, Build::fast);
    ASSERT_EQ(fast.size(), best.size());
    EXPECT_TRUE(std::equal(best.vertices().begin(), best.vertices().end(), fast.vertices().begin(), fast.vertices().end()));
    EXPECT_EQ(self_pairs(fast), self_pairs(best));
    EXPECT_EQ(triangle_pairs(fast, other), triangle_pairs(best, other));
    EXPECT_EQ(intersects(ShapeRef(fast), other), intersects(ShapeRef(best), other));
    for (int i = 0; i < 25; ++i) {
      const Vec3 o = n.at + r.point(-2, 2) * n.size, target = n.at + r.point(-1, 1) * n.size;
      const RayQuery ray{o, target, true, 0, 2};
      const auto a = ray_first(best, ray), b = ray_first(fast, ray);
      ASSERT_EQ(a.has_value(), b.has_value());
      if (a) {
        EXPECT_EQ(a->triangle, b->triangle);
      }
      EXPECT_EQ(ray_any(best, ray), ray_any(fast, ray));
      std::vector<HitPlace> all_a, all_b;
      ray_all(best, {&ray, 1}, all_a);
      ray_all(fast, {&ray, 1}, all_b);
      ASSERT_EQ(all_a.size(), all_b.size());
      for (std::size_t k = 0; k < all_a.size(); ++k) EXPECT_EQ(first_triangle(best, all_a[k].place).triangle, first_triangle(fast, all_b[k].place).triangle);
      const ConvexSet triangle = convex_triangle({{o, target, n.at + r.point(-1, 1) * n.size}});
      const auto c = closest(best, triangle), d = closest(fast, triangle);
      ASSERT_EQ(c.has_value(), d.has_value());
      if (c) {
        EXPECT_EQ(c->triangle_a, d->triangle_a);
        EXPECT_EQ(c->closest.distance, d->closest.distance);
      }
      EXPECT_EQ(triangles_within(best, triangle, 0.3 * n.size), triangles_within(fast, triangle, 0.3 * n.size));
    }
  }
}

TEST(Mesh, SolidsDoNotDependOnHowTheirTreesAreBuilt) {
  Random r(83);
  MeshData d = ball(12, Vec3(0), 1);
  append(d, reversed(ball(10, Vec3(0.25, 0.25, 0), 0.5)));
  append(d, closed_box(Vec3(0), Vec3(1)));
  const Mesh best(d), fast(d, Build::fast);
  for (int i = 0; i < 500; ++i) {
    const Vec3 p = i % 3 == 0 ? Vec3(r.integer(-2, 2), r.integer(-2, 2), r.integer(-2, 2)) * 0.5 : r.point(-1.2, 1.2);
    EXPECT_EQ(solid_contains(fast, p), solid_contains(best, p));
  }
}

TEST(Mesh, IsTheSameForAnyNumberOfThreadsAndAtEveryCpuLevel) {
  const MeshData d = ball(90, Vec3(0.25, 0, 0), 1);  // more than one piece in every loop
  for (const Build how : {Build::best, Build::fast}) {
    set_threads(1);
    const Mesh one(d, how);
    const auto check_same = [&](const std::string& where) {
      const Mesh m(d, how);
      const MeshImpl &a = one.impl(), &b = m.impl();
      ASSERT_EQ(a.tree.node_count(), b.tree.node_count()) << where;
      ASSERT_EQ(a.blocks.size(), b.blocks.size()) << where;
      EXPECT_EQ(std::memcmp(&a.tree.node(0), &b.tree.node(0), a.tree.node_count() * sizeof(WideNode)), 0) << where;
      EXPECT_EQ(std::memcmp(a.blocks.data(), b.blocks.data(), a.blocks.size() * sizeof(TriangleBlock)), 0) << where;
      EXPECT_TRUE(std::equal(a.tree.items().begin(), a.tree.items().end(), b.tree.items().begin(), b.tree.items().end())) << where;
    };
    for (int threads : {2, 7}) {
      set_threads(threads);
      check_same(std::to_string(threads) + " threads");
    }
    set_threads(0);
    for_each_cpu_level([&](CpuLevel level) { check_same(name(level)); });
  }
}

TEST(Mesh, TreeEqualsTheOneBuiltFromBoxesOfDoubles) {
  Random r(84);
  for (const NamedMesh& n : build_meshes()) {
    SCOPED_TRACE(n.name);
    const Mesh m(n.data);
    std::vector<Box3> boxes(m.size());
    for (std::size_t t = 0; t < m.size(); ++t) {
      for (std::uint32_t v : m.triangles()[t]) boxes[t].add(m.vertices()[v]);
    }
    const WideBvh tree(boxes);
    ASSERT_EQ(m.impl().tree.node_count(), tree.node_count());
    for (std::uint32_t i = 0; i < tree.node_count(); ++i) EXPECT_EQ(std::memcmp(&m.impl().tree.node(i), &tree.node(i), sizeof(WideNode)), 0);
  }
}

TEST(Mesh, TakesAtMost120BytesPerTriangle) {
  const MeshData d = ball(132, Vec3(0), 1);
  ASSERT_GT(d.triangles.size(), 69000u);
  for (const Build how : {Build::best, Build::fast}) {
    const Mesh mesh(d, how);
    const MeshImpl& m = mesh.impl();
    const std::size_t bytes = m.vertices.capacity() * sizeof(Vec3) + m.triangles.capacity() * sizeof(TriangleIndices) +
                              m.blocks.capacity() * sizeof(TriangleBlock) + m.tree.node_capacity() * sizeof(WideNode) +
                              m.tree.items().size() * sizeof(std::uint32_t);
    EXPECT_LE(static_cast<double>(bytes) / static_cast<double>(mesh.size()), 120.0) << (how == Build::best ? "best" : "fast");
    RecordProperty(how == Build::best ? "best" : "fast", std::to_string(static_cast<double>(bytes) / static_cast<double>(mesh.size())));
  }
}

#if defined(__linux__)
/// Bytes of this process in memory.
std::size_t resident() {
  std::ifstream file("/proc/self/statm");
  std::size_t total = 0, pages = 0;
  file >> total >> pages;
  return pages * 4096;
}

// What building takes beside the mesh is given back but for some megabytes, whatever its size; and so is the mesh.
TEST(Mesh, ProcessKeepsLittleBesideTheMesh) {
  constexpr std::size_t kKept = std::size_t{8} << 20;
  set_threads(1);
  for (const std::uint32_t n : {128u, 256u, 400u})
    for (const Build how : {Build::best, Build::fast}) {
      const MeshData data = ball(n, Vec3(0, 0, 0), 1);
      const std::size_t before = resident();
      {
        const Mesh mesh(VertexView(data.vertices), data.triangles, how);
        EXPECT_LT(resident(), before + 120 * mesh.size() + kKept) << mesh.size();
      }
      EXPECT_LT(resident(), before + kKept) << data.triangles.size();
    }
  set_threads(0);
}
#endif

}  // namespace
}  // namespace graze::test::mesh_test
