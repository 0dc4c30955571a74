// Support functions of hulls: a corner farthest along a direction that is given in the hull's own frame, so that no corner need be placed to find it.
#pragma once
#include <cstdint>

#include "math/v3.hpp"
#include "shapes/hull_data.hpp"

namespace graze {

/// Number of a corner farthest along d, as doubles see it; the first of equal ones.
inline std::uint32_t scan_corners(const HullData& h, const V3<double>& d) {
  const Vec3* const p = h.corner_points.data();
  const auto n = static_cast<std::uint32_t>(h.corner_points.size());
  std::uint32_t best = 0;
  double most = (d.x * p[0].x + d.y * p[0].y) + d.z * p[0].z;
  for (std::uint32_t i = 1; i < n; ++i) {
    const double value = (d.x * p[i].x + d.y * p[i].y) + d.z * p[i].z;
    if (value > most) {
      most = value;
      best = i;
    }
  }
  return best;
}

/// The same by climbing along edges from corner `start`. The farthest corner in exact arithmetic; in doubles the climb may end early where the hull is flat to
/// their precision, so that the result is a proposal. Ends, since each step is higher.
inline std::uint32_t climb_corners(const HullData& h, const V3<double>& d, std::uint32_t start) {
  const Vec3* const p = h.corner_points.data();
  std::uint32_t best = start;
  double most = (d.x * p[best].x + d.y * p[best].y) + d.z * p[best].z;
  for (;;) {
    const std::uint32_t from = best;
    for (std::uint32_t k = h.edge_begin[from]; k < h.edge_begin[from + 1]; ++k) {
      const std::uint32_t i = h.edge_ends[k];
      const double value = (d.x * p[i].x + d.y * p[i].y) + d.z * p[i].z;
      if (value > most) {
        most = value;
        best = i;
      }
    }
    if (best == from) return best;
  }
}

}  // namespace graze
