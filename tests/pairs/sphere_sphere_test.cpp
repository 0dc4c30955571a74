// Sphere and point against each other: the generic decision has no other path for two balls, so rational arithmetic is the oracle as well.
#include "pairs/sphere_sphere.hpp"

#include "pairs/pair_check.hpp"

namespace graze {
namespace {

using test::check_pair;

TEST(SphereSphere, AgreesWithGeneric) { check_pair<Sphere, Sphere>(); }
TEST(SphereSphere, PointAgreesWithGeneric) { check_pair<Point, Sphere>(); }

TEST(SphereSphere, AgreesWithRationals) {
  for (const test::Input input : {test::Input::plain, test::Input::grid, test::Input::nudged, test::Input::tiny, test::Input::mixed}) {
    test::Shapemaker maker(7, input);
    for (int k = 0; k < 500; ++k) {
      Sphere a, b;
      maker.make(a);
      maker.make(b);
      const oracle::Rational r = oracle::Rational(a.radius) + oracle::Rational(b.radius);
      ASSERT_EQ(intersects_pair(a, b), oracle::squared_distance(a.center, b.center) <= r * r);
      ASSERT_EQ(intersects_pair(b, a), intersects_pair(a, b));
    }
  }
}

TEST(SphereSphere, OneUlpApart) {
  EXPECT_TRUE(intersects_pair(Sphere{{0, 0, 0}, 1}, Sphere{{3, 0, 0}, 2}));
  EXPECT_FALSE(intersects_pair(Sphere{{0, 0, 0}, 1}, Sphere{{std::nextafter(3.0, 4.0), 0, 0}, 2}));
  EXPECT_FALSE(intersects_pair(Sphere{{0, 0, 0}, 1}, Sphere{{3, 5e-324, 0}, 2}));
}

}  // namespace
}  // namespace graze
