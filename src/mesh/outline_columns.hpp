// The corners of an outline in columns of equal numbers, each in the order of heights, to find those in a triangle.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "mesh/flat_outline.hpp"

namespace graze {

class OutlineColumns {
 public:
  using Index = FlatOutline::Index;

  OutlineColumns(const FlatOutline& outline, std::vector<Index> corners);

  void remove(Index corner) { next_[slot_[corner]] = slot_[corner] + 1; }

  /// Calls visit(corner) for every corner that is not removed and in the closed triangle, and some near it, until it returns false. `visit` must not remove.
  template <class F>
  void near(const std::array<Index, 3>& triangle, F&& visit) const {
    double most = outline_.x(triangle[0]);
    for (const Index k : triangle) most = most < outline_.x(k) ? outline_.x(k) : most;
    for (std::size_t c = first_column(triangle); c < columns_.size() && columns_[c].left <= most; ++c) {
      const std::optional<std::pair<double, double>> heights = heights_in(columns_[c], triangle);
      if (!heights) continue;
      for (std::uint32_t i = left_from(lowest_from(columns_[c], heights->first)); i < columns_[c].end; i = left_from(i + 1)) {
        if (outline_.y(corners_[i]) > heights->second) break;
        if (!visit(corners_[i])) return;
      }
    }
  }

 private:
  struct Column {
    std::uint32_t begin, end;
    double left, right;
  };

  std::size_t first_column(const std::array<Index, 3>& triangle) const;
  std::optional<std::pair<double, double>> heights_in(const Column& column, const std::array<Index, 3>& triangle) const;
  std::uint32_t lowest_from(const Column& column, double height) const;
  /// The first slot from i on whose corner is not removed, or the end.
  std::uint32_t left_from(std::uint32_t i) const {
    while (next_[i] != i) i = next_[i] = next_[next_[i]];
    return i;
  }

  const FlatOutline& outline_;
  std::vector<Column> columns_;
  std::vector<Index> corners_, slot_;
  mutable std::vector<std::uint32_t> next_;  // a slot's own number, or one on the way to the next that is not removed
};

}  // namespace graze
