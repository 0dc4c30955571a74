// Sets of boxes for tests of trees: random and degenerate, at all sizes that doubles allow.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "math/box3.hpp"
#include "platform/cpu.hpp"
#include "support/random.hpp"

namespace graze::test {

struct BoxScene {
  std::string name;
  std::vector<Box3> boxes;
};

inline Box3 box_at(const Vec3& center, const Vec3& half) {
  Box3 b;
  b.add(center - half);
  b.add(center + half);
  return b;
}

/// `scale` and `offset` must not overflow or absorb the random numbers; exactness is not needed.
inline std::vector<Box3> random_boxes(Random& r, std::size_t n, double scale, double offset, double size = 0.05) {
  std::vector<Box3> boxes;
  for (std::size_t i = 0; i < n; ++i) boxes.push_back(box_at(r.point(-1, 1) * scale + Vec3(offset), r.point(0, size) * scale));
  return boxes;
}

inline std::vector<BoxScene> box_scenes() {
  Random r(7);
  std::vector<BoxScene> s;
  for (std::size_t n : {1u, 2u, 4u, 5u, 8u, 9u, 33u, 200u}) s.push_back({"random " + std::to_string(n), random_boxes(r, n, 1, 0)});
  s.push_back({"random 5000", random_boxes(r, 5000, 1, 0)});
  s.push_back({"tiny", random_boxes(r, 300, 1e-300, 0)});
  s.push_back({"denormal", random_boxes(r, 300, 1e-320, 0)});
  s.push_back({"huge", random_boxes(r, 300, 1e300, 0)});
  s.push_back({"largest", random_boxes(r, 300, 1.7e308, 0, 1e-3)});
  s.push_back({"far away", random_boxes(r, 300, 1, 1e6)});
  s.push_back({"far away and small", random_boxes(r, 300, 1e-9, 1e6)});
  auto flat = random_boxes(r, 300, 1, 0);
  for (Box3& b : flat) b.lo[2] = b.hi[2] = 0;
  s.push_back({"flat", flat});
  for (Box3& b : flat) b.lo[1] = b.hi[1] = 3;
  s.push_back({"on a line", flat});
  s.push_back({"all equal", std::vector<Box3>(1000, box_at(Vec3(1, 2, 3), Vec3(1)))});
  s.push_back({"all one point", std::vector<Box3>(1000, box_at(Vec3(1e5, 2, 3), Vec3(0)))});
  std::vector<Box3> geometric;  // sizes and positions that halve: every builder that cuts by area produces a chain
  for (int i = 0; i < 1000; ++i) geometric.push_back(box_at(Vec3(1 / (1.0 + i * i * i), 0, 0), Vec3(1e-9 / (i + 1.0))));
  double x = 1e300;
  for (int i = 0; i < 1500; ++i, x *= 0.4) geometric.push_back(box_at(Vec3(x, 0, 0), Vec3(0)));
  s.push_back({"geometric", geometric});
  auto holes = random_boxes(r, 100, 1, 0);
  for (std::size_t i = 0; i < holes.size(); i += 3) holes[i] = Box3{};
  s.push_back({"some empty", holes});
  auto infinite = random_boxes(r, 100, 1, 0);
  infinite[17].hi[1] = infinite[18].hi[0] = std::numeric_limits<double>::infinity();
  infinite[18].lo[0] = -infinite[18].hi[0];
  s.push_back({"some infinite", infinite});
  s.push_back({"none", {}});
  return s;
}

/// Runs f once for every CPU level of this machine.
template <class F>
void for_each_cpu_level(F&& f) {
  const CpuLevel before = current_cpu_level();
  for (int i = 0; i < kCpuLevels; ++i) {
    if (force_cpu_level(static_cast<CpuLevel>(i)) == static_cast<CpuLevel>(i)) f(static_cast<CpuLevel>(i));
  }
  force_cpu_level(before);
}

}  // namespace graze::test
