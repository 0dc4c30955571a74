// A line against the three slabs of a box in any position, in doubles with one error bound: most rays are decided here, up to their time.
#pragma once
#include <algorithm>
#include <cmath>

#include "convex/time/raycast.hpp"
#include "exact/certain.hpp"
#include "exact/fine.hpp"
#include "pairs/detail/certain.hpp"

namespace graze {

namespace filter {
#include "pairs/line_box-inl.hpp"
}

/// A line against { base + sum s_k a_k : lo_k <= s_k <= hi_k }: with N_k = a_i x a_j and D = a_k . N_k > 0 (N_k reversed where needed), three slabs
/// lo_k D <= N_k . x <= hi_k D. Relative to the line's origin, with v from the base to it, they reach from `low` to `high`, and t d is at t `rate` in them.
///
/// Let S, V, E bound the components of all a_k, of v and of the direction d, and R = max(|lo_k|, |hi_k|) S + V. N_k errs by 4 u S^2 (a difference of two
/// products), v and d by u of themselves; N_k . d of up to 6 S^2 E by 12 u S^2 E from N_k, 6 from d, and 18 from products and sums: 36 u S^2 E. In the same way
/// D errs by 36 u S^3, N_k . v by 36 u S^2 V, and low and high by 48 u S^2 R of up to 6 S^2 R. The gaps of LineBoxGaps add four products of a rate and a sum or
/// difference of two ends: each errs by (36 * 12 + 108 * 6 + 72) u, the four with their sums by less than 5200 u of S^4 R E.
constexpr double kSlabSlack = 8192 * kUnitRoundoff;

class BoxSlabs {
 public:
  /// Requires moderate numbers, so that nothing here underflows or overflows.
  BoxSlabs(const RayQuery& ray, const ConvexSet& box) {
    using namespace filter;
    const Triple a[3] = {vector(box.segment[0]), vector(box.segment[1]), vector(box.segment[2])},
                 n[3] = {cross(a[1], a[2]), cross(a[2], a[0]), cross(a[0], a[1])};
    const Triple v = difference(ray.origin, box.base(0)), d = ray.to_point ? difference(ray.direction, ray.origin) : vector(ray.direction);
    const double det = dot(a[0], n[0]), sign = std::copysign(1.0, det), volume = std::fabs(det);
    double ends = 0;
    for (int k = 0; k < 3; ++k) {
      const double at = sign * dot(n[k], v);
      low_[k] = box.lo[k] * volume - at;
      high_[k] = box.hi[k] * volume - at;
      rate_[k] = sign * dot(n[k], d);
      ends = std::max(ends, std::max(std::fabs(box.lo[k]), std::fabs(box.hi[k])));
    }
    const double s = std::max(std::max(max_norm(a[0]), max_norm(a[1])), max_norm(a[2])), unit = kSlabSlack * (s * s), reach = ends * s + max_norm(v);
    of_ends_ = unit * reach;
    of_rates_ = unit * max_norm(d);
    of_products_ = of_rates_ * (s * s) * reach;
    usable_ = volume > unit * s;
    flipped_ = det < 0;
  }

  /// Whether the line, or for `whole` false the ray, certainly meets the box or certainly does not by t_max.
  Certain meet(bool whole, double t_max) {
    if (!usable_) return Certain::unknown;
    bool away = false, inside = true;
    for (int k = 0; k < 3; ++k) {
      away |= (rate_[k] > of_rates_ && high_[k] < -of_ends_) || (rate_[k] < -of_rates_ && low_[k] > of_ends_);
      inside &= low_[k] < -of_ends_ && high_[k] > of_ends_;
    }
    if (inside && !whole) {
      starts_inside_ = true;
      return certain(t_max >= 0);
    }
    const filter::LineBoxGaps<double> gaps(rate_, low_, high_);
    const double widest = std::max(std::max(gaps.gap[0], gaps.gap[1]), gaps.gap[2]);
    if (widest > of_products_ || (away && !whole)) return Certain::no;
    if (!(widest < -of_products_)) return Certain::unknown;
    int last = 0;
    for (int k = 1; k < 3; ++k)
      if (later(k, last) > 0) last = k;
    if (!moves(last) || (!whole && !(enter(last) > of_ends_))) return Certain::unknown;
    for (int k = 0; k < 3; ++k) {
      const bool before_start = !whole && low_[k] < -of_ends_ && high_[k] > of_ends_;  // also where the line does not move across the slab
      if (k != last && !before_start && !(moves(k) && later(last, k) > of_products_)) return Certain::unknown;
    }
    last_ = last;
    if (t_max == kInfinity) return Certain::yes;
    const double late = enter(last) - t_max * std::fabs(rate_[last]), slack = of_ends_ + std::fabs(t_max) * of_rates_;
    return late > slack ? Certain::no : late < -slack ? Certain::yes : Certain::unknown;
  }

  // After meet() returned yes.
  bool starts_inside() const { return starts_inside_; }
  int last() const { return last_; }                         ///< the slab that the line enters last
  bool from_below() const { return rate_[last_] > 0; }       ///< it enters at the slab's lower end
  bool outward() const { return from_below() != flipped_; }  ///< -N_k as computed from a_i x a_j points outwards there

 private:
  bool moves(int k) const { return std::fabs(rate_[k]) > of_rates_; }
  double enter(int k) const { return rate_[k] > 0 ? low_[k] : -high_[k]; }
  double later(int k, int than) const { return enter(k) * std::fabs(rate_[than]) - enter(than) * std::fabs(rate_[k]); }

  double low_[3], high_[3], rate_[3], of_ends_, of_rates_, of_products_;
  int last_ = 0;
  bool usable_, flipped_, starts_inside_ = false;
};

/// The time N . (c a_k - v) / (N . d) at which the line enters the end c of slab k, N = a_i x a_j, rounded down, and N. With S, X, E the largest components of
/// a_i and a_j, of x = c a_k - v, of d: N errs by 3 u^2 of itself (exact products), so does x; N . x by (3 + 3 + 5) u^2 of three products of up to 2 S^2 X and,
/// in its sums, 30 u^2 S^2 X: below 2^-99 S^2 X, and N . d below 2^-99 S^2 E. False where the rounding is uncertain.
constexpr double kEntrySlack = 0x1p-97;
inline bool slab_entry(const RayQuery& ray, const ConvexSet& box, int k, double end, double& t, V3<TwoDouble>& n) {
  const auto two = [](const Vec3& p) { return V3<TwoDouble>{p.x, p.y, p.z}; };
  const auto most = [](const V3<TwoDouble>& p) { return std::max(std::max(std::fabs(p.x.hi), std::fabs(p.y.hi)), std::fabs(p.z.hi)); };
  const Vec3 &a = box.segment[(k + 1) % 3], &b = box.segment[(k + 2) % 3];
  n = cross(two(a), two(b));
  for (int i = 0, j = 1; i < 3; ++i, j = (j + 1) % 3)
    if (n[i].hi == 0) n[i] = a[j] * b[3 - i - j] - a[3 - i - j] * b[j];  // a zero keeps the sign that subtracting the products gives it
  const V3<TwoDouble> x = TwoDouble(end) * two(box.segment[k]) - exact_difference(ray.origin, box.base(0));
  const V3<TwoDouble> d = ray.to_point ? exact_difference(ray.direction, ray.origin) : two(ray.direction);
  const TwoDouble above = dot(n, x), rate = dot(n, d);
  const double area = kEntrySlack * (most(two(a)) * most(two(b))), error = area * most(x), of_rate = area * most(d);
  const double size = std::fabs(above.hi), speed = std::fabs(rate.hi);
  if (!(size > error * 0x1p20 && speed > of_rate * 0x1p20)) return false;
  const TwoDouble q = above / rate;
  // |T / q - 1| <= (1 + r1) / (1 - r2) (1 + 2^-102) - 1
  if (round_down(Fine(q, std::fabs(q.hi) * ((error / size + of_rate / speed) * (1 + 0x1p-15) + 0x1p-100)), t)) return true;
  // Often a double itself, as on grids: Fine remains exact there.
  const auto fine = [](const V3<TwoDouble>& p) { return V3<Fine>{{p.x, 0}, {p.y, 0}, {p.z, 0}}; };
  const V3<Fine> m = cross(fine(two(a)), fine(two(b))), from = Fine(end) * fine(two(box.segment[k])) - fine(exact_difference(ray.origin, box.base(0)));
  return round_down_quotient(dot(m, from), dot(m, fine(d)), t);
}

}  // namespace graze
