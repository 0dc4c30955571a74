// Roots of cubics and signs of quadratics at them, on polynomials with known roots: close together, within one gap of doubles, at doubles, multiple.
#include "sweep/ccd/ccd_root.hpp"

#include <gtest/gtest.h>

#include "support/random.hpp"

namespace graze::moving::ccd_root_test {
namespace {

using Poly = Polynomial<BigInt>;

/// coefficients times (n x - m)
std::vector<BigInt> times(const std::vector<BigInt>& c, const Ratio<BigInt>& r) {
  std::vector<BigInt> out(c.size() + 1, BigInt(0));
  for (std::size_t i = 0; i < c.size(); ++i) {
    out[i] -= c[i] * r.m;
    out[i + 1] += c[i] * r.n;
  }
  return out;
}
Poly poly(const std::vector<BigInt>& c) { return Poly(c.data(), static_cast<int>(c.size())); }
Poly from_roots(const std::vector<Ratio<BigInt>>& roots, int sign) {
  std::vector<BigInt> c{BigInt(sign)};
  for (const auto& r : roots) c = times(c, r);
  return poly(c);
}
int sign_there(const Poly& q, const Ratio<BigInt>& r) {  // without any filter
  BigInt v = 0, power = 1;
  for (int i = q.degree; i >= 0; --i) {
    v = v * r.m + q.c[i] * power;
    power *= r.n;
  }
  return sign_of(v);
}

TEST(CcdRoot, KnownRootsInOrderWithSigns) {
  test::Random r(1);
  int clusters = 0, neighbours = 0, multiple = 0;
  for (int round = 0; round < 2000; ++round) {
    std::vector<Ratio<BigInt>> roots;  // with m + n a power of two: t = m / 2^s
    const int n = 1 + r.below(3);
    for (int i = 0; i < n; ++i) {
      Ratio<BigInt> x = ratio_of<BigInt>(0.001 + 0.998 * r.unit());
      if (r.below(6) == 0) x = ratio_of<BigInt>(power_of_two(-1 - r.below(300)));
      if (r.below(2)) x = {BigInt((x.m << 30) + 12345), BigInt((x.n << 30) - 12345)};  // not a double
      if (!roots.empty() && r.below(3) > 0) {                                          // near, on or next to an earlier one
        const Ratio<BigInt>& near = roots[r.below(roots.size())];
        const int finer = r.below(4) == 0 ? 0 : 1 + r.below(r.below(2) ? 10 : 400);
        const BigInt step = r.below(3) - 1 + (r.below(2) ? 4 * (r.below(3) - 1) : 0);
        x = {BigInt((near.m << finer) + step), BigInt((near.n << finer) - step)};
      }
      if (sign_of(x.m) > 0 && sign_of(x.n) > 0) roots.push_back(x);
    }
    if (r.below(8) == 0) roots.push_back({-3, 5});  // outside (0, infinity)
    if (roots.size() > 3) roots.pop_back();
    const Poly p = from_roots(roots, r.below(2) ? 1 : -1);
    std::vector<Ratio<BigInt>> expected;
    for (const auto& x : roots)
      if (sign_of(x.m) > 0) expected.push_back(x);
    std::sort(expected.begin(), expected.end(), [](const auto& a, const auto& b) { return compare(a, b) < 0; });
    expected.erase(std::unique(expected.begin(), expected.end(), [](const auto& a, const auto& b) { return compare(a, b) == 0; }), expected.end());
    multiple += expected.size() < roots.size();

    RootFinder<BigInt> finder(p);
    std::vector<Root<BigInt>> found;
    while (const Root<BigInt>* root = finder.next()) {
      clusters += root->count > 1;
      if (root->count == 1)
        found.push_back(*root);
      else
        for (const auto& one : finder.isolated(*root)) found.push_back(one);
    }
    ASSERT_EQ(found.size(), expected.size()) << round;
    for (std::size_t i = 0; i < found.size(); ++i) {
      ASSERT_EQ(found[i].floor, to_double(expected[i].m, BigInt(expected[i].m + expected[i].n), 0, Rounding::down)) << round;
      neighbours += i > 0 && found[i].floor == found[i - 1].floor;
      for (int k = 0; k < 6; ++k) {
        std::vector<Ratio<BigInt>> of_q;
        for (int d = r.below(3); d > 0; --d) {
          Ratio<BigInt> x = r.below(3) ? expected[r.below(expected.size())] : ratio_of<BigInt>(0.1 + 0.8 * r.unit());
          if (r.below(3) == 0) x = {BigInt((x.m << 20) + r.below(3) - 1), BigInt(x.n << 20)};
          of_q.push_back(x);
        }
        Poly q = from_roots(of_q, r.below(2) ? 1 : -1);
        if (k == 5) {
          const BigInt c[3] = {r.below(7) - 3, r.below(7) - 3, r.below(7) - 3};
          q = Poly(c, 3);
        }
        ASSERT_EQ(sign_at(q, found[i]), sign_there(q, expected[i])) << round << " root " << i << " k " << k;
      }
    }
  }
  EXPECT_GT(clusters, 50);
  EXPECT_GT(neighbours, 100);
  EXPECT_GT(multiple, 100);
}

TEST(CcdRoot, SignsOfLongPolynomials) {
  test::Random r(2);
  int zeros = 0;
  for (int i = 0; i < 2000; ++i) {
    const auto number = [&](int bits) {
      BigInt x = 0;
      for (int k = 0; k < bits / 60 + 1; ++k) x = (x << 60) + (r.bits() >> 4);
      return r.below(2) ? BigInt(-x) : x;
    };
    const int bits = 1 + r.below(3000);
    const Ratio<BigInt> x{boost::multiprecision::abs(number(r.below(600))), boost::multiprecision::abs(number(r.below(600)))};
    std::vector<BigInt> c{number(bits), number(bits)};
    if (r.below(3) == 0) c = {number(bits)};
    std::vector<BigInt> product = r.below(2) ? times(c, x) : c;  // with a zero at x
    if (r.below(2)) product[0] += r.below(3) - 1;                // or nearly
    const Poly q = poly(product);
    if (sign_of(x.m) == 0 || sign_of(x.n) == 0) continue;
    const int s = sign_there(q, x);
    zeros += s == 0;
    ASSERT_EQ(q.sign_at(x.m, x.n), s) << i;
  }
  EXPECT_GT(zeros, 200);
}

TEST(CcdRoot, TruncatedNumbers) {
  test::Random r(3);
  for (int i = 0; i < 3000; ++i) {
    BigInt x = r.bits() >> r.below(64);
    x <<= r.below(300);
    x += r.below(3);
    const Truncated n = truncated(x);
    BigInt back = static_cast<std::uint64_t>(n.m);
    back <<= n.e;
    ASSERT_LE(back, x);
    ASSERT_LE(BigInt((x - back) << 52), x);
    ASSERT_LT(n.m, 0x1p53);
  }
}

}  // namespace
}  // namespace graze::moving::ccd_root_test
