// Pairs of triangles of one mesh: fans, equal triangles, rows and limits, against brute force over all pairs.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "mesh/queries/pair_lists.hpp"
#include "mesh/queries/self_pairs.hpp"
#include "mesh/queries/shared_corners.hpp"
#include "support/random.hpp"

using namespace graze;

namespace self_pairs_test {
namespace {

ProgressMeter none;

std::vector<TrianglePair> all_pairs(const MeshView& view) {
  std::vector<TrianglePair> pairs;
  const auto n = static_cast<std::uint32_t>(view.mesh->triangles.size());
  for (std::uint32_t i = 0; i < n; ++i)
    for (std::uint32_t j = i + 1; j < n; ++j)
      if (intersect_beyond_shared(view.triangle(i), view.triangle(j))) pairs.push_back({i, j});
  return pairs;
}

/// Fans around two corners that share triangles: flat, steep, folded, with equal, degenerate and crossing triangles; and some further triangles.
MeshData fans(test::Random& random, int n) {
  MeshData d;
  const int m = random.integer(2, 6);
  for (int k = 0; k < n; ++k) d.vertices.emplace_back(random.integer(-m, m), random.integer(-m, m), random.integer(0, 1) * random.integer(-1, 1));
  for (int k = 0; k < n; ++k) {
    const double a = 2 * 3.14159265358979323846 * k / n;
    d.vertices.emplace_back(20 * std::cos(a), 20 * std::sin(a), 0);
  }
  d.vertices.push_back(d.vertices[0]);  // a corner by equal coordinates
  const auto any = [&] { return static_cast<std::uint32_t>(random.integer(0, 2 * n - 1)); };
  for (int k = 0; k < n; ++k) {
    const std::uint32_t apex = k % 7 == 0 ? 2 * static_cast<std::uint32_t>(n) : 0;
    d.triangles.push_back({apex, static_cast<std::uint32_t>(n + k), static_cast<std::uint32_t>(n + (k + 1) % n)});
  }
  for (int k = 0; k < n; ++k) d.triangles.push_back({1, any(), any()});
  for (int k = 0; k < 5; ++k) d.triangles.push_back({1, 0, any()});
  for (int k = 0; k < n / 2; ++k) d.triangles.push_back({any(), any(), any()});
  return d;
}

}  // namespace

TEST(SelfPairs, FansEqualAllPairs) {
  test::Random random(41);
  std::size_t pairs = 0;
  for (int round = 0; round < 40; ++round) {
    MeshData d = fans(random, random.integer(20, 60));
    if (round % 4 == 0)
      for (Vec3& v : d.vertices) v *= round % 8 == 0 ? 0x1p-1060 : 0x1p1010;  // directions cannot be computed
    const Mesh mesh(d);
    const Pose pose = Pose::from_quaternion(1, .3, -.2, .5, round % 4 == 0 ? Vec3(0) : Vec3(3, -1, 7));
    for (const MeshView& view : {MeshView(mesh), MeshView(mesh, &pose)}) {
      const std::vector<TrianglePair> expected = all_pairs(view);
      ASSERT_EQ(self_pairs(view), expected);
      ASSERT_EQ(count_self_pairs(view, std::uint64_t{1} << 53, none), expected.size());
      ASSERT_EQ(count_self_pairs(view, expected.size() / 2, none), std::min(expected.size(), expected.size() / 2 + 1));  // limit + 1 stands for "more"
      std::vector<TrianglePair> by_rows;
      for (std::uint32_t begin = 0; begin < mesh.size(); begin += 7) ASSERT_TRUE(list_self_pairs(view, {}, {begin, begin + 7}, expected.size(), none, by_rows));
      ASSERT_EQ(by_rows, expected);
      ASSERT_EQ(list_self_pairs(view, {}, {}, expected.size() / 2, none, by_rows), expected.empty());
      ASSERT_EQ(by_rows.size(), expected.size());
      pairs += expected.size();
    }
  }
  EXPECT_GT(pairs, 1000u);
}

// A flat disc, a cone and an umbrella of 200,000 triangles around one corner, without self-intersections. All boxes contain the corner, so brute force would
// take an hour.
TEST(SelfPairs, LargeFans) {
  constexpr std::uint32_t n = 200000;
  for (int kind = 0; kind < 3; ++kind) {
    MeshData d;
    d.vertices.push_back(Vec3(0, 0, kind == 1 ? 1 : 0));
    for (std::uint32_t k = 0; k < n; ++k) {
      const double a = 2 * 3.14159265358979323846 * k / n;
      d.vertices.emplace_back(std::cos(a), std::sin(a), kind == 2 ? .5 * std::cos(40 * a) : 0);
      d.triangles.push_back({0, k + 1, k + 1 < n ? k + 2 : 1});
    }
    const Mesh mesh(std::move(d));
    EXPECT_TRUE(self_pairs(mesh).empty());
    EXPECT_EQ(count_self_pairs(mesh, 10, none), 0u);
  }
}

TEST(SelfPairs, EqualTrianglesAreCountedByGroup) {
  MeshData d;
  d.vertices = {Vec3(0, 0, 0),    Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(.25, .25, -1), Vec3(.25, .25, 1),
                Vec3(.5, .25, 1), Vec3(5, 5, 5), Vec3(6, 6, 6), Vec3(1, 0, -0.0)};
  for (std::uint32_t k = 0; k < 100000; ++k)
    d.triangles.push_back(k % 2 ? TriangleIndices{0, 8, 2} : TriangleIndices{2, 1, 0});  // either orientation, one corner equal by coordinates only
  for (int k = 0; k < 1000; ++k) d.triangles.push_back({3, 4, 5});                       // crosses them
  for (int k = 0; k < 1000; ++k) d.triangles.push_back({6, 7, 7});                       // segments, which meet in shared corners only
  const Mesh mesh(std::move(d));
  const std::uint64_t count = 100000ull * 99999 / 2 + 1000ull * 999 / 2 + 100000ull * 1000;
  EXPECT_EQ(count_self_pairs(mesh, std::uint64_t{1} << 53, none), count);
  EXPECT_EQ(count_self_pairs(mesh, count, none), count);
  EXPECT_EQ(count_self_pairs(mesh, count - 1, none), count);
  EXPECT_EQ(count_self_pairs(mesh, 1000, none), 1001u);
  EXPECT_EQ(count_self_pairs(mesh, 0, none), 1u);
}

}  // namespace self_pairs_test
