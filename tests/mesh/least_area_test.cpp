// The triangulation of least area: of few corners against all triangulations, of many by ears away from the crossing.
#include "mesh/least_area.hpp"

#include <gtest/gtest.h>
#include <graze/mesh.hpp>
#include <graze/query.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "support/random.hpp"

using namespace graze;

namespace least_area_test {
namespace {

using Points = std::vector<Vec3>;

std::vector<TriangleIndices> least_area_of(const Points& p, std::size_t piece = 128, std::uint64_t work = 2'000'000'000) {
  return least_area_triangles(p, work, piece);
}

double total(const Points& p, const std::vector<TriangleIndices>& cut) {
  double area = 0;
  for (const TriangleIndices& t : cut) area += graze::area(Triangle{{p[t[0]], p[t[1]], p[t[2]]}});
  return area;
}

double least_of_all(const Points& p, std::size_t i, std::size_t j) {  // by trying every triangulation
  if (j - i < 2) return 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t k = i + 1; k < j; ++k) least = std::min(least, least_of_all(p, i, k) + least_of_all(p, k, j) + graze::area(Triangle{{p[i], p[k], p[j]}}));
  return least;
}

void expect_border(const std::vector<TriangleIndices>& cut, std::size_t n) {
  EXPECT_EQ(cut.size(), n - 2);
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> edges;
  for (const TriangleIndices& t : cut)
    for (int k = 0; k < 3; ++k) ++edges[{t[k], t[(k + 1) % 3]}], --edges[{t[(k + 1) % 3], t[k]}];
  for (std::uint32_t k = 0; k < n; ++k) EXPECT_EQ((edges[{k, static_cast<std::uint32_t>((k + 1) % n)}]), 1);
  EXPECT_EQ(std::count_if(edges.begin(), edges.end(), [](const auto& e) { return e.second == 1; }), static_cast<std::ptrdiff_t>(n));
}

/// Outline, bridge and hole, each of n corners; an edge of the hole runs in a small loop that crosses itself.
Points crossing_ring(int n, double size) {
  Points p;
  const auto at = [&](double r, int k) { return Vec3(r * std::cos(2 * M_PI * k / n), r * std::sin(2 * M_PI * k / n), 0); };
  for (int k = 0; k <= n; ++k) p.push_back(at(10, k % n));
  for (int k = 0; k <= n; ++k) {
    p.push_back(at(5, (n - k) % n));
    if (k != n / 2) continue;
    const Vec3 a = at(5, n - k), d = at(5, n - k - 1) - a, side = Vec3(-d.y, d.x, 0) * (size / std::hypot(d.x, d.y));
    for (const auto& [along, across] : {std::pair(0.5, 1.0), std::pair(0.6, -1.0), std::pair(0.6, 1.0), std::pair(0.5, -1.0)})
      p.push_back(a + d * along + side * across);
  }
  return p;
}

}  // namespace

TEST(LeastArea, OfAllTriangulations) {
  test::Random random(21);
  for (int round = 0; round < 100; ++round) {
    Points p;
    for (int k = random.integer(3, 9); k > 0; --k) p.emplace_back(random.integer(0, 5), random.integer(0, 5), random.integer(0, 2));
    const std::vector<TriangleIndices> cut = least_area_of(p);
    expect_border(cut, p.size());
    EXPECT_NEAR(total(p, cut), least_of_all(p, 0, p.size() - 1), 1e-12);
  }
}

// A face with a hole that crosses itself a little stays a face with a hole, however many corners it has.
TEST(LeastArea, HolesStayOpen) {
  for (const int n : {12, 40, 100, 300, 3000}) {
    for (const double size : {1e-9, 1e-6}) {
      const Points p = crossing_ring(n, size);
      const std::vector<TriangleIndices> cut = least_area_of(p);
      expect_border(cut, p.size());
      EXPECT_NEAR(total(p, cut), n * 37.5 * std::sin(2 * M_PI / n), 1e-4 * size / 1e-6 + 1e-9) << n;
    }
  }
}

// The bridge's two ways cross each other, so that no free ear leads past it.
TEST(LeastArea, BridgesThatCross) {
  for (const int n : {30, 64, 100, 150, 300}) {
    for (const double side : {2e-9, -2e-9}) {
      Points p;
      const auto at = [&](double r, int k, double y) { return Vec3(r * std::cos(2 * M_PI * k / n), r * std::sin(2 * M_PI * k / n) + y, 0); };
      for (int k = 0; k <= n; ++k) p.push_back(at(10, k, k == n ? side : 0));
      for (int k = n; k >= 0; --k) p.push_back(at(5, k, k == n ? -side : 0));
      const std::vector<TriangleIndices> cut = least_area_of(p);
      expect_border(cut, p.size());
      EXPECT_NEAR(total(p, cut), n * 37.5 * std::sin(2 * M_PI / n), 1e-6) << n;
    }
  }
  Points large;  // without the work for all at once: in pieces
  for (int k = 0; k < 400; ++k) large.emplace_back((k * 37) % 101, (k * 53) % 97, 0);
  std::uint64_t work = 1000;
  expect_border(least_area_triangles(large, work), large.size());
  EXPECT_EQ(work, 1000u);
}

TEST(LeastArea, ManyCrossings) {
  Points star;  // every corner is far from the next: pieces
  for (int i = 0; i < 300; ++i) star.emplace_back((i * 37) % 101, (i * 53) % 97, (i * 7) % 3);
  for (const std::size_t most : {5u, 64u, 128u, 299u, 300u, 301u}) expect_border(least_area_of(star, most), 300);
  test::Random random(22);
  Points any;
  for (int i = 0; i < 100000; ++i) any.emplace_back(random.unit(), random.unit(), random.unit());
  EXPECT_EQ(least_area_of(any).size(), any.size() - 2);
}

}  // namespace least_area_test
