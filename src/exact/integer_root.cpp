// Integer square root by Newton's iteration on leading bits.
#include "exact/integer_root.hpp"

#include <bit>

namespace graze {

/// After each step, r is within 1 of the root of the leading bits of x, and their number doubles each step (P. Zimmermann 1999, as in Python's isqrt by M.
/// Dickinson).
BigInt integer_root(const BigInt& x) {
  if (x.sign() <= 0) return 0;
  const unsigned last = static_cast<unsigned>(bit_length(x) - 1) / 2;  // the root has last + 1 bits
  BigInt r = 1;
  unsigned known = 0;
  for (int shift = std::bit_width(last); shift-- > 0;) {
    const unsigned next = last >> shift;
    BigInt lead = x >> (2 * last - known - next + 1);
    lead /= r;
    r <<= next - known - 1;
    r += lead;
    known = next;
  }
  if (BigInt(r * r) > x) r -= 1;
  return r;
}

}  // namespace graze
