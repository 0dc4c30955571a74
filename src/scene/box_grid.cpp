// Grids of boxes, one per class of sizes: conversion to floats, choice of cells, sorting, scanning, and the order of pairs. All partitions depend only on the
// boxes, so the result is the same for every number of threads.
#include "scene/box_grid.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <limits>

#include "exact/double_parts.hpp"
#include "platform/expects.hpp"
#include "platform/parallel.hpp"
#include "scene/box_index.hpp"

namespace graze {
namespace {

constexpr int kBinsPerLevel = 8;  // a level covers two octaves
constexpr double kLevelRatio = 0.25;
constexpr std::uint32_t kAhead = 24;  // prefetch distance, in boxes

double bin_top(int bin) {
  const int q = bin + ((127 + 4 - 32) << 2) + 1;
  return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(q) << 21));
}

}  // namespace

// Chooses grid coordinates in which the bulk of the boxes lies within [-1, 1]. The few boxes far outside are clamped to kGridReach, which only makes them
// candidates.
void BoxGrid::choose_frame(std::span<const Box> boxes) {
  const Bulk bulk = bulk_of(boxes);
  for (int k = 0; k < 3; ++k) frame_.center[k] = bulk.center[k];
  frame_.scale = bulk.half > 0 ? power_of_two(std::clamp(1022 - static_cast<int>(std::bit_cast<std::uint64_t>(bulk.half) >> 52), -1022, 1022)) : 1;
}

std::uint32_t BoxGrid::coordinate(const Level& level, float x, int axis) const {
  const double c = (static_cast<double>(x) - static_cast<double>(lo_[axis])) * level.inverse;
  return static_cast<std::uint32_t>(std::min(c, static_cast<double>(level.n[axis] - 1)));  // never negative: lo_ is the minimum
}

// Level k holds sizes in (top / 4^(k+1), top / 4^k]. Its cells are slightly larger than its boxes, so overlapping boxes lie in neighbouring cells. A level with
// few boxes is merged into the next coarser one. The finest level takes all boxes smaller than cells of about one box each.
void BoxGrid::choose_levels(const std::uint32_t* histogram, std::size_t alive) {
  levels_.clear();
  int top = 127;
  while (top > 0 && histogram[top] == 0) --top;
  const double largest = bin_top(top);
  auto cells_for = [&](double cell, std::uint32_t* n) {  // 1e6 cells along an axis: a cap that keeps the numbers of cells in 32 bits
    double product = 1;
    for (int k = 0; k < 3; ++k) {
      const double c = (static_cast<double>(hi_[k]) - static_cast<double>(lo_[k])) / cell;
      const double whole = c < 1e6 ? static_cast<double>(static_cast<std::uint32_t>(c) + 1) : 1e6;
      if (n) n[k] = static_cast<std::uint32_t>(whole);
      product *= whole;
    }
    return product;
  };
  int deepest = 0;
  double cell = largest;
  while (deepest < 15 && cells_for(cell, nullptr) <= 0.5 * static_cast<double>(alive)) ++deepest, cell *= kLevelRatio;
  std::size_t count[32] = {};
  for (int b = 0; b <= top; ++b) count[std::min((top - b) / kBinsPerLevel, deepest)] += histogram[b];
  int target[32];
  for (int k = 0; k < 32; ++k) target[k] = k;
  for (int k = deepest; k > 0; --k) {
    if (count[k] == 0 || count[k] * 64 >= alive) continue;
    count[k - 1] += count[k];
    count[k] = 0;
    for (int j = k; j <= deepest; ++j)
      if (target[j] == k) target[j] = k - 1;
  }
  std::uint8_t number[32] = {};
  std::uint32_t base = 0;
  // The numbers that follow are choices, but for 2^-10, which outweighs the roundings of coordinate(): a cell is never smaller than its boxes.
  double size = largest * (1 + 0x1p-10);
  for (int k = 0; k <= deepest; ++k, size *= kLevelRatio) {
    if (count[k] == 0) continue;
    Level level;
    double c = size;
    while (cells_for(c, level.n) > 4.0 * static_cast<double>(count[k]) + 64) c *= 1.25;
    level.inverse = 1 / c;
    level.base = base;
    level.count = count[k];
    base += level.n[0] * level.n[1] * level.n[2];
    number[k] = static_cast<std::uint8_t>(levels_.size());
    levels_.push_back(level);
  }
  cells_ = base;
  for (int b = 0; b < 128; ++b) level_of_bin_[b] = number[target[b > top ? 0 : std::min((top - b) / kBinsPerLevel, deepest)]];
}

SortedBoxes BoxGrid::sorted() const {
  return {{sorted_[0].data(), sorted_[1].data(), sorted_[2].data()}, {sorted_[3].data(), sorted_[4].data(), sorted_[5].data()}, sorted_id_.data()};
}

void BoxGrid::convert(const GridKernels& kernels, std::span<const Box> boxes, std::size_t begin, std::size_t end) {
  Chunk& chunk = chunks_[begin / kChunk];
  std::memset(chunk.histogram, 0, sizeof chunk.histogram);
  for (int k = 0; k < 3; ++k) chunk.lo[k] = 16, chunk.hi[k] = -16;
  const std::size_t whole = (end - begin) / 4 * 4;  // the conversion has a period of four boxes
  const double* from = &boxes[begin].min.x;
  kernels.convert(from, whole, frame_, &floats_[6 * begin]);
  if (begin + whole < end) {
    double rest[24] = {};
    std::memcpy(rest, from + 6 * whole, (end - begin - whole) * sizeof(Box));
    kernels.convert(rest, 4, frame_, &floats_[6 * (begin + whole)]);
  }
  const float* f = &floats_[6 * begin];
  for (std::size_t i = begin; i < end; ++i, f += 6) {
    const float size = std::max({f[3] - f[0], f[4] - f[1], f[5] - f[2]});
    if (boxes[i].min.x > boxes[i].max.x) {
      cell_of_[i] = kNoCell;
      continue;
    }
    const int bin = bin_of(size);
    cell_of_[i] = static_cast<std::uint32_t>(bin);
    ++chunk.histogram[bin];
    for (int k = 0; k < 3; ++k) {
      chunk.lo[k] = std::min(chunk.lo[k], f[k]);
      chunk.hi[k] = std::max(chunk.hi[k], f[k]);  // cells are assigned by lower corners
    }
  }
}

// Sorts by cell in two steps that each stay within the cache: into buckets of consecutive cells, then by cell within a bucket.
void BoxGrid::sort_into_buckets(std::size_t n) {
  const std::size_t wanted = std::clamp<std::size_t>(alive_ / 2048, 1, 2048);
  shift_ = 0;
  while ((cells_ - 1) >> shift_ >= wanted) ++shift_;
  buckets_ = ((cells_ - 1) >> shift_) + 1;
  offsets_.assign(chunks_.size() * buckets_, 0);
  parallel_for(n, kChunk, [&](std::size_t begin, std::size_t end) {
    std::uint32_t* count = &offsets_[begin / kChunk * buckets_];
    const float* f = &floats_[6 * begin];
    for (std::size_t i = begin; i < end; ++i, f += 6) {
      if (cell_of_[i] == kNoCell) continue;
      const Level& level = levels_[level_of_bin_[cell_of_[i]]];
      const std::uint32_t cell = level.base + (coordinate(level, f[2], 2) * level.n[1] + coordinate(level, f[1], 1)) * level.n[0] + coordinate(level, f[0], 0);
      cell_of_[i] = cell;
      ++count[cell >> shift_];
    }
  });
  bucket_begin_.resize(buckets_ + 1);
  std::uint32_t sum = 0;
  for (std::uint32_t b = 0; b < buckets_; ++b) {
    bucket_begin_[b] = sum;
    for (std::size_t c = 0; c < chunks_.size(); ++c) {
      const std::uint32_t here = offsets_[c * buckets_ + b];
      offsets_[c * buckets_ + b] = sum;
      sum += here;
    }
  }
  bucket_begin_[buckets_] = sum;
  require(keys_, alive_);
  parallel_for(n, kChunk, [&](std::size_t begin, std::size_t end) {
    std::uint32_t* at = &offsets_[begin / kChunk * buckets_];
    for (std::size_t i = begin; i < end; ++i) {
      const std::uint32_t cell = cell_of_[i];
      if (cell != kNoCell) keys_[at[cell >> shift_]++] = static_cast<std::uint64_t>(cell) << 32 | i;
    }
  });
}

double BoxGrid::sort_bucket(std::size_t b) {
  double squares = 0;
  const std::uint32_t first_cell = static_cast<std::uint32_t>(b) << shift_, last_cell = std::min(cells_, static_cast<std::uint32_t>(b + 1) << shift_);
  std::uint32_t* at = &cell_begin_[first_cell];
  std::memset(at, 0, (last_cell - first_cell) * sizeof *at);
  for (std::uint32_t i = bucket_begin_[b]; i < bucket_begin_[b + 1]; ++i) ++at[(keys_[i] >> 32) - first_cell];
  std::uint32_t next = bucket_begin_[b];
  for (std::uint32_t c = 0; c < last_cell - first_cell; ++c) {
    const std::uint32_t here = at[c];
    at[c] = next;
    next += here;
    squares += static_cast<double>(here) * here;
  }
  for (std::uint32_t i = bucket_begin_[b]; i < bucket_begin_[b + 1]; ++i) {
    if (i + kAhead < alive_) {  // a box of 24 bytes may straddle two cache lines
      const float* const later = &floats_[6 * static_cast<std::size_t>(static_cast<std::uint32_t>(keys_[i + kAhead]))];
      __builtin_prefetch(later);
      __builtin_prefetch(later + 5);
    }
    const auto id = static_cast<std::uint32_t>(keys_[i]);
    const std::uint32_t p = at[(keys_[i] >> 32) - first_cell]++;
    const float* f = &floats_[6 * static_cast<std::size_t>(id)];
    for (int k = 0; k < 6; ++k) sorted_[k][p] = f[k];
    sorted_id_[p] = id;
  }
  for (std::uint32_t c = last_cell - first_cell; c-- > 1;) at[c] = at[c - 1];  // convert ends back to begins
  at[0] = bucket_begin_[b];
  return squares;
}

bool BoxGrid::build(std::span<const Box> boxes) {
  static_assert(sizeof(Box) == 6 * sizeof(double));
  const std::size_t n = boxes.size();
  const GridKernels& kernels = grid_kernels();
  choose_frame(boxes);
  require(floats_, 6 * n + 32);
  require(cell_of_, n);
  chunks_.resize((n + kChunk - 1) / kChunk);
  parallel_for(n, kChunk, [&](std::size_t begin, std::size_t end) { convert(kernels, boxes, begin, end); });
  std::uint32_t histogram[128] = {};
  for (int k = 0; k < 3; ++k) lo_[k] = 16, hi_[k] = -16;
  alive_ = 0;
  for (const Chunk& c : chunks_) {
    for (int b = 0; b < 128; ++b) histogram[b] += c.histogram[b], alive_ += c.histogram[b];
    for (int k = 0; k < 3; ++k) lo_[k] = std::min(lo_[k], c.lo[k]), hi_[k] = std::max(hi_[k], c.hi[k]);
  }
  slots_known_ = false;
  if (alive_ == 0) return true;
  choose_levels(histogram, alive_);
  sort_into_buckets(n);
  require(cell_begin_, cells_ + 1);
  cell_begin_[cells_] = static_cast<std::uint32_t>(alive_);
  for (auto& a : sorted_) require(a, alive_ + 32);
  require(sorted_id_, alive_ + 32);
  const auto sort_buckets = [&](std::size_t begin, std::size_t end) {
    double squares = 0;
    for (std::size_t b = begin; b < end; ++b) squares += sort_bucket(b);
    return squares;
  };
  const double crowding = parallel_reduce(buckets_, 4, 0.0, sort_buckets, [](double a, double b) { return a + b; });
  for (auto& a : sorted_) std::memset(a.data() + alive_, 0, 32 * sizeof(float));
  std::memset(sorted_id_.data() + alive_, 0, 32 * sizeof(std::uint32_t));
  // Choices: above 100 pairs a box in the same cell another method is faster, unless there are few boxes.
  return crowding <= 100.0 * static_cast<double>(alive_) || alive_ < 256;
}

void BoxGrid::scan(const SortedBoxes& query, std::uint32_t begin, std::uint32_t end, const SortedBoxes& sorted, const IndexRange* ranges, int count, bool self,
                   std::span<const Box> boxes, FoundPairs& found) {
  std::size_t most = 32;
  for (int r = 0; r < count; ++r) most += static_cast<std::size_t>(end - begin) * (ranges[r].end - ranges[r].begin);
  for (LargeArray<std::uint32_t>* array : {&found.a, &found.b})
    if (const std::size_t n = found.count + most; n > array->size()) array->resize(2 * n + 64);
  require(found.undecided_a, most);
  require(found.undecided_b, most);
  PairSink sink{found.a.data(), found.b.data(), found.count, found.undecided_a.data(), found.undecided_b.data(), 0};
  grid_kernels().scan(query, begin, end, sorted, ranges, count, self, sink);
  found.count = sink.count;
  for (std::size_t i = 0; i < sink.undecided; ++i) {
    if (!box3(boxes[sink.undecided_a[i]]).overlaps(box3(boxes[sink.undecided_b[i]]))) continue;
    found.a[found.count] = sink.undecided_a[i];
    found.b[found.count++] = sink.undecided_b[i];
  }
}

void BoxGrid::scan_cell(std::span<const Box> boxes, std::uint32_t cell, const Level& level, std::size_t level_number, FoundPairs& found) const {
  const std::uint32_t begin = cell_begin_[cell], end = cell_begin_[cell + 1];
  const SortedBoxes all = sorted();
  const std::uint32_t local = cell - level.base, nx = level.n[0], ny = level.n[1], nz = level.n[2];
  const std::uint32_t x = local % nx, y = local / nx % ny, z = local / nx / ny;
  const std::uint32_t x0 = x > 0 ? x - 1 : 0, x1 = std::min(x + 1, nx - 1);
  IndexRange ranges[9];
  int count = 0;
  auto row = [&](const Level& l, std::uint32_t rx0, std::uint32_t rx1, std::uint32_t ry, std::uint32_t rz) {
    const std::uint32_t first = l.base + (rz * l.n[1] + ry) * l.n[0];
    const IndexRange r{cell_begin_[first + rx0], cell_begin_[first + rx1 + 1]};
    GRAZE_EXPECTS(count < static_cast<int>(std::size(ranges)));
    if (r.begin < r.end) ranges[count++] = r;
  };
  ranges[count++] = {begin, cell_begin_[cell + (x1 - x) + 1]};
  if (y + 1 < ny) row(level, x0, x1, y + 1, z);
  if (z + 1 < nz)
    for (std::uint32_t r = y > 0 ? y - 1 : 0; r <= std::min(y + 1, ny - 1); ++r) row(level, x0, x1, r, z + 1);
  scan(all, begin, end, all, ranges, count, true, boxes, found);
  // Coarser levels: the cells where a box of that level may have its lower corner and still overlap this box.
  for (std::size_t k = 0; k < level_number; ++k) {
    const Level& coarse = levels_[k];
    for (std::uint32_t i = begin; i < end; ++i) {
      std::uint32_t from[3], to[3];
      for (int axis = 0; axis < 3; ++axis) {
        from[axis] = coordinate(coarse, all.lo[axis][i], axis);
        from[axis] -= from[axis] > 0;
        to[axis] = coordinate(coarse, all.hi[axis][i], axis);
      }
      count = 0;
      for (std::uint32_t rz = from[2]; rz <= to[2]; ++rz)
        for (std::uint32_t ry = from[1]; ry <= to[1]; ++ry) row(coarse, from[0], to[0], ry, rz);
      if (count > 0) scan(all, i, i + 1, all, ranges, count, false, boxes, found);
    }
  }
}

std::vector<BoxPair> BoxGrid::pairs(std::span<const Box> boxes) {
  if (alive_ == 0) return {};
  const std::size_t grain = buckets_ / 128 + 1, pieces = (buckets_ + grain - 1) / grain;
  found_.resize(std::max(pieces, found_.size()));
  for (FoundPairs& f : found_) f.count = 0;
  parallel_for(buckets_, grain, [&](std::size_t begin, std::size_t end) {
    FoundPairs& found = found_[begin / grain];
    const std::uint32_t first = static_cast<std::uint32_t>(begin) << shift_, last = std::min(cells_, static_cast<std::uint32_t>(end) << shift_);
    std::size_t k = 0;
    for (std::uint32_t cell = first; cell < last; ++cell) {
      while (k + 1 < levels_.size() && cell >= levels_[k + 1].base) ++k;
      if (cell_begin_[cell] < cell_begin_[cell + 1]) scan_cell(boxes, cell, levels_[k], k, found);
    }
  });
  return sorted_pairs(boxes.size());
}

// Sorts by a, then b: into buckets of consecutive a, then each bucket by counting within the cache. The few b of one a are sorted by their ranks.
std::vector<BoxPair> BoxGrid::sorted_pairs(std::size_t ids) {
  const std::size_t wanted = std::clamp<std::size_t>(ids / 2048, 1, 1024);
  std::uint32_t shift = 0;
  while ((ids - 1) >> shift >= wanted) ++shift;
  const std::size_t buckets = ((ids - 1) >> shift) + 1, pieces = found_.size();
  std::vector<std::size_t> at(pieces * buckets, 0), begin_of(buckets + 1);
  parallel_for(pieces, 1, [&](std::size_t p, std::size_t) {
    for (std::size_t i = 0; i < found_[p].count; ++i) ++at[p * buckets + (found_[p].a[i] >> shift)];
  });
  std::size_t sum = 0;
  for (std::size_t b = 0; b < buckets; ++b) {
    begin_of[b] = sum;
    for (std::size_t p = 0; p < pieces; ++p) {
      const std::size_t here = at[p * buckets + b];
      at[p * buckets + b] = sum;
      sum += here;
    }
  }
  begin_of[buckets] = sum;
  require(pair_keys_, sum);
  parallel_for(pieces, 1, [&](std::size_t p, std::size_t) {
    const FoundPairs& f = found_[p];
    std::size_t* to = &at[p * buckets];
    for (std::size_t i = 0; i < f.count; ++i) pair_keys_[to[f.a[i] >> shift]++] = static_cast<std::uint64_t>(f.a[i]) << 32 | f.b[i];
  });
  std::vector<BoxPair> result(sum);
  const GridKernels& kernels = grid_kernels();
  parallel_for(buckets, 8, [&](std::size_t first, std::size_t last) {
    std::vector<std::uint32_t> count(std::size_t{1} << shift), second;
    for (std::size_t b = first; b < last; ++b) {
      const std::size_t begin = begin_of[b], n = begin_of[b + 1] - begin;
      const std::uint32_t low = static_cast<std::uint32_t>(b) << shift;
      if (second.size() < n + 32) second.resize(n + n / 4 + 32);
      std::fill(count.begin(), count.end(), 0);
      for (std::size_t i = begin; i < begin + n; ++i) ++count[static_cast<std::uint32_t>(pair_keys_[i] >> 32) - low];
      std::uint32_t next = 0;
      for (std::uint32_t& c : count) {
        const std::uint32_t here = c;
        c = next;
        next += here;
      }
      for (std::size_t i = begin; i < begin + n; ++i)
        second[count[static_cast<std::uint32_t>(pair_keys_[i] >> 32) - low]++] = static_cast<std::uint32_t>(pair_keys_[i]);
      BoxPair* out = result.data() + begin;
      static_assert(sizeof(BoxPair) == 2 * sizeof(std::uint32_t));
      kernels.rank(count.data(), count.size(), low, second.data(), reinterpret_cast<std::uint32_t*>(out));  // out may be null if there are no pairs
      std::uint32_t start = 0;
      for (std::size_t r = 0; r < count.size(); ++r) {  // runs longer than kRankedRun
        const std::uint32_t stop = count[r];
        if (stop - start > kRankedRun) {
          std::sort(second.begin() + start, second.begin() + stop);
          for (std::uint32_t i = start; i < stop; ++i) out[i] = {low + static_cast<std::uint32_t>(r), second[i]};
        }
        start = stop;
      }
    }
  });
  return result;
}

}  // namespace graze
