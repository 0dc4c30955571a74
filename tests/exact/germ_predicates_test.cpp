// The signs of germs against rationals, on touching, ordinary and hostile input.
#include "exact/germ_predicates.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/exact_oracle.hpp"
#include "support/random.hpp"
#include "support/rounds.hpp"

namespace graze {
namespace {

using namespace oracle;
using test::Random;

R3 sum(const R3& a, const R3& b) { return {{a[0] + b[0], a[1] + b[1], a[2] + b[2]}}; }

TEST(GermPredicates, MatchRationals) {
  Random random(71);
  int zero = 0, not_zero = 0;
  const auto check = [&](int sign, const Rational& truth) {
    ASSERT_EQ(sign, truth.sign());
    ++(sign == 0 ? zero : not_zero);
  };
  for (int round = 0; round < test::rounds(6000); ++round) {
    Vec3 p[6];
    for (Vec3& x : p) {
      x = round % 3 == 0 ? random.grid(-2, 2) : random.point(-1, 1);
      if (round % 3 == 2)
        for (int i = 0; i < 3; ++i) x[i] = std::ldexp(x[i], random.integer(-60, 60));
    }
    if (round % 6 == 1) p[5] = p[4];
    const auto from = [&](int to, int v) { return r3(p[to]) - r3(p[v]); };
    // v, a, b, x, y
    check(turn_in_plane(p[0], p[1], p[2], p[3], p[4]), dot(cross(from(3, 0), from(4, 0)), cross(from(1, 0), from(2, 0))));
    // u, w, v, p, q
    check(shadow_turn_of_sum(p[0], p[1], p[2], p[3], p[4]), cross(from(1, 0), sum(from(3, 2), from(4, 2)))[0]);
    check(shadow_turn_of_normal(p[0], p[1], p[2], p[3], p[4]), cross(from(1, 0), cross(from(3, 2), from(4, 2)))[0]);
    // t0, t1, t2, v, p, q
    const R3 normal = cross(from(1, 0), from(2, 0));
    check(side_of_sum(p[0], p[1], p[2], p[3], p[4], p[5]), dot(sum(from(4, 3), from(5, 3)), normal));
    check(side_of_normal(p[0], p[1], p[2], p[3], p[4], p[5]), dot(cross(from(4, 3), from(5, 3)), normal));
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(zero, test::rounds(500));
  EXPECT_GT(not_zero, test::rounds(10000));
}

}  // namespace
}  // namespace graze
