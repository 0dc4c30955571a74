// A box at a pose whose centre is no double, for the filters of oriented boxes.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <graze/pose.hpp>
#include <graze/shapes/box.hpp>
#include <graze/shapes/oriented_box.hpp>

#include "pairs/detail/certain.hpp"

namespace graze {

/// The set that it stands for has a centre that differs from that of `box` by at most off * u in each coordinate, and half sizes that differ by u of
/// themselves. The answers of filters are about that set; what they leave open goes to the generic decision, as `box` itself is not the set.
struct RoundedBox {
  OrientedBox box;
  double off;
};

/// A centre is T + sum m_k R_k. Each m_k, a sum of two halves, is off by u of it, the products by u more, and the sums by 3 u of all: 5 u of a size of at most
/// |T| + 3 |m|, as entries of rotations are below 1 + 1e-12. Where numbers underflow, filters decide nothing.
inline RoundedBox rounded_box(const Box& s, const Pose& p) {
  const Vec3& t = p.translation;
  double middle[3], center[3] = {t.x, t.y, t.z}, far = 0;
  RoundedBox r;
  for (int k = 0; k < 3; ++k) {
    middle[k] = 0.5 * s.min[k] + 0.5 * s.max[k];
    for (int i = 0; i < 3; ++i) center[i] += middle[k] * p.rotation[i][k];
    r.box.axes[static_cast<std::size_t>(k)] = Vec3(p.rotation[0][k], p.rotation[1][k], p.rotation[2][k]);
    r.box.half[k] = 0.5 * s.max[k] - 0.5 * s.min[k];
    far = std::max(far, std::fabs(middle[k]));
  }
  r.box.center = Vec3(center[0], center[1], center[2]);
  r.off = 6 * (filter::max_norm(filter::vector(t)) + 3 * far);
  return r;
}

}  // namespace graze
