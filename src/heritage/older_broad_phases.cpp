// Older broad phases: sort and sweep, grids and octrees over boxes, with sorted arrays instead of pointers. Cells only select the
// candidates. Each comparison is exact, and rounding never hides a pair (see LevelGrid).
#include <graze/error.hpp>
#include <graze/heritage/older_broad_phases.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "math/limits.hpp"
#include "platform/fp_environment.hpp"

namespace graze {
namespace {

using Index3 = std::array<std::uint32_t, 3>;

bool overlap(const Box& a, const Box& b) {
  return a.min.x <= b.max.x && b.min.x <= a.max.x && a.min.y <= b.max.y && b.min.y <= a.max.y && a.min.z <= b.max.z && b.min.z <= a.max.z;
}

double longest_side(const Box& b) { return std::max(b.max.x - b.min.x, std::max(b.max.y - b.min.y, b.max.z - b.min.z)); }

/// The bounds of all boxes, and the greatest and least of their longest sides.
struct World {
  Box box{Vec3(kInfinity), Vec3(-kInfinity)};
  double size = 0, largest = 0, smallest = kInfinity;

  explicit World(std::span<const Box> boxes) {
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      const Box& b = boxes[i];
      for (int k = 0; k < 3; ++k) {
        if (!(b.min[k] <= b.max[k]))
          throw Error(ErrorCode::invalid_argument,
                      "overlapping_pairs: box " + std::to_string(i) + ": " + "xyz"[k] + (b.min[k] > b.max[k] ? ": min is above max" : " is NaN"));
        box.min[k] = std::min(box.min[k], b.min[k]);
        box.max[k] = std::max(box.max[k], b.max[k]);
      }
      largest = std::max(largest, longest_side(b));
      smallest = std::min(smallest, longest_side(b));
    }
    if (!boxes.empty()) size = longest_side(box);
    if (!std::isfinite(size)) throw Error(ErrorCode::invalid_argument, "overlapping_pairs: the common extent of the boxes is not finite");
  }
};

/// Item numbers sorted by key: those of key k are item[begin[k]] to item[begin[k + 1] - 1].
struct Buckets {
  std::vector<std::uint32_t> begin, item;
  Buckets(const std::vector<std::uint32_t>& key, std::size_t keys) : begin(keys + 1, 0), item(key.size()) {
    for (const std::uint32_t k : key) ++begin[k + 1];
    for (std::size_t k = 0; k < keys; ++k) begin[k + 1] += begin[k];
    std::vector<std::uint32_t> at(begin.begin(), begin.end() - 1);
    for (std::uint32_t i = 0; i < key.size(); ++i) item[at[key[i]]++] = i;
  }
  std::uint32_t count(std::size_t key) const { return begin[key + 1] - begin[key]; }
};

/// Returns the integer part of u, clamped to 0 .. n - 1. NaN gives 0; it arises only where n is 1.
std::uint32_t cell_of(double u, std::uint32_t n) { return !(u > 0) ? 0 : u >= n - 1 ? n - 1 : static_cast<std::uint32_t>(u); }

void compare(std::span<const Box> boxes, std::uint32_t a, std::uint32_t b, OlderResult& result) {
  ++result.tests;
  if (overlap(boxes[a], boxes[b])) result.pairs.emplace_back(std::min(a, b), std::max(a, b));
}

/// Grids of 1, 8, 64, .. cells over the world, with at most about 9 cells per box in all, or 40,000.
///
/// In cells of a level, a coordinate x is u(x) = (x - lo) / cell. Its rounded value is monotone in x. Its error is at most u times
/// 2^-51, hence below 2^-43 with at most 256 cells per axis. A box belongs to a level only if its longest side, whose rounding is
/// smaller, is at most 1 - kSlack cells. So where boxes overlap, their rounded u differ by less than the side in cells + 2^-41 < 1,
/// and ranges of cells widened by one cell never miss a pair.
class LevelGrid {
 public:
  static constexpr double kSlack = 0x1p-20;

  LevelGrid(const World& world, std::size_t n) : world_(world) {
    while (depth_ < 8 && cell(depth_ + 1) >= world.smallest && cell(depth_ + 1) > 0x1p-900 &&
           (std::size_t{1} << (3 * depth_)) < std::max<std::size_t>(n, 1 << 15))
      ++depth_;  // much smaller cells would have no finite inverse
    base_.push_back(0);
    for (int l = 0; l <= depth_; ++l) {
      base_.push_back(base_.back() + (std::size_t{1} << (3 * l)));
      inverse_[static_cast<std::size_t>(l)] = 1 / cell(l);
    }
  }
  int depth() const { return depth_; }
  double cell(int level) const { return world_.size / (1 << level); }
  double u(double x, int axis, int level) const { return (x - world_.box.min[axis]) * inverse_[static_cast<std::size_t>(level)]; }
  std::uint32_t key(const Index3& c, int level) const {
    return static_cast<std::uint32_t>(base_[static_cast<std::size_t>(level)] + ((static_cast<std::size_t>(c[2]) << level | c[1]) << level | c[0]));
  }
  std::size_t keys() const { return base_.back(); }
  /// Returns the finest level whose cells hold a box of that longest side.
  int level_of(double side) const {
    int l = depth();
    while (l > 0 && cell(l) * (1 - kSlack) < side) --l;
    return l;
  }
  /// Returns the cells that hold boxes, with their bounds widened by `margin` cells.
  std::vector<OlderCell> cells(const Buckets& buckets, double margin) const {
    std::vector<OlderCell> list;
    for (int l = 0; l <= depth(); ++l)
      for (std::size_t k = base_[static_cast<std::size_t>(l)]; k < base_[static_cast<std::size_t>(l) + 1]; ++k)
        if (buckets.count(k) > 0) {
          const std::size_t at = k - base_[static_cast<std::size_t>(l)], mask = (std::size_t{1} << l) - 1;
          const Vec3 c(static_cast<double>(at & mask), static_cast<double>(at >> l & mask), static_cast<double>(at >> 2 * l));
          list.push_back({Box{world_.box.min + (c - Vec3(margin)) * cell(l), world_.box.min + (c + Vec3(1 + margin)) * cell(l)}, l, buckets.count(k)});
        }
    return list;
  }

 private:
  World world_;
  int depth_ = 0;
  std::vector<std::size_t> base_;  // key of the first cell of each level, then the number of keys
  std::array<double, 9> inverse_{};
};

void sort_and_sweep(std::span<const Box> boxes, const World& world, bool with_cells, OlderResult& result) {
  std::vector<std::uint32_t> order(boxes.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return boxes[a].min.x != boxes[b].min.x ? boxes[a].min.x < boxes[b].min.x : a < b; });
  for (std::size_t i = 0; i < order.size(); ++i)
    for (std::size_t j = i + 1; j < order.size() && boxes[order[j]].min.x <= boxes[order[i]].max.x; ++j) compare(boxes, order[i], order[j], result);
  if (with_cells) result.cells = {{world.box, 0, static_cast<std::uint32_t>(boxes.size())}};
}

/// At most about 4 cells per box. The slack is that of LevelGrid, here for at most 2^11 cells per axis.
void uniform_grid(std::span<const Box> boxes, const World& world, bool with_cells, OlderResult& result) {
  double most = 1;  // cells per axis
  while (most < 2000 && most * most * most < 4 * static_cast<double>(boxes.size())) ++most;
  const double cell = std::max(world.largest * (1 + 2 * LevelGrid::kSlack), world.size / most);
  const auto n = world.size < 0x1p-900 ? 1u : static_cast<std::uint32_t>(world.size / cell) + 1;
  const auto key_of = [&](std::int64_t x, std::int64_t y, std::int64_t z) { return static_cast<std::size_t>((z * n + y) * n + x); };
  std::vector<std::uint32_t> key(boxes.size());
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    Index3 c;
    for (int k = 0; k < 3; ++k) c[static_cast<std::size_t>(k)] = cell_of((boxes[i].min[k] - world.box.min[k]) / cell, n);
    key[i] = static_cast<std::uint32_t>(key_of(c[0], c[1], c[2]));
  }
  const Buckets grid(key, static_cast<std::size_t>(n) * n * n);
  for (std::uint32_t z = 0; z < n; ++z)
    for (std::uint32_t y = 0; y < n; ++y)
      for (std::uint32_t x = 0; x < n; ++x) {
        const std::size_t c = key_of(x, y, z);
        if (grid.count(c) == 0) continue;
        if (with_cells) result.cells.push_back({Box{world.box.min + Vec3(x, y, z) * cell, world.box.min + Vec3(x + 1, y + 1, z + 1) * cell}, 0, grid.count(c)});
        for (std::uint32_t i = grid.begin[c]; i < grid.begin[c + 1]; ++i) {
          for (std::uint32_t j = i + 1; j < grid.begin[c + 1]; ++j) compare(boxes, grid.item[i], grid.item[j], result);
          for (int d = 14; d < 27; ++d) {  // half of the neighbours, so that each pair of cells is compared once
            const std::int64_t nx = std::int64_t{x} + d % 3 - 1, ny = std::int64_t{y} + d / 3 % 3 - 1, nz = std::int64_t{z} + d / 9 - 1;
            if (nx < 0 || ny < 0 || nx >= n || ny >= n || nz >= n) continue;
            const std::size_t other = key_of(nx, ny, nz);
            for (std::uint32_t j = grid.begin[other]; j < grid.begin[other + 1]; ++j) compare(boxes, grid.item[i], grid.item[j], result);
          }
        }
      }
}

/// Each box lies in the smallest cell that contains it. The cells of the levels are nested and rounded coordinates are monotone, so
/// of two boxes that overlap, the cell of one contains the cell of the other.
void octree(std::span<const Box> boxes, const World& world, bool with_cells, OlderResult& result) {
  const LevelGrid grid(world, boxes.size());
  const int depth = grid.depth();
  const std::uint32_t n = 1u << depth;
  std::vector<Index3> place(boxes.size());
  std::vector<int> level(boxes.size(), depth);
  std::vector<std::uint32_t> key(boxes.size());
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    std::uint32_t differ = 0;
    for (int k = 0; k < 3; ++k) {
      std::uint32_t& c = place[i][static_cast<std::size_t>(k)];
      c = cell_of(grid.u(boxes[i].min[k], k, depth), n);
      differ |= c ^ cell_of(grid.u(boxes[i].max[k], k, depth), n);
    }
    for (; differ != 0; differ >>= 1) {
      --level[i];
      for (std::uint32_t& c : place[i]) c >>= 1;
    }
    key[i] = grid.key(place[i], level[i]);
  }
  const Buckets buckets(key, grid.keys());
  for (std::uint32_t a = 0; a < boxes.size(); ++a) {
    Index3 c = place[a];
    for (int l = level[a]; l >= 0; --l) {
      const std::uint32_t cell = grid.key(c, l);
      for (std::uint32_t j = buckets.begin[cell]; j < buckets.begin[cell + 1]; ++j)
        if (const std::uint32_t b = buckets.item[j]; l < level[a] || b > a) compare(boxes, a, b, result);
      for (std::uint32_t& x : c) x >>= 1;
    }
  }
  if (with_cells) result.cells = grid.cells(buckets, 0);
}

/// Each box lies in one cell of the level of its size. `anchor`, from 0 (lower corner) to 1 (upper corner), is the point of the box
/// that selects the cell.
void by_levels(std::span<const Box> boxes, const World& world, double anchor, bool with_cells, OlderResult& result) {
  const LevelGrid grid(world, boxes.size());
  std::vector<int> level(boxes.size());
  std::vector<std::uint32_t> key(boxes.size());
  std::vector<std::size_t> population(static_cast<std::size_t>(grid.depth()) + 1, 0);
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const int l = level[i] = grid.level_of(longest_side(boxes[i]));
    ++population[static_cast<std::size_t>(l)];
    Index3 c;
    for (int k = 0; k < 3; ++k)
      c[static_cast<std::size_t>(k)] = cell_of((1 - anchor) * grid.u(boxes[i].min[k], k, l) + anchor * grid.u(boxes[i].max[k], k, l), 1u << l);
    key[i] = grid.key(c, l);
  }
  const Buckets buckets(key, grid.keys());
  for (std::uint32_t a = 0; a < boxes.size(); ++a)
    for (int l = 0; l <= level[a]; ++l) {
      if (population[static_cast<std::size_t>(l)] == 0) continue;
      Index3 from, to;
      for (int k = 0; k < 3; ++k) {  // the anchor of an overlapping box lies at most 1 - anchor cells below this box, or anchor above it
        from[static_cast<std::size_t>(k)] = cell_of(grid.u(boxes[a].min[k], k, l) - (1 - anchor), 1u << l);
        to[static_cast<std::size_t>(k)] = cell_of(grid.u(boxes[a].max[k], k, l) + anchor, 1u << l);
      }
      for (std::uint32_t z = from[2]; z <= to[2]; ++z)
        for (std::uint32_t y = from[1]; y <= to[1]; ++y)
          for (std::uint32_t x = from[0]; x <= to[0]; ++x) {
            const std::uint32_t cell = grid.key({x, y, z}, l);
            for (std::uint32_t j = buckets.begin[cell]; j < buckets.begin[cell + 1]; ++j)
              if (const std::uint32_t b = buckets.item[j]; l < level[a] || b > a) compare(boxes, a, b, result);
          }
    }
  if (with_cells) result.cells = grid.cells(buckets, anchor);
}

}  // namespace

const char* name_of(OlderBroadPhase method) {
  constexpr const char* names[] = {"sort and sweep", "uniform grid", "multi-resolution grid", "octree", "loose octree"};
  return names[static_cast<int>(method)];
}

OlderResult overlapping_pairs(OlderBroadPhase method, std::span<const Box> boxes, bool with_cells) {
  const DefaultFloatEnvironment guard;
  OlderResult result;
  const World world(boxes);
  if (boxes.empty()) return result;
  switch (method) {
    case OlderBroadPhase::sort_and_sweep:
      sort_and_sweep(boxes, world, with_cells, result);
      break;
    case OlderBroadPhase::uniform_grid:
      uniform_grid(boxes, world, with_cells, result);
      break;
    case OlderBroadPhase::multi_resolution_grid:
      by_levels(boxes, world, 0, with_cells, result);
      break;
    case OlderBroadPhase::octree:
      octree(boxes, world, with_cells, result);
      break;
    case OlderBroadPhase::loose_octree:
      by_levels(boxes, world, 0.5, with_cells, result);
      break;
  }
  return result;
}

}  // namespace graze
