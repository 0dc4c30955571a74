// Which meshes bound a solid: every directed edge must occur as often as its opposite, with vertices identified by coordinates.
#include <gtest/gtest.h>
#include <graze/mesh.hpp>

#include "support/exact_oracle.hpp"

using namespace graze;
using oracle::message_of;

namespace solid_test {
namespace {
const std::vector<Vec3> kCorners{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)};
const std::vector<TriangleIndices> kFaces{{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
std::string why(std::vector<Vec3> v, std::vector<TriangleIndices> t) {
  return message_of([&] { (void)solid(Mesh(MeshData{std::move(v), std::move(t), {}})); });
}
const std::string ok = "(nothing thrown)";
}  // namespace

TEST(Solid, Accepted) {
  EXPECT_EQ(why(kCorners, kFaces), ok);
  EXPECT_EQ(why({}, {}), ok);
  std::vector<TriangleIndices> t = kFaces;
  t.insert(t.end(), kFaces.begin(), kFaces.end());  // counted twice: balanced
  EXPECT_EQ(why(kCorners, t), ok);
  t = kFaces;
  t.push_back({0, 1, 2});  // a triangle and its opposite
  t.push_back({2, 1, 0});
  EXPECT_EQ(why(kCorners, t), ok);
  t = kFaces;
  t.push_back({1, 1, 2});  // edges with equal ends do not count, the other two balance
  t.push_back({3, 3, 3});
  EXPECT_EQ(why(kCorners, t), ok);
  std::vector<Vec3> v = kCorners;
  v.emplace_back(-0.0, 0, -0.0);
  EXPECT_EQ(why(v, {{4, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}), ok);
}

TEST(Solid, RefusalNamesAnEdgeAndATriangle) {
  EXPECT_EQ(why(kCorners, {kFaces[0], kFaces[1], kFaces[2]}),
            "solid: the mesh does not bound a solid: edge 0-2 from (0, 0, 0) to (0, 1, 0) (triangle 0) is used once that way and 0 times the other, must be as "
            "often; so are 2 more edges");
  EXPECT_NE(why(kCorners, {kFaces[0], kFaces[1], kFaces[2], {0, 2, 3}}).find("used 2 times that way and 0 times"), std::string::npos);
}

}  // namespace solid_test
