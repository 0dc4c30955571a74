// Exact real roots of polynomials of degree up to 3 on (0, infinity), and signs of quadratics there, over unlimited integers: without division, and without refinement below what tells roots apart.
// The variable is x = t / (1 - t), so that (0, infinity) is 0 < t < 1; a point is written (m, n), x = m / n, t = m / (m + n), m and n >= 0.
#pragma once
#include <algorithm>
#include <vector>

#include "exact/big.hpp"

namespace graze::moving {

/// c[0] + c[1] x + ... + c[degree] x^degree with c[degree] != 0; degree -1: zero.
template <class Int>
struct Polynomial {
  Int c[4];
  int degree = -1;

  Polynomial() = default;
  Polynomial(const Int* coefficients, int count) {
    for (int i = 0; i < count; ++i) {
      c[i] = coefficients[i];
      if (sign_of(c[i]) != 0) degree = i;
    }
  }
  bool zero() const { return degree < 0; }
  /// Sign at (m, n) as the degree says: at (1, 0), infinity, that of the leading coefficient.
  int sign_at(const Int& m, const Int& n) const {
    if (degree <= 0) return degree < 0 ? 0 : sign_of(c[0]);
    if (sign_of(m) == 0) return sign_of(c[0]);
    if (sign_of(n) == 0) return sign_of(c[degree]);
    Int v = c[degree], power = n;
    for (int i = degree - 1; i >= 0; --i) {
      v = v * m + c[i] * power;
      if (i > 0) power = power * n;
    }
    return sign_of(v);
  }
};

/// x = m / n.
template <class Int>
struct Ratio {
  Int m, n;
};

/// Sign of a - b for n >= 0, not both 0 in one ratio.
template <class Int>
int compare(const Ratio<Int>& a, const Ratio<Int>& b) {
  return sign_of(Int(a.m * b.n - b.m * a.n));
}

/// A root: either the ratio `low` itself, or the only root of `p`, a simple one, strictly between low and high.
template <class Int>
struct Root {
  Ratio<Int> low, high;
  Polynomial<Int> p;  ///< degree -1: rational
  double floor = 0;   ///< the largest double t not above it

  bool rational() const { return p.zero(); }
};

/// Sign of q, of degree up to 2, at the root.
template <class Int>
int sign_at(const Polynomial<Int>& q, const Root<Int>& root) {
  if (q.degree <= 0) return q.zero() ? 0 : sign_of(q.c[0]);
  if (root.rational()) return q.sign_at(root.low.m, root.low.n);
  const Polynomial<Int>& p = root.p;
  const int before = p.sign_at(root.low.m, root.low.n) != 0 ? p.sign_at(root.low.m, root.low.n) : -p.sign_at(root.high.m, root.high.n);  // the sign of p just below the root
  const auto positive = [](Int m, Int n) { return sign_of(n) < 0 ? Ratio<Int>{-m, -n} : Ratio<Int>{std::move(m), std::move(n)}; };
  const auto within = [](const Ratio<Int>& x, const Ratio<Int>& low, const Ratio<Int>& high) { return compare(x, low) > 0 && compare(x, high) < 0; };
  if (q.degree == 1) {
    const Ratio<Int> r = positive(-q.c[0], q.c[1]);
    const int leading = sign_of(q.c[1]);
    if (compare(r, root.low) <= 0) return leading;
    if (compare(r, root.high) >= 0) return -leading;
    const int s = p.sign_at(r.m, r.n);
    return s == 0 ? 0 : s == before ? leading : -leading;
  }
  // cut at the critical point of q: it is monotone on either side
  Ratio<Int> low = root.low, high = root.high;
  const Ratio<Int> critical = positive(-q.c[1], Int(q.c[2] + q.c[2]));
  int s_low = q.sign_at(low.m, low.n), s_high = q.sign_at(high.m, high.n);
  if (within(critical, low, high)) {
    const int s = p.sign_at(critical.m, critical.n), value = q.sign_at(critical.m, critical.n);
    if (s == 0) return value;
    (s == before ? low : high) = critical;
    (s == before ? s_low : s_high) = value;
  }
  if (s_low * s_high >= 0) return s_low != 0 ? s_low : s_high;
  // one root b of q between: it lies before the root of p, on it, or behind, as p(b) says, which is the remainder r of p by q at b
  const Int &q0 = q.c[0], &q1 = q.c[1], &q2 = q.c[2];
  const Int zero = 0;
  const Int &p3 = p.degree >= 3 ? p.c[3] : zero, &p2 = p.degree >= 2 ? p.c[2] : zero;
  const Int qq = q2 * q2;
  const Int r1 = p3 * (q1 * q1 - q0 * q2) - p2 * q2 * q1 + qq * p.c[1];
  const Int r0 = p3 * q1 * q0 - p2 * q2 * q0 + qq * p.c[0];
  int at_b;
  if (sign_of(r1) == 0) {
    at_b = sign_of(r0);
  } else {
    const Ratio<Int> r = positive(-r0, r1);
    int side;  // of b - r
    if (compare(r, low) <= 0) {
      side = 1;
    } else if (compare(r, high) >= 0) {
      side = -1;
    } else {
      const int s = q.sign_at(r.m, r.n);
      side = s == 0 ? 0 : s == s_low ? 1 : -1;
    }
    at_b = sign_of(r1) * side;
  }
  return at_b == 0 ? 0 : at_b == before ? s_high : s_low;
}

/// The roots of one polynomial in (0, infinity), ascending, each once.
template <class Int>
class RootFinder {
 public:
  explicit RootFinder(Polynomial<Int> p) : p_(std::move(p)) {
    if (p_.zero()) return;
    int low = 0;
    while (sign_of(p_.c[low]) == 0) ++low;  // a root at 0 is not looked for
    for (int i = 0; low > 0 && i + low <= p_.degree; ++i) p_.c[i] = p_.c[i + low];
    p_.degree -= low;
    int changes = 0, last = 0;
    for (int i = 0; i <= p_.degree; ++i) {
      const int s = sign_of(p_.c[i]);
      if (s != 0) {
        changes += last != 0 && s != last;
        last = s;
      }
    }
    if (changes == 0) return;
    find(changes);
  }
  const std::vector<Root<Int>>& roots() const { return roots_; }

 private:
  void find(int changes);
  void add_rational(Int m, Int n);
  void add_between(int count);
  void add_simple(int j, double guess);
  int variations(const Int& m, const Int& n) const;
  /// Roots in (0, t), t = m / 2^shift.
  int below(const Int& m, const Int& n, bool* on = nullptr) const;
  std::vector<double> guesses() const;

  Polynomial<Int> p_;
  bool single_ = false;                 ///< one change of sign: one root
  int at_zero_ = 0;                     ///< variations at 0
  Polynomial<Int> sturm_[2];            ///< after p itself; the last one is a constant
  int last_ = 0;                        ///< its sign
  std::vector<Root<Int>> roots_;
};

template <class Int>
void RootFinder<Int>::add_rational(Int m, Int n) {
  if (sign_of(n) < 0) {
    m = -m;
    n = -n;
  }
  if (sign_of(m) <= 0 || sign_of(n) <= 0) return;
  Root<Int> r;
  r.floor = to_double(m, Int(m + n), 0, Rounding::down);
  r.low = {std::move(m), std::move(n)};
  auto at = std::find_if(roots_.begin(), roots_.end(), [&](const Root<Int>& other) { return compare(r.low, other.low) < 0; });
  roots_.insert(at, std::move(r));
}

template <class Int>
void RootFinder<Int>::find(int changes) {
  const Int* c = p_.c;
  if (p_.degree == 1) return add_rational(-c[0], c[1]);
  single_ = changes == 1;  // Descartes
  if (single_) return add_between(1);
  if (p_.degree == 2) {
    const Int discriminant = c[1] * c[1] - ((c[2] * c[0]) << 2);
    if (sign_of(discriminant) < 0) return;
    if (sign_of(discriminant) == 0) return add_rational(-c[1], Int(c[2] + c[2]));
    const Int slope[2] = {c[1], Int(c[2] + c[2])};
    sturm_[0] = Polynomial<Int>(slope, 2);
    last_ = sign_of(c[2]);
  } else {
    const Int &a = c[3], &b = c[2], &l = c[1], &d = c[0];
    const Int h = b * b - a * l * 3, g = b * l - a * d * 9;  // remainder of p by p': -(2 h x + g) / (9 a)
    const Int discriminant = b * b * l * l - ((a * l * l * l) << 2) - ((b * b * b * d) << 2) - a * a * d * d * 27 + a * b * l * d * 18;
    if (sign_of(discriminant) == 0) {
      if (sign_of(h) == 0) return add_rational(-b, Int(a * 3));  // triple
      add_rational(-g, Int(h << 1));                             // double, and the sum of all three is -b/a
      return add_rational(Int(a * g - b * h), Int(a * h));
    }
    const Int slope[3] = {l, Int(b << 1), Int(a * 3)};
    sturm_[0] = Polynomial<Int>(slope, 3);
    const bool flip = sign_of(a) < 0;
    const Int rest[2] = {flip ? Int(-g) : g, flip ? Int(-(h << 1)) : Int(h << 1)};
    sturm_[1] = Polynomial<Int>(rest, 2);
    last_ = sturm_[1].degree < 1 ? 0 : sign_of(a) * sign_of(discriminant);
  }
  at_zero_ = variations(Int(0), Int(1));
  add_between(at_zero_ - variations(Int(1), Int(0)));
}

template <class Int>
int RootFinder<Int>::variations(const Int& m, const Int& n) const {
  int changes = 0, last = p_.sign_at(m, n);
  for (int s : {sturm_[0].sign_at(m, n), sturm_[1].sign_at(m, n), last_}) {
    if (s == 0) continue;
    changes += last != 0 && s != last;
    last = s;
  }
  return changes;
}

template <class Int>
int RootFinder<Int>::below(const Int& m, const Int& n, bool* on) const {
  if (single_) {
    const int s = p_.sign_at(m, n);
    if (on) *on = s == 0;
    return s != 0 && s != sign_of(p_.c[0]);
  }
  const bool at = p_.sign_at(m, n) == 0;
  if (on) *on = at;
  return at_zero_ - variations(m, n) - at;
}

/// m and n = 2^shift - m of a double t = m / 2^shift in [0, 1].
template <class Int>
Ratio<Int> ratio_of(double t) {
  const DoubleParts p = parts_of(t);
  Int m = p.mantissa, n = 1;
  if (p.exponent < 0) n <<= -p.exponent;
  n -= m;
  return {std::move(m), std::move(n)};
}

template <class Int>
void RootFinder<Int>::add_between(int count) {
  const std::vector<double> near = count > 0 ? guesses() : std::vector<double>{};
  for (int j = 1; j <= count; ++j) add_simple(j, static_cast<int>(near.size()) == count ? near[j - 1] : near.empty() ? 0.5 : near[0]);
}

/// The j-th of all roots.
template <class Int>
void RootFinder<Int>::add_simple(int j, double guess) {
  Root<Int> r;
  bool on = false;
  const auto not_above = [&](std::uint64_t bits, bool* hit) {
    const Ratio<Int> x = ratio_of<Int>(std::bit_cast<double>(bits));
    return below(x.m, x.n, hit) < j;
  };
  // the largest double that is not above the root: from the guess outward in growing steps, then by halving
  constexpr std::uint64_t one = 0x3FF0000000000000ull;
  std::uint64_t low = 0, high = one, g = std::bit_cast<std::uint64_t>(std::clamp(guess, 0x1p-1074, 1 - 0x1p-53));
  if (not_above(g, nullptr)) {
    low = g;
    for (std::uint64_t step = 1; low + step < one; step <<= 2) {
      if (!not_above(low + step, nullptr)) {
        high = low + step;
        break;
      }
      low += step;
    }
  } else {
    high = g;
    for (std::uint64_t step = 1; step < high; step <<= 2) {
      if (not_above(high - step, nullptr)) {
        low = high - step;
        break;
      }
      high -= step;
    }
  }
  while (high - low > 1) {
    const std::uint64_t mid = low + (high - low) / 2;
    (not_above(mid, nullptr) ? low : high) = mid;
  }
  r.floor = std::bit_cast<double>(low);
  r.low = ratio_of<Int>(r.floor);
  const int before_low = below(r.low.m, r.low.n, &on);
  if (on && before_low == j - 1) {
    roots_.push_back(std::move(r));
    return;
  }
  r.high = ratio_of<Int>(std::bit_cast<double>(high));
  // Roots within one gap of doubles: halve, with m + n the same power of two at both ends, until one is alone.
  const int wider = bit_length(Int(r.low.m + r.low.n)) - bit_length(Int(r.high.m + r.high.n));
  (wider > 0 ? r.high : r.low) = wider > 0 ? Ratio<Int>{r.high.m << wider, r.high.n << wider} : Ratio<Int>{r.low.m << -wider, r.low.n << -wider};
  while (p_.sign_at(r.low.m, r.low.n) == 0 || below(r.high.m, r.high.n) - below(r.low.m, r.low.n) > 1) {
    Ratio<Int> mid{r.low.m + r.high.m, r.low.n + r.high.n};
    r.low = {r.low.m << 1, r.low.n << 1};
    r.high = {r.high.m << 1, r.high.n << 1};
    const int before = below(mid.m, mid.n, &on);
    if (on && before == j - 1) {
      r.low = std::move(mid);
      roots_.push_back(std::move(r));
      return;
    }
    (before < j ? r.low : r.high) = std::move(mid);
  }
  r.p = p_;
  roots_.push_back(std::move(r));
}

/// Roots in doubles, as proposals only.
template <class Int>
std::vector<double> RootFinder<Int>::guesses() const {
  // Bernstein-like coefficients in (t, 1 - t), scaled by the largest
  int most = 0;
  for (int i = 0; i <= p_.degree; ++i) most = std::max(most, bit_length(p_.c[i]));
  double b[4] = {0, 0, 0, 0};
  constexpr double binomial[4][4] = {{1, 0, 0, 0}, {1, 1, 0, 0}, {1, 0.5, 1, 0}, {1, 1.0 / 3, 1.0 / 3, 1}};
  const Int one = 1;
  for (int i = 0; i <= p_.degree; ++i) b[i] = to_double(p_.c[i], one, 600 - most, Rounding::nearest) * binomial[p_.degree][i];
  const int n = p_.degree;
  const auto value = [&](double t) {
    double v[4];
    std::copy(b, b + n + 1, v);
    for (int k = n; k > 0; --k)
      for (int i = 0; i < k; ++i) v[i] += t * (v[i + 1] - v[i]);
    return v[0];
  };
  std::vector<double> cuts{0, 1}, out;
  // critical points of the form: those of its derivative, of degree n - 1 <= 2
  double d[3] = {b[1] - b[0], n >= 2 ? b[2] - b[1] : 0, n >= 3 ? b[3] - b[2] : 0};
  if (n == 2 && d[0] != d[1]) cuts.push_back(d[0] / (d[0] - d[1]));
  if (n == 3) {
    const double a = d[0] - 2 * d[1] + d[2], h = d[1] - d[0], e = d[0];  // a t^2 + 2 h t + e
    const double disc = h * h - a * e;
    if (disc >= 0) {
      const double w = -(h + (h < 0 ? -1 : 1) * std::sqrt(disc));
      if (a != 0) cuts.push_back(w / a);
      if (w != 0) cuts.push_back(e / w);
    }
  }
  std::erase_if(cuts, [](double t) { return !(t >= 0 && t <= 1); });
  std::sort(cuts.begin(), cuts.end());
  for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
    double l = cuts[i], h = cuts[i + 1];
    const double vl = value(l), vh = value(h);
    if (!((vl < 0) != (vh < 0))) continue;
    double t = 0.5 * (l + h), before = -1;
    for (int k = 0; k < 80 && t != before; ++k) {  // secant steps kept within by halving
      const double v = value(t);
      ((v < 0) == (vl < 0) ? l : h) = t;
      const double step = 0x1p-26 * t + 0x1p-300;
      const double slope = (value(t + step) - v) / step;
      before = t;
      t = slope != 0 ? t - v / slope : l;
      if (!(t > l && t < h)) t = 0.5 * (l + h);
    }
    out.push_back(t);
  }
  return out;
}

}  // namespace graze::moving
