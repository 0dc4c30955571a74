// Older broad phases, written plainly: sort and sweep, a uniform grid, a multi-resolution grid, an octree, a loose octree. Library graze::heritage: for
// comparison and teaching; BroadPhase is faster.
#pragma once
#include <cstdint>
#include <graze/shapes/box.hpp>
#include <span>
#include <utility>
#include <vector>

namespace graze {

enum class OlderBroadPhase {
  sort_and_sweep,         ///< sorted along x by lower end; each box against those that begin before it ends
  uniform_grid,           ///< cells of the largest box; each cell against its neighbours
  multi_resolution_grid,  ///< a grid for each size, cells halved from level to level; each box against its own and all coarser grids
  octree,                 ///< each box in the smallest cell that contains it, against the boxes of that cell and of all cells above
  loose_octree            ///< cells twice as large about the same centres: the level follows from a box's size, the cell from its centre
};
inline constexpr OlderBroadPhase kOlderBroadPhases[] = {OlderBroadPhase::sort_and_sweep, OlderBroadPhase::uniform_grid, OlderBroadPhase::multi_resolution_grid,
                                                        OlderBroadPhase::octree, OlderBroadPhase::loose_octree};
/// "loose octree".
const char* name_of(OlderBroadPhase method);

/// A cell that holds boxes.
struct OlderCell {
  Box bounds;               ///< nominal, as drawn in books, rounded: of a loose octree the loose bounds, of a sorted list the slab of all boxes
  int level = 0;            ///< 0: the coarsest
  std::uint32_t count = 0;  ///< of boxes in it
};

struct OlderResult {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;  ///< first < second; in no promised order, but the same for the same input
  std::uint64_t tests = 0;                                     ///< pairs of boxes compared
  std::vector<OlderCell> cells;                                ///< only when wanted, by level
};

/// All pairs of closed boxes that share a point: exact on the doubles given, the same set as BroadPhase::pairs(). One thread. Memory O(n) and that of 40,000
/// cells. Time depends on the method and the boxes: O(n^2) at worst for each. Throws Error for a box with NaN or min > max, and for boxes whose common extent
/// is not finite.
OlderResult overlapping_pairs(OlderBroadPhase method, std::span<const Box> boxes, bool with_cells = false);

}  // namespace graze
