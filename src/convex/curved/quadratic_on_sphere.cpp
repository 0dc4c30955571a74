// The greatest value of a quadratic on the unit sphere is the least of U(l) = l + k + g . (l - F)^-1 g over the l above all eigenvalues of F (strong duality of
// the trust region problem). Every U(l) is an upper bound. U is convex with U' = 1 - |(l - F)^-1 g|^2 <= 1, so halving an interval around the least one gives
// a lower bound as well: U(hi) - (hi - lo).
#include "convex/curved/quadratic_on_sphere.hpp"

#include <cmath>
#include <type_traits>

#include "convex/sets/minkowski_frame.hpp"
#include "exact/certain.hpp"

namespace graze {
namespace {

template <class N>
struct Rounded {
  int n;
  N f[3][3], g[3], k;

  explicit Rounded(const SphereQuadratic& q) : n(q.n), k(number(q.k)) {
    for (int i = 0; i < n; ++i) {
      g[i] = number(q.g[i]);
      for (int j = 0; j < n; ++j) f[i][j] = number(q.f[i][j]);
    }
  }
  static N number(const TwoDouble& x) {
    if constexpr (std::is_same_v<N, double>)
      return rounded(x);
    else
      return x;
  }
  /// Solves (l - F) y = g; false unless l - F is positive definite, by the pivots of L D L^T.
  bool solve(const N& l, N (&y)[3]) const {
    N lower[3][3], pivot[3];
    for (int i = 0; i < n; ++i) {
      pivot[i] = l - f[i][i];
      for (int k = 0; k < i; ++k) pivot[i] = pivot[i] - lower[i][k] * lower[i][k] * pivot[k];
      if (!(rounded(pivot[i]) > 0)) return false;
      for (int j = i + 1; j < n; ++j) {
        lower[j][i] = -f[j][i];
        for (int k = 0; k < i; ++k) lower[j][i] = lower[j][i] - lower[j][k] * lower[i][k] * pivot[k];
        lower[j][i] = lower[j][i] / pivot[i];
      }
    }
    for (int i = 0; i < n; ++i) {
      y[i] = g[i];
      for (int k = 0; k < i; ++k) y[i] = y[i] - lower[i][k] * y[k];
    }
    for (int i = n - 1; i >= 0; --i) {
      y[i] = y[i] / pivot[i];
      for (int k = i + 1; k < n; ++k) y[i] = y[i] - lower[k][i] * y[k];
    }
    return true;
  }
  N product_with_g(const N (&y)[3]) const {
    N sum(0);
    for (int i = 0; i < n; ++i) sum = sum + g[i] * y[i];
    return sum;
  }
};

/// `relative`: the rounding of the numbers and of the elimination, as a part of their sizes.
template <class N>
Certain decide(const SphereQuadratic& quadratic, const TwoDouble& margin, double relative, int steps) {
  const Rounded<N> q(quadratic);
  double size = 0;
  for (int i = 0; i < q.n; ++i) {
    size += std::fabs(rounded(q.g[i]));
    for (int j = 0; j < q.n; ++j) size += std::fabs(rounded(q.f[i][j]));
  }
  const double error = relative * (2 * size + std::fabs(rounded(q.k))), m = rounded(margin);
  // `size` bounds the eigenvalues, and the distance of the least point from the largest of them
  N hi(2 * size + m * 0x1p-3), lo = -hi, y[3];
  if (!q.solve(hi, y)) return Certain::unknown;
  N value = hi + q.k + q.product_with_g(y);
  for (int step = 0; step < steps; ++step) {
    if (rounded(value) < -0.25 * m - error) return Certain::yes;
    if (rounded(value - (hi - lo)) > error - 0.75 * m) return Certain::no;
    const N middle = N(0.5) * (lo + hi);
    if (!(rounded(middle - lo) > 0 && rounded(hi - middle) > 0)) return Certain::unknown;
    N z[3], square(0);
    const bool above = q.solve(middle, z);
    for (int i = 0; above && i < q.n; ++i) square = square + z[i] * z[i];
    if (!above || !(rounded(square) < 1)) {
      lo = middle;
      continue;
    }
    hi = middle;
    for (int i = 0; i < q.n; ++i) y[i] = z[i];
    value = hi + q.k + q.product_with_g(y);
  }
  return Certain::unknown;
}

}  // namespace

void SphereQuadratic::add_square(double factor, const TwoDouble& alpha, const TwoDouble (&beta)[3]) {
  const TwoDouble scale(factor);
  k = k + scale * (alpha * alpha);
  for (int i = 0; i < n; ++i) {
    g[i] = g[i] + scale * (alpha * beta[i]);
    for (int j = 0; j < n; ++j) f[i][j] = f[i][j] + scale * (beta[i] * beta[j]);
  }
}

bool is_at_most_zero(const SphereQuadratic& q, const TwoDouble& margin) {
  if (q.n == 0) return rounded(q.k) <= -0.5 * rounded(margin);
  // In doubles: 40 roundings of entries, elimination and sums. 53 halvings leave no double between lo and hi.
  if (const Certain quick = decide<double>(q, margin, 0x1p-46, 60); quick != Certain::unknown) return quick == Certain::yes;
  // In pairs of doubles no error is counted: it is part of the margin. An interval that cannot be halved to margin / 2 is that of a quadratic whose size
  // exceeds margin by 2^100: no margin of a contained shape is that small.
  return decide<TwoDouble>(q, margin, 0, 400) == Certain::yes;
}

}  // namespace graze
