// Outward rounding of sums and distances. Sums are expansions whose error-free parts decide the direction of rounding; distances use double-double arithmetic;
// exact integers decide the remaining cases.
#include "exact/rounding.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

#include "exact/big.hpp"
#include "exact/predicates.hpp"
#include "exact/two_double.hpp"
#include "math/limits.hpp"
#include "platform/expects.hpp"
#include "platform/watch.hpp"

namespace graze {
namespace {

// An exact sum, stored as doubles that do not overlap, in ascending magnitude (J. R. Shewchuk 1997, GROW-EXPANSION); its sign is that of the last double.
struct Expansion {
  double part[24];
  int count = 0;
  void add(double b) {
    int kept = 0;
    double q = b;
    for (int i = 0; i < count; ++i) {
      const TwoDouble s = two_sum(q, part[i]);
      if (s.lo != 0) part[kept++] = s.lo;
      q = s.hi;
    }
    GRAZE_EXPECTS(q == 0 || kept < static_cast<int>(std::size(part)));
    if (q != 0) part[kept++] = q;
    count = kept;
  }
  int sign() const { return count == 0 ? 0 : part[count - 1] > 0 ? 1 : -1; }
  double estimate() const {
    double s = 0;
    for (int i = 0; i < count; ++i) s += part[i];
    return s;
  }
  /// Returns the sign of (this - x).
  int compare(double x) const {
    Expansion e = *this;
    e.add(-x);
    return e.sign();
  }
};

double sum_of_big(const double (*factor)[2], int count, Rounding rounding) {
  Dyadic sum(0.0);
  for (int i = 0; i < count; ++i) sum = sum + Dyadic(factor[i][0]) * Dyadic(factor[i][1]);
  return to_double(sum, rounding);
}

}  // namespace

double SumOfProducts::round_up() const {
  Expansion e;
  for (int i = 0; i < count_; ++i) {
    const double a = factor_[i][0], b = factor_[i][1], p = a * b;
    // two_product is exact in this window; a single number (b == 1) is always exact
    if (!(std::fabs(p) < 0x1p900) || (b != 1 && (std::fabs(p) < 0x1p-900 || std::fabs(a) > 0x1p900 || std::fabs(b) > 0x1p900)))
      return sum_of_big(factor_, count_, Rounding::up);
    if (b == 1) {
      e.add(a);
    } else {
      const TwoDouble t = two_product(a, b);
      if (t.lo != 0) e.add(t.lo);
      e.add(t.hi);
    }
  }
  if (e.count == 0) return 0;
  if (e.count == 1) return e.part[0];
  double x = e.estimate();
  while (e.compare(x) > 0) x = next_up(x);
  while (e.compare(next_down(x)) <= 0) x = next_down(x);
  return x;
}

double SumOfProducts::round_down() const {
  SumOfProducts negative = *this;
  for (int i = 0; i < count_; ++i) negative.factor_[i][0] = -factor_[i][0];
  return 0.0 - negative.round_up();
}

double add_up(double a, double b) {
  const double s = a + b;
  if (!(std::fabs(s) < kInfinity)) return s;
  const double error = std::fabs(a) >= std::fabs(b) ? quick_two_sum(a, b).lo : quick_two_sum(b, a).lo;
  return error > 0 ? next_up(s) : s;
}
double add_down(double a, double b) { return 0.0 - add_up(-a, -b); }

void add_around(Box3& box, const Vec3& center, const Vec3& half) {
  for (int k = 0; k < 3; ++k) {
    box.hi[k] = std::max(box.hi[k], add_up(center[k], half[k]));
    box.lo[k] = std::min(box.lo[k], add_down(center[k], -half[k]));
  }
}

double scaled_up(const TwoDouble& x, int e) {
  const double r = next_up((x.hi + x.lo) * (1 + 0x1p-52));
  const double s = scaled(r, e);
  return s < kInfinity && scaled(s, -e) < r ? next_up(s) : s;
}

double containing_radius(const Vec3& center, std::span<const Vec3> points) {
  const auto look = [&](const Vec3& p) {  // now and then, whether the caller wants the call to end: a choice, less than a millisecond
    if (static_cast<std::size_t>(&p - points.data()) % (1 << 16) == (1 << 16) - 1) checkpoint();
  };
  double reach = 0;
  for (const Vec3& p : points) {
    look(p);
    for (int k = 0; k < 3; ++k) reach = std::max(reach, std::fabs(p[k] - center[k]));
  }
  if (reach == 0) return 0;
  if (!(reach < kInfinity)) return kInfinity;
  // Everything is scaled by the greatest distance: the squares that matter neither overflow nor underflow. Rounded squares have an error of at most 2^-49 (5
  // u).
  const int e = exponent_of(reach);
  auto difference = [&](double a, double b) { return scaled(a - b, -e); };
  auto square = [&](const Vec3& p) {
    const double x = difference(p.x, center.x), y = difference(p.y, center.y), z = difference(p.z, center.z);
    return (x * x + y * y) + z * z;
  };
  double greatest = 0;
  for (const Vec3& p : points) {
    look(p);
    greatest = std::max(greatest, square(p));
  }
  // the few candidates for the furthest point (within the errors of two squares), in double-double arithmetic with an error of 2^-95 (differences are exact)
  auto fine_difference = [&](double a, double b) {
    const TwoDouble d = two_sum(a, -b);
    return TwoDouble(scaled(d.hi, -e), scaled(d.lo, -e));
  };
  struct Far {
    const Vec3* point;
    TwoDouble square;
  };
  std::vector<Far> far;
  TwoDouble most(0.0);
  for (const Vec3& p : points) {
    look(p);
    if (square(p) >= greatest * (1 - 0x1p-47)) {
      const TwoDouble x = fine_difference(p.x, center.x), y = fine_difference(p.y, center.y), z = fine_difference(p.z, center.z);
      const TwoDouble s = x * x + y * y + z * z;
      if (most.hi < s.hi || (most.hi == s.hi && most.lo < s.lo)) most = s;
      far.push_back({&p, s});
    }
  }
  const TwoDouble root = square_root(most);
  double r = scaled(root.hi, e);
  if (!(r < kInfinity)) return kInfinity;
  r = next_down(r);
  auto contains = [&](const Far& f) {
    const double s = scaled(r, -e);
    if (scaled(s, e) == r && s > 0x1p-100) {
      const TwoDouble gap = two_product(s, s) - f.square;
      // beyond the error of 2^-95; squares are below 16
      if (gap.hi > 0x1p-90) return true;
      if (gap.hi < -0x1p-90) return false;
    }
    return compare_squared_distance(*f.point, center, r, 0, 0) <= 0;
  };
  for (const Far& f : far)
    while (r < kInfinity && !contains(f)) r = next_up(r);
  return r;
}

}  // namespace graze
