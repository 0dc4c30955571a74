// Computes Morton codes of points and sorts the points by them.
#include "query/morton_order.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "bvh/morton.hpp"
#include "math/box3.hpp"

namespace graze {

std::vector<std::uint32_t> morton_order(std::span<const Vec3> points) {
  Box3 box;
  for (const Vec3& p : points) box.add(p);
  double longest = 0;
  for (int k = 0; k < 3; ++k) longest = std::max(longest, box.hi[k] * 0.5 - box.lo[k] * 0.5);  // halves do not overflow
  const double scale = longest > 0x1p-1000 ? 1 / longest : 0;
  const auto item = [&](std::size_t i) {
    BuildItem b{{0, 0, 0}, static_cast<std::uint32_t>(i), {0, 0, 0}, 0};
    for (int k = 0; k < 3; ++k)
      b.lo[k] =
          static_cast<float>((points[i][k] * 0.5 - box.lo[k] * 0.5) * scale);  // within [0, 1]; hi stays 0, so this is twice the item's centre, the sort key
    return b;
  };
  BuildBounds all;
  for (int k = 0; k < 3; ++k) {
    all.v[k] = 0;
    all.v[4 + k] = -static_cast<float>((box.hi[k] * 0.5 - box.lo[k] * 0.5) * scale);
  }
  const MortonCodes codes(all, 30);
  const auto place_bits = static_cast<int>(std::bit_width(points.size()));
  LargeArray<std::uint64_t> keys(points.size());
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = codes.code(item(i)) << place_bits | i;
  sort_by_bits(keys, place_bits, codes.bits());
  std::vector<std::uint32_t> order(keys.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::uint32_t>(keys[i] & ((std::uint64_t{1} << place_bits) - 1));
  return order;
}

}  // namespace graze
