// Triangles near a shape: all within a distance, and the nearest few, against brute force over all triangles.
#include <gtest/gtest.h>
#include <graze/graze.hpp>
#include <graze/query/mesh_triangles.hpp>

#include "parts/parts.hpp"
#include "support/random.hpp"
#include "support/random_shapes.hpp"

namespace graze::triangle_pairs_test {
namespace {

using test::Random;

Triangle triangle_of(const Mesh& m, std::uint32_t i, const Pose& pose) {
  const auto& t = m.triangles()[i];
  return {{pose.apply(m.vertices()[t[0]]), pose.apply(m.vertices()[t[1]]), pose.apply(m.vertices()[t[2]])}};
}

Mesh sheet(Random& r, std::uint32_t n) {
  MeshData d;
  for (std::uint32_t y = 0; y <= n; ++y)
    for (std::uint32_t x = 0; x <= n; ++x) d.vertices.push_back(Vec3(2.0 * x / n - 1, 2.0 * y / n - 1, r.real(-.1, .1)));
  for (std::uint32_t y = 0; y < n; ++y)
    for (std::uint32_t x = 0; x < n; ++x) {
      const std::uint32_t i = (n + 1) * y + x;
      d.triangles.push_back({i, i + 1, i + n + 2});
      d.triangles.push_back({i, i + n + 2, i + n + 1});
    }
  return Mesh(std::move(d));
}

TEST(TrianglesWithin, EqualSingleDistanceTests) {
  Random r(1);
  const Mesh mesh = sheet(r, 12);
  for (int kind = 0; kind < test_scene::kShapes; ++kind) {
    const AnyShape any = test_scene::random_shape(r, kind);
    const Pose pose = translation(r.point(-.5, .5)), mesh_pose = translation(r.point(-.2, .2));
    visit_shape(ShapeRef(any), [&](const auto& s) {
      for (const double distance : {0.0, .05}) {
        std::vector<std::uint32_t> expected;
        for (std::uint32_t i = 0; i < mesh.size(); ++i)
          if (within(at(s, pose), triangle_of(mesh, i, mesh_pose), distance)) expected.push_back(i);
        EXPECT_EQ(triangles_within(at(s, pose), at(mesh, mesh_pose), distance), expected) << s.type_name << " " << distance;
      }
    });
  }
}

TEST(TrianglesWithin, SolidsIncludeTrianglesInside) {
  MeshData d;
  for (int i = 0; i < 8; ++i) d.vertices.push_back(Vec3(i & 1 ? 3 : -3, i & 2 ? 3 : -3, i & 4 ? 3 : -3));
  d.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  Random r(2);
  const Mesh mesh = sheet(r, 2);
  EXPECT_EQ(triangles_within(solid(Mesh(d)), mesh).size(), 8u);
  EXPECT_EQ(triangles_within(Mesh(d), mesh).size(), 0u);
  EXPECT_EQ(triangles_within(at(solid(Mesh(d)), translation({10, 0, 0})), mesh).size(), 0u);
}

TEST(ClosestTriangles, AreTheNearestInOrder) {
  Random r(3);
  const Mesh mesh = sheet(r, 10);
  for (int kind = 0; kind < test_scene::kShapes; ++kind) {
    const AnyShape any = test_scene::random_shape(r, kind);
    const Pose pose = translation(r.point(-.5, .5)), mesh_pose = translation(r.point(-.2, .2));
    visit_shape(ShapeRef(any), [&]<class S>(const S& s) {
      if constexpr (std::is_same_v<S, Mesh> || std::is_same_v<S, Solid> || std::is_same_v<S, HeightField>) {
        EXPECT_THROW((void)closest_triangles(s, mesh, 1), Error);
      } else if constexpr (!std::is_same_v<S, Compound>) {
        std::vector<std::pair<double, std::uint32_t>> all;
        for (std::uint32_t i = 0; i < mesh.size(); ++i) all.emplace_back(closest(at(s, pose), triangle_of(mesh, i, mesh_pose)).distance, i);
        std::sort(all.begin(), all.end());
        for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{7}, mesh.size() + 5}) {
          for (const double limit : {1e300, all[20].first}) {
            const auto found = closest_triangles(at(s, pose), at(mesh, mesh_pose), count, limit);
            std::size_t expected = 0;
            while (expected < std::min(count, all.size()) && all[expected].first <= limit) ++expected;
            ASSERT_EQ(found.size(), expected) << S::type_name << " " << count << " " << limit;
            for (std::size_t k = 0; k < expected; ++k) {
              EXPECT_EQ(found[k].distance, all[k].first) << S::type_name << " " << k;
              EXPECT_EQ(found[k].triangle_b, all[k].second) << S::type_name << " " << k;
              EXPECT_FALSE(found[k].triangle_a);
            }
          }
        }
      }
    });
  }
  EXPECT_THROW((void)closest_triangles(Point{{0, 0, 0}}, Sphere{{0, 0, 0}, 1}, 1), Error);
  EXPECT_THROW((void)closest_triangles(Point{{0, 0, 0}}, mesh, 1, -1), Error);
  EXPECT_THROW((void)triangles_within(Point{{0, 0, 0}}, mesh, NAN), Error);
}

// 60,000 equal triangles against as many: 3.6 billion pairs. The first ones, a visitor that stops and the count need little memory and time.
TEST(TrianglePairs, StopAtTheCount) {
  MeshData d;
  d.vertices = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(.5, .5, -1), Vec3(.5, .25, 1), Vec3(9, 9, 9), Vec3(9, 9, 8), Vec3(9, 8, 9)};
  d.triangles.push_back({5, 6, 7});  // meets nothing
  for (int k = 0; k < 60000; ++k) d.triangles.push_back({0, 1, 2});
  const Mesh a(d);
  d.vertices[0] = Vec3(-1, 0, 0);
  const Mesh b(d);
  PairOptions few;
  few.limit = 3;
  EXPECT_EQ(intersecting_triangles(a, b, few), (std::vector<TrianglePair>{{0, 0}, {1, 1}, {1, 2}}));
  EXPECT_EQ(self_intersections(a, few), (std::vector<TrianglePair>{{1, 2}, {1, 3}, {1, 4}}));
  few.limit = 0;
  EXPECT_TRUE(self_intersections(a, few).empty());
  few.limit = 60001;
  EXPECT_EQ(self_intersections(a, few).back(), (TrianglePair{2, 4}));
  std::size_t calls = 0;
  PairOptions visitor;
  visitor.visit = [&](const TrianglePair&) { return ++calls < 70000; };
  EXPECT_EQ(intersecting_triangles(a, b, visitor).back(), (TrianglePair{2, 9999}));
  EXPECT_EQ(calls, 70000u);
  EXPECT_EQ(count_intersecting_triangles(a, b).count, 10'000'000u);
  EXPECT_TRUE(count_intersecting_triangles(a, b).more);
  EXPECT_EQ(count_intersecting_triangles(a, b, ~std::uint64_t{0}).count, 60000ull * 60000 + 1);
  EXPECT_FALSE(count_intersecting_triangles(a, b, ~std::uint64_t{0}).more);
  EXPECT_EQ(count_self_intersections(a, ~std::uint64_t{0}).count, 60000ull * 59999 / 2);
  EXPECT_EQ(count_self_intersections(Mesh(MeshData{})).count, 0u);
  EXPECT_THROW((void)count_self_intersections(Sphere{Vec3(0), 1}), Error);
}

// Limits give the beginning of the whole list, placed or not, however the rows are taken.
TEST(TrianglePairs, LimitsReturnAPrefix) {
  Random r(5);
  const Mesh a = sheet(r, 30), b = sheet(r, 30);
  const Pose pose = translation(Vec3(.01, .02, .03));
  const auto all = intersecting_triangles(a, at(b, pose));
  ASSERT_GT(all.size(), 500u);
  EXPECT_EQ(count_intersecting_triangles(a, at(b, pose)).count, all.size());
  for (const std::size_t limit : {std::size_t{1}, std::size_t{100}, all.size() - 1, all.size(), all.size() + 1}) {
    PairOptions options;
    options.limit = limit;
    EXPECT_EQ(intersecting_triangles(a, at(b, pose), options),
              std::vector<TrianglePair>(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(std::min(limit, all.size()))));
  }
}

}  // namespace
}  // namespace graze::triangle_pairs_test
