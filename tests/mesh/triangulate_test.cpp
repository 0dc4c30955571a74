// Triangulation against exact areas: n - 2 triangles of the polygon's sense whose areas add up and which do not overlap; awkward corners; refusals.
#include <graze/mesh.hpp>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <map>

#include "mesh/polygon_rules.hpp"
#include "support/exact_oracle.hpp"

using namespace graze;
using oracle::message_of;
using oracle::Rational;

namespace {

Rational area(const Vec3& a, const Vec3& b, const Vec3& c, int drop) { return oracle::cross(oracle::r3(b) - oracle::r3(a), oracle::r3(c) - oracle::r3(a))[drop]; }

// The triangles have one weak sense and add up to the polygon, and every inner edge is used once each way: so they tile it.
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

// Star-shaped about the origin, and so simple: directions in rational order round the circle, any radii.
std::vector<Vec3> star(oracle::Random& random, int n) {
  std::vector<Vec3> p;
  for (int k = 0; k < n; ++k) {
    const double t = 8.0 * (k + 0.5 * random.unit()) / n, f = t - static_cast<int>(t);  // along the sides of a square
    const double r = random.real(0.05, 1);
    Vec3 d(0, 0, 0);
    switch (static_cast<int>(t) / 2) {
      case 0: d = Vec3(1, t - 1, 0); break;
      case 1: d = Vec3(1 - (t - 2), 1, 0); break;
      case 2: d = Vec3(-1, 1 - (t - 4), 0); break;
      default: d = Vec3(-1 + (t - 6), -1, 0); break;
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
  expect_tiles({Vec3(0, 0, 0), Vec3(4, 0, 0), Vec3(4, 4, 0), Vec3(4, 2, 0), Vec3(3, 2, 0), Vec3(0, 2, 0)});  // folds back at (4, 4)
  EXPECT_EQ(triangulate(std::vector<Vec3>{Vec3(0, 0, 0), Vec3(1, 1, 1), Vec3(3, 3, 3), Vec3(2, 2, 2)}).size(), 2u);  // a line
}

TEST(Triangulate, RandomStars) {
  oracle::Random random(11);
  for (int round = 0; round < 150; ++round) {
    const std::vector<Vec3> p = star(random, random.integer(5, 60));
    expect_tiles(p);
    expect_tiles(reversed(p));
    if (HasFatalFailure()) return;
  }
}

// Staircases and combs on the integer grid: many corners on lines through others.
TEST(Triangulate, GridCombs) {
  oracle::Random random(12);
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
  for (double s : {0x1p-1070, 0x1p-500, 0x1p500, 0x1p1020})
    expect_tiles({Vec3(0, 0, 0), Vec3(4 * s, 0, 0), Vec3(s, s, 0), Vec3(0, 4 * s, 0)});
}

TEST(Triangulate, RefusesNamingTheEdges) {
  auto why = [](const std::vector<Vec3>& p) { return message_of([&] { triangulate(p); }); };
  EXPECT_EQ(why({Vec3(0, 0, 0), Vec3(4, 0, 0), Vec3(4, 4, 0), Vec3(3, -1, 0), Vec3(0, 4, 0)}).substr(0, 47), "triangulate: edges 0-1 ((0, 0, 0) to (4, 0, 0))");
  EXPECT_NE(why({Vec3(0, 0, 0), Vec3(4, 0, 0), Vec3(4, 4, 0), Vec3(3, -1, 0), Vec3(0, 4, 0)}).find(" and 3-4 ("), std::string::npos);
  EXPECT_NE(why({Vec3(0, 0, 0), Vec3(4, 0, 0), Vec3(4, 4, 0), Vec3(3, -1, 0), Vec3(0, 4, 0)}).find(" cross"), std::string::npos);
  EXPECT_NE(why({Vec3(0, 0, 0), Vec3(4, 0, 0), Vec3(4, 4, 0), Vec3(2, 0, 0), Vec3(0, 4, 0)}).find("touch"), std::string::npos);
  EXPECT_NE(why({Vec3(0, 0, 0), Vec3(1, 1, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)}).find("area vector is zero"), std::string::npos);
  EXPECT_NE(why({Vec3(0, 0, 0), Vec3(4, 0, 0), Vec3(4, 5, 0), Vec3(4, 2, 0), Vec3(0, 2, 0), Vec3(5, 4, 0), Vec3(0, 4, 0)}).find("cross"), std::string::npos);  // a fold through another edge
  EXPECT_EQ(why({Vec3(0, 0, 0), Vec3(1, 0, 0)}), "triangulate: 2 corners, must have at least 3");
  EXPECT_EQ(why({Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, NAN, 0)}), "triangulate: corner 2: y is NaN, must be finite");
}

TEST(Triangulate, TenThousandCornersInAboutASecond) {
  oracle::Random random(13);
  std::vector<std::vector<Vec3>> inputs{star(random, 10000)};
  std::vector<Vec3> comb, zigzag, spiral;
  for (int k = 0; k < 5000; ++k) {
    comb.emplace_back(k, 0.1 + 5 * random.unit(), 0);
    comb.emplace_back(k + 0.5, 0, 0);
  }
  comb.emplace_back(5000, -1, 0);
  comb.emplace_back(0, -1, 0);
  inputs.push_back(comb);
  for (int k = 0; k < 5000; ++k) zigzag.emplace_back(k, k % 2 * 10, 0);
  for (int k = 4999; k >= 0; --k) zigzag.emplace_back(k, k % 2 * 10 + 0.25, 0);
  inputs.push_back(zigzag);
  for (int side = 0; side < 2; ++side)  // a long corridor wound up
    for (int j = 0; j < 5000; ++j) {
      const int k = side == 0 ? j : 4999 - j;
      const double r = 1 + k * 0.01 + (side ? 0.3 * 0.628 : 0), a = k * 0.1;
      spiral.emplace_back(r * std::cos(a), r * std::sin(a), 0);
    }
  inputs.push_back(spiral);
  for (const auto& p : inputs) {
    const auto start = std::chrono::steady_clock::now();
    EXPECT_EQ(triangulate(p).size(), p.size() - 2);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    std::printf("%zu corners: %.3f s\n", p.size(), seconds);
    EXPECT_LT(seconds, 20);
  }
}
