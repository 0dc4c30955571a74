// Exact real roots of polynomials of degree up to 3 on (0, infinity), and signs of quadratics there, over unlimited integers. Roots are found without division,
// and refined no further than is needed to separate them. The variable is x = t / (1 - t), so that (0, infinity) is 0 < t < 1; a point is written (m, n), x = m
// / n, t = m / (m + n), m and n >= 0.
#pragma once
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "exact/big.hpp"

namespace graze::moving {

/// An integer truncated to 53 bits: m * 2^e, |m| below 2^53; 0 only for 0. Relative error below 2^-52.
struct Truncated {
  double m = 0;
  int e = 0;
};
inline Truncated truncated(const BigInt& x) {
  using Limb = boost::multiprecision::limb_type;
  constexpr int width = static_cast<int>(sizeof(Limb) * 8);
  if (x.sign() == 0) return {};
  const Limb* limb = x.backend().limbs();
  const int n = static_cast<int>(x.backend().size());
  std::uint64_t top = 0;  // the highest 64 bits, or at least more than 53 of them
  int taken = 0, i = n;
  while (i > 0 && taken < 64) {
    const std::uint64_t l = limb[--i];
    const int room = taken == 0 ? std::bit_width(l) : width;
    if (taken + room <= 64) {
      top = room == 64 ? l : top << room | l;
      taken += room;
    } else {
      const int part = 64 - taken;
      return {static_cast<double>((top << part | l >> (room - part)) >> 11) * (x.sign() < 0 ? -1.0 : 1.0), i * width + (room - part) + 11};
    }
  }
  const int drop = taken > 53 ? taken - 53 : 0;
  return {static_cast<double>(top >> drop) * (x.sign() < 0 ? -1.0 : 1.0), i * width + drop};
}

/// c[0] + c[1] x + ... + c[degree] x^degree with c[degree] != 0; degree -1: zero.
template <class Int>
struct Polynomial {
  Int c[4];
  Truncated near[4];
  int degree = -1;

  Polynomial() = default;
  Polynomial(const Int* coefficients, int count) {
    for (int i = 0; i < count; ++i) {
      c[i] = coefficients[i];
      near[i] = truncated(c[i]);
      if (near[i].m != 0) degree = i;
    }
  }
  bool zero() const { return degree < 0; }
  /// Sign at (m, n) as a form of this degree: at (1, 0), infinity, the sign of the leading coefficient.
  int sign_at(const Int& m, const Int& n) const {
    if (degree <= 0) return degree < 0 ? 0 : sign_of(c[0]);
    if (sign_of(m) == 0) return sign_of(c[0]);
    if (sign_of(n) == 0) return sign_of(c[degree]);
    const Truncated truncated_m = truncated(m), truncated_n = truncated(n);
    if (const int s = truncated_sign(truncated_m, truncated_n); s != 0) return s;
    if (near[0].e + near[degree].e + degree * (truncated_m.e + truncated_n.e) > 3000)  // long numbers: try their leading bits first
      if (const int s = leading_sign(m, n); s != 0) return s;
    Int v = c[degree], power = n;
    for (int i = degree - 1; i >= 0; --i) {
      v = v * m + c[i] * power;
      if (i > 0) power = power * n;
    }
    return sign_of(v);
  }

 private:
  /// The sign where 53 bits prove it, else 0. A term c m^i n^(degree-i) is off by at most 5 truncations and 4 roundings, below 2^-49 of itself; the sum by 4
  /// roundings more and by omitted terms, which are below 2^-700 of the largest: together below 2^-47 of the sum of sizes. Factors are below 2^53 in size, or
  /// at least 1, so products stay far inside the range.
  int truncated_sign(const Truncated& m, const Truncated& n) const {
    double term[4];
    int exponent[4], highest = std::numeric_limits<int>::min();
    for (int i = 0; i <= degree; ++i) {
      term[i] = near[i].m;
      exponent[i] = near[i].e + i * m.e + (degree - i) * n.e;
      for (int k = 0; k < degree; ++k) term[i] *= k < i ? m.m : n.m;
      if (term[i] != 0) highest = std::max(highest, exponent[i]);
    }
    double sum = 0, size = 0;
    for (int i = 0; i <= degree; ++i) {
      if (exponent[i] < highest - 1000) continue;
      const double t = term[i] == 0 ? 0 : term[i] * power_of_two(exponent[i] - highest);
      sum += t;
      size += std::fabs(t);
    }
    const double bound = size * 0x1p-47;
    return sum > bound ? 1 : -sum > bound ? -1 : 0;
  }

  /// The same from the leading 240 bits of each number: a term is off by at most 4 truncations and 2 of products, each below 2^-238 of it; terms 700 bits below
  /// the largest are omitted: together below 2^-230.
  int leading_sign(const Int& m, const Int& n) const {
    constexpr int kBits = 240;
    struct Leading {
      Int m;
      int e;
    };
    const auto leading = [](const Int& x, int e) {
      const int drop = std::max(0, bit_length(x) - kBits);
      return Leading{sign_of(x) < 0 ? Int(-(Int(-x) >> drop)) : Int(x >> drop), e + drop};
    };
    const Leading lm = leading(m, 0), ln = leading(n, 0);
    Leading term[4];
    int highest = std::numeric_limits<int>::min();
    for (int i = 0; i <= degree; ++i) {
      term[i] = leading(c[i], 0);
      for (int k = 0; k < degree; ++k) {
        const Leading& f = k < i ? lm : ln;
        term[i] = leading(Int(term[i].m * f.m), term[i].e + f.e);
      }
      if (sign_of(term[i].m) != 0) highest = std::max(highest, term[i].e + bit_length(term[i].m));
    }
    const int low = highest - 700;
    Int sum = 0, size = 0;
    for (const Leading& t : term) {
      if (&t - term > degree || sign_of(t.m) == 0 || t.e + bit_length(t.m) < low) continue;
      const Int v = t.e >= low ? Int(t.m << (t.e - low)) : sign_of(t.m) < 0 ? Int(-(Int(-t.m) >> (low - t.e))) : Int(t.m >> (low - t.e));
      sum += v;
      size += sign_of(v) < 0 ? Int(-v) : v;
    }
    size >>= 230;
    if (sum > size) return 1;
    return -sum > size ? -1 : 0;
  }
};

/// x = m / n.
template <class Int>
struct Ratio {
  Int m, n;
};

/// The largest double t of [low, high) with not_above(t), which is true at low >= 0, false at high and changes once. Searches outward from the guess in growing
/// steps, then bisects.
template <class F>
double last_not_above(double guess, double low_t, double high_t, const F& not_above) {
  std::uint64_t low = std::bit_cast<std::uint64_t>(low_t), high = std::bit_cast<std::uint64_t>(high_t);
  const auto holds = [&](std::uint64_t bits) { return not_above(std::bit_cast<double>(bits)); };
  const std::uint64_t g = std::bit_cast<std::uint64_t>(guess);
  if (low < g && g < high) {
    if (holds(g)) {
      low = g;
      for (std::uint64_t step = 1; step < high - low; step <<= 2) {
        if (!holds(low + step)) {
          high = low + step;
          break;
        }
        low += step;
      }
    } else {
      high = g;
      for (std::uint64_t step = 1; step < high - low; step <<= 2) {
        if (holds(high - step)) {
          low = high - step;
          break;
        }
        high -= step;
      }
    }
  }
  while (high - low > 1) {
    const std::uint64_t mid = low + (high - low) / 2;
    (holds(mid) ? low : high) = mid;
  }
  return std::bit_cast<double>(low);
}

/// Sign of a - b for n >= 0, with m and n of one ratio not both 0.
template <class Int>
int compare(const Ratio<Int>& a, const Ratio<Int>& b) {
  return sign_of(Int(a.m * b.n - b.m * a.n));
}

/// A root: either the ratio `low` itself, or the only root of `p`, a simple one, strictly between low and high. Before isolation: `count` roots that share
/// their rounded t.
template <class Int>
struct Root {
  Ratio<Int> low, high;
  Polynomial<Int> p;  ///< degree -1: rational
  double floor = 0;   ///< the largest double t not above it
  int count = 1;

  bool rational() const { return p.zero(); }
};

inline constexpr int kUndecided = 2;

/// Sign of q, of degree up to 2, at the root. For several roots, their common sign, or kUndecided.
template <class Int>
int sign_at(const Polynomial<Int>& q, const Root<Int>& root) {
  if (q.degree <= 0) return q.zero() ? 0 : sign_of(q.c[0]);
  if (root.rational()) return q.sign_at(root.low.m, root.low.n);
  const auto positive = [](Int m, Int n) { return sign_of(n) < 0 ? Ratio<Int>{-m, -n} : Ratio<Int>{std::move(m), std::move(n)}; };
  const auto within = [](const Ratio<Int>& x, const Ratio<Int>& low, const Ratio<Int>& high) { return compare(x, low) > 0 && compare(x, high) < 0; };
  if (root.count > 1) {
    const int s_low = q.sign_at(root.low.m, root.low.n), s_high = q.sign_at(root.high.m, root.high.n);
    if (s_low != s_high || s_low == 0 || (q.degree == 2 && within(positive(-q.c[1], Int(q.c[2] + q.c[2])), root.low, root.high))) return kUndecided;
    return s_low;
  }
  const Polynomial<Int>& p = root.p;
  const int before =
      p.sign_at(root.low.m, root.low.n) != 0 ? p.sign_at(root.low.m, root.low.n) : -p.sign_at(root.high.m, root.high.n);  // the sign of p just below the root
  if (q.degree == 1) {
    const Ratio<Int> r = positive(-q.c[0], q.c[1]);
    const int leading = sign_of(q.c[1]);
    if (compare(r, root.low) <= 0) return leading;
    if (compare(r, root.high) >= 0) return -leading;
    const int s = p.sign_at(r.m, r.n);
    return s == 0 ? 0 : s == before ? leading : -leading;
  }
  // split at the critical point of q: q is monotone on either side
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
  // q has one root b in between. It lies before the root of p, on it, or after it, according to p(b), which is determined by the remainder r of p by q at b
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

/// p / (x - root) up to a positive factor. Requires an exact root.
template <class Int>
Polynomial<Int> without(const Polynomial<Int>& p, const Ratio<Int>& root) {
  if (sign_of(root.n) == 0) return p;  // at infinity: p never vanishes there
  Int q[4];
  Int power = 1;
  for (int k = p.degree - 1; k >= 0; --k) {  // sum over i > k of c_i (m/n)^(i-k-1), times n^(degree-1-k)
    q[k] = p.c[k + 1] * power + (k + 1 < p.degree ? Int(q[k + 1] * root.m) : Int(0));
    power *= root.n;
  }
  Int raise = 1;
  for (int k = 0; k < p.degree; ++k) {  // one common factor n^(degree-1)
    q[k] *= raise;
    raise *= root.n;
  }
  return Polynomial<Int>(q, p.degree);
}

/// The roots of one polynomial in (0, infinity), in ascending order without multiplicity, computed one after the other.
template <class Int>
class RootFinder {
 public:
  explicit RootFinder(Polynomial<Int> p) : p_(std::move(p)) {
    if (p_.zero()) return;
    int low = 0;
    while (sign_of(p_.c[low]) == 0) ++low;  // a root at 0 is not wanted
    if (low > 0) p_ = Polynomial<Int>(Polynomial<Int>(p_).c + low, p_.degree - low + 1);
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
  /// The next root, or several that share their rounded t; null at the end. Valid until the next call.
  const Root<Int>* next() {
    while (given_ == roots_.size() && found_ < count_)
      found_ += add_simple(found_ + 1, static_cast<int>(guess_.size()) == count_ ? guess_[found_] : guess_.empty() ? 0.5 : guess_[0]);
    return given_ < roots_.size() ? &roots_[given_++] : nullptr;
  }
  /// The single roots that a root with a count represents.
  std::vector<Root<Int>> isolated(const Root<Int>& several) const;

 private:
  void find(int changes);
  void add_rational(Int m, Int n);
  void add_between(int count) {
    count_ = count;
    if (count > 0) guess_ = guesses();
  }
  int add_simple(int j, double guess);
  int variations(const Int& m, const Int& n) const;
  Root<Int> isolate(Root<Int> several, int j) const;
  /// Number of roots in (0, m / n); `on`: whether m / n itself is a root.
  int below(const Int& m, const Int& n, bool* on = nullptr) const;
  std::vector<double> guesses() const;

  Polynomial<Int> p_;
  bool single_ = false;        ///< one change of sign: one root
  int at_zero_ = 0;            ///< variations at 0
  Polynomial<Int> sturm_[2];   ///< the sequence after p itself; the last polynomial is a constant
  int last_ = 0;               ///< its sign
  int count_ = 0, found_ = 0;  ///< of roots that are not rational by construction
  std::size_t given_ = 0;
  std::vector<double> guess_;
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

/// The j-th of all roots, together with those in the same gap between doubles; returns their number.
template <class Int>
int RootFinder<Int>::add_simple(int j, double guess) {
  Root<Int> r;
  bool on = false;
  r.floor = last_not_above(guess, 0, 1, [&](double t) {
    const Ratio<Int> x = ratio_of<Int>(t);
    return below(x.m, x.n) < j;
  });
  r.low = ratio_of<Int>(r.floor);
  const int before_low = below(r.low.m, r.low.n, &on);
  if (on && before_low == j - 1) {
    roots_.push_back(std::move(r));
    return 1;
  }
  r.high = ratio_of<Int>(next_up(r.floor));
  r.count = below(r.high.m, r.high.n) - (before_low + on);
  const bool on_high = p_.sign_at(r.high.m, r.high.n) == 0;
  const int count = r.count;
  if (!on && !on_high) {
    r.p = p_;
    roots_.push_back(std::move(r));
  } else {  // other roots lie at the ends, at any small distance: divide them out
    Polynomial<Int> rest = p_;
    if (on) rest = without(rest, r.low);
    if (on_high) rest = without(rest, r.high);
    RootFinder<Int> others(std::move(rest));
    while (const Root<Int>* other = others.next()) {
      if (other->floor != r.floor) continue;
      if (other->count == 1)
        roots_.push_back(*other);
      else
        for (Root<Int>& one : others.isolated(*other)) roots_.push_back(std::move(one));
    }
  }
  return count;
}

/// The integer square root, by Newton's steps from above.
template <class Int>
Int integer_sqrt(const Int& n) {
  if (sign_of(n) <= 0) return 0;
  Int x = Int(1) << ((bit_length(n) + 1) / 2);
  for (;;) {
    const Int next = (x + n / x) >> 1;
    if (next >= x) return x;
    x = next;
  }
}

/// Separates close roots by the critical points between them, computed to the precision that this takes.
template <class Int>
std::vector<Root<Int>> RootFinder<Int>::isolated(const Root<Int>& several) const {
  std::vector<Root<Int>> out;
  const int before = below(several.low.m, several.low.n), count = several.count;
  std::vector<Ratio<Int>> cuts;  // cuts[i] lies between roots i and i + 1 of the cluster
  int bits = 128 + std::max(0, bit_length(several.low.n) - bit_length(several.low.m));
  for (; static_cast<int>(cuts.size()) < count - 1 && bits < 1 << 17; bits *= 2) {
    cuts.clear();
    const Int a = p_.degree == 3 ? Int(p_.c[3] * 3) : Int(p_.c[2] * 2), b = p_.degree == 3 ? p_.c[2] : p_.c[1];
    const Int root = p_.degree == 3 ? integer_sqrt(Int((b * b - a * p_.c[1]) << (2 * bits))) : Int(0);
    Int at[2] = {((-b << bits) - root) / a, ((-b << bits) + root) / a};
    if (at[1] < at[0]) std::swap(at[0], at[1]);
    for (const Int& x : at) {
      Ratio<Int> cut{x, Int(1) << bits};
      bool on = false;
      if (sign_of(x) <= 0 || compare(cut, several.low) <= 0 || compare(cut, several.high) >= 0) continue;
      if (below(cut.m, cut.n, &on) - before == static_cast<int>(cuts.size()) + 1 && !on && static_cast<int>(cuts.size()) < count - 1)
        cuts.push_back(std::move(cut));
    }
  }
  for (int i = 0; i < count; ++i) {
    if (static_cast<int>(cuts.size()) == count - 1) {
      out.push_back(several);
      out.back().count = 1;
      if (i > 0) out.back().low = cuts[i - 1];
      if (i < count - 1) out.back().high = cuts[i];
    } else {
      out.push_back(isolate(several, before + i + 1));
    }
  }
  return out;
}

/// Isolates the j-th root by bisection, where nothing better was found.
template <class Int>
Root<Int> RootFinder<Int>::isolate(Root<Int> r, int j) const {
  // with m + n the same power of two at both ends, the mean of both is the midpoint in t
  const int wider = bit_length(Int(r.low.m + r.low.n)) - bit_length(Int(r.high.m + r.high.n));
  if (wider > 0) r.high = {r.high.m << wider, r.high.n << wider};
  if (wider < 0) r.low = {r.low.m << -wider, r.low.n << -wider};
  bool on = false;
  for (;;) {
    if (below(r.high.m, r.high.n) - below(r.low.m, r.low.n) == 1) break;
    Ratio<Int> mid{r.low.m + r.high.m, r.low.n + r.high.n};
    r.low = {r.low.m << 1, r.low.n << 1};
    r.high = {r.high.m << 1, r.high.n << 1};
    const int before = below(mid.m, mid.n, &on);
    if (on && before == j - 1) {
      Root<Int> exact;
      exact.low = std::move(mid);
      exact.floor = r.floor;
      return exact;
    }
    (before < j ? r.low : r.high) = std::move(mid);
  }
  r.count = 1;
  return r;
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
  for (int i = 0; i <= p_.degree; ++i) b[i] = to_double(p_.c[i], one, 200 - most, Rounding::nearest) * binomial[p_.degree][i];
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
    double t = 0.5 * (l + h);
    constexpr int kMaxSteps = 60;          // halving alone reaches 2^-60; a coarser guess only lengthens the exact search, which goes outward from it
    for (int k = 0; k < kMaxSteps; ++k) {  // Newton's steps, kept inside by bisection
      const double e0 = b[0] + t * (b[1] - b[0]), e1 = n >= 2 ? b[1] + t * (b[2] - b[1]) : e0, e2 = n >= 3 ? b[2] + t * (b[3] - b[2]) : e1;
      const double f0 = n >= 3 ? e0 + t * (e1 - e0) : e0, f1 = n >= 3 ? e1 + t * (e2 - e1) : n == 2 ? e1 : e0;
      const double v = value(t), slope = n * (f1 - f0);
      ((v < 0) == (vl < 0) ? l : h) = t;
      double next = slope != 0 ? t - v / slope : -1;
      if (!(next > l && next < h)) next = 0.5 * (l + h);
      const double moved = std::fabs(next - t);
      t = next;
      if (moved <= 0x1p-52 * t) break;
    }
    out.push_back(t);
  }
  return out;
}

}  // namespace graze::moving
