// Height fields: triangle order, holes, single rounding of grid lines, refused input.
#include <gtest/gtest.h>
#include <graze/shapes/height_field.hpp>

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "support/exact_oracle.hpp"
#include "support/random.hpp"

using namespace graze;
using oracle::message_of;

namespace height_field_test {
namespace {
const double nan_ = std::numeric_limits<double>::quiet_NaN();
}

TEST(HeightField, TrianglesRowByRow) {
  const std::vector<double> h{0, 1, 2, 3, 4, 5};
  const HeightField f(Vec3(10, 20, 30), 1, 2, 3, h);
  ASSERT_EQ(f.mesh().size(), 4u);
  EXPECT_EQ(f.mesh().vertices()[4], Vec3(11, 22, 34));
  EXPECT_EQ(f.mesh().triangles()[0], (TriangleIndices{0, 1, 4}));
  EXPECT_EQ(f.mesh().triangles()[1], (TriangleIndices{0, 4, 3}));
  EXPECT_EQ(f.mesh().triangles()[2], (TriangleIndices{1, 2, 5}));
}

TEST(HeightField, KeepsItsGrid) {
  const std::vector<double> h{0, 0.1, 2, nan_, 4, 5};
  const HeightField f(Vec3(0.1, 20, 0.3), 1, 2, 3, h);
  const HeightField copy = f;
  EXPECT_EQ(copy.origin(), Vec3(0.1, 20, 0.3));
  EXPECT_EQ(copy.dx(), 1);
  EXPECT_EQ(copy.dy(), 2);
  EXPECT_EQ(copy.columns(), 3u);
  EXPECT_EQ(copy.rows(), 2u);
  EXPECT_EQ(copy.heights().data(), f.heights().data());  // shared
  ASSERT_EQ(f.heights().size(), h.size());
  for (std::size_t i = 0; i < h.size(); ++i) {
    if (i == 3) continue;
    EXPECT_EQ(f.heights()[i], h[i]);
  }
  EXPECT_NE(f.heights()[3], f.heights()[3]);
}

TEST(HeightField, HolesRemoveTheirTriangles) {
  const std::vector<double> h{0, nan_, 2, 3, 4, 5};
  const HeightField f(Vec3(0, 0, 0), 1, 1, 3, h);
  ASSERT_EQ(f.mesh().size(), 1u);  // only (0,0)(1,1)(0,1); the right cell's both use (1,0)
  const auto v = f.mesh().vertices();
  const TriangleIndices t = f.mesh().triangles()[0];
  EXPECT_EQ(v[t[0]], Vec3(0, 0, 0));
  EXPECT_EQ(v[t[1]], Vec3(1, 1, 4));
  EXPECT_EQ(v[t[2]], Vec3(0, 1, 3));
  EXPECT_EQ(v.size(), 3u);
  EXPECT_EQ(HeightField(Vec3(0, 0, 0), 1, 1, 2, std::vector<double>(4, nan_)).mesh().size(), 0u);
}

TEST(HeightField, GridLinesAreRoundedOnce) {
  test::Random random(5);
  std::vector<std::pair<double, double>> lines;
  for (int round = 0; round < 50; ++round) {
    const double origin = random.real(-10, 10), step = random.real(0.01, 1);
    lines.emplace_back(origin, round % 2 == 0 ? step : random.integer(1, 9) * .1);
  }
  for (const double origin : {0x1p54, 0x1p54 + 4})
    for (const double third : {1.0, 2.0, 5.0})  // multiples next to halfway between two doubles
      for (const double toward : {0.0, third, 9.0}) lines.emplace_back(origin, std::nextafter(third / 3, toward / 3));
  for (const auto& [origin, step] : lines) {
    const HeightField f(Vec3(origin, 0, 0), step, 1, 200, std::vector<double>(400, 0));
    for (int i = 0; i < 200; ++i) {
      const double x = f.mesh().vertices()[static_cast<std::size_t>(i)].x;
      const oracle::Rational exact = oracle::Rational(origin) + i * oracle::Rational(step), error = abs(exact - oracle::Rational(x));
      EXPECT_LE(error, abs(exact - oracle::Rational(std::nextafter(x, INFINITY))));
      EXPECT_LE(error, abs(exact - oracle::Rational(std::nextafter(x, -INFINITY))));
    }
  }
}

TEST(HeightField, Refused) {
  auto why = [](double dx, std::size_t columns, std::vector<double> h) { return message_of([&] { HeightField(Vec3(0, 0, 0), dx, 1, columns, h); }); };
  EXPECT_EQ(why(0, 2, {0, 0, 0, 0}), "heightfield: spacing dx is 0, must be finite and > 0");
  EXPECT_EQ(why(nan_, 2, {0, 0, 0, 0}), "heightfield: spacing dx is NaN, must be finite and > 0");
  EXPECT_EQ(why(1, 1, {0, 0, 0, 0}), "heightfield: columns is 1, must be at least 2");
  EXPECT_EQ(why(1, 3, {0, 0, 0, 0}), "heightfield: 4 heights given, must be at least two full rows of 3");
  EXPECT_EQ(why(1, 2, {0, 0, 0, -std::numeric_limits<double>::infinity()}), "heightfield: heights[1][1] is -infinity, must be finite, or NaN for a hole");
  EXPECT_NE(why(1e308, 4, std::vector<double>(8, 0)).find("x of grid line 2 is beyond"), std::string::npos);
}

}  // namespace height_field_test
