// The support function of hulls: within its error of the least placed point, the same at every CPU level.
#include "convex/sets/hull_support.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "parts/convex_of_shape.hpp"
#include "platform/cpu.hpp"
#include "support/exact_oracle.hpp"
#include "support/random.hpp"

namespace graze::hull_support_test {
namespace {

using oracle::Rational;

Hull random_hull(test::Random& r, int points, bool grid) {
  std::vector<Vec3> p;
  for (int i = 0; i < points; ++i) p.push_back(grid ? r.grid(-2, 2) : r.point(-1, 1));
  return Hull(p);
}
Rational along(const V3<double>& x, const Vec3& p) { return Rational(x.x) * Rational(p.x) + Rational(x.y) * Rational(p.y) + Rational(x.z) * Rational(p.z); }

TEST(HullSupport, IsWithinItsErrorOfTheLeastPlacedPoint) {
  test::Random r(71);
  for (int round = 0; round < 300; ++round) {
    const Hull hull = random_hull(r, r.integer(2, 60), round % 2);
    const double far = round % 3 == 0 ? 1e6 : 1;
    const Pose pose = r.pose(far);
    const ConvexSet c = convex_set_of(hull, round % 5 == 0 ? nullptr : &pose);
    const Vec3 d = round % 7 == 0 ? r.grid(-1, 1) : r.point(-1, 1);
    const V3<double> x{d.x, d.y, d.z};
    const HullDirection direction(c, x);
    const std::uint32_t found = direction.least();
    const Rational room = Rational(hull_error(c)) * Rational(taxicab(x));
    for (std::uint32_t i = 0; i < c.points; ++i) {
      ASSERT_LE(along(x, c.base(found)), along(x, c.base(i)) + room) << round;
      const Rational values = Rational(direction.at(i)) - Rational(direction.at(found)), placed = along(x, c.base(i)) - along(x, c.base(found));
      ASSERT_LE(abs(values - placed), room) << round;
      ASSERT_LE(std::max({std::fabs(c.base(i).x), std::fabs(c.base(i).y), std::fabs(c.base(i).z)}), hull_size(c)) << round;
    }
    // distinct points, also those that are no corners
    std::vector<Vec3> distinct;
    for (const Vec3& p : hull.points())
      if (std::find(distinct.begin(), distinct.end(), p) == distinct.end()) distinct.push_back(p);
    ASSERT_EQ(direction.count(1e9), distinct.size()) << round;
    ASSERT_GE(direction.count(direction.at(found)), 1u);
  }
}

TEST(HullSupport, ClimbsToTheFarthestCornerFromAnyStart) {
  test::Random r(73);
  for (int round = 0; round < 300; ++round) {
    const Hull hull = random_hull(r, r.integer(2, 80), round % 2);
    const ConvexSet c = convex_set_of(hull, nullptr);
    const Vec3 d = round % 3 ? r.grid(-1, 1) : r.point(-1, 1);
    const V3<double> x{d.x, d.y, d.z};
    const HullDirection direction(c, x);
    const HullData& data = hull.data();
    const std::uint32_t start = r.integer(0, static_cast<int>(data.corners.size()) - 1), found = direction.highest_corner(start);
    for (const std::uint32_t i : data.corners)
      ASSERT_LE(along(x, c.base(i)), along(x, c.base(data.corners[found])) + Rational(hull_error(c)) * Rational(taxicab(x)));
  }
}

TEST(HullSupport, ListsTheCornersFromALimitOn) {
  test::Random r(74);
  for (int round = 0; round < 300; ++round) {
    std::vector<Vec3> p;  // up to about 200 corners
    for (int i = r.integer(2, 200); i > 0; --i) {
      const Vec3 v = r.direction();
      p.push_back(round % 3 ? v / std::sqrt(v.x * v.x + v.y * v.y + v.z * v.z) : r.grid(-2, 2));
    }
    const Hull hull(p);
    const Pose pose = r.pose(1);
    const ConvexSet c = convex_set_of(hull, round % 5 == 0 ? nullptr : &pose);
    const Vec3 d = round % 2 ? r.grid(-1, 1) : r.point(-1, 1);
    const HullDirection direction(c, {d.x, d.y, d.z});
    const auto& corners = hull.data().corner_points;
    std::uint32_t farthest = 0;
    for (std::uint32_t k = 0; k < corners.size(); ++k)
      if (direction.along(corners[k]) > direction.along(corners[farthest])) farthest = k;
    ASSERT_EQ(direction.farthest_corner(), farthest) << round;
    const double limit = direction.along(corners[r.below(corners.size())]);
    std::vector<std::uint32_t> expected, found;
    for (std::uint32_t k = 0; k < corners.size(); ++k)
      if (direction.along(corners[k]) >= limit) expected.push_back(k);
    const auto take = [&](std::uint32_t k) {
      found.push_back(k);
      return true;
    };
    ASSERT_TRUE(direction.for_corners_from(limit, take)) << round;
    ASSERT_EQ(found, expected) << round;
    ASSERT_FALSE(direction.for_corners_from(limit, [](std::uint32_t) { return false; })) << round;
  }
}

TEST(HullSupport, IsTheSameAtEveryLevel) {
  const CpuLevel before = current_cpu_level();
  test::Random r(72);
  for (int round = 0; round < 300; ++round) {
    const Hull hull = random_hull(r, r.integer(2, 40), round % 2);
    const ConvexSet c = convex_set_of(hull, nullptr);
    const Vec3 d = round % 3 ? r.grid(-1, 1) : r.point(-1, 1);
    const HullDirection direction(c, {d.x, d.y, d.z});
    force_cpu_level(CpuLevel::scalar);
    const std::uint32_t least = direction.least();
    const std::size_t count = direction.count(direction.at(least) + .25);
    for (const CpuLevel level : {CpuLevel::sse4, CpuLevel::avx2, CpuLevel::avx512}) {
      force_cpu_level(level);
      ASSERT_EQ(direction.least(), least) << round;
      ASSERT_EQ(direction.count(direction.at(least) + .25), count) << round;
    }
  }
  force_cpu_level(before);
}

}  // namespace
}  // namespace graze::hull_support_test
