// Morton codes from tables of spread bits, and a radix sort whose chunks depend only on the number of keys.
#include "bvh/morton.hpp"

#include <algorithm>
#include <utility>

#include "platform/expects.hpp"
#include "platform/parallel.hpp"

namespace graze {

MortonCodes::MortonCodes(const BuildBounds& centers, int bits) {
  constexpr int kMostAlong = 20;  // floats cannot distinguish more cells
  float side[3];
  int along[3] = {0, 0, 0};
  std::uint8_t axis_of[3 * kMostAlong];  // axis of each bit, the highest bit first
  for (int a = 0; a < 3; ++a) {
    origin_[a] = centers.lo(a);
    side[a] = centers.hi(a) - centers.lo(a);
    if (!(side[a] > 0x1p-100f)) side[a] = 0;
  }
  while (bits_ < bits) {
    int axis = -1;
    for (int a = 0; a < 3; ++a) {
      if (side[a] > 0 && along[a] < kMostAlong && (axis < 0 || side[a] > side[axis])) axis = a;
    }
    if (axis < 0) break;
    side[axis] *= 0.5f;
    ++along[axis];
    axis_of[bits_++] = static_cast<std::uint8_t>(axis);
  }
  for (int a = 0; a < 3; ++a) {
    const auto cells = static_cast<float>(1 << along[a]);
    const float extent = centers.hi(a) - centers.lo(a);
    scale_[a] = along[a] > 0 ? cells / extent : 0;
    last_[a] = cells - 1;
    wide_ |= along[a] > 16;
    std::uint64_t bit[24] = {};  // code bit for each bit of the coordinate, the lowest first
    int k = 0;
    for (int i = bits_; i-- > 0;) {
      if (axis_of[i] == a) bit[k++] = std::uint64_t{1} << (bits_ - 1 - i);
    }
    for (int part = 0; part < 3; ++part) {
      spread_[a][part][0] = 0;
      const int have = std::clamp(along[a] - 8 * part, 0, 8);
      if (have == 0 && part < 2) std::fill_n(spread_[a][part], 256, 0);
      for (int j = 0; j < have; ++j) {
        for (int v = 0; v < 1 << j; ++v) spread_[a][part][(1 << j) + v] = spread_[a][part][v] | bit[8 * part + j];
      }
    }
  }
}

void sort_by_bits(LargeArray<std::uint64_t>& keys, int low, int bits) {
  const std::size_t n = keys.size();
  GRAZE_EXPECTS(low + bits >= 64 || std::all_of(keys.begin(), keys.end(), [&](std::uint64_t k) { return k >> (low + bits) == 0; }));
  if (n < 2 || bits == 0) return;
  if (n < 1024) {
    std::stable_sort(keys.begin(), keys.end(), [low](std::uint64_t a, std::uint64_t b) { return a >> low < b >> low; });
    return;
  }
  const std::size_t chunk = std::max<std::size_t>(1 << 14, n / 64);
  const std::size_t chunks = (n - 1) / chunk + 1;
  const int passes = (bits + 9) / 10, width = (bits + passes - 1) / passes;
  const std::size_t digits = std::size_t{1} << width;
  LargeArray<std::uint64_t> other(n);
  std::vector<std::uint32_t> place(chunks * digits);  // per chunk and digit: first the count, then the target position
  std::vector<std::uint32_t> next(digits);
  for (int pass = 0; pass < passes; ++pass) {
    const int shift = low + pass * width;
    const std::uint64_t mask = digits - 1;
    parallel_for(n, chunk, [&](std::size_t b, std::size_t e) {
      std::uint32_t* const count = place.data() + b / chunk * digits;
      std::fill_n(count, digits, 0);
      for (std::size_t i = b; i < e; ++i) ++count[keys[i] >> shift & mask];
    });
    std::fill(next.begin(), next.end(), 0);
    for (std::size_t c = 0; c < chunks; ++c) {
      for (std::size_t d = 0; d < digits; ++d) next[d] += place[c * digits + d];
    }
    std::uint32_t at = 0;
    for (std::uint32_t& d : next) at += std::exchange(d, at);
    for (std::size_t c = 0; c < chunks; ++c) {
      for (std::size_t d = 0; d < digits; ++d) next[d] += std::exchange(place[c * digits + d], next[d]);
    }
    parallel_for(n, chunk, [&](std::size_t b, std::size_t e) {
      std::uint32_t* const to = place.data() + b / chunk * digits;
      for (std::size_t i = b; i < e; ++i) other[to[keys[i] >> shift & mask]++] = keys[i];
    });
    keys.swap(other);
  }
}

}  // namespace graze
