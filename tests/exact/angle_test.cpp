// Sine and cosine against 2,000 bits of binary floating point; the angle of a sine and cosine.
#include "exact/angle.hpp"

#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_bin_float.hpp>

#include "exact/double_parts.hpp"
#include "support/random.hpp"

namespace graze {
namespace {

namespace bmp = boost::multiprecision;
using Long = bmp::number<bmp::cpp_bin_float<1400, bmp::digit_base_2>, bmp::et_off>;

void check(double a, double b) {
  static const Long turn = 8 * bmp::atan(Long(1));
  Long x = Long(a) * Long(b);
  x -= turn * bmp::floor(x / turn);
  using Short = bmp::number<bmp::cpp_bin_float<200, bmp::digit_base_2>, bmp::et_off>;
  const Short y(x);
  const SineCosine r = sine_cosine(a, b);
  EXPECT_LE(bmp::abs(Short(r.sine) - bmp::sin(y)), kSineCosineError) << a << " * " << b;
  EXPECT_LE(bmp::abs(Short(r.cosine) - bmp::cos(y)), kSineCosineError) << a << " * " << b;
}

TEST(Angle, SineAndCosineWithinTheBound) {
  test::Random r(7);
  for (int i = 0; i < 3000; ++i) check((r.unit() - 0.5) * 20, r.unit());
  for (int i = 0; i < 1500; ++i) check(scaled(r.unit() + 0.5, r.below(1023)) * (r.below(2) ? 1 : -1), r.below(2) ? 1 : r.unit());
  for (int i = 0; i < 500; ++i) check(scaled(r.unit() + 0.5, r.below(60)), 1 - r.unit() * 0x1p-40);
  for (int i = -40; i <= 40; ++i)  // next to quarter turns
    for (double d : {-1e-15, 0.0, 1e-15}) check(i * 0x1.921fb54442d18p+0 + d, 1);
  for (double x : {0.5, next_down(0.5), 0.78, 0.7854, 0x1p-1074, 0x1p-30, 6381956970095103.0 * 0x1p797 /* nearest to a multiple of pi/2 */,
                   std::numeric_limits<double>::max()}) {
    check(x, 1);
    check(-x, 1);
    check(x, 1 - 0x1p-53);
  }
  EXPECT_EQ(sine_cosine(0, 1).cosine, 1);
  EXPECT_EQ(sine_cosine(3, 0).sine, 0);
}

TEST(Angle, InverseOfSineAndCosine) {
  test::Random r(7);
  for (int i = 0; i <= 2000; ++i) {
    const double a = i == 2000 ? 0x1.921fb54442d18p+1 : i * (0x1.921fb54442d18p+1 / 2000) * (i % 3 ? 1 : r.unit());
    const SineCosine sc = sine_cosine(a, 1);
    const double size = scaled(1, r.below(400) - 200);
    EXPECT_NEAR(angle_of(std::fabs(sc.sine) * size, sc.cosine * size), a, 0x1p-49);
  }
  EXPECT_EQ(angle_of(0, 5), 0);
}

}  // namespace
}  // namespace graze
