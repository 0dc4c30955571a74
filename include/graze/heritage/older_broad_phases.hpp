// Older broad phases in simple form: sort and sweep, a uniform grid, a multi-resolution grid, an octree and a loose octree.
// Part of the library graze::heritage, for comparison and teaching; BroadPhase is faster.
#pragma once
#include <cstdint>
#include <graze/shapes/box.hpp>
#include <span>
#include <utility>
#include <vector>

namespace graze {

enum class OlderBroadPhase {
  sort_and_sweep,         ///< sorted along x by lower end; each box is compared with those that start before it ends
  uniform_grid,           ///< cells of the size of the largest box; each cell is compared with its neighbours
  multi_resolution_grid,  ///< one grid per size, with cells halved from level to level; each box is compared with its own and all coarser grids
  octree,                 ///< each box lies in the smallest cell that contains it, and is compared with that cell and all cells above
  loose_octree            ///< cells twice as large about the same centres: the size of a box gives its level, its centre the cell
};
inline constexpr OlderBroadPhase kOlderBroadPhases[] = {OlderBroadPhase::sort_and_sweep, OlderBroadPhase::uniform_grid, OlderBroadPhase::multi_resolution_grid,
                                                        OlderBroadPhase::octree, OlderBroadPhase::loose_octree};
/// Returns the name of a method, such as "loose octree".
[[nodiscard]] const char* name_of(OlderBroadPhase method);

/// A cell that holds boxes.
struct OlderCell {
  Box bounds;               ///< nominal and rounded; the loose bounds for a loose octree, the bounds of all boxes for sort and sweep
  int level = 0;            ///< 0 is the coarsest
  std::uint32_t count = 0;  ///< number of boxes in the cell
};

struct OlderResult {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;  ///< first < second; in no promised order, but the same for the same input
  std::uint64_t tests = 0;                                     ///< pairs of boxes compared
  std::vector<OlderCell> cells;                                ///< by level; only on request
};

/// Returns all pairs of closed boxes that share a point. Exact on the given doubles: the same set as BroadPhase::pairs().
///
/// Runs on one thread. Memory is O(n) plus that of 40,000 cells. Time depends on the method and the boxes, and is O(n^2) at worst
/// for each method. Throws Error for a box with NaN or min > max, and for boxes whose common extent is not finite.
[[nodiscard]] OlderResult overlapping_pairs(OlderBroadPhase method, std::span<const Box> boxes, bool with_cells = false);

}  // namespace graze
