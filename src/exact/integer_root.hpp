// Square roots of unlimited integers, rounded down.
#pragma once
#include "exact/big.hpp"

namespace graze {

/// The greatest integer whose square is at most x >= 0, by divisions of growing length (Boost's goes bit by bit, some ms for numbers that come of doubles far
/// apart).
BigInt integer_root(const BigInt& x);

}  // namespace graze
