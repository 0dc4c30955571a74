// The broad phase's workloads: boxes that all move every frame.
#pragma once
#include <cmath>
#include <graze/shapes.hpp>
#include <string>
#include <vector>

#include "bench/random.hpp"

namespace bench {

/// N boxes in the unit cube, sides U(.5, 1.5) s, all moved by U(-.1, .1) s per frame; frames are precomputed.
struct MovingBoxes {
  std::vector<std::vector<graze::Box>> frames;
};

/// "uniform": s = cbrt(7 / (8 N)), about seven overlaps per box. "sizes": s of each box over three decades, log-uniform, with the same mean volume.
inline MovingBoxes moving_boxes(const std::string& kind, std::size_t n, int frames) {
  Random random(n * 7919 + kind.size());
  const double s0 = std::cbrt(7.0 / (8.0 * static_cast<double>(n)));
  std::vector<double> size(n, s0);
  if (kind == "sizes")
    for (double& s : size) s = s0 * 2.4 * std::pow(10.0, random.uniform(-3, 0));
  std::vector<graze::Box> boxes(n);
  for (std::size_t i = 0; i < n; ++i) {
    const graze::Vec3 lo = random.in_cube(.5) + graze::Vec3(.5, .5, .5);
    const double x = random.uniform(.5, 1.5), y = random.uniform(.5, 1.5), z = random.uniform(.5, 1.5);
    boxes[i] = {lo, lo + size[i] * graze::Vec3(x, y, z)};
  }
  MovingBoxes moving;
  for (int f = 0; f < frames; ++f) {
    for (std::size_t i = 0; i < n; ++i) {
      const graze::Vec3 d = random.in_cube(.1 * size[i]);
      boxes[i].min += d;
      boxes[i].max += d;
    }
    moving.frames.push_back(boxes);
  }
  return moving;
}

}  // namespace bench
