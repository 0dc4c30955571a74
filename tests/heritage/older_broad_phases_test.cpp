// Older broad phases against brute force over all pairs: touching boxes, sizes over six decades, far from the origin, flat boxes, extreme doubles. Also tests
// their cells and the number of pairs that they compare.
#include <gtest/gtest.h>
#include <graze/broad_phase.hpp>
#include <graze/error.hpp>
#include <graze/heritage/older_broad_phases.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include "support/exact_oracle.hpp"
#include "support/random.hpp"

using namespace graze;

namespace older_broad_phases_test {
namespace {

using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

Pairs brute_force(const std::vector<Box>& boxes) {
  Pairs pairs;
  for (std::uint32_t i = 0; i < boxes.size(); ++i)
    for (std::uint32_t j = i + 1; j < boxes.size(); ++j) {
      bool apart = false;
      for (int k = 0; k < 3; ++k) apart = apart || boxes[i].max[k] < boxes[j].min[k] || boxes[j].max[k] < boxes[i].min[k];
      if (!apart) pairs.emplace_back(i, j);
    }
  return pairs;
}

void expect_all(const std::vector<Box>& boxes, const char* what) {
  const Pairs truth = brute_force(boxes);
  for (const OlderBroadPhase method : kOlderBroadPhases) {
    OlderResult r = overlapping_pairs(method, boxes, true);
    EXPECT_GE(r.tests, r.pairs.size());
    EXPECT_LE(r.tests, boxes.size() * (boxes.size() - (boxes.empty() ? 0 : 1)) / 2);
    EXPECT_EQ(overlapping_pairs(method, boxes).pairs, r.pairs);
    EXPECT_TRUE(overlapping_pairs(method, boxes).cells.empty());
    std::sort(r.pairs.begin(), r.pairs.end());
    EXPECT_EQ(r.pairs, truth) << name_of(method) << ": " << what << ", " << boxes.size() << " boxes";
    std::size_t held = 0;
    for (const OlderCell& c : r.cells) held += c.count;
    EXPECT_EQ(held, boxes.size()) << name_of(method);
  }
  BroadPhase phase;
  phase.assign(boxes);
  EXPECT_EQ(phase.pairs(), truth);
}

std::vector<Box> sizes(test::Random& random, std::size_t n, double decades, double spread) {
  std::vector<Box> boxes;
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3 at = random.point(-spread, spread);
    const double s = std::pow(10.0, -random.real(0, decades));
    boxes.push_back({at, at + Vec3(s * random.real(0.3, 1), s * random.real(0.3, 1), s * random.real(0.3, 1))});
  }
  return boxes;
}

}  // namespace

TEST(OlderBroadPhases, MatchBruteForce) {
  test::Random random(1);
  for (std::size_t n : {0, 1, 2, 9, 70, 400})
    for (double decades : {0.0, 1.0, 3.0, 6.0}) expect_all(sizes(random, n, decades, 2), "sizes");
}

TEST(OlderBroadPhases, TouchingCounts) {
  test::Random random(2);
  for (int round = 0; round < 40; ++round) {
    std::vector<Box> boxes;
    for (int i = 0; i < 120; ++i) {  // corners on a grid, many sides shared, some boxes flat or single points
      const Vec3 lo = random.grid(0, 16), size = random.grid(0, round % 4 == 0 ? 1 : 1 << random.integer(0, 4));
      boxes.push_back({lo, lo + size});
    }
    expect_all(boxes, "grid");
  }
}

TEST(OlderBroadPhases, BoxesOfExactlyTheCellSize) {  // sizes are powers of two: the lowest level that holds them, touching across cell borders
  std::vector<Box> boxes;
  for (double s : {16.0, 8.0, 4.0, 2.0, 1.0})
    for (double x = 0; x < 16; x += s) boxes.push_back({Vec3(x, 0, 0), Vec3(x + s, s, s)});
  for (int i = 0; i < 16; ++i) boxes.push_back({Vec3(i, std::nextafter(1.0, 2.0), 0), Vec3(i + 1, 3, 1)});
  expect_all(boxes, "cells");
}

TEST(OlderBroadPhases, FarFromTheOriginAndExtremeDoubles) {
  test::Random random(3);
  for (double far : {1e6, 1e12, 1e15})
    for (int round = 0; round < 4; ++round) {
      std::vector<Box> boxes = sizes(random, 150, 2, 3);
      for (Box& b : boxes) b = {b.min + Vec3(far, -far, 0), b.max + Vec3(far, -far, 0)};
      expect_all(boxes, "far");
    }
  for (double scale : {0x1p-1074, 0x1p-1060, 0x1p-1000, 0x1p-901, 0x1p-880, 0x1p1015}) {
    std::vector<Box> boxes;
    for (int i = 0; i < 100; ++i) {
      const Vec3 lo = random.grid(0, 20), size = random.grid(0, 6);
      boxes.push_back({lo * scale, (lo + size) * scale});
    }
    expect_all(boxes, "ends");
  }
  expect_all(std::vector<Box>(30, Box{Vec3(1, 2, 3), Vec3(1, 2, 3)}), "one point");
  std::vector<Box> line;
  for (int i = 0; i < 200; ++i) line.push_back({Vec3(i * 1e-3, 0, 0), Vec3(i * 1e-3 + 1e-3, 0, 0)});
  expect_all(line, "line");
}

TEST(OlderBroadPhases, CellsContainTheirBoxes) {
  test::Random random(4);
  const std::vector<Box> boxes = sizes(random, 300, 2, 2);
  for (const OlderBroadPhase method : {OlderBroadPhase::octree, OlderBroadPhase::loose_octree}) {
    for (const Box& b : boxes) {  // some cell contains it, up to the rounding of the nominal bounds
      const std::vector<OlderCell> cells = overlapping_pairs(method, boxes, true).cells;
      EXPECT_TRUE(std::any_of(cells.begin(), cells.end(), [&](const OlderCell& c) {
        bool in = true;
        for (int k = 0; k < 3; ++k) in = in && b.min[k] >= c.bounds.min[k] - 1e-12 && b.max[k] <= c.bounds.max[k] + 1e-12;
        return in;
      }));
    }
  }
  const OlderResult grids = overlapping_pairs(OlderBroadPhase::multi_resolution_grid, boxes, true);
  EXPECT_GT(grids.cells.back().level, 1);
  EXPECT_TRUE(std::is_sorted(grids.cells.begin(), grids.cells.end(), [](const OlderCell& a, const OlderCell& b) { return a.level < b.level; }));
  for (const OlderCell& c : grids.cells)
    EXPECT_NEAR(c.bounds.max.x - c.bounds.min.x, (grids.cells[0].bounds.max.x - grids.cells[0].bounds.min.x) / (1 << (c.level - grids.cells[0].level)), 1e-9);
}

TEST(OlderBroadPhases, LevelsSaveComparisonsWhenSizesDiffer) {
  test::Random random(5);
  const std::vector<Box> boxes = sizes(random, 3000, 2, 3);
  const auto tests = [&](OlderBroadPhase m) { return overlapping_pairs(m, boxes).tests; };
  EXPECT_LT(5 * tests(OlderBroadPhase::multi_resolution_grid), tests(OlderBroadPhase::uniform_grid));
  EXPECT_LT(2 * tests(OlderBroadPhase::loose_octree), tests(OlderBroadPhase::octree));
  EXPECT_LT(tests(OlderBroadPhase::octree), std::uint64_t{3000} * 2999 / 2);
}

TEST(OlderBroadPhases, RefusesInvalidBoxes) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  const auto message = [](const Box& b) {
    return oracle::message_of([&] { (void)overlapping_pairs(OlderBroadPhase::octree, std::vector<Box>{Box{Vec3(0, 0, 0), Vec3(1, 1, 1)}, b}); });
  };
  EXPECT_EQ(message({Vec3(0, nan, 0), Vec3(1, 1, 1)}), "overlapping_pairs: box 1: y is NaN");
  EXPECT_EQ(message({Vec3(0, 0, 2), Vec3(1, 1, 1)}), "overlapping_pairs: box 1: z: min is above max");
  EXPECT_EQ(message({Vec3(0, 0, 0), Vec3(inf, 1, 1)}), "overlapping_pairs: the common extent of the boxes is not finite");
  EXPECT_EQ(message({Vec3(-1.5e308, 0, 0), Vec3(1.5e308, 1, 1)}), "overlapping_pairs: the common extent of the boxes is not finite");
}

}  // namespace older_broad_phases_test
