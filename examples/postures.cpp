// An arm of two links on a table, each a row of balls: which of many postures touch the table, a post, or the arm itself.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <graze/graze.hpp>
#include <vector>
using namespace graze;

Compound link(int balls) {
  std::vector<Compound::Child> children;
  children.reserve(static_cast<std::size_t>(balls));
  for (int i = 0; i < balls; ++i) children.push_back({Sphere{{0.1 * i, 0, 0}, 0.06}, {}});
  return Compound(children);
}

int main() {
  Scene scene;
  scene.add("table", Box{{-1, -1, -0.1}, {1, 1, 0}});
  scene.add("post", Cylinder{{0, 0.8, 0}, {0, 0.8, 0.6}, 0.05});
  const MemberId base = scene.add("base", Cylinder{{0, 0, 0}, {0, 0, 0.2}, 0.05});
  const MemberId upper = scene.add("upper", link(6)), lower = scene.add("lower", link(5));
  const std::vector<MemberId> links{upper, lower};  // the poses of a posture in this order
  const Postures arm(scene, links, {.excluded = {{base, upper}, {upper, lower}}});

  // Quarter turns, so that every machine prints the same: the shoulder about z, the elbow about y.
  std::vector<Pose> poses;
  for (int shoulder = 0; shoulder < 4; ++shoulder)
    for (int elbow = 0; elbow < 4; ++elbow) {
      const Pose first = Pose::quarter_turn(Axis::z, shoulder, {0, 0, 0.3});
      poses.push_back(first);
      poses.push_back(compose(first, Pose::quarter_turn(Axis::y, elbow, {0.6, 0, 0})));
    }
  const std::vector<std::uint8_t> touching = arm.touching(poses);
  const PosturePairs pairs = arm.pairs(poses);
  for (std::size_t i = 0; i < touching.size(); ++i) {
    std::printf("shoulder %3zu, elbow %3zu degrees: %s", i / 4 * 90, i % 4 * 90, touching[i] ? "touches" : "free");
    for (std::size_t k = pairs.offsets[i]; k < pairs.offsets[i + 1]; ++k)
      std::printf(" (%s, %s)", scene.name(pairs.pairs[k].first).c_str(), scene.name(pairs.pairs[k].second).c_str());
    std::printf("\n");
  }
}
