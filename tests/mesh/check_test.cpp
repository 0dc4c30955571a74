// The report on meshes: each list is tested on a mesh with exactly that defect.
#include <gtest/gtest.h>
#include <graze/mesh.hpp>

#include "support/exact_oracle.hpp"

using namespace graze;

namespace check_test {
namespace {

const std::vector<Vec3> kCorners{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)};
const std::vector<TriangleIndices> kFaces{{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};

MeshReport report(std::vector<Vec3> v, std::vector<TriangleIndices> t) { return check(Mesh(MeshData{std::move(v), std::move(t), {}})); }

}  // namespace

TEST(Check, ClosedTetrahedron) {
  const MeshReport r = report(kCorners, kFaces);
  EXPECT_TRUE(r.degenerate.empty() && r.duplicates.empty() && r.border_edges.empty() && r.non_manifold_edges.empty() && r.inconsistent_edges.empty() &&
              r.unbalanced_edges.empty());
  EXPECT_TRUE(r.unreferenced_vertices.empty());
  EXPECT_EQ(r.repeated_vertices, 0u);
  EXPECT_EQ(r.components, 1u);
  EXPECT_TRUE(r.closed && r.solid);
}

TEST(Check, CountsVerticesByCoordinates) {
  std::vector<Vec3> v;
  std::vector<TriangleIndices> t;
  for (const TriangleIndices& f : kFaces) {
    const std::uint32_t at = static_cast<std::uint32_t>(v.size());
    t.push_back({at, at + 1, at + 2});
    for (std::uint32_t i : f) v.push_back(kCorners[i]);
  }
  for (Vec3& p : v)
    if (p.x == 0 && &p - v.data() > 5) p.x = -0.0;  // -0 equals 0
  const MeshReport r = report(v, t);
  EXPECT_TRUE(r.closed && r.solid);
  EXPECT_EQ(r.repeated_vertices, 8u);
  EXPECT_EQ(r.components, 1u);
}

TEST(Check, OpenTurnedAndCrowded) {
  const MeshReport open = report(kCorners, {kFaces[0], kFaces[1], kFaces[2]});
  ASSERT_EQ(open.border_edges.size(), 3u);
  EXPECT_EQ(open.border_edges[0].v0, 0u);
  EXPECT_EQ(open.border_edges[0].v1, 2u);
  EXPECT_EQ(open.border_edges[0].triangle, 0u);
  EXPECT_EQ(open.unbalanced_edges.size(), 3u);
  EXPECT_FALSE(open.closed || open.solid);

  const MeshReport turned = report(kCorners, {kFaces[0], kFaces[1], kFaces[2], {0, 2, 3}});
  EXPECT_TRUE(turned.closed);
  EXPECT_FALSE(turned.solid);
  EXPECT_EQ(turned.inconsistent_edges.size(), 3u);

  std::vector<Vec3> v = kCorners;
  v.emplace_back(5, 5, 5);
  const MeshReport fin = report(v, {{0, 1, 2}, {0, 1, 3}, {0, 1, 4}});
  ASSERT_EQ(fin.non_manifold_edges.size(), 1u);
  EXPECT_EQ(fin.non_manifold_edges[0].v0, 0u);
  EXPECT_EQ(fin.non_manifold_edges[0].v1, 1u);
}

TEST(Check, DegenerateDuplicateUnreferenced) {
  std::vector<Vec3> v = kCorners;
  v.emplace_back(2, 0, 0);
  v.emplace_back(9, 9, 9);
  std::vector<TriangleIndices> t = kFaces;
  t.push_back({0, 1, 4});  // on a line
  t.push_back({2, 2, 3});  // two equal corners
  t.push_back({3, 1, 0});  // face 1 with opposite orientation
  t.push_back({0, 1, 3});  // face 1 again
  const MeshReport r = report(v, t);
  EXPECT_EQ(r.degenerate, (std::vector<std::uint32_t>{4, 5}));
  ASSERT_EQ(r.duplicates.size(), 2u);
  EXPECT_EQ(r.duplicates[0], (std::array<std::uint32_t, 2>{6, 1}));
  EXPECT_EQ(r.duplicates[1], (std::array<std::uint32_t, 2>{7, 1}));
  EXPECT_EQ(r.unreferenced_vertices, (std::vector<std::uint32_t>{5}));
}

TEST(Check, DegenerateExactly) {
  // collinear only in rounded arithmetic, and truly so
  const MeshReport r = report({Vec3(0, 0, 0), Vec3(0.1, 0.3, 0), Vec3(0.2, 0.6, 0), Vec3(0.3, 0.9, 0), Vec3(1e-320, 1e-320, 0), Vec3(1e-320, 2e-320, 0)},
                              {{0, 1, 2}, {0, 1, 3}, {0, 4, 5}});
  EXPECT_EQ(r.degenerate, (std::vector<std::uint32_t>{0}));
}

TEST(Check, Components) {
  std::vector<Vec3> v = kCorners;
  std::vector<TriangleIndices> t = kFaces;
  for (const Vec3& p : kCorners) v.emplace_back(p.x + 10, p.y, p.z);
  for (const TriangleIndices& f : kFaces) t.push_back({f[0] + 4, f[1] + 4, f[2] + 4});
  EXPECT_EQ(report(v, t).components, 2u);
  EXPECT_EQ(report({}, {}).components, 0u);
  EXPECT_TRUE(report({}, {}).solid);
}

}  // namespace check_test
