// Support function of hulls with many points.
#include "convex/hull_support.hpp"

#include "convex/hull_kernels.hpp"
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

double HullDirection::at(std::uint32_t i) const {
  const Vec3& p = hull_.points[i];
  return (d_[0] * p.x + d_[1] * p.y) + d_[2] * p.z;
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
