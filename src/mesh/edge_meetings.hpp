// Do edges of an outline meet where they should not? By one exact sweep, O(n log n).
#pragma once
#include <optional>
#include <string>

#include "mesh/flat_outline.hpp"

namespace graze {

/// An edge by the numbers of its corners.
struct OutlineEdge {
  std::uint32_t from, to;
};

struct EdgeMeeting {
  OutlineEdge first, second;  ///< the one with the lower first corner, then the other
  bool cross = false;         ///< they cross in a point inside both; else they touch or overlap
};

enum class Meeting {
  any,   ///< edges that share any point, other than neighbours that share their corner; expects that no neighbours overlap
  cross  ///< only edges that cross in a point inside both
};

/// Two edges of the outline that meet, or nothing if none do. The edges have different ends. Which of several meetings it is depends on the outline only.
std::optional<EdgeMeeting> find_meeting(const FlatOutline& outline, std::span<const OutlineEdge> edges, Meeting kind);

/// "edges 0-1 ((0, 0, 0) to (4, 0, 0)) and 3-4 ((3, -1, 0) to (0, 4, 0)) cross".
std::string meeting_text(const FlatOutline& outline, const EdgeMeeting& meeting);

/// What keeps an outline, seen along the axis, from being simple: its first corner that folds back, or two edges that meet; "" if it is simple.
std::string simplicity_defect(std::span<const Vec3> points, const AreaAxis& axis);

}  // namespace graze
