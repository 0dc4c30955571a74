// Finds all overlapping pairs of many boxes that may all have moved. The boxes are sorted again into grids, one for each class of sizes, and scanned cell by
// cell with SIMD float tests. See docs/broad_phase.md.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <graze/shapes/box.hpp>
#include <span>
#include <utility>
#include <vector>

#include "platform/large_array.hpp"
#include "scene/grid_kernels.hpp"

namespace graze {

using BoxPair = std::pair<std::uint32_t, std::uint32_t>;

/// The grid method together with its working memory, which is kept between frames to avoid page faults.
class BoxGrid {
 public:
  /// Sorts the boxes. Boxes with min > max are left out; sides may be infinite. Returns false if so many boxes share a cell that another method is faster.
  bool build(std::span<const Box> boxes);
  /// All pairs a < b of the boxes passed to build() that share a point, ascending.
  std::vector<BoxPair> pairs(std::span<const Box> boxes);

  /// For boxes of which few changed since build() or the last update(): among them new ids, and boxes that came into or went out of use. `changed` lists them,
  /// ascending, and `is_changed` tells by id. Stores all pairs of a changed box and any other in `found`, ascending. Returns false, and requires build(), if
  /// that would take longer than build() and pairs().
  bool update(std::span<const Box> boxes, std::span<const std::uint32_t> changed, std::span<const std::uint8_t> is_changed, std::vector<BoxPair>& found);

 private:
  static constexpr std::uint32_t kNoCell = ~0u;
  // Bin of a size, a quarter of an octave each: 128 bins from 2^-28 to 2^4.
  static int bin_of(float size) {
    const int q = static_cast<int>(std::bit_cast<std::uint32_t>(size) >> 21);  // 8 bits of exponent, 2 of mantissa
    return std::clamp(q - ((127 + 4 - 32) << 2), 0, 127);
  }
  struct Level {
    double inverse = 0;       // cells per unit length
    std::uint32_t n[3] = {};  // cells along each axis
    std::uint32_t base = 0;   // index of the level's first cell
    std::size_t count = 0;    // number of boxes
  };
  struct Chunk {
    std::uint32_t histogram[128];
    float lo[3], hi[3];
  };
  struct FoundPairs {
    LargeArray<std::uint32_t> a, b, undecided_a, undecided_b;
    std::size_t count = 0;
  };

  void choose_frame(std::span<const Box> boxes);
  /// Converts the boxes of a chunk to floats, and notes their bins in cell_of_.
  void convert(const GridKernels& kernels, std::span<const Box> boxes, std::size_t begin, std::size_t end);
  void choose_levels(const std::uint32_t* histogram, std::size_t alive);
  void sort_into_buckets(std::size_t n);
  /// Returns the sum of the squares of the numbers of boxes in its cells.
  double sort_bucket(std::size_t b);
  std::uint32_t coordinate(const Level& level, float x, int axis) const;
  void scan_cell(std::span<const Box> boxes, std::uint32_t cell, const Level& level, std::size_t level_number, FoundPairs& found) const;
  static void scan(const SortedBoxes& query, std::uint32_t begin, std::uint32_t end, const SortedBoxes& sorted, const IndexRange* ranges, int count, bool self,
                   std::span<const Box> boxes, FoundPairs& found);
  std::vector<BoxPair> sorted_pairs(std::size_t ids);
  SortedBoxes sorted() const;
  void index_slots();
  void take_slot(std::uint32_t id, std::uint32_t cell, const float* box);
  std::uint32_t cell_of(const float* box) const;
  void cells_near(const SortedBoxes& query, std::uint32_t i, std::vector<IndexRange>& ranges) const;

  static constexpr std::size_t kChunk = 1 << 14;  // boxes of a task; a choice
  GridFrame frame_{};
  float lo_[3], hi_[3];        // minimum and maximum over all boxes, in grid coordinates
  std::vector<Level> levels_;  // coarse to fine
  std::uint8_t level_of_bin_[128];
  std::size_t alive_ = 0;
  std::uint32_t cells_ = 0, shift_ = 0, buckets_ = 0;
  LargeArray<float> floats_;           // 6 per box, by id
  LargeArray<std::uint32_t> cell_of_;  // by id; ~0: not in the grid
  LargeArray<std::uint64_t> keys_;     // (cell, id), by bucket of cells
  LargeArray<std::uint32_t> cell_begin_;
  LargeArray<float> sorted_[6];  // by cell
  LargeArray<std::uint32_t> sorted_id_;
  std::vector<Chunk> chunks_;
  std::vector<std::uint32_t> offsets_, bucket_begin_;
  std::vector<FoundPairs> found_;
  LargeArray<std::uint64_t> pair_keys_;

  // For update(): boxes that are no longer in the cell where build() put them are in a list of their own.
  struct BoxColumns {
    std::vector<float> box[6];
    std::vector<std::uint32_t> id;
    std::uint32_t count = 0;
    void resize(std::size_t n);
    void put(std::uint32_t at, const float* from, std::uint32_t number);
    SortedBoxes view() const;
  };
  bool slots_known_ = false;
  std::vector<std::uint32_t> slot_of_;  // by id: place in sorted_, or kLoose and the place in loose_, or kNoSlot
  BoxColumns loose_, moved_;
};

}  // namespace graze
