// Triangulation against exact areas: n - 2 triangles with the polygon's orientation, whose areas add up and which do not overlap. Also awkward corners and
// refused polygons.
#include <gtest/gtest.h>
#include <graze/error.hpp>
#include <graze/mesh.hpp>

#include <chrono>
#include <cmath>
#include <map>

#include "mesh/polygon_rules.hpp"
#include "support/exact_oracle.hpp"
#include "support/random.hpp"

using namespace graze;
using oracle::message_of;
using oracle::Rational;

namespace triangulate_test {
namespace {

Rational area(const Vec3& a, const Vec3& b, const Vec3& c, int drop) {
  return oracle::cross(oracle::r3(b) - oracle::r3(a), oracle::r3(c) - oracle::r3(a))[drop];
}

// No triangle is flipped, the areas add up to the polygon's, and every inner edge occurs once in each direction; so the triangles tile the polygon.
void expect_tiles(const std::vector<Vec3>& p) {
  const std::vector<TriangleIndices> t = triangulate(p);
  ASSERT_EQ(t.size(), p.size() - 2);
  const AreaAxis axis = area_axis(p);
  Rational whole = 0, sum = 0;
  for (std::size_t k = 1; k + 1 < p.size(); ++k) whole += area(p[0], p[k], p[k + 1], axis.drop);
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> edges;
  for (const TriangleIndices& v : t) {
    const Rational a = area(p[v[0]], p[v[1]], p[v[2]], axis.drop);
    ASSERT_GE(a * axis.sign, 0);
    sum += a;
    for (int k = 0; k < 3; ++k) ++edges[{v[k], v[(k + 1) % 3]}];
  }
  ASSERT_EQ(sum, whole);
  for (const auto& [e, n] : edges) ASSERT_EQ(n, 1);
  for (std::uint32_t k = 0; k < p.size(); ++k) {
    const std::uint32_t l = (k + 1) % static_cast<std::uint32_t>(p.size());
    ASSERT_EQ((edges.count({k, l})), 1u);
    edges.erase({k, l});
  }
  for (const auto& [e, n] : edges) ASSERT_EQ((edges.count({e.second, e.first})), 1u);
}

std::vector<Vec3> reversed(std::vector<Vec3> p) {
  std::reverse(p.begin(), p.end());
  return p;
}

// Star-shaped about the origin and therefore simple: directions in counter-clockwise order, any radii.
std::vector<Vec3> star(test::Random& random, int n) {
  std::vector<Vec3> p;
  for (int k = 0; k < n; ++k) {
    const double t = 8.0 * (k + 0.5 * random.unit()) / n, f = t - static_cast<int>(t);  // along the sides of a square
    const double r = random.real(0.05, 1);
    Vec3 d(0, 0, 0);
    switch (static_cast<int>(t) / 2) {
      case 0:
        d = Vec3(1, t - 1, 0);
        break;
      case 1:
        d = Vec3(1 - (t - 2), 1, 0);
        break;
      case 2:
        d = Vec3(-1, 1 - (t - 4), 0);
        break;
      default:
        d = Vec3(-1 + (t - 6), -1, 0);
        break;
    }
    (void)f;
    p.emplace_back(d.x * r, d.y * r, 0.01 * random.unit());
  }
  return p;
}

}  // namespace

TEST(Triangulate, Small) {
  expect_tiles({Vec3(0, 0, 0), Vec3(4, 0, 0), Vec3(1, 1, 0), Vec3(0, 4, 0)});  // the seeds' concave quad
  EXPECT_EQ(triangulate(std::vector<Vec3>{Vec3(0, 0, 0), Vec3(4, 0, 0), Vec3(0, 4, 0)}).size(), 1u);
  expect_tiles({Vec3(0, 0, 0), Vec3(0, 0, 4), Vec3(0, 1, 1), Vec3(0, 4, 0)});  // another plane
  expect_tiles({Vec3(0, 0, 0), Vec3(2, 0, 0), Vec3(2, 0, 2), Vec3(1, 0, 1), Vec3(0, 0, 2)});
}

TEST(Triangulate, StraightAndRepeatedCorners) {
  expect_tiles({Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(2, 0, 0), Vec3(0, 2, 0)});
  expect_tiles({Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(2, 0, 0), Vec3(3, 0, 0), Vec3(3, 3, 0), Vec3(2, 2, 0), Vec3(1, 1, 0)});  // thin ends
  EXPECT_EQ(triangulate(std::vector<Vec3>{Vec3(0, 0, 0), Vec3(0, 0, 0), Vec3(2, 0, 0), Vec3(2, 0, 0), Vec3(2, 0, 0), Vec3(0, 2, 0)}).size(), 4u);
  expect_tiles({Vec3(0, 0, 0), Vec3(0, 0, 0), Vec3(2, 0, 0), Vec3(2, -0.0, 0), Vec3(0, 2, 0)});
  expect_tiles({Vec3(0, 0, 0), Vec3(4, 0, 0), Vec3(4, 4, 0), Vec3(4, 2, 0), Vec3(3, 2, 0), Vec3(0, 2, 0)});          // folds back at (4, 4)
  EXPECT_EQ(triangulate(std::vector<Vec3>{Vec3(0, 0, 0), Vec3(1, 1, 1), Vec3(3, 3, 3), Vec3(2, 2, 2)}).size(), 2u);  // a line
}

TEST(Triangulate, RandomStars) {
  test::Random random(11);
  for (int round = 0; round < 150; ++round) {
    const std::vector<Vec3> p = star(random, random.integer(5, 60));
    expect_tiles(p);
    expect_tiles(reversed(p));
    if (HasFatalFailure()) return;
  }
}

// Staircases and combs on the integer grid: many corners lie on lines through other corners.
TEST(Triangulate, GridCombs) {
  test::Random random(12);
  for (int round = 0; round < 100; ++round) {
    std::vector<Vec3> p;
    const int n = random.integer(2, 12);
    for (int k = 0; k < n; ++k) {  // teeth upward
      const double h = random.integer(1, 4);
      p.emplace_back(2 * k, h, 0);
      p.emplace_back(2 * k + 1, h, 0);
      p.emplace_back(2 * k + 1, random.integer(0, 1) ? 0 : 0.5, 0);
      p.emplace_back(2 * k + 2, p.back().y, 0);
    }
    for (int k = n; k >= 0; --k) p.emplace_back(2 * k, -1, 0);  // back along a straight line
    expect_tiles(p);
    expect_tiles(reversed(p));
    if (HasFatalFailure()) return;
  }
}

TEST(Triangulate, ExtremeScales) {
  for (double s : {0x1p-1070, 0x1p-500, 0x1p500, 0x1p1020}) expect_tiles({Vec3(0, 0, 0), Vec3(4 * s, 0, 0), Vec3(s, s, 0), Vec3(0, 4 * s, 0)});
}

TEST(Triangulate, RefusesNamingTheEdges) {
  auto why = [](const std::vector<Vec3>& p) { return message_of([&] { (void)triangulate(p); }); };
  EXPECT_EQ(why({Vec3(0, 0, 0), Vec3(4, 0, 0), Vec3(4, 4, 0), Vec3(3, -1, 0), Vec3(0, 4, 0)}).substr(0, 47), "triangulate: edges 0-1 ((0, 0, 0) to (4, 0, 0))");
  EXPECT_NE(why({Vec3(0, 0, 0), Vec3(4, 0, 0), Vec3(4, 4, 0), Vec3(3, -1, 0), Vec3(0, 4, 0)}).find(" and 3-4 ("), std::string::npos);
  EXPECT_NE(why({Vec3(0, 0, 0), Vec3(4, 0, 0), Vec3(4, 4, 0), Vec3(3, -1, 0), Vec3(0, 4, 0)}).find(" cross"), std::string::npos);
  EXPECT_NE(why({Vec3(0, 0, 0), Vec3(1, 1, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)}).find("area vector is zero"), std::string::npos);
  EXPECT_NE(why({Vec3(0, 0, 0), Vec3(4, 0, 0), Vec3(4, 5, 0), Vec3(4, 2, 0), Vec3(0, 2, 0), Vec3(5, 4, 0), Vec3(0, 4, 0)}).find("cross"),
            std::string::npos);  // a fold through another edge
  EXPECT_EQ(why({Vec3(0, 0, 0), Vec3(1, 0, 0)}), "triangulate: 2 corners, must have at least 3");
  EXPECT_EQ(why({Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, NAN, 0)}), "triangulate: corner 2: y is NaN, must be finite");
}

// Random outlines of a few corners on a small grid: tiled when no edges cross or touch, refused when edges cross. Folds and repeated corners are covered by the
// tests above, outlines that only touch themselves by ear_clipping_test.cpp.
TEST(Triangulate, RandomOutlinesOnAGrid) {
  test::Random random(14);
  int accepted = 0, refused = 0;
  for (int round = 0; round < 20000; ++round) {
    const int m = random.integer(2, 5), n = random.integer(3, 10);
    std::vector<Vec3> p;
    for (int k = 0; k < n; ++k) p.emplace_back(random.integer(0, m), random.integer(0, m), 0);
    const auto turn = [&](int a, int b, int c) {
      const double d = (p[b].x - p[a].x) * (p[c].y - p[a].y) - (p[b].y - p[a].y) * (p[c].x - p[a].x);
      return d > 0 ? 1 : d < 0 ? -1 : 0;
    };
    const auto between = [&](int a, int b, int c) {  // c on the segment ab
      return turn(a, b, c) == 0 && std::min(p[a].x, p[b].x) <= p[c].x && p[c].x <= std::max(p[a].x, p[b].x) && std::min(p[a].y, p[b].y) <= p[c].y &&
             p[c].y <= std::max(p[a].y, p[b].y);
    };
    bool special = false, simple = true, crosses = false;
    for (int k = 0; k < n; ++k) special = special || p[k] == p[(k + 1) % n] || between(k, (k + 1) % n, (k + 2) % n) || between((k + 1) % n, (k + 2) % n, k);
    if (special) continue;
    for (int i = 0; i < n; ++i)
      for (int j = i + 2; j < n - (i == 0); ++j) {
        const int a = i, b = i + 1, c = j, d = (j + 1) % n;
        const bool cross = turn(a, b, c) * turn(a, b, d) < 0 && turn(c, d, a) * turn(c, d, b) < 0;
        crosses = crosses || cross;
        simple = simple && !cross && !between(a, b, c) && !between(a, b, d) && !between(c, d, a) && !between(c, d, b);
      }
    if (simple) {
      expect_tiles(p);
      if (HasFatalFailure()) return;
      ++accepted;
    } else if (crosses) {
      EXPECT_THROW((void)triangulate(p), Error);
      ++refused;
    }
  }
  EXPECT_GT(accepted, 1000);
  EXPECT_GT(refused, 1000);
}

// Combs, stars, spirals and corridors of 100,000 corners. An algorithm that searches all corners for every ear takes minutes.
TEST(Triangulate, ManyCorners) {
  constexpr int n = 100000;
  test::Random random(13);
  std::vector<std::vector<Vec3>> inputs{star(random, n)};
  std::vector<Vec3> comb, grid, zigzag, spiral, spikes;
  for (int k = 0; k < n / 2; ++k) {
    comb.emplace_back(k, 0.1 + 5 * random.unit(), 0);
    comb.emplace_back(k + 0.5, 0, 0);
  }
  comb.emplace_back(n / 2, -1, 0);
  comb.emplace_back(0, -1, 0);
  inputs.push_back(comb);
  for (int k = 0; k < n / 4; ++k)
    for (const auto& [x, y] : {std::pair(0, n), std::pair(1, n), std::pair(1, 0), std::pair(2, 0)}) grid.emplace_back(2 * k + x, y, 0);
  grid.emplace_back(n / 2, -1, 0);
  grid.emplace_back(0, -1, 0);
  inputs.push_back(grid);
  for (int k = 0; k < n / 2; ++k) zigzag.emplace_back(k, k % 2 * 10, 0);
  for (int k = n / 2 - 1; k >= 0; --k) zigzag.emplace_back(k, k % 2 * 10 + 0.25, 0);
  inputs.push_back(zigzag);
  for (int side = 0; side < 2; ++side)  // a long corridor of squares, wound up
    for (int j = 0; j < n / 2; ++j) {
      const int k = side == 0 ? j : n / 2 - 1 - j, r = k / 4 * 4 + 4 - side;
      spiral.emplace_back(k % 4 == 0 || k % 4 == 3 ? r : -r, k % 4 < 2 ? r + (k % 4 == 0 ? -4 : 0) : -r, 0);
    }
  inputs.push_back(spiral);
  for (int k = 0; k < n / 3; ++k)
    for (const double y : {0, 5, 0}) spikes.emplace_back(k, y, 0);
  spikes.emplace_back(n / 3, 100, 0);
  spikes.emplace_back(0, 100, 0);
  inputs.push_back(spikes);
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    const auto start = std::chrono::steady_clock::now();
    EXPECT_EQ(triangulate(inputs[k]).size(), inputs[k].size() - 2) << k;
    EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), 20) << k;
  }
  comb[n - 3] = Vec3(n / 2 - 1.2, -2, 0);  // the second-to-last tooth crosses the bottom
  EXPECT_NE(message_of([&] { (void)triangulate(comb); }).find("edges 99996-99997 ("), std::string::npos);
}

}  // namespace triangulate_test
