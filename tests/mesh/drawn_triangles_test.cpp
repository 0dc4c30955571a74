// Triangles drawn near a box: always the same, all near it, and in the long run any of them.
#include "mesh/arrangement/drawn_triangles.hpp"

#include <gtest/gtest.h>

#include <set>

#include "math/vec3.hpp"
#include "mesh/meshes.hpp"
#include "support/random.hpp"

namespace graze::drawn_triangles_test {
namespace {

TEST(DrawnTriangles, ReachAllNearTheBox) {
  test::Random random(73);
  const Mesh mesh(test::soup(random, 300, 1, Vec3(0, 0, 0), .02));
  const Pose pose = random.pose(3);
  for (const MeshView& view : {MeshView(mesh), MeshView(mesh, &pose)}) {
    const Vec3 middle = view.triangle(0).points[0];
    const Box3 box{middle - Vec3(.5, .5, .5), middle + Vec3(.5, .5, .5)};
    struct Less {
      bool operator()(const Vec3& x, const Vec3& y) const { return less(x, y); }
    };
    std::set<Vec3, Less> drawn;
    DrawnTriangles some(view, box), same(view, box);
    for (int k = 0; k < 20000; ++k) {
      const std::optional<Triangle> t = some.next(), u = same.next();
      ASSERT_EQ(t.has_value(), u.has_value());
      if (!t) continue;
      ASSERT_EQ(t->points, u->points);
      drawn.insert(t->points[0]);
    }
    std::size_t near = 0;
    for (std::uint32_t i = 0; i < mesh.size(); ++i) {
      const Triangle t = view.triangle(i);
      if (!leaf::box_of(t).overlaps(box)) continue;
      ++near;
      EXPECT_TRUE(drawn.contains(t.points[0])) << i;
    }
    EXPECT_GT(near, 20u);
    EXPECT_LT(drawn.size(), near * 5);
  }
}

TEST(DrawnTriangles, NoneFarFromTheBoxOrOfNothing) {
  const Mesh mesh(test::closed_box(Vec3(0, 0, 0), Vec3(1, 1, 1))), empty{MeshData{}};
  DrawnTriangles far(mesh, {Vec3(2, 2, 2), Vec3(3, 3, 3)}), none(empty, {Vec3(0, 0, 0), Vec3(1, 1, 1)});
  EXPECT_FALSE(far.next());
  EXPECT_FALSE(none.next());
}

}  // namespace
}  // namespace graze::drawn_triangles_test
