// The validity rule for polygons: weakly convex and winding once, in exact arithmetic; includes the texts' bent quads and polygons with collinear first
// corners.
#include "mesh/polygon_rules.hpp"

#include <gtest/gtest.h>
#include <graze/shapes/polygon.hpp>

#include <algorithm>

#include "exact/double_parts.hpp"
#include "support/exact_oracle.hpp"

using namespace graze;
using oracle::message_of;

namespace polygon_rules_test {
namespace {
bool fan(const std::vector<Vec3>& p) { return is_fan(p); }
}  // namespace

TEST(PolygonRules, Accepted) {
  EXPECT_TRUE(fan({Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(2, 0, 0), Vec3(2, 2, 0), Vec3(0, 2, 0)}));                    // first three on a line
  EXPECT_TRUE(fan({Vec3(0, 0, 0), Vec3(4, 0, 0), Vec3(4, 4, 0), Vec3(0, 4, 2)}));                                   // bent
  EXPECT_TRUE(fan({Vec3(0, 0, 0), Vec3(0, 4, 2), Vec3(4, 4, 0), Vec3(4, 0, 0)}));                                   // opposite orientation
  EXPECT_TRUE(fan({Vec3(0, 0, 0), Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(1, 0, 0), Vec3(1, 1, 0), Vec3(0, -0.0, 0)}));  // repeated corners
  EXPECT_TRUE(fan({Vec3(0, 0, 0), Vec3(1, 1, 1), Vec3(3, 3, 3), Vec3(2, 2, 2)}));                                   // all on one line
  EXPECT_TRUE(fan({Vec3(5, 5, 5), Vec3(5, 5, 5), Vec3(5, 5, 5)}));                                                  // one point
  EXPECT_TRUE(fan({Vec3(0, 0, 0), Vec3(1e308, 0, 0), Vec3(1e308, 1e308, 0), Vec3(0, 1e308, 0)}));
  EXPECT_TRUE(fan({Vec3(0, 0, 0), Vec3(5e-324, 0, 0), Vec3(5e-324, 5e-324, 0), Vec3(0, 5e-324, 0)}));
}

TEST(PolygonRules, Refused) {
  EXPECT_FALSE(fan({Vec3(0, 0, 0), Vec3(4, 0, 0), Vec3(1, 1, 0), Vec3(0, 4, 0)}));  // concave
  EXPECT_FALSE(fan({Vec3(0, 0, 0), Vec3(1, 1, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)}));  // bow tie of no area
  EXPECT_FALSE(fan({Vec3(0, 0, 0), Vec3(4, 0, 0), Vec3(2, 0, 0), Vec3(4, 4, 0)}));  // a spike
  EXPECT_FALSE(fan({Vec3(0, 0, 0), Vec3(4, 0, 0), Vec3(4, 4, 0), Vec3(0, 4, 0), Vec3(0, 0, 0), Vec3(4, 0, 0), Vec3(4, 4, 0), Vec3(0, 4, 0)}));  // twice round
  std::vector<Vec3> star;  // a pentagram: all turns one way, twice round
  const double c[5] = {1, 0.30901699437494745, -0.8090169943749473, -0.8090169943749476, 0.30901699437494723};
  const double s[5] = {0, 0.9510565162951535, 0.5877852522924732, -0.587785252292473, -0.9510565162951536};
  for (int i = 0; i < 5; ++i) star.emplace_back(c[2 * i % 5], s[2 * i % 5], 0);
  EXPECT_FALSE(fan(star));
  EXPECT_NE(fan_defect(star).find("more than once"), std::string::npos);
  EXPECT_NE(message_of([] { Polygon{Vec3(0, 0, 0), Vec3(4, 0, 0), Vec3(1, 1, 0), Vec3(0, 4, 0)}; }).find("corner 2 at (1, 1, 0)"), std::string::npos);
  EXPECT_NE(message_of([] { Polygon{Vec3(0, 0, 0), Vec3(4, 0, 0), Vec3(1, 1, 0), Vec3(0, 4, 0)}; }).find("triangulate"), std::string::npos);
  EXPECT_EQ(message_of([] { Polygon{Vec3(0, 0, 0), Vec3(4, 0, 0)}; }), "polygon: 2 corners, must have at least 3");
}

// Every outline that crosses itself or folds back is refused, and the message names the corners.
TEST(PolygonRules, RefusalsNameTheCorners) {
  EXPECT_EQ(fan_defect(std::vector{Vec3(0, 0, 0), Vec3(1, 1, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)}),
            "its area vector is zero but its corners are not on one line: edges 0-1 ((0, 0, 0) to (1, 1, 0)) and 2-3 ((1, 0, 0) to (0, 1, 0)) cross");
  EXPECT_EQ(fan_defect(std::vector{Vec3(0, 0, 0), Vec3(0, 1, 1), Vec3(0, 1, 0), Vec3(0, 0, 1)}).substr(61),
            "edges 0-1 ((0, 0, 0) to (0, 1, 1)) and 2-3 ((0, 1, 0) to (0, 0, 1)) cross");
  EXPECT_NE(fan_defect(std::vector{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(1, 1, 0), Vec3(1, 0, 0)}).find("corner 2 at (1, 1, 0) folds back"), std::string::npos);
  std::vector<Vec3> twice;
  for (int k = 0; k < 2; ++k)
    for (const Vec3& v : {Vec3(0, 0, 0), Vec3(4, 0, 0), Vec3(4, 4, 0), Vec3(0, 4, 0)}) twice.push_back(v);
  EXPECT_NE(fan_defect(twice).find("winds round more than once: edges "), std::string::npos);
  EXPECT_NE(fan_defect(twice).find(" touch"), std::string::npos);
  EXPECT_NE(fan_defect(std::vector{Vec3(0, 0, 0), Vec3(4, 0, 0), Vec3(8, 0, 0), Vec3(2, 0, 0), Vec3(6, 0, 0), Vec3(6, 4, 0)}).find("folds back"),
            std::string::npos);
}

// The filter that selects the axis is valid for any number of corners and for axis-aligned planes; the exact sum decides where components are equal.
TEST(PolygonRules, AxisOfManyCorners) {
  for (const int n : {5, 20000}) {
    std::vector<Vec3> flat, even;
    for (int k = 0; k < n; ++k) {
      const double x = k < n / 2 ? k : n - k, y = k < n / 2 ? 0 : 1 + k % 2;
      flat.emplace_back(x, y, 0);
      even.emplace_back(x, y, x);  // normal (-1, 0, 1) / sqrt 2: the first of the equal components wins
    }
    EXPECT_EQ(area_axis(flat).drop, 2);
    EXPECT_EQ(area_axis(flat).sign, 1);
    EXPECT_EQ(area_axis(even).drop, 0);
    EXPECT_EQ(area_axis(even).sign, -1);
    std::reverse(flat.begin(), flat.end());
    EXPECT_EQ(area_axis(flat).sign, -1);
  }
}

// One ulp decides: a corner of a quad moves across the diagonal, double by double.
TEST(PolygonRules, OneUlpDecides) {
  for (double shift : {0.0, 1e6}) {
    const Vec3 a(shift + 0.1, 0.1, 0), b(shift + 4.1, 0.3, 0), c(shift + 0.3, 4.7, 0);
    Vec3 d(shift + 2.2, 2.5, 0);
    int yes = 0;
    for (int k = 0; k < 40; ++k) {
      d.y = next_up(d.y);
      const int turn = oracle::orient(b, d, c, Vec3(shift, 0, 1));
      (void)turn;
      const oracle::R3 n = oracle::cross(oracle::r3(d) - oracle::r3(b), oracle::r3(c) - oracle::r3(d));
      EXPECT_EQ(fan({a, b, d, c}), n[2] >= 0) << k;
      yes += n[2] >= 0;
    }
    (void)yes;
  }
  const Vec3 a(0, 0, 0), b(3, 0, 0), c(0, 3, 0);
  Vec3 d(1.5, 1.5, 0);
  EXPECT_TRUE(fan({a, b, d, c}));
  d.x = next_down(1.5);
  EXPECT_FALSE(fan({a, b, d, c}));
  d.x = next_up(1.5);
  EXPECT_TRUE(fan({a, b, d, c}));
}

TEST(PolygonRules, AreaAxis) {
  EXPECT_EQ(area_axis(std::vector<Vec3>{Vec3(0, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)}).drop, 0);
  EXPECT_EQ(area_axis(std::vector<Vec3>{Vec3(0, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)}).sign, 1);
  EXPECT_EQ(area_axis(std::vector<Vec3>{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 0, 1)}).drop, 1);
  EXPECT_EQ(area_axis(std::vector<Vec3>{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 0, 1)}).sign, -1);
  const double up = next_up(1.0);  // components (1, 1, 1), one of them an ulp larger
  EXPECT_EQ(area_axis(std::vector<Vec3>{Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)}).drop, 0);
  EXPECT_EQ(area_axis(std::vector<Vec3>{Vec3(up, 0, 0), Vec3(0, up, 0), Vec3(0, 0, 1)}).drop, 2);
}

}  // namespace polygon_rules_test
