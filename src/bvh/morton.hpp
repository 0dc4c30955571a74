// Morton codes, and sorting by them. A code interleaves the bits of the coordinates along three axes, each bit taken from the axis whose cells are longest at
// that point.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "bvh/build_kernels.hpp"
#include "platform/large_array.hpp"

namespace graze {

/// Turns centres into codes of up to `bits` bits. Each bit halves the longest side of the cells, so that long or flat scenes also get nearly cubic cells.
class MortonCodes {
 public:
  /// For centres (doubled, as in BuildItem) within the bounds.
  MortonCodes(const BuildBounds& centers, int bits);
  int bits() const { return bits_; }  ///< less than requested if the centres do not differ enough
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

/// Sorts by the `bits` bits from `low` on; keys equal in these keep their order. Requires that no higher bits are set. O(n), on all threads.
void sort_by_bits(LargeArray<std::uint64_t>& keys, int low, int bits);

}  // namespace graze
