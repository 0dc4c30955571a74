// The boxes of a mesh's tree: one box at level 0, every triangle in one box at each level, and the boxes of the leaves below the tree's depth.
#include <gtest/gtest.h>

#include <algorithm>

#include "mesh/mesh_impl.hpp"
#include "mesh/meshes.hpp"
#include "support/random.hpp"

namespace graze::test::tree_boxes_test {
namespace {

bool contains(const Box& box, const Vec3& p) {
  for (int k = 0; k < 3; ++k)
    if (!(box.min[k] <= p[k] && p[k] <= box.max[k])) return false;
  return true;
}
bool inside(const Box& inner, const Box& outer) { return contains(outer, inner.min) && contains(outer, inner.max); }

void expect_levels(const MeshData& data) {
  const Mesh mesh(data);
  const auto whole = tree_boxes(mesh, 0);
  ASSERT_EQ(whole.size(), 1u);
  Box bounds{data.vertices[data.triangles[0][0]], data.vertices[data.triangles[0][0]]};
  for (const TriangleIndices& t : data.triangles)
    for (const std::uint32_t v : t)
      for (int k = 0; k < 3; ++k) {
        bounds.min[k] = std::min(bounds.min[k], data.vertices[v][k]);
        bounds.max[k] = std::max(bounds.max[k], data.vertices[v][k]);
      }
  EXPECT_EQ(whole[0].min, bounds.min);
  EXPECT_EQ(whole[0].max, bounds.max);

  std::vector<Box> above = whole;
  const auto depth = static_cast<unsigned>(mesh.impl().tree.depth());
  for (unsigned level = 1; level <= depth + 2; ++level) {
    const std::vector<Box> boxes = tree_boxes(mesh, level);
    EXPECT_GE(boxes.size(), above.size());
    for (const Box& b : boxes) EXPECT_TRUE(std::any_of(above.begin(), above.end(), [&](const Box& a) { return inside(b, a); })) << "level " << level;
    for (const TriangleIndices& t : data.triangles)
      EXPECT_TRUE(std::any_of(boxes.begin(), boxes.end(), [&](const Box& b) {
        return contains(b, data.vertices[t[0]]) && contains(b, data.vertices[t[1]]) && contains(b, data.vertices[t[2]]);
      }));
    EXPECT_EQ(boxes.size() == mesh.impl().tree.leaf_count(), level >= depth) << "level " << level << " of " << depth;
    above = boxes;
  }
  const auto leaves = tree_boxes(mesh, ~0u);
  ASSERT_EQ(leaves.size(), mesh.impl().tree.leaf_count());
  for (std::size_t i = 0; i < leaves.size(); ++i) EXPECT_TRUE(leaves[i].min == above[i].min && leaves[i].max == above[i].max);
}

TEST(TreeBoxes, EveryLevelHoldsEveryTriangle) {
  Random r(7);
  for (const std::size_t n : {2, 9, 100, 1500})
    for (const double scale : {1.0, 1e-300, 1e150}) expect_levels(soup(r, n, scale, Vec3(0.5, -0.25, 2) * scale));
  expect_levels(lattice(r, 300, 1, Vec3(0, 0, 0)));
  expect_levels(closed_box(Vec3(0, 0, 0), Vec3(1, 2, 3)));
}

TEST(TreeBoxes, FewTriangles) {
  EXPECT_TRUE(tree_boxes(Mesh(MeshData{}), 0).empty());
  EXPECT_TRUE(tree_boxes(Mesh(MeshData{}), 5).empty());
  const Mesh one({{Vec3(1, 2, 3), Vec3(4, 0, 3), Vec3(0, 5, 3)}, {{0, 1, 2}}, {}});
  for (const unsigned level : {0u, 1u, 9u}) {
    const auto boxes = tree_boxes(one, level);
    ASSERT_EQ(boxes.size(), 1u);
    EXPECT_EQ(boxes[0].min, Vec3(0, 0, 3));
    EXPECT_EQ(boxes[0].max, Vec3(4, 5, 3));
  }
}

TEST(TreeBoxes, FollowARefit) {
  Random r(3);
  MeshData d = soup(r, 200, 1, Vec3(0, 0, 0));
  const Mesh mesh(d);
  for (Vec3& v : d.vertices) v = v * 2.0 + Vec3(1, 1, 1);
  const auto before = tree_boxes(mesh, 2), after = tree_boxes(mesh.refit(d.vertices), 2);
  ASSERT_EQ(before.size(), after.size());
  for (std::size_t i = 0; i < before.size(); ++i) {
    EXPECT_EQ(after[i].min, before[i].min * 2.0 + Vec3(1, 1, 1));
    EXPECT_EQ(after[i].max, before[i].max * 2.0 + Vec3(1, 1, 1));
  }
}

}  // namespace
}  // namespace graze::test::tree_boxes_test
