// Loose boxes contain the exact ones, for every shape and pose, and are not much larger.
#include <gtest/gtest.h>

#include <graze/query/bounds.hpp>

#include "query/loose_bounds.hpp"
#include "support/random.hpp"
#include "support/random_shapes.hpp"

namespace graze::loose_bounds_test {
namespace {

void expect_contained(const Box& inner, const Box3& outer) {
  for (int k = 0; k < 3; ++k) {
    EXPECT_LE(outer.lo[k], inner.min[k]);
    EXPECT_GE(outer.hi[k], inner.max[k]);
  }
}

TEST(LooseBounds, ContainTheBoundingBox) {
  test::Random random(5);
  for (int round = 0; round < 2000; ++round) {
    const AnyShape shape = test_scene::random_shape(random, round % test_scene::kShapes);
    const Pose pose = random.pose(round % 5 == 0 ? 1e12 : 2);
    expect_contained(bounding_box(shape), loose_bounds(shape));
    expect_contained(bounding_box(at(shape, pose)), loose_bounds(at(shape, pose)));
  }
}

TEST(LooseBounds, OfExtremePointsAndPlaces) {
  test::Random random(6);
  for (const double scale : {1e-310, 1e-3, 1.0, 1e300}) {
    for (const double place : {0.0, 1e-310, 1.0, 1e15, 1e300}) {
      std::vector<Vec3> points;
      for (int i = 0; i < 40; ++i) points.push_back(scale * random.point(-1, 1));
      const Hull hull(points);
      const Mesh mesh(MeshData{points, {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}}, {}});
      const Compound compound{{{hull, random.pose(1)}, {mesh, Pose{}}}};
      const Pose pose = random.pose(place);
      for (const ShapeRef& shape : {ShapeRef(hull), ShapeRef(mesh), ShapeRef(compound)}) expect_contained(bounding_box(shape), loose_bounds(shape));
      expect_contained(bounding_box(at(hull, pose)), loose_bounds(at(hull, pose)));
      expect_contained(bounding_box(at(mesh, pose)), loose_bounds(at(mesh, pose)));
      expect_contained(bounding_box(at(compound, pose)), loose_bounds(at(compound, pose)));
      if (scale > place && scale < 1e300) {
        const Box3 box = loose_bounds(at(mesh, pose));
        for (int k = 0; k < 3; ++k) EXPECT_LE(box.hi[k] - box.lo[k], 4 * scale + 2e-300);  // sqrt(3) times the cube's
      }
    }
  }
  const Mesh huge(MeshData{{Vec3(1.7e308, 0, 0), Vec3(0, 1.7e308, 0), Vec3(-1e308, 0, 1.7e308)}, {{0, 1, 2}}, {}});
  expect_contained(bounding_box(at(huge, Pose::quarter_turn(Axis::x, 1))), loose_bounds(at(huge, Pose::quarter_turn(Axis::x, 1))));
  EXPECT_TRUE(loose_bounds(ShapeRef(Mesh(MeshData{}))).empty());
  EXPECT_TRUE(loose_bounds(at(Mesh(MeshData{}), translation(Vec3(1, 0, 0)))).empty());
}

}  // namespace
}  // namespace graze::loose_bounds_test
