// Tier 2 of moving vertices against moving faces and edges: the time of a contact that the filter has proven, by signs of the coplanarity at doubles in
// fixed-width integers.
#include "exact/tiered.hpp"

#include <array>
#include <cstdint>
#include <optional>

#include "sweep/ccd/ccd.hpp"
#include "sweep/ccd/ccd_formulas-inl.hpp"
#include "sweep/ccd/ccd_root.hpp"

namespace graze::moving {
namespace {

constexpr int kShift = 62;  ///< t = m / 2^62

bool representable(double t) { return t >= 0x1p-9; }  // the last bit of such a t is 2^-61 or more

template <int Bits>
double time(const Pairing& pairs, const std::array<std::array<Fixed<Bits>, 8>, 3>& axes, const Filtered& hit) {
  using D = decltype(Fixed<Bits>{} - Fixed<Bits>{});
  std::array<D, 3> d0[3], d1[3];  // only the sign of a determinant matters, so each axis may have its own scale
  for (int k = 0; k < 3; ++k) {
    const auto& x = axes[k];
    for (int i = 0; i < 3; ++i) {
      d0[i][k] = x[pairs.to[i]] - x[pairs.from[i]];
      d1[i][k] = x[4 + pairs.to[i]] - x[4 + pairs.from[i]];
    }
  }
  const auto form = formula::coplanarity(d0[0], d1[0], d0[1], d1[1], d0[2], d1[2]);
  return last_not_above(hit.guess, hit.lo, hit.hi, [&](double t) {
    const DoubleParts p = parts_of(t);
    const std::int64_t m = p.mantissa << (kShift + p.exponent);
    const int s = sign_of(formula::value(form, Fixed<64>::from(m), Fixed<64>::from((std::int64_t{1} << kShift) - m)));
    return s == 0 || s == hit.sign;
  });
}

}  // namespace

std::optional<double> fixed_time(Kind kind, Points t0, Points t1, const Filtered& hit) {
  if (!representable(hit.lo)) return std::nullopt;
  std::array<double, 8> axis[3];
  for (int k = 0; k < 3; ++k) axis[k] = {t0[0][k], t0[1][k], t0[2][k], t0[3][k], t1[0][k], t1[1][k], t1[2][k], t1[3][k]};
  std::array<std::array<Fixed<62>, 8>, 3> narrow;
  if (narrow_integers(axis[0], narrow[0]) && narrow_integers(axis[1], narrow[1]) && narrow_integers(axis[2], narrow[2]))
    return time<62>(pairing(kind), narrow, hit);
  std::array<std::array<Fixed<127>, 8>, 3> wide;
  for (int k = 0; k < 3; ++k) {
    const TakenApart<8> apart(axis[k]);
    if (apart.bits() > 126) return std::nullopt;
    wide[k] = apart.integers();
  }
  return time<127>(pairing(kind), wide, hit);
}

}  // namespace graze::moving
