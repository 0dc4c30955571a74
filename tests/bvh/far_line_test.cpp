// Rays and paths from far away: traversals visit the boxes that they meet, and few others, from any distance and under any pose.
#include "bvh/far_line.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "bvh/traverse.hpp"

namespace graze::test {
namespace {

constexpr int kSide = 12;

/// Cubes of size 1 at the even places of a lattice.
std::vector<Box3> cubes() {
  std::vector<Box3> all;
  for (int z = 0; z < kSide; ++z)
    for (int y = 0; y < kSide; ++y)
      for (int x = 0; x < kSide; ++x) {
        Box3 b;
        const Vec3 at(2 * x - kSide, 2 * y - kSide, 2 * z - kSide);
        b.add(at);
        b.add(at + Vec3(1, 1, 1));
        all.push_back(b);
      }
  return all;
}

template <class Path>
std::vector<std::uint32_t> visited(const WideBvh& tree, Path&& path) {
  std::vector<std::uint32_t> found;
  for_each_along(tree, path, [&](std::uint32_t first, std::uint32_t count) {
    for (std::uint32_t k = first; k < first + count; ++k) found.push_back(tree.items()[k]);
    return false;
  });
  std::sort(found.begin(), found.end());
  return found;
}

struct Placement {
  double rotation[3][3];
  Vec3 translation;
  Vec3 turn(const Vec3& v) const {
    Vec3 r;
    for (int i = 0; i < 3; ++i) r[i] = rotation[i][0] * v.x + rotation[i][1] * v.y + rotation[i][2] * v.z;
    return r;
  }
};
constexpr Placement kPlacements[] = {{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, Vec3(0, 0, 0)},
                                     {{{0, -1, 0}, {1, 0, 0}, {0, 0, 1}}, Vec3(3, -2, 1)},
                                     {{{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}, Vec3(0, 0, 4)}};

/// Distances to which the lattice's coordinates can be added exactly along one axis only.
constexpr int kExponents[] = {8, 20, 31, 40, 53, 70, 120, 300, 900};

TEST(FarLine, RaysVisitFewBoxesTheyMiss) {
  const std::vector<Box3> boxes = cubes();
  const WideBvh tree(boxes);
  const double infinity = std::numeric_limits<double>::infinity();
  for (const Placement& p : kPlacements) {
    const PlacedTree placed(tree, &p == kPlacements ? RigidMap{} : RigidMap{p.rotation, &p.translation});
    for (const int e : kExponents) {
      const double far = std::ldexp(1.0, e);
      for (int axis = 0; axis < 3; ++axis) {
        SCOPED_TRACE(std::to_string(e) + " axis " + std::to_string(axis));
        Vec3 at(0.5, 2.5, -3.5), d(0);  // inside a row of cubes
        at[axis] = 0;
        d[axis] = 1;
        std::vector<std::uint32_t> met;
        for (std::uint32_t i = 0; i < boxes.size(); ++i) {
          bool on = true;
          for (int k = 0; k < 3; ++k) on = on && (k == axis || (boxes[i].lo[k] <= at[k] && at[k] <= boxes[i].hi[k]));
          if (on) met.push_back(i);
        }
        ASSERT_EQ(met.size(), static_cast<std::size_t>(kSide));
        const Vec3 direction = p.turn(d), from = p.turn(at) + p.translation - far * direction, to = p.turn(at) + p.translation + far * direction;
        for (const RayQuery& ray : {RayQuery{from, direction, false, 0, infinity}, RayQuery{from, 0x1p-30 * direction, false, 0, infinity},
                                    RayQuery{to, direction, false, -infinity, infinity}, RayQuery{from, to, true, 0, 1}}) {
          const auto found = visited(tree, LocalRay(placed, ray));
          EXPECT_TRUE(std::includes(found.begin(), found.end(), met.begin(), met.end()));
          EXPECT_LE(found.size(), 8u * kSide);
        }
        Box3 box;
        box.add(from);
        const auto found = visited(tree, PathSweep(placed, box, 2 * far * direction, true));
        EXPECT_TRUE(std::includes(found.begin(), found.end(), met.begin(), met.end()));
        EXPECT_LE(found.size(), 8u * kSide);
        // Away from the tree, short of it, and beside it
        EXPECT_TRUE(LocalRay(placed, {from, -direction, false, 0, infinity}).misses());
        EXPECT_TRUE(LocalRay(placed, {from, direction, false, 0, far * 0.75}).misses());
        EXPECT_TRUE(LocalRay(placed, {from + p.turn(Vec3(0, 0, 0) + 64.0 * (Vec3(1, 1, 1) - d)), direction, false, 0, infinity}).misses());
        if (e >= 20) {
          EXPECT_TRUE(PathSweep(placed, box, 0.75 * far * direction, true).misses());
        }
      }
    }
  }
}

/// A ray along a diagonal is far away in two coordinates, and both must be exact.
TEST(FarLine, DiagonalRays) {
  const std::vector<Box3> boxes = cubes();
  const WideBvh tree(boxes);
  const PlacedTree placed(tree, {});
  for (const int e : kExponents) {
    const double far = std::ldexp(1.0, e);
    std::vector<std::uint32_t> met;
    for (std::uint32_t i = 0; i < boxes.size(); ++i)
      if (boxes[i].lo.x == boxes[i].lo.y && boxes[i].lo.z == 2) met.push_back(i);
    const auto found = visited(tree, LocalRay(placed, {Vec3(-far, -far, 2.5), Vec3(3, 3, 0), false, 0, std::numeric_limits<double>::infinity()}));
    EXPECT_TRUE(std::includes(found.begin(), found.end(), met.begin(), met.end())) << e;
    EXPECT_LE(found.size(), 8u * kSide) << e;
    EXPECT_TRUE(LocalRay(placed, {Vec3(-far, -far, 100), Vec3(3, 3, 0), false, 0, std::numeric_limits<double>::infinity()}).misses()) << e;
  }
}

/// A cube of size 2 passes along the rows; infinite boxes and motions that were rounded are swept as before.
TEST(FarLine, SweptBoxesVisitTheirPath) {
  const std::vector<Box3> boxes = cubes();
  const WideBvh tree(boxes);
  const PlacedTree placed(tree, {});
  const double infinity = std::numeric_limits<double>::infinity();
  for (const int e : {20, 40}) {
    const double far = std::ldexp(1.0, e);
    Box3 box;
    box.add(Vec3(-far - 1, -1, -1));
    box.add(Vec3(-far + 1, 1, 1));
    std::vector<std::uint32_t> met;
    for (std::uint32_t i = 0; i < boxes.size(); ++i)
      if (boxes[i].lo.y <= 1 && boxes[i].hi.y >= -1 && boxes[i].lo.z <= 1 && boxes[i].hi.z >= -1) met.push_back(i);
    for (const bool exact : {true, false}) {
      const auto found = visited(tree, PathSweep(placed, box, Vec3(2 * far, 0, 0), exact));
      EXPECT_TRUE(std::includes(found.begin(), found.end(), met.begin(), met.end())) << e;
      if (exact) {
        EXPECT_LE(found.size(), 4 * met.size()) << e;
      }
    }
    box.hi.y = infinity;
    EXPECT_GE(visited(tree, PathSweep(placed, box, Vec3(2 * far, 0, 0), true)).size(), met.size());
  }
}

}  // namespace
}  // namespace graze::test
