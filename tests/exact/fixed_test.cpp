// Fixed-width integers against unlimited ones.
#include "exact/fixed.hpp"

#include <gtest/gtest.h>

#include "exact/big.hpp"
#include "support/random.hpp"

namespace graze {
namespace {

template <int Bits>
BigInt big(const Fixed<Bits>& x) {
  BigInt r = static_cast<std::int64_t>(x.limb[Fixed<Bits>::limbs - 1]);
  for (int i = Fixed<Bits>::limbs - 2; i >= 0; --i) r = (r << 64) + x.limb[i];
  return r;
}

TEST(Fixed, OperationsMatchUnlimitedIntegers) {
  test::Random random(1);
  const auto draw = [&]() -> std::int64_t {
    const int bits = random.integer(0, 62);
    const std::int64_t v = static_cast<std::int64_t>(random.bits() & ((1ull << bits) - 1));
    return random.integer(0, 1) ? v : -v;
  };
  for (int i = 0; i < 20000; ++i) {
    const std::int64_t a = draw(), b = draw(), c = draw(), d = draw();
    const auto fa = Fixed<63>::from(a), fb = Fixed<63>::from(b), fc = Fixed<63>::from(c), fd = Fixed<63>::from(d);
    const auto ab = fa * fb, cd = fc * fd;  // two limbs
    const auto sum = ab + cd, difference = ab - cd;
    const auto cube = sum * (fa - fb);     // three limbs
    const auto eight = cube * difference;  // five limbs
    const BigInt A = a, B = b, C = c, D = d;
    ASSERT_EQ(big(sum), A * B + C * D);
    ASSERT_EQ(big(difference), A * B - C * D);
    ASSERT_EQ(big(cube), (A * B + C * D) * (A - B));
    ASSERT_EQ(big(eight), (A * B + C * D) * (A - B) * (A * B - C * D));
    ASSERT_EQ(big(-eight), -((A * B + C * D) * (A - B) * (A * B - C * D)));
    ASSERT_EQ(sign_of(eight), sign_of(big(eight)));
  }
}

TEST(Fixed, WidthsGrowWithTheOperations) {
  static_assert(std::is_same_v<decltype(Fixed<63>{} * Fixed<63>{}), Fixed<126>>);
  static_assert(std::is_same_v<decltype(Fixed<63>{} + Fixed<70>{}), Fixed<71>>);
  static_assert(Fixed<64>::limbs == 1 && Fixed<65>::limbs == 2);
}

}  // namespace
}  // namespace graze
