// The support function of hulls.
#include "convex/sets/hull_support.hpp"

#include "convex/sets/hull_kernels.hpp"
#include "exact/double_parts.hpp"
#include "math/vec3.hpp"

namespace graze {
namespace {
CoordinateArrays arrays_of(const PointArrays& a) { return {a.coordinates.data(), a.stride, a.index.size()}; }
}  // namespace

HullDirection::HullDirection(const ConvexSet& c, const V3<double>& x) : hull_(*c.hull) {
  for (int j = 0; j < 3; ++j) d_[j] = x[j];
  if (!c.pose) return;
  const auto& r = c.pose->rotation;
  for (int j = 0; j < 3; ++j) d_[j] = (r[0][j] * x.x + r[1][j] * x.y) + r[2][j] * x.z;
}

std::uint32_t HullDirection::least() const { return hull_.corner_arrays.index[hull_kernels().least(arrays_of(hull_.corner_arrays), d_)]; }

std::uint32_t HullDirection::highest_corner(std::uint32_t start) const {
  constexpr std::size_t kScanned = 16;  // up to this number of corners, scanning them all is faster than climbing
  const auto& corners = hull_.corner_points;
  if (corners.size() <= kScanned) return farthest_corner();
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

std::uint32_t HullDirection::farthest_corner() const {
  const auto& corners = hull_.corner_points;
  std::uint32_t best = 0;
  double most = along(corners[0]);
  for (std::uint32_t i = 1; i < corners.size(); ++i)
    if (const double value = along(corners[i]); value > most) {
      most = value;
      best = i;
    }
  return best;
}

std::size_t HullDirection::count(double limit) const {
  const HullKernels& kernels = hull_kernels();
  return kernels.count(arrays_of(hull_.corner_arrays), d_, limit) +
         (hull_.other_arrays.index.empty() ? 0 : kernels.count(arrays_of(hull_.other_arrays), d_, limit));
}

double hull_size(const ConvexSet& c) {
  // Rows of a rotation are of length 1 up to 1e-12.
  return c.pose ? 1.74 * c.hull->size + max_norm(c.pose->translation) : c.hull->size;
}

double hull_error(const ConvexSet& c) { return 64 * kUnitRoundoff * (c.hull->size + (c.pose ? max_norm(c.pose->translation) : 0)); }

}  // namespace graze
