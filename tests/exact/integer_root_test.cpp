// The integer square root against its definition.
#include "exact/integer_root.hpp"

#include <gtest/gtest.h>

#include "support/random.hpp"

namespace graze {
namespace {

TEST(IntegerRoot, IsTheFloorOfTheSquareRoot) {
  test::Random r(77);
  for (int i = 0; i < 300; ++i) {  // small ones one by one
    int root = 0;
    while ((root + 1) * (root + 1) <= i) ++root;
    ASSERT_EQ(integer_root(i), root) << i;
  }
  for (int i = 0; i < 4000; ++i) {
    BigInt x = 0;
    const int words = r.integer(1, i % 10 == 0 ? 200 : 12);
    for (int k = 0; k < words; ++k) x = (x << r.integer(1, 64)) + BigInt(r.bits() >> r.integer(0, 63));
    if (i % 3 == 1) x = x * x;  // squares, and one off
    if (i % 3 == 2) x = x * x - (i % 2 ? 1 : -1);
    if (x.sign() < 0) x = 0;
    const BigInt root = integer_root(x), up = root + 1;
    ASSERT_LE(root * root, x) << i;
    ASSERT_GT(up * up, x) << i;
  }
  // the intended length takes less than a millisecond
  const BigInt far = (BigInt(1) << 16000) + (BigInt(0x1234567) << 7000) + 99;
  const BigInt root = integer_root(far);
  EXPECT_LE(root * root, far);
}

}  // namespace
}  // namespace graze
