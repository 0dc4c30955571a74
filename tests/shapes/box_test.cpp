// Boxes: corners by K. Kaiser's names (K1), the midpoint of the diagonal (K2), and outward rounding.
#include <gtest/gtest.h>
#include <graze/shapes/box.hpp>

#include <limits>

#include "exact/double_parts.hpp"
#include "support/exact_oracle.hpp"
#include "support/random.hpp"

using namespace graze;
using oracle::message_of;
using oracle::Rational;

TEST(Box, CornersByName) {
  const Box b{Vec3(1, 2, 3), Vec3(4, 5, 6)};
  EXPECT_EQ(b.corner(Corner::A), Vec3(1, 2, 3));
  EXPECT_EQ(b.corner(Corner::B), Vec3(1, 5, 3));
  EXPECT_EQ(b.corner(Corner::C), Vec3(4, 5, 3));
  EXPECT_EQ(b.corner(Corner::D), Vec3(4, 2, 3));
  EXPECT_EQ(b.corner(Corner::E), Vec3(1, 2, 6));
  EXPECT_EQ(b.corner(Corner::F), Vec3(1, 5, 6));
  EXPECT_EQ(b.corner(Corner::G), Vec3(4, 5, 6));
  EXPECT_EQ(b.corner(Corner::H), Vec3(4, 2, 6));
}

TEST(Box, CenterNeverOverflows) {  // (A + G) / 2 does
  const double big = std::numeric_limits<double>::max(), tiny = 5e-324;
  EXPECT_EQ((Box{Vec3(big, -big, 1e308), Vec3(big, big, 1.5e308)}.center()), Vec3(big, 0, 1.25e308));
  EXPECT_EQ((Box{Vec3(tiny, 0, -tiny), Vec3(3 * tiny, 3 * tiny, tiny)}.center()), Vec3(2 * tiny, 2 * tiny, 0));
}

TEST(Box, FromCenterContainsTheRequestedBox) {
  test::Random random(7);
  for (int i = 0; i < 2000; ++i) {
    const double c = scaled(random.real(-1, 1), random.integer(-60, 60)), h = scaled(random.unit(), random.integer(-60, 60));
    const Box b = Box::from_center(Vec3(c, 0, 0), Vec3(h, 0, 0));
    EXPECT_LE(Rational(b.min.x), Rational(c) - Rational(h));
    EXPECT_GE(Rational(b.max.x), Rational(c) + Rational(h));
    EXPECT_GT(Rational(next_up(b.min.x)), Rational(c) - Rational(h));  // and not a double more
    EXPECT_LT(Rational(next_down(b.max.x)), Rational(c) + Rational(h));
    const Box d = Box::from_corner(Vec3(c, 0, 0), Vec3(h, 0, 0));
    EXPECT_EQ(d.min.x, c);
    EXPECT_EQ(d.max.x, b.max.x);
  }
  EXPECT_EQ(Box::from_center(Vec3(1, 2, 3), 2.0).min, Vec3(-1, 0, 1));
}

TEST(Box, Refused) {
  EXPECT_EQ(message_of([] { (void)Box::from_center(Vec3(0, 0, 0), Vec3(1, -2, 1)); }), "box: half.y is -2, must be >= 0");
  EXPECT_EQ(message_of([] { (void)Box::from_corner(Vec3(0, 0, 0), Vec3(1, 1, std::numeric_limits<double>::infinity())); }),
            "box: size: z is infinity, must be finite");
  EXPECT_NE(message_of([] { (void)Box::from_center(Vec3(1.7e308, 0, 0), Vec3(1.7e308, 1, 1)); }).find("max"), std::string::npos);
}
