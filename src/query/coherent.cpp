// Morton codes and a radix sort by them.
#include "query/coherent.hpp"

#include <algorithm>
#include <array>

#include "math/box3.hpp"

namespace graze {
namespace {

constexpr std::uint32_t kDigit = 10, kDigits = 3;  // bits of a pass; passes

/// The cells of a box, 2^10 a side. Halved numbers do not overflow; without extent all is cell 0.
struct Cells {
  static constexpr double last = (1 << 10) - 1;
  double origin[3], scale[3];
  explicit Cells(const Box3& box) {
    for (int i = 0; i < 3; ++i) {
      origin[i] = box.lo[i] * 0.5;
      const double extent = box.hi[i] * 0.5 - origin[i], s = last / extent;
      scale[i] = extent > 0 && s < 0x1p1000 ? s : 0;
    }
  }
  std::uint32_t of(double x, int i) const {
    const double cell = (x * 0.5 - origin[i]) * scale[i];
    return cell > 0 ? static_cast<std::uint32_t>(std::min(cell, last)) : 0;
  }
};

/// Bit k of x to bit 3 k, for all x of 10 bits.
constexpr std::array<std::uint32_t, 1 << 10> kApart = [] {
  std::array<std::uint32_t, 1 << 10> table{};
  for (std::uint32_t x = 0; x < table.size(); ++x)
    for (int k = 0; k < 10; ++k) table[x] |= (x >> k & 1) << (3 * k);
  return table;
}();

struct Item {
  std::uint32_t key, index;
};

/// Stable, by the lowest digit first.
std::vector<std::uint32_t> sorted(std::vector<Item> items) {
  std::vector<Item> other(items.size());
  std::array<std::array<std::uint32_t, 1 << kDigit>, kDigits> start{};
  for (const Item& i : items)
    for (std::uint32_t d = 0; d < kDigits; ++d) ++start[d][i.key >> (kDigit * d) & ((1 << kDigit) - 1)];
  for (std::uint32_t d = 0; d < kDigits; ++d) {
    std::uint32_t sum = 0;
    for (std::uint32_t& s : start[d]) {
      const std::uint32_t n = s;
      s = sum;
      sum += n;
    }
    for (const Item& i : items) other[start[d][i.key >> (kDigit * d) & ((1 << kDigit) - 1)]++] = i;
    items.swap(other);
  }
  std::vector<std::uint32_t> order(items.size());
  for (std::size_t i = 0; i < items.size(); ++i) order[i] = items[i].index;
  return order;
}

}  // namespace

std::vector<std::uint32_t> coherent_order(std::span<const Vec3> points) {
  Box3 box;
  for (const Vec3& p : points) box.add(p);
  const Cells cells(box);
  std::vector<Item> items(points.size());
  for (std::size_t i = 0; i < items.size(); ++i) {
    const Vec3& p = points[i];
    items[i] = {kApart[cells.of(p.x, 0)] | kApart[cells.of(p.y, 1)] << 1 | kApart[cells.of(p.z, 2)] << 2, static_cast<std::uint32_t>(i)};
  }
  return sorted(std::move(items));
}

}  // namespace graze
