// Surfaces of the same triangles in other orders, against sorted lists of corners; and what must not be taken for equal.
#include "mesh/arrangement/equal_surfaces.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "math/vec3.hpp"
#include "mesh/meshes.hpp"
#include "support/random.hpp"

namespace graze::equal_surfaces_test {
namespace {

/// The same triangles: in another order, from other corners on, with vertices of their own, -0 for 0.
MeshData rewritten(MeshData d, test::Random& random) {
  MeshData r;
  random.shuffle(d.triangles);
  for (TriangleIndices t : d.triangles) {
    std::rotate(t.begin(), t.begin() + random.below(3), t.end());
    const auto n = static_cast<std::uint32_t>(r.vertices.size());
    for (const std::uint32_t v : t) {
      Vec3 p = d.vertices[v];
      for (int i = 0; i < 3; ++i)
        if (p[i] == 0 && random.coin()) p[i] = -p[i];
      r.vertices.push_back(p);
    }
    r.triangles.push_back({n, n + 1, n + 2});
  }
  return r;
}

using Key = std::array<double, 9>;
std::vector<Key> keys(const MeshView& view, bool turn) {
  std::vector<Key> list;
  for (std::uint32_t i = 0; i < view.mesh->triangles.size(); ++i) {
    std::array<Vec3, 3> p = view.triangle(i).points;
    if (turn) std::swap(p[1], p[2]);
    std::rotate(p.begin(), std::min_element(p.begin(), p.end(), [](const Vec3& x, const Vec3& y) { return less(x, y); }), p.end());
    if (p[2] == p[0]) p = {p[0], p[2], p[1]};  // the lowest corner twice
    Key k;
    for (std::size_t j = 0; j < 9; ++j) k[j] = p[j / 3][static_cast<int>(j % 3)] + 0.0;
    list.push_back(k);
  }
  std::sort(list.begin(), list.end());
  return list;
}
bool equal_lists(const MeshView& a, const MeshView& b) { return keys(a, false) == keys(b, false) || keys(a, false) == keys(b, true); }

TEST(EqualSurfaces, AgreeWithSortedLists) {
  test::Random random(71);
  int equal = 0;
  for (int round = 0; round < 600; ++round) {
    // Few numbers, so that triangles occur several times, turned over and without area.
    const MeshData d = test::lattice(random, 1 + random.below<std::size_t>(30), round % 3 == 0 ? 0x1p-1070 : 1, Vec3(0, 0, 0), 1);
    MeshData e = rewritten(d, random);
    if (round % 2 == 0) e = test::reversed(std::move(e));
    for (int k = random.integer(0, 2); k > 0; --k) {
      TriangleIndices& t = e.triangles[random.below(e.triangles.size())];
      if (random.coin())
        std::swap(t[0], t[1]);
      else
        t = e.triangles[random.below(e.triangles.size())];
    }
    const Mesh a(d), b(e);
    const Pose pose = random.pose(3);
    ASSERT_EQ(equal_surfaces(a, b), equal_lists(a, b)) << round;
    ASSERT_EQ(equal_surfaces({a, &pose}, {b, &pose}), equal_lists({a, &pose}, {b, &pose})) << round;
    equal += equal_surfaces(a, b);
  }
  EXPECT_GT(equal, 150);
  EXPECT_LT(equal, 450);
}

TEST(EqualSurfaces, ManyEqualTrianglesCostLittle) {
  MeshData d = test::closed_box(Vec3(0, 0, 0), Vec3(1, 2, 3));
  for (int k = 0; k < 14; ++k) test::append(d, MeshData(d));
  test::Random random(72);
  const Mesh a(d), b(rewritten(d, random));
  EXPECT_TRUE(equal_surfaces(a, b));
  d.triangles.back() = d.triangles.front();
  EXPECT_FALSE(equal_surfaces(a, Mesh(d)));
}

}  // namespace
}  // namespace graze::equal_surfaces_test
