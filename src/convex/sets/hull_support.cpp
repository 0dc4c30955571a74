// The support function of hulls.
#include "convex/sets/hull_support.hpp"

#include "convex/sets/hull_kernels.hpp"
#include "exact/double_parts.hpp"
#include "math/vec3.hpp"

namespace graze {

std::uint32_t HullDirection::least() const { return hull_.corner_arrays.index[kernels_.least(arrays_of(hull_.corner_arrays), d_)]; }

std::uint32_t HullDirection::climb(std::uint32_t start) const {
  const auto& corners = hull_.corner_points;
  std::uint32_t best = start;
  double most = along(corners[best]);
  for (;;) {  // ends, since each step is higher
    const std::uint32_t from = best;
    for (std::uint32_t k = hull_.edge_begin[from]; k < hull_.edge_begin[from + 1]; ++k) {  // without a branch, which would be mispredicted
      const std::uint32_t i = hull_.edge_ends[k];
      const double value = along(corners[i]);
      best = value > most ? i : best;
      most = value > most ? value : most;
    }
    if (best == from) return best;
  }
}

std::size_t HullDirection::count(double limit) const {
  std::size_t n = 0;
  for (const PointArrays* a : {&hull_.corner_arrays, &hull_.other_arrays})
    for (std::size_t first = 0; first < a->index.size(); first += 64) n += std::popcount(kernels_.up_to(arrays_of(*a), d_, limit, first));
  return n;
}

double hull_size(const ConvexSet& c) {
  // Rows of a rotation are of length 1 up to 1e-12.
  return c.pose ? 1.74 * c.hull->size + max_norm(c.pose->translation) : c.hull->size;
}

double hull_error(const ConvexSet& c) { return 64 * kUnitRoundoff * (c.hull->size + (c.pose ? max_norm(c.pose->translation) : 0)); }

}  // namespace graze
