// Broad phases as the books describe them (Game Programming Gems 1, ch. 4.6, 4.10, 4.11, and sort and sweep), on doubles, without wide instructions: what the library's grid is compared with. Each takes the boxes of a frame
// and returns the number of overlapping pairs.
#pragma once
#include <cstddef>
#include <graze/shapes.hpp>
#include <vector>

namespace bench {

/// Sorted along x by lower end; every box against those that begin before it ends.
std::size_t sort_and_sweep(const std::vector<graze::Box>& boxes);
/// One uniform grid with cells of the largest box; every cell against its neighbours.
std::size_t one_grid(const std::vector<graze::Box>& boxes);
/// Every box in the smallest cell that contains it; a box against those of its cell and of all cells above.
std::size_t octree(const std::vector<graze::Box>& boxes);
/// Cells twice as large around the same centres (Ulrich): the level follows from the size, the cell from the centre; a box against the cells whose loose bounds it meets.
std::size_t loose_octree(const std::vector<graze::Box>& boxes);

}  // namespace bench
