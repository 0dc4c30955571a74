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
double time(const Pairing& pairs, const std::array<std::array<Fixed<Bits>, 8>, 3>& axes, const Filtered& hit) {
  using D = decltype(Fixed<Bits>{} - Fixed<Bits>{});
  std::array<D, 3> d0[3], d1[3];  // only the sign of a determinant counts: each axis may have its own scale
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
  std::array<double, 8> axes[3];
  for (int k = 0; k < 3; ++k)
    for (int i = 0; i < 4; ++i) axes[k][i] = t0[i][k], axes[k][4 + i] = t1[i][k];
  std::array<std::array<Fixed<62>, 8>, 3> narrow;
  if (narrow_integers(axes[0], narrow[0]) && narrow_integers(axes[1], narrow[1]) && narrow_integers(axes[2], narrow[2])) return time<62>(pairing(kind), narrow, hit);
  const TakenApart<8> apart[3] = {TakenApart<8>(axes[0]), TakenApart<8>(axes[1]), TakenApart<8>(axes[2])};
  if (std::max({apart[0].bits(), apart[1].bits(), apart[2].bits()}) <= 126) return time<127>(pairing(kind), {apart[0].integers(), apart[1].integers(), apart[2].integers()}, hit);
  return std::nullopt;
}

}  // namespace graze::moving
