// Queries do not validate. On invalid shapes (NaN, infinity, negative radii and half sizes, min > max, zero directions) the answers are meaningless, but
// queries terminate and throw nothing except Error.
#include <gtest/gtest.h>
#include <graze/graze.hpp>

#include "support/random.hpp"
#include "support/rounds.hpp"

namespace graze::test {
namespace {

struct Arbitrary {
  Random random{5};
  double number() {
    constexpr double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
    constexpr double kSome[] = {nan, inf, -inf, 0, -0.0, -1, 1e308, -1.7e308, 5e-324, 1e-160, -3, 1, 2, 0.5};
    return kSome[random.below(std::size(kSome))];
  }
  Vec3 vector() {
    const double x = number(), y = number(), z = number();
    return {x, y, z};
  }
  AnyShape shape() {
    const Vec3 a = vector(), b = vector(), c = vector(), d = vector();
    const double r = number(), s = number();
    switch (random.below(16)) {
      case 0:
        return Point{a};
      case 1:
        return Segment{a, b};
      case 2:
        return Ray{a, b};
      case 3:
        return Line{a, b};
      case 4:
        return Plane{a, b};
      case 5:
        return HalfSpace{a, b};
      case 6:
        return Triangle{{{a, b, c}}};
      case 7:
        return Sphere{a, r};
      case 8:
        return Box{a, b};
      case 9:
        return OrientedBox{a, {b, c, d}, {r, s, 1}};
      case 10:
        return Capsule{a, b, r};
      case 11:
        return Cylinder{a, b, r};
      case 12:
        return Cone{a, b, r};
      case 13:
        return TruncatedCone{a, b, r, s};
      case 14:
        return Wedge{a, {b, c, d}};
      default:
        return Ellipsoid{a, b};
    }
  }
};

template <class F>
void ends(const char* query, const F& f) {
  try {
    f();
  } catch (const Error&) {
  } catch (const std::exception& e) {
    ADD_FAILURE() << query << ": " << e.what();
  }
}

TEST(InvalidShapes, QueriesTerminate) {
  Arbitrary arbitrary;
  for (int i = 0; i < rounds(1500) && !testing::Test::HasFailure(); ++i) {
    const AnyShape a = arbitrary.shape(), b = arbitrary.shape();
    const ShapeRef x(a), y(b);
    ends("intersects", [&] { (void)intersects(x, y); });
    ends("within", [&] { (void)within(x, y, 1); });
    ends("closest", [&] { (void)closest(x, y); });
    ends("penetration", [&] { (void)penetration(x, y); });
    ends("contacts", [&] { (void)contacts(x, y); });
    ends("manifold", [&] { (void)manifold(x, y); });
    ends("manifold with a hint", [&] {
      PairHint hint;
      for (int k = 0; k < 2; ++k) (void)manifold(x, y, hint);
    });
    ends("sweep", [&] { (void)sweep(x, {1, 2, 3}, y); });
    ends("raycast", [&] { (void)raycast(x, y); });
    ends("raycast_any", [&] { (void)raycast_any(x, y); });
    ends("raycast_all", [&] { (void)raycast_all(x, y); });
    ends("contains", [&] { (void)contains(x, {1, 2, 3}); });
    ends("classify", [&] { (void)classify(x, Plane{{1, 2, 3}, {0, 0, 1}}); });
    ends("bounding_box", [&] { (void)bounding_box(x); });
    ends("bounding_sphere", [&] { (void)bounding_sphere(x); });
    ends("signed_distance", [&] { (void)signed_distance({1, 2, 3}, x); });
    ends("volume", [&] { (void)volume(x); });
    ends("signed_volume", [&] { (void)signed_volume(x); });
    ends("area", [&] { (void)area(x); });
    ends("centroid", [&] { (void)centroid(x); });
    ends("validate", [&] { validate(x); });
  }
}

}  // namespace
}  // namespace graze::test
