// Morton codes: bits of places along three axes in one number, taken by turns from the axis that is longest at that point; and sorting by them.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "bvh/build_kernels.hpp"
#include "platform/large_array.hpp"

namespace graze {

/// What turns centres into codes of `bits` bits. Each bit halves the longest side that cells have by then, so that long and flat scenes get cells that are
/// nearly cubes, too.
class MortonCodes {
 public:
  /// For centres (doubled, as in BuildItem) within the bounds.
  MortonCodes(const BuildBounds& centers, int bits);
  int bits() const { return bits_; }  ///< fewer than asked for where centres do not differ that much
  std::uint64_t code(const BuildItem& item) const {
    std::uint64_t code = 0;
    for (int a = 0; a < 3; ++a) {
      const float place = ((item.lo[a] - item.minus_hi[a]) - origin_[a]) * scale_[a];
      const auto q = static_cast<std::uint32_t>(static_cast<std::int32_t>(place < last_[a] ? place : last_[a]));
      code |= spread_[a][0][q & 255] | spread_[a][1][q >> 8 & 255];
      if (wide_) code |= spread_[a][2][q >> 16];
    }
    return code;
  }

 private:
  float origin_[3], scale_[3], last_[3];
  int bits_ = 0;
  bool wide_ = false;  // more than 16 bits along some axis
  std::uint64_t spread_[3][3][256];
};

/// Sorts numbers that all differ by their bits from `low` on and, where these are equal, keeps their order. O(n), on all threads.
void sort_by_bits(LargeArray<std::uint64_t>& keys, int low, int bits);

}  // namespace graze
