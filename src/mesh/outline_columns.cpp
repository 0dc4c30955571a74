// Columns and heights only leave out corners; rounding makes both a little larger.
#include "mesh/outline_columns.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace graze {

OutlineColumns::OutlineColumns(const FlatOutline& outline, std::vector<Index> corners)
    : outline_(outline), corners_(std::move(corners)), slot_(outline.size()), next_(corners_.size() + 1) {
  const auto n = static_cast<std::uint32_t>(corners_.size());
  const auto size = static_cast<std::uint32_t>(std::sqrt(n)) + 1;
  std::sort(corners_.begin(), corners_.end(), [&](Index a, Index b) { return outline.same(a, b) ? a < b : outline.left(a, b); });
  for (std::uint32_t begin = 0, end = 0; begin < n; begin = end) {
    end = std::min(begin + size, n);
    columns_.push_back({begin, end, outline.x(corners_[begin]), outline.x(corners_[end - 1])});
    std::sort(corners_.begin() + begin, corners_.begin() + end, [&](Index a, Index b) {
      return outline.y(a) != outline.y(b) ? outline.y(a) < outline.y(b) : outline.x(a) != outline.x(b) ? outline.x(a) < outline.x(b) : a < b;
    });
  }
  for (std::uint32_t i = 0; i <= n; ++i) next_[i] = i;
  for (std::uint32_t i = 0; i < n; ++i) slot_[corners_[i]] = i;
}

std::size_t OutlineColumns::first_column(const std::array<Index, 3>& t) const {
  const double least = std::min({outline_.x(t[0]), outline_.x(t[1]), outline_.x(t[2])});
  const auto first = std::lower_bound(columns_.begin(), columns_.end(), least, [](const Column& c, double x) { return c.right < x; });
  return static_cast<std::size_t>(first - columns_.begin());
}

// The height of an edge at x is computed with an error below 8 * 2^-53 times the largest height: a difference, a quotient between 0 and 1, a product and a sum,
// each rounded. Where a difference overflows, the whole edge counts.
std::optional<std::pair<double, double>> OutlineColumns::heights_in(const Column& column, const std::array<Index, 3>& t) const {
  double low = std::numeric_limits<double>::infinity(), high = -low, largest = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const double x0 = outline_.x(t[i]), y0 = outline_.y(t[i]), x1 = outline_.x(t[(i + 1) % 3]), y1 = outline_.y(t[(i + 1) % 3]);
    if (std::max(x0, x1) < column.left || std::min(x0, x1) > column.right) continue;
    largest = std::max({largest, std::fabs(y0), std::fabs(y1)});
    const double width = x1 - x0, rise = y1 - y0;
    if (width == 0 || std::isinf(width) || std::isinf(rise)) {
      low = std::min({low, y0, y1});
      high = std::max({high, y0, y1});
      continue;
    }
    for (const double x : {column.left, column.right}) {
      const double y = y0 + rise * std::clamp((x - x0) / width, 0.0, 1.0);
      low = std::min(low, y);
      high = std::max(high, y);
    }
  }
  if (low > high) return std::nullopt;
  const double margin = largest * 0x1p-49 + 4 * std::numeric_limits<double>::denorm_min();
  return std::pair{low - margin, high + margin};
}

std::uint32_t OutlineColumns::lowest_from(const Column& column, double height) const {
  const auto begin = corners_.begin();
  return static_cast<std::uint32_t>(
      std::lower_bound(begin + column.begin, begin + column.end, height, [this](Index k, double y) { return outline_.y(k) < y; }) - begin);
}

}  // namespace graze
