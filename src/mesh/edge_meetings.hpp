// Finds edges of an outline that illegally meet, with one exact sweep in O(n log n).
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "mesh/flat_outline.hpp"

namespace graze {

/// An edge by the numbers of its corners.
struct OutlineEdge {
  std::uint32_t from, to;
};

struct EdgeMeeting {
  OutlineEdge first, second;  ///< `first` has the lower first corner
  bool cross = false;         ///< they cross in an interior point of both; else they touch or overlap
};

enum class Meeting {
  any,   ///< any common point except the shared corner of neighbours; requires that no neighbours overlap
  cross  ///< only crossings in an interior point of both edges
};

/// Returns two edges of the outline that meet, or nothing if none do. Requires that the ends of each edge differ. Which of several meetings is returned depends
/// on the outline only.
std::optional<EdgeMeeting> find_meeting(const FlatOutline& outline, std::span<const OutlineEdge> edges, Meeting kind);

/// Describes a meeting: "edges 0-1 ((0, 0, 0) to (4, 0, 0)) and 3-4 ((3, -1, 0) to (0, 4, 0)) cross".
std::string meeting_text(const FlatOutline& outline, const EdgeMeeting& meeting);

/// By how far an outline crosses itself, seen along the axis of its area: of the first two edges found that cross, the least distance of an end of one from the
/// other; 0 if none do. In doubles.
double crossing_depth(std::span<const Vec3> points);

/// Describes why an outline, seen along the axis, is not simple: its first corner that folds back, or two edges that meet. Returns "" if it is simple.
std::string simplicity_defect(std::span<const Vec3> points, const AreaAxis& axis);

}  // namespace graze
