// Square roots of unlimited integers, rounded down.
#pragma once
#include "exact/big.hpp"

namespace graze {

/// Returns the greatest integer whose square is at most x >= 0. Uses divisions of growing length; Boost's root proceeds bit by bit and takes some ms for
/// numbers made from doubles of very different exponents.
BigInt integer_root(const BigInt& x);

}  // namespace graze
