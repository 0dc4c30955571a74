// The gaps of a line and a box along cross products of axes, for doubles and SIMD lanes.

/// The gaps along the axes e_k x d, negative where an axis does not separate, and their errors. With L, H = the box's ends less o and S = H + L, W = H - L: the
/// turn d_i y_j - d_j y_i of the box's points y about the line runs over (T -+ R) / 2, T = d_i S_j - d_j S_i, R = |d_i| W_j + |d_j| W_i, so that 0 lies outside
/// exactly for |T| > R. d, L and H have relative errors u, S and W u more of |L| + |H| = max(|S|, W). So T and R are off by at most 5 u of all products
/// together, their difference by 11 u; 16 u covers that, 2^-1070 underflow.
template <class V>
struct LineBoxGaps {
  V gap[3], error[3];
  [[gnu::always_inline]] LineBoxGaps(const V (&d)[3], const V (&low)[3], const V (&high)[3]) {
    V sum[3], width[3], size[3];
    for (int k = 0; k < 3; ++k) sum[k] = high[k] + low[k], width[k] = high[k] - low[k], size[k] = abs(d[k]);
#pragma GCC unroll 3
    for (int k = 0; k < 3; ++k) {
      const int i = k == 2 ? 0 : k + 1, j = k == 0 ? 2 : k - 1;
      const V p = d[i] * sum[j], q = d[j] * sum[i], reach = size[i] * width[j] + size[j] * width[i];
      gap[k] = abs(p - q) - reach, error[k] = ((abs(p) + abs(q)) + reach) * (16 * kUnitRoundoff) + 0x1p-1070;
    }
  }
  [[gnu::always_inline]] Mask<V> separates(int k) const { return gap[k] > error[k]; }
  [[gnu::always_inline]] Mask<V> spares(int k) const { return -gap[k] > error[k]; }
  [[gnu::always_inline]] Mask<V> any_separates() const { return separates(0) | separates(1) | separates(2); }
  [[gnu::always_inline]] Mask<V> none_separates() const { return spares(0) & spares(1) & spares(2); }
  /// Where the gaps are exact.
  [[gnu::always_inline]] Mask<V> any_positive() const { return max(max(gap[0], gap[1]), gap[2]) > 0; }
};
