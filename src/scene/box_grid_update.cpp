// Updates the grids for the few boxes that changed, and finds their pairs.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "platform/parallel.hpp"
#include "scene/box_grid.hpp"
#include "scene/box_index.hpp"

namespace graze {
namespace {

constexpr std::uint32_t kLoose = 1u << 31, kNoSlot = ~0u;
constexpr float kEmpty[6] = {16, 16, 16, -16, -16, -16};  // overlaps nothing

}  // namespace

void BoxGrid::BoxColumns::resize(std::size_t n) {
  for (auto& column : box) column.resize(n + 32);  // kernels read past the end
  id.resize(n + 32);
  count = static_cast<std::uint32_t>(n);
}
void BoxGrid::BoxColumns::put(std::uint32_t at, const float* from, std::uint32_t number) {
  for (std::size_t k = 0; k < 6; ++k) box[k][at] = from[k];
  id[at] = number;
}
SortedBoxes BoxGrid::BoxColumns::view() const {
  return {{box[0].data(), box[1].data(), box[2].data()}, {box[3].data(), box[4].data(), box[5].data()}, id.data()};
}

void BoxGrid::index_slots() {
  slot_of_.assign(slot_of_.size(), kNoSlot);
  for (std::uint32_t p = 0; p < alive_; ++p) {
    if (sorted_id_[p] >= slot_of_.size()) slot_of_.resize(sorted_id_[p] + 1, kNoSlot);
    slot_of_[sorted_id_[p]] = p;
  }
  loose_.resize(0);
  slots_known_ = true;
}

// The cell that build() would choose, if the box obeys what the levels require: it is not below the least corner, and not larger than a cell. 2^-11: as
// choose_levels() leaves 2^-10 for roundings.
std::uint32_t BoxGrid::cell_of(const float* f) const {
  const float size = std::max({f[3] - f[0], f[4] - f[1], f[5] - f[2]});
  const Level& level = levels_[level_of_bin_[bin_of(size)]];
  if (!(static_cast<double>(size) * level.inverse <= 1 - 0x1p-11)) return kNoCell;
  for (int k = 0; k < 3; ++k)
    if (f[k] < lo_[k]) return kNoCell;
  return level.base + (coordinate(level, f[2], 2) * level.n[1] + coordinate(level, f[1], 1)) * level.n[0] + coordinate(level, f[0], 0);
}

// Stores a changed box where it belongs: in its old place while it stays in its cell, else in the list. No cell and no box: it is not in use.
void BoxGrid::take_slot(std::uint32_t id, std::uint32_t cell, const float* box) {
  std::uint32_t at = slot_of_[id];
  if ((at & kLoose) == 0) {
    const bool stays = box != nullptr && cell == cell_of_[id];
    const float* const f = stays ? box : kEmpty;
    for (int k = 0; k < 6; ++k) sorted_[k][at] = f[k];
    if (stays) return;
    at = kNoSlot;
  }
  if (box != nullptr) {
    if (at == kNoSlot) {
      at = kLoose | loose_.count;
      loose_.resize(loose_.count + 1);
    }
    loose_.put(at & ~kLoose, box, id);
    slot_of_[id] = at;
    return;
  }
  if (at != kNoSlot) {  // the last of the list takes its place
    const std::uint32_t place = at & ~kLoose, last = loose_.count - 1;
    float moved[6];
    for (std::size_t k = 0; k < 6; ++k) moved[k] = loose_.box[k][last];
    slot_of_[loose_.id[last]] = at;
    loose_.put(place, moved, loose_.id[last]);
    loose_.resize(last);
  }
  slot_of_[id] = kNoSlot;
}

// The cells of each level where a box may have its lower corner and still overlap box i: as in scan_cell().
void BoxGrid::cells_near(const SortedBoxes& query, std::uint32_t i, std::vector<IndexRange>& ranges) const {
  ranges.clear();
  for (const Level& level : levels_) {
    std::uint32_t from[3], to[3];
    for (int axis = 0; axis < 3; ++axis) {
      from[axis] = coordinate(level, std::max(query.lo[axis][i], lo_[axis]), axis);
      from[axis] -= from[axis] > 0;
      to[axis] = coordinate(level, std::max(query.hi[axis][i], lo_[axis]), axis);
    }
    for (std::uint32_t z = from[2]; z <= to[2]; ++z)
      for (std::uint32_t y = from[1]; y <= to[1]; ++y) {
        const std::uint32_t row = level.base + (z * level.n[1] + y) * level.n[0];
        const IndexRange r{cell_begin_[row + from[0]], cell_begin_[row + to[0] + 1]};
        if (r.begin < r.end) ranges.push_back(r);
      }
  }
}

bool BoxGrid::update(std::span<const Box> boxes, std::span<const std::uint32_t> changed, std::span<const std::uint8_t> is_changed,
                     std::vector<BoxPair>& found) {
  if (alive_ == 0) return false;
  if (!slots_known_) index_slots();
  if (slot_of_.size() < boxes.size()) slot_of_.resize(boxes.size(), kNoSlot);
  // Choices: at an eighth of all boxes per frame, and a thirty-second outside their cells, building anew is about as fast.
  std::vector<double> doubles(6 * ((changed.size() + 3) / 4 * 4));
  std::vector<float> floats(doubles.size() + 32);
  for (std::size_t i = 0; i < changed.size(); ++i)
    if (is_alive(boxes[changed[i]])) std::memcpy(&doubles[6 * i], &boxes[changed[i]], sizeof(Box));
  grid_kernels().convert(doubles.data(), doubles.size() / 6, frame_, floats.data());
  moved_.resize(changed.size());
  std::uint32_t in_use = 0;
  for (std::size_t i = 0; i < changed.size(); ++i) {
    const std::uint32_t id = changed[i];
    const float* const f = is_alive(boxes[id]) ? &floats[6 * i] : nullptr;
    take_slot(id, f ? cell_of(f) : kNoCell, f);
    if (f) moved_.put(in_use++, f, id);
  }
  if (loose_.count > alive_ / 32 + 64) return false;

  const SortedBoxes query = moved_.view(), in_cells = sorted(), in_list = loose_.view();
  constexpr std::size_t kGrain = 128;  // boxes of a task; a choice
  const std::size_t pieces = (in_use + kGrain - 1) / kGrain;
  std::vector<std::vector<BoxPair>> parts(pieces);
  std::vector<std::uint8_t> dear(pieces, 0);
  parallel_for(in_use, kGrain, [&](std::size_t begin, std::size_t end) {
    std::vector<BoxPair>& part = parts[begin / kGrain];
    FoundPairs pairs;
    std::vector<IndexRange> ranges;
    std::size_t work = 0;
    for (auto i = static_cast<std::uint32_t>(begin); i < end; ++i) {
      pairs.count = 0;
      cells_near(query, i, ranges);
      work += ranges.size();
      for (const IndexRange& r : ranges) work += r.end - r.begin;
      if (work > 256 * kGrain + alive_) {  // boxes so large that they meet much of the grid
        dear[begin / kGrain] = 1;
        return;
      }
      if (!ranges.empty()) scan(query, i, i + 1, in_cells, ranges.data(), static_cast<int>(ranges.size()), false, boxes, pairs);
      const IndexRange list{0, loose_.count};
      if (loose_.count > 0) scan(query, i, i + 1, in_list, &list, 1, false, boxes, pairs);
      // The box meets itself, and a pair of two changed boxes is found from both.
      for (std::size_t k = 0; k < pairs.count; ++k) {
        const std::uint32_t a = pairs.a[k], b = pairs.b[k], other = a == query.id[i] ? b : a;
        if (other != query.id[i] && (is_changed[other] == 0 || other > query.id[i])) part.emplace_back(a, b);
      }
    }
  });
  if (std::any_of(dear.begin(), dear.end(), [](std::uint8_t d) { return d != 0; })) return false;
  found.clear();
  for (const auto& part : parts) found.insert(found.end(), part.begin(), part.end());
  std::sort(found.begin(), found.end());
  return true;
}

}  // namespace graze
