// Sphere and point against each other. The generic decision has no other path for two balls, so rational arithmetic is the oracle as well.
#include "pairs/sphere_sphere.hpp"

#include <graze/query.hpp>

#include "bvh/scenes.hpp"
#include "pairs/detail/batch_kernels.hpp"
#include "pairs/pair_check.hpp"
#include "support/exact_oracle.hpp"
#include "support/random.hpp"

namespace graze {
namespace {

using test::check_pair;

/// Records pairs and answers of single queries. again_in_lanes() expects the same answers from a batch at every CPU level, with at most `most_undecided` pairs
/// left to the exact function.
struct Asked {
  std::vector<Sphere> a, b;
  std::vector<std::uint8_t> answers;

  bool operator()(const Sphere& first, const Sphere& second) {
    a.push_back(first);
    b.push_back(second);
    answers.push_back(intersects_pair(first, second));
    return answers.back() != 0;
  }
  void again_in_lanes(std::size_t most_undecided) const {
    test::for_each_cpu_level([&](CpuLevel level) {
      EXPECT_EQ(intersects(std::span<const Sphere>(a), std::span<const Sphere>(b)), answers) << name(level);
      std::vector<std::uint8_t> out(a.size());
      std::vector<std::uint32_t> undecided(a.size() + 8);
      EXPECT_LE(batch_kernels().sphere_sphere(&a[0].center.x, &b[0].center.x, a.size(), out.data(), undecided.data()), most_undecided) << name(level);
    });
  }
};

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

// x^2 + y^2 + z^2 - t^2 = e for a few small e, the squares above 2^100: closer to contact than pairs of doubles can resolve. With t = x + 1, x = (y^2 + z^2 - 1
// - e) / 2.
TEST(SphereSphere, CloserThanPairsOfDoublesResolve) {
  test::Random random(31);
  predicate_counts() = {};
  int apart = 0, meet = 0;
  Asked ask;
  for (int k = 0; k < 20000; ++k) {
    const double y = random.integer(1 << 25, (1 << 26) - 1), z = random.integer(1 << 25, (1 << 26) - 1);
    const int odd = static_cast<int>(static_cast<long long>(y * y + z * z - 1) & 1), e = 2 * random.integer(-2, 1) + odd;
    const double x = (y * y + z * z - 1 - e) / 2, r = random.integer(0, 1) ? x + 1 : random.integer(0, 1 << 30), unit = k % 2 ? 1 : 0x1p-40;
    const Sphere a{Vec3(0, 0, 0), r * unit}, b{Vec3(x * unit, y * unit, z * unit), (x + 1 - r) * unit};
    ASSERT_EQ(ask(a, b), e <= 0) << x << " " << y << " " << z << " " << e;
    ++(e <= 0 ? meet : apart);
  }
  EXPECT_GT(apart, 1000);
  EXPECT_GT(meet, 1000);
  EXPECT_GT(predicate_counts().fixed, 5000u);
  ask.again_in_lanes(20000);
}

TEST(SphereSphere, ContactOnAGridNeedsNoIntegers) {
  predicate_counts() = {};
  test::Random random(32);
  Asked ask;
  static constexpr int quadruples[][4] = {{1, 2, 2, 3}, {2, 3, 6, 7}, {1, 4, 8, 9}, {0, 3, 4, 5}, {0, 0, 1, 1}};
  for (int k = 0; k < 5000; ++k) {
    const auto& q = quadruples[random.integer(0, 4)];
    const double scale = random.integer(1, 40) / 64.0, part = random.integer(0, 16) / 16.0;
    const Vec3 c(random.integer(-640, 640) / 64.0, random.integer(-640, 640) / 64.0, random.integer(-640, 640) / 64.0);
    Sphere a{c, scale * q[3] * part}, b{c + Vec3(q[k % 3], -q[(k + 1) % 3], q[(k + 2) % 3]) * scale, scale * q[3] * (1 - part)};
    ASSERT_TRUE(ask(a, b));
    if (a.radius == 0) continue;
    a.radius = std::nextafter(a.radius, 0);  // one rounding step apart: the errors of the squares decide
    ASSERT_FALSE(ask(a, b));
  }
  EXPECT_EQ(predicate_counts().fixed, 0u);
  EXPECT_EQ(predicate_counts().big, 0u);
  ask.again_in_lanes(0);
}

// Sums whose terms underflow are not taken for exact.
TEST(SphereSphere, UnderflowIsNotTakenForExact) {
  Asked ask;
  EXPECT_FALSE(ask(Sphere{{0, 0, 0}, 1}, Sphere{{3, 0x1p-600, 0}, 2}));
  EXPECT_FALSE(ask(Sphere{{0, 0, 0}, 1}, Sphere{{3, 0x1p-300, 0}, 2}));
  EXPECT_TRUE(ask(Sphere{{0, 0, 0}, 1}, Sphere{{3 - 0x1p-51, 0x1p-600, 0}, 2}));
  EXPECT_TRUE(ask(Sphere{{0, 0, 0}, 0x1p-600}, Sphere{{3, 0x1p-600, 0}, 3}));
  EXPECT_FALSE(ask(Sphere{{-0x1p-600, 0, 0}, 1}, Sphere{{3, 0, 0}, 2}));
  EXPECT_TRUE(ask(Sphere{{0, 0, 0}, 1}, Sphere{{3, 0, 0}, 2}));
  ask(Sphere{{0x1p-600, 0, 0}, 0x1p-600}, Sphere{{-0x1p-600, 0, 0}, 0x1p-600});
  ask(Sphere{{1e300, 0, 0}, 0}, Sphere{{-1e300, 0, 0}, 1.7e308});
  ask.again_in_lanes(ask.a.size());
}

}  // namespace
}  // namespace graze
