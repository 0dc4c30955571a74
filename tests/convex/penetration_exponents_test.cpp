// Least separating translations where every coordinate and radius has its own exponent, against integer arithmetic.
#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <sstream>

#include "convex/depth/penetration.hpp"
#include "convex/depth_oracle.hpp"
#include "parts/convex_of_shape.hpp"
#include "support/random.hpp"

namespace graze::penetration_exponents_test {
namespace {

using depth_oracle::Truth;
using Reason = ConvexPenetration::Reason;

/// Numbers from 2^(-spread/2) to 2^(spread/2) with few or many digits; some are equal or 0.
struct Exponents {
  test::Random random;
  int spread = 10, base = 0;
  explicit Exponents(std::uint64_t seed) : random(seed) {}
  double positive() {
    const double m = random.coin() ? 1 + random.below(8) * 0.125 : 1 + random.unit();
    return std::ldexp(m, base + random.below(spread + 1) - spread / 2);
  }
  double number() { return random.below(6) == 0 ? 0 : random.coin() ? positive() : -positive(); }
  Vec3 point() {
    const double x = number(), y = number(), z = number();
    return {x, y, z};
  }
  Vec3 direction() {
    for (;;) {
      const Vec3 d = point();
      if (d != Vec3(0, 0, 0)) return d;
    }
  }
};

struct Shape {
  std::shared_ptr<const void> keep;
  ConvexSet convex;
  depth_oracle::Body body;
  std::string text;
};
template <class S>
Shape shape(const S& s) {
  std::ostringstream out;
  out.precision(17);
  const depth_oracle::Body b = depth_oracle::body(s);
  out << S::type_name << " r " << b.radius;
  for (const auto& p : b.corners)
    for (const auto& x : p) out << (&x == p.data() ? " (" : ",") << std::ldexp(static_cast<double>(x.m), x.e) << (&x == p.data() + 2 ? ")" : "");
  for (const auto& p : b.directions)
    for (const auto& x : p) out << (&x == p.data() ? " d(" : ",") << std::ldexp(static_cast<double>(x.m), x.e) << (&x == p.data() + 2 ? ")" : "");
  const auto kept = std::make_shared<const S>(s);
  return {kept, convex_set_of(*kept, nullptr), b, out.str()};
}

constexpr int kKinds = 12;
/// `at`: most shapes lie within their own size of this point.
Shape any(Exponents& w, int kind, const Vec3& at = Vec3(0)) {
  const auto point = [&] { return at + w.point(); };
  switch (kind) {
    case 0:
      return shape(Sphere{point(), w.positive()});
    case 1: {
      const Vec3 a = point(), b = point();
      return shape(Capsule{a, b, w.positive()});
    }
    case 2: {
      const Vec3 a = point(), b = point(), c = point();
      return shape(Triangle{{a, b, c}});
    }
    case 3: {
      const Vec3 a = point(), b = point();
      return shape(Box{{std::min(a.x, b.x), std::min(a.y, b.y), std::min(a.z, b.z)}, {std::max(a.x, b.x), std::max(a.y, b.y), std::max(a.z, b.z)}});
    }
    case 4: {
      const Vec3 c = point(), x = w.direction(), y = w.direction(), z = w.direction();
      return shape(OrientedBox{c, {x, y, z}, {w.positive(), w.positive(), w.random.below(8) ? w.positive() : 0}});
    }
    case 5: {
      const Vec3 a = point(), b = point();
      return shape(Segment{a, b});
    }
    case 6:
      return shape(Ray{point(), w.direction()});
    case 7:
      return shape(Line{point(), w.direction()});
    case 8:
      return shape(Plane{point(), w.direction()});
    case 9:
      return shape(HalfSpace{point(), w.direction()});
    case 10: {  // mostly many corners
      std::vector<Vec3> corners;
      for (int k = 0; k < 9 + w.random.below(4); ++k) corners.push_back(point());
      if (w.random.below(4) == 0)
        for (Vec3& p : corners) p.z = at.z;
      return shape(Hull(corners));
    }
    default:
      return shape(Point{point()});
  }
}

struct Tally {
  int deep = 0, touching = 0, unbounded = 0;
};

void check(const Shape& a, const Shape& b, Tally& tally, bool all) {
  if (!within(a.convex, b.convex)) return;
  const ConvexPenetration p = penetration(a.convex, b.convex);
  const depth_oracle::Pair pair(a.body, b.body);
  const Truth t = pair.truth();
  SCOPED_TRACE(a.text + "\nand " + b.text);
  const depth_oracle::Real most = std::numeric_limits<double>::max();
  if (t.kind == Truth::deep && t.depth < most / 2) {
    ++tally.deep;
    ASSERT_TRUE(p.found);
    if (t.depth > 0x1p-1040) {
      const double excess = depth_oracle::Pair::excess(p.vector, t.depth);
      EXPECT_LE(excess, 1e-9);
      EXPECT_LE(std::fabs(static_cast<double>(depth_oracle::Real(p.depth / t.depth - 1))), 1e-9) << p.depth << " of " << t.depth;
    }
    const double e = std::ldexp(1, -exponent_of(p.depth) / 2), f = std::ldexp(1, -exponent_of(p.depth) - -exponent_of(p.depth) / 2);
    const Vec3 v = p.vector * e * f, n = p.normal;
    EXPECT_NEAR(n.x * n.x + n.y * n.y + n.z * n.z, 1, 1e-14);
    if (t.depth > 0x1p-1020) {
      EXPECT_GE((n.x * v.x + n.y * v.y + n.z * v.z) / (p.depth * e * f), 1 - 1e-9);
    }
    if (all) {
      EXPECT_TRUE(pair.separated(p.vector)) << p.vector.x << " " << p.vector.y << " " << p.vector.z;
    }
  } else if (t.kind == Truth::touching) {
    ++tally.touching;
    EXPECT_FALSE(p.found);
    EXPECT_EQ(p.reason, Reason::touching);
  } else if (t.kind == Truth::unbounded) {
    ++tally.unbounded;
    EXPECT_FALSE(p.found);
    EXPECT_EQ(p.reason, Reason::unbounded);
  } else {
    EXPECT_EQ(t.kind, Truth::deep);
  }
}

int rounds(int usual) {
  const char* n = std::getenv("GRAZE_EXPONENTS_ROUNDS");
  return n ? std::atoi(n) : usual;
}

class PenetrationExponents : public testing::TestWithParam<int> {
 protected:
  Exponents w{0x5eed + static_cast<std::uint64_t>(GetParam())};
  Tally tally;
  void SetUp() override {
    if (const char* seed = std::getenv("GRAZE_EXPONENTS_SEED"))
      w.random = test::Random(std::strtoull(seed, nullptr, 10) * 1000 + static_cast<std::uint64_t>(GetParam()));
  }
  /// The oracle is slow for many corners, so they are rare.
  int kind() {
    const int k = w.random.below(kKinds);
    return k == 10 && w.random.below(12) ? w.random.below(10) : k;
  }
};

TEST_P(PenetrationExponents, IndependentExponents) {
  w.spread = GetParam();
  const int n = rounds(w.spread > 100 ? 500 : 1000);
  for (int i = 0; i < n && !HasFailure(); ++i) {
    const Shape a = any(w, kind()), b = any(w, kind());
    check(a, b, tally, i % 4 == 0);
  }
  EXPECT_GT(tally.deep, n / 25);
}

TEST_P(PenetrationExponents, SmallShapeInsideALargeOne) {
  const int n = rounds(GetParam() > 100 ? 500 : 1000), ratio = GetParam() * 9 / 10;
  for (int i = 0; i < n && !HasFailure(); ++i) {
    w.spread = 4;
    w.base = ratio / 2 - w.random.below(ratio / 2 + 1);
    const int first = kind(), second = kind();
    const Shape a = any(w, first);
    // Near a corner of the large shape, or at its radius from it, or with both near the origin.
    Vec3 at(0);
    if (w.random.below(3)) {
      at = a.convex.base(0);
      if (w.random.below(2)) at = (at + a.convex.base(a.convex.points - 1)) * 0.5;
      at[w.random.below(3)] += w.random.below(2) ? a.convex.radius : -a.convex.radius;
    }
    w.base = std::max(w.base - w.random.below(ratio + 1), -1000);
    const Shape b = any(w, second, at);
    if (w.random.below(2))
      check(a, b, tally, i % 4 == 0);
    else
      check(b, a, tally, i % 4 == 0);
  }
  EXPECT_GT(tally.deep, n / 25);
}

TEST_P(PenetrationExponents, Touching) {
  w.spread = GetParam();
  const int n = rounds(w.spread > 100 ? 300 : 600);
  for (int i = 0; i < n && !HasFailure(); ++i) {
    const Shape a = any(w, kind());
    const Vec3 corner = a.convex.base(w.random.below(static_cast<int>(a.convex.points)));
    // A ball whose surface contains the corner, exactly or nearly; or a segment, box or triangle that starts there.
    Vec3 c = corner;
    const double r = w.positive();
    const int axis = w.random.below(3);
    c[axis] += w.random.below(2) ? r : -r;
    const double gap = std::fabs(c[axis] - corner[axis]);
    const double radius = w.random.below(3) == 0 ? std::nextafter(gap, w.random.below(2) ? 0 : 1e300) : gap;
    switch (w.random.below(4)) {
      case 0:
        check(a, shape(Sphere{c, radius}), tally, i % 4 == 0);
        break;
      case 1:
        check(shape(Capsule{c, c + (c - corner) * 0.75, radius}), a, tally, i % 4 == 0);
        break;
      case 2:
        check(a, shape(Segment{corner, w.point()}), tally, i % 4 == 0);
        break;
      default:
        check(shape(Triangle{{w.point(), corner, w.point()}}), a, tally, i % 4 == 0);
        break;
    }
  }
  EXPECT_GT(tally.touching, n / 40);
}

INSTANTIATE_TEST_SUITE_P(Spreads, PenetrationExponents, testing::Values(2, 10, 40, 80, 200, 600, 2000));

}  // namespace
}  // namespace graze::penetration_exponents_test
