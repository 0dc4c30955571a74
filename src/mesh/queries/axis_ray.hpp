// Rays along the axes, by which winding numbers of points are counted.
#pragma once
#include <algorithm>
#include <cstdint>
#include <graze/shapes/triangle.hpp>
#include <graze/vec.hpp>

#include "math/box3.hpp"
#include "math/limits.hpp"

namespace graze {

/// An axis and a direction along it.
struct AxisRay {
  std::uint32_t axis;
  bool down;

  /// Turns the axis into +x by exchanges and signs, which round nothing.
  Vec3 turned(const Vec3& p) const {
    const int a = static_cast<int>(axis), b = (a + 1) % 3, c = (a + 2) % 3;
    return down ? Vec3(-p[a], -p[b], p[c]) : Vec3(p[a], p[b], p[c]);
  }
  Triangle turned(const Triangle& t) const { return {{turned(t.points[0]), turned(t.points[1]), turned(t.points[2])}}; }
  Vec3 direction() const {
    Vec3 d(0, 0, 0);
    d[static_cast<int>(axis)] = down ? -1 : 1;
    return d;
  }
};

/// The ray from a point in the box towards its nearest side.
inline AxisRay shortest_way_out(const Box3& box, const Vec3& p) {
  AxisRay r{0, false};
  double least = kInfinity;
  for (int i = 0; i < 3; ++i) {
    const double up = box.hi[i] - p[i], down = p[i] - box.lo[i];
    if (std::min(up, down) < least) r = {static_cast<std::uint32_t>(i), down < up};
    least = std::min({least, up, down});
  }
  return r;
}

}  // namespace graze
