// Axis-aligned boxes of doubles: the only geometry that the bounding volume trees store.
#pragma once
#include <algorithm>
#include <graze/vec.hpp>
#include "math/limits.hpp"

namespace graze {

struct Box3 {
  Vec3 lo{kInfinity}, hi{-kInfinity};

  void add(const Vec3& p) {
    for (int i = 0; i < 3; ++i) {
      lo[i] = std::min(lo[i], p[i]);
      hi[i] = std::max(hi[i], p[i]);
    }
  }
  void add(const Box3& b) {
    for (int i = 0; i < 3; ++i) {
      lo[i] = std::min(lo[i], b.lo[i]);
      hi[i] = std::max(hi[i], b.hi[i]);
    }
  }
  bool empty() const { return !(lo[0] <= hi[0]); }
  bool overlaps(const Box3& b) const {
    return lo[0] <= b.hi[0] && b.lo[0] <= hi[0] && lo[1] <= b.hi[1] && b.lo[1] <= hi[1] && lo[2] <= b.hi[2] && b.lo[2] <= hi[2];
  }
};

}  // namespace graze
