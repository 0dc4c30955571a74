// The exact sign of sums of doubles, against rational numbers.
#include "exact/sum_sign.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "support/exact_oracle.hpp"
#include "support/random.hpp"

namespace graze::test {
namespace {

TEST(SumSign, MatchesRationals) {
  Random random(77);
  int zeros = 0;
  for (int round = 0; round < 20000; ++round) {
    std::vector<double> terms;
    const int pairs = random.integer(0, 7);
    for (int k = 0; k < pairs; ++k) {  // numbers of all sizes that nearly cancel
      const double x = std::ldexp(random.real(-1, 1), random.integer(-60, 60));
      terms.push_back(x);
      terms.push_back(random.integer(0, 2) != 0 ? -x : std::nextafter(-x, 0.0));
    }
    if (random.integer(0, 1) == 1) terms.push_back(std::ldexp(random.real(-1, 1), random.integer(-200, -100)));
    for (std::size_t k = 1; k < terms.size(); ++k) std::swap(terms[k], terms[static_cast<std::size_t>(random.integer(0, static_cast<int>(k)))]);
    oracle::Rational sum = 0;
    for (const double x : terms) sum += oracle::Rational(x);
    const int want = sum > 0 ? 1 : sum < 0 ? -1 : 0;
    ASSERT_EQ(sign_of_sum(terms), want) << round;
    zeros += want == 0;
  }
  EXPECT_GT(zeros, 1000);
}

}  // namespace
}  // namespace graze::test
