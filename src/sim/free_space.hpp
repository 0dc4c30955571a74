// Where a world's fixed members are not: cells of a grid as bits, so that most ways of bodies are seen to be free by one look. Only says what is certain, so
// that no answer depends on it.
#pragma once
#include <cmath>
#include <cstdint>
#include <graze/scene.hpp>
#include <memory>

#include "platform/large_array.hpp"

namespace graze {

/// For each of a few radii one bit a cell: does a member touch a cell at most so many cells away, along each axis?
///
/// In units of cells, from the grid's lower corner, coordinates c = (x - lower) * inverse are off by less than 2^-12, those of a way's middle too (a cell is
/// longer than 2^-36 of the grid's greatest coordinate, and a few roundings of twice that lose 2^-13 of a cell). Members are marked kPad farther than they
/// reach, and ways are taken kPad longer: so whatever is in a cell that is not marked is met by nothing.
class FreeSpace {
 public:
  /// Nothing where a grid would be of no use: no members, sizes without bounds, or hardly a free cell.
  static std::shared_ptr<const FreeSpace> of(const Scene& scene);
  /// Ways to be asked before the work of making one is likely to be repaid.
  static std::uint64_t worth(const Scene& scene);

  /// Where the bit is that tells of the closed segment: if it is clear, certainly no member comes within `reach` of it, counted along each axis. Many ways may
  /// ask for their bits before the first is read, for these are far apart in memory.
  using Place = std::size_t;
  Place look_up(const Vec3& from, const Vec3& to, double reach) const {
    const double more = reach * inverse_ + kPad;
    double need = 0;
    std::size_t cell[3];
    for (int i = 0; i < 3; ++i) {
      const double at = ((from[i] + to[i]) * 0.5 - lower_[i]) * inverse_, half = std::fabs(to[i] - from[i]) * 0.5 * inverse_ + more;
      if (!(at >= 0 && at < limit_[i])) return holds_all_ && (at + half < 0 || at - half > limit_[i]) ? kClear : kUnknown;
      cell[i] = static_cast<std::size_t>(at);
      const double part = at - static_cast<double>(cell[i]);
      // cells from floor(part - half) to floor(part + half) relative to this one
      need = std::max(need, std::max(part + half - 1, half - part));
    }
    if (!(need < kMostCells)) return kUnknown;
    return (1 + level_of_[static_cast<std::size_t>(need)] * words_) * 64 + (cell[2] * rows_ + cell[1]) * row_words_ * 64 + cell[0];
  }
  void ask_for(Place place) const { __builtin_prefetch(&bits_[place / 64]); }
  bool is_clear(Place place) const { return (bits_[place / 64] >> (place % 64) & 1) == 0; }

 private:
  static constexpr double kPad = 0x1p-10;
  static constexpr Place kUnknown = 0, kClear = 1;  ///< bits of a first word; the levels follow
  static constexpr int kMostCells = 16;             ///< the greatest radius
  class Maker;

  FreeSpace() = default;
  Vec3 lower_;
  double inverse_ = 0, limit_[3];
  bool holds_all_ = false;                            ///< no member reaches out of the grid
  std::size_t rows_ = 0, row_words_ = 0, words_ = 0;  ///< rows along y; words of 64 cells along x in each; words of a level
  std::uint8_t level_of_[kMostCells];                 ///< the lowest level of more than that radius
  LargeArray<std::uint64_t> bits_;                    ///< a word for what is known without looking, then level after level
};

}  // namespace graze
