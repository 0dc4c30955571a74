// Comparison of convex sets by their numbers.
#include "convex/sets/order.hpp"

#include <cstdint>

namespace graze {

int order_of(double a, double b) { return a < b ? -1 : b < a ? 1 : 0; }

int order_of(const Vec3& a, const Vec3& b) {
  for (int i = 0; i < 3; ++i)
    if (const int s = order_of(a[i], b[i])) return s;
  return 0;
}

int order_of(const ConvexSet& a, const ConvexSet& b) {
  if (a.points != b.points) return a.points < b.points ? -1 : 1;
  if (a.segments != b.segments) return a.segments < b.segments ? -1 : 1;
  if (a.directions != b.directions) return a.directions < b.directions ? -1 : 1;
  for (std::uint32_t i = 0; i < a.points; ++i)
    if (const int s = order_of(a.base(i), b.base(i))) return s;
  for (std::uint32_t k = 0; k < a.segments; ++k) {
    if (const int s = order_of(a.segment[k], b.segment[k])) return s;
    if (const int s = order_of(a.lo[k], b.lo[k])) return s;
    if (const int s = order_of(a.hi[k], b.hi[k])) return s;
  }
  for (std::uint32_t k = 0; k < a.directions; ++k)
    if (const int s = order_of(a.direction[k], b.direction[k])) return s;
  return order_of(a.radius, b.radius);
}

}  // namespace graze
