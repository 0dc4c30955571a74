// Decides on which side of a triangle a line arrives, exactly, and calls the caller's filter.
#include "mesh/queries/triangle_choice.hpp"

#include "pairs/ray_triangle.hpp"

namespace graze {

bool counts(const RayQuery& line, const Triangle& t, std::uint32_t triangle, std::uint32_t user) {
  if (!line.choice) return true;
  if (line.choice->sides != Sides::both && crossing_side(line, t) != (line.choice->sides == Sides::front ? -1 : 1)) return false;
  return line.choice->accepts(triangle, user);
}

}  // namespace graze
