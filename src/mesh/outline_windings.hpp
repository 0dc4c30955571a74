// How often an outline runs round the points beside its edges, and where it touches itself, with one exact sweep.
#pragma once
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "mesh/flat_outline.hpp"
#include "mesh/outline_ring.hpp"

namespace graze {

struct OutlineWindings {
  /// By corner: how often the outline runs round the points to the left of the edge that leaves it, or that reaches it, near the corner. Edges that overlap
  /// there count as one, with one left side.
  std::vector<signed char> out, in;
  /// Places: corners with equal positions have the same number.
  std::vector<std::uint32_t> place;
  std::uint32_t places = 0;
  /// A place, and the first corner of an edge that passes through it.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> passes;
};

/// Requires that no two edges of the ring cross in interior points of both. Returns nothing where the outline runs round some points twice, or round some the
/// other way, or where edges pass through corners more than 2^22 times and 16 times for each corner. O((n + passes) log n).
std::optional<OutlineWindings> find_windings(const FlatOutline& outline, const OutlineRing& ring);

}  // namespace graze
