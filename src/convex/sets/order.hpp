// A strict order of convex sets by their numbers (less: -1, equal: 0, greater: 1). Queries sort their operands by it, so that exchanging the operands exchanges
// the result bit for bit.
#pragma once
#include "convex/sets/convex_set.hpp"

namespace graze {

int order_of(double a, double b);
int order_of(const Vec3& a, const Vec3& b);
int order_of(const ConvexSet& a, const ConvexSet& b);

}  // namespace graze
