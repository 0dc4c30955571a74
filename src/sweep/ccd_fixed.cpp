// Tier 2 of moving vertices against moving faces and edges: the time of a contact that the filter has proven, by signs of the coplanarity at doubles in fixed-width integers.
#include "exact/tiered.hpp"
#include "sweep/ccd.hpp"
#include "sweep/ccd_formulas-inl.hpp"
#include "sweep/ccd_root.hpp"

namespace graze::moving {
namespace {

constexpr int kShift = 62;  ///< t = m / 2^62

bool representable(double t) { return t >= 0x1p-9; }  // the last place of such a t is 2^-61 or more

template <int Bits>
double time(const Pairing& pairs, const std::array<TakenApart<8>, 3>& axes, const Filtered& hit) {
  using D = decltype(Fixed<Bits>{} - Fixed<Bits>{});
  std::array<D, 3> d0[3], d1[3];  // only the sign of a determinant counts: each axis may have its own scale
  for (int k = 0; k < 3; ++k) {
    const auto x = axes[k].template integers<Bits>();
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
  const auto axis = [&](int k) { return TakenApart<8>({t0[0][k], t0[1][k], t0[2][k], t0[3][k], t1[0][k], t1[1][k], t1[2][k], t1[3][k]}); };
  const std::array<TakenApart<8>, 3> axes{axis(0), axis(1), axis(2)};
  const int bits = std::max({axes[0].bits(), axes[1].bits(), axes[2].bits()});
  if (bits <= 61) return time<62>(pairing(kind), axes, hit);
  if (bits <= 126) return time<127>(pairing(kind), axes, hit);
  return std::nullopt;
}

}  // namespace graze::moving
