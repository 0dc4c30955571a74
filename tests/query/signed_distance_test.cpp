// What signed_distance refuses, and shapes without an inside. Its values are tested in tests/property and with the batches.
#include <gtest/gtest.h>
#include <graze/graze.hpp>
#include <span>
#include <string>
#include <vector>

#include "mesh/meshes.hpp"

namespace graze::signed_distance_test {
namespace {

/// The message with which a signed distance is refused, also in a batch without points; empty if it is not.
std::string refusal(ShapeRef shape) {
  std::string message;
  try {
    (void)signed_distance(Vec3(0, 0, 0), shape);
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::unsupported_shape);
    message = e.what();
  }
  try {
    (void)signed_distance(std::span<const Vec3>(), shape);
    EXPECT_EQ(message, "");
  } catch (const Error& e) {
    EXPECT_EQ(e.what(), message);
  }
  return message;
}

TEST(SignedDistance, RefusesSurfacesThatMayEncloseSpace) {
  const Mesh box(test::closed_box({-1, -1, -1}, {1, 1, 1}));
  EXPECT_NE(refusal(box).find("the shape is a mesh"), std::string::npos) << refusal(box);
  EXPECT_NE(refusal(box).find("solid(mesh)"), std::string::npos);
  EXPECT_EQ(refusal(at(box, translation({1, 2, 3}))), refusal(box));
  EXPECT_NE(refusal(Mesh(MeshData{})), "");
  const std::vector<double> heights = {0, 0, 0, 0};
  EXPECT_NE(refusal(HeightField(Vec3(0, 0, 0), 1, 1, 2, heights)).find("is a height field"), std::string::npos);
  EXPECT_EQ(signed_distance({0, 0, 0}, solid(box)), -1);
}

TEST(SignedDistance, RefusesCompoundsOfSuchSurfacesWhereverThePointIs) {
  const Mesh box(test::closed_box({5, 5, 5}, {6, 6, 6}));
  const Compound mixed({{Sphere{{0, 0, 0}, 2}, {}}, {box, {}}});
  EXPECT_NE(refusal(mixed).find("child 1 of the compound is a mesh"), std::string::npos) << refusal(mixed);
  EXPECT_EQ(refusal(Compound({{Sphere{{0, 0, 0}, 2}, {}}, {solid(box), {}}})), "");
}

TEST(SignedDistance, IsNeverNegativeWithoutAnInside) {
  const Vec3 on(0.25, 0.25, 0), beside(0.25, 0.25, -2);
  const AnyShape flat[] = {Point{on},
                           Segment{{0, 0.25, 0}, {1, 0.25, 0}},
                           Ray{{0, 0.25, 0}, {1, 0, 0}},
                           Line{{0, 0.25, 0}, {1, 0, 0}},
                           Triangle{{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)}},
                           Polygon{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}},
                           Hull{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
                           Box{{0, 0, 0}, {1, 1, 0}},
                           Sphere{on, 0}};
  for (const AnyShape& shape : flat) {
    EXPECT_EQ(signed_distance(on, shape), 0) << type_name(shape.kind());
    EXPECT_EQ(signed_distance(beside, shape), 2) << type_name(shape.kind());
  }
  EXPECT_EQ(signed_distance(beside, Plane{{0, 0, 0}, {0, 0, 1}}), -2);
}

}  // namespace
}  // namespace graze::signed_distance_test
