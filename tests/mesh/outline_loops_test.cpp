// Bridges from one corner to several holes, in any order of the outline.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <graze/error.hpp>
#include <graze/mesh.hpp>
#include <map>
#include <utility>
#include <vector>

#include "support/random.hpp"

namespace graze::outline_loops_test {
namespace {

double twice_area(const std::vector<Vec3>& p) {
  double sum = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const Vec3 &a = p[i], &b = p[(i + 1) % p.size()];
    sum += a.x * b.y - a.y * b.x;
  }
  return sum;
}

std::map<std::pair<std::uint32_t, std::uint32_t>, int> borders(const std::vector<TriangleIndices>& triangles, const std::vector<std::uint32_t>& place) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> sum;
  for (const TriangleIndices& t : triangles)
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t a = place[t[k]], b = place[t[(k + 1) % 3]];
      if (a != b) sum[std::minmax(a, b)] += a < b ? 1 : -1;
    }
  std::erase_if(sum, [](const auto& x) { return x.second == 0; });
  return sum;
}

TEST(OutlineLoops, HolesBridgedFromOneCorner) {
  test::Random random(3);
  for (int round = 0; round < 300; ++round) {
    // A square with its corner at the origin, and small squares as holes in different directions from it.
    std::vector<int> directions{1, 2, 3, 4, 5, 6, 7};
    random.shuffle(directions);
    const std::size_t holes = 2 + random.below(6);
    std::vector<Vec3> p{{0, 0, 0}, {64, 0, 0}, {64, 64, 0}, {0, 64, 0}};
    for (std::size_t h = 0; h < holes; ++h) {
      const double x = 4 * directions[h], y = 4 * (8 - directions[h]);
      p.push_back({0, 0, 0});
      for (const Vec3& c : {Vec3(0, 0, 0), Vec3(0, 1, 0), Vec3(1, 1, 0), Vec3(1, 0, 0), Vec3(0, 0, 0)}) p.push_back(Vec3(x, y, 0) + c);
    }
    const std::size_t turn = random.below(p.size());
    std::rotate(p.begin(), p.begin() + static_cast<std::ptrdiff_t>(turn), p.end());
    std::vector<std::uint32_t> place(p.size());
    for (std::uint32_t i = 0; i < p.size(); ++i) place[i] = static_cast<std::uint32_t>(std::find(p.begin(), p.end(), p[i]) - p.begin());
    const std::vector<TriangleIndices> triangles = triangulate(p);
    ASSERT_EQ(triangles.size(), p.size() - 2);
    double area = 0;
    std::vector<bool> used(p.size());
    for (const TriangleIndices& t : triangles) {
      area += twice_area({p[t[0]], p[t[1]], p[t[2]]});
      EXPECT_GE(twice_area({p[t[0]], p[t[1]], p[t[2]]}), 0);
      used[t[0]] = used[t[1]] = used[t[2]] = true;
    }
    EXPECT_EQ(area, twice_area(p));
    EXPECT_EQ(std::count(used.begin(), used.end(), false), 0);
    std::vector<TriangleIndices> outline;
    for (std::uint32_t i = 1; i + 1 < p.size(); ++i) outline.push_back({0, i, i + 1});
    EXPECT_EQ(borders(triangles, place), borders(outline, place));
  }
}

TEST(OutlineLoops, LoopsThatOverlapAreStillRefused) {
  const std::vector<Vec3> twice{{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 0, 0}, {2, 0, 0}, {2, 2, 0}};
  EXPECT_THROW((void)triangulate(twice), Error);
}

}  // namespace
}  // namespace graze::outline_loops_test
