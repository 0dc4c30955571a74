// Random poses and postures of a chain, and poses as FCL takes them.
#pragma once
#include <fcl/fcl.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <graze/pose.hpp>
#include <numbers>
#include <vector>

#include "bench/random.hpp"

namespace bench {

using graze::Pose, graze::Vec3;

inline Pose random_pose(Random& random, const Vec3& at) {
  return Pose::from_quaternion(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(.1, 1), at);
}

inline fcl::Transform3d fcl_transform(const Pose& pose) {
  fcl::Transform3d t = fcl::Transform3d::Identity();
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) t.linear()(i, j) = pose.rotation[i][j];
    t.translation()[i] = pose.translation[i];
  }
  return t;
}

inline constexpr std::size_t kLinks = 20;
using Posture = std::vector<Pose>;

/// A chain of links of length 1; each joint turns by up to `most` radians about a random axis perpendicular to the link.
inline Posture chain(Random& random, double most) {
  Posture posture;
  Pose at;  // of the start of the next link, which runs along z
  for (std::size_t i = 0; i < kLinks; ++i) {
    const double turn = random.uniform(-most, most), around = random.uniform(0, 2 * std::numbers::pi), half = std::sin(turn / 2);
    const Pose joint = Pose::from_quaternion(std::cos(turn / 2), half * std::cos(around), half * std::sin(around), 0);
    Pose next;
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) {
        next.rotation[r][c] = 0;
        for (int k = 0; k < 3; ++k) next.rotation[r][c] += at.rotation[r][k] * joint.rotation[k][c];
      }
    // the rounded product is made a rotation again
    const auto& m = next.rotation;
    const double w = .5 * std::sqrt(std::max(1e-9, 1 + m[0][0] + m[1][1] + m[2][2]));
    next = Pose::from_quaternion(w, (m[2][1] - m[1][2]) / (4 * w), (m[0][2] - m[2][0]) / (4 * w), (m[1][0] - m[0][1]) / (4 * w), at.translation);
    const Vec3 along = next.rotate(Vec3(0, 0, 1));
    Pose link = next;
    link.translation = at.translation + .62 * along;
    posture.push_back(link);
    next.translation = at.translation + 1.24 * along;
    at = next;
  }
  return posture;
}

}  // namespace bench
