// Surfaces against convex shapes: every answer equals that of asking all triangles.
#include <gtest/gtest.h>

#include <cmath>

#include "convex/core_bounds.hpp"
#include "mesh/meshes.hpp"

namespace graze::test {
namespace {

std::vector<Core> cores(Random& r, const NamedMesh& m) {
  std::vector<Core> all;
  const auto somewhere = [&] { return m.at + r.point(-1.2, 1.2) * m.size; };
  const auto corner = [&] { return m.data.vertices[static_cast<std::size_t>(r.integer(0, static_cast<int>(m.data.vertices.size()) - 1))]; };
  for (int i = 0; i < 8; ++i) {
    Core point, segment, ball, box, ray, plane, triangle;
    point.add_point(i % 2 ? corner() : somewhere());
    segment.add_point(somewhere()).add_point(i % 2 ? corner() : somewhere());
    ball.add_point(somewhere());
    ball.radius = r.uniform(0, 0.3) * m.size;
    box.add_point(i % 2 ? corner() : somewhere());
    for (int k = 0; k < 3; ++k) {
      Vec3 axis(0);
      axis[k] = m.size;
      box.add_segment(i < 4 ? axis : r.point(-1, 1) * m.size, -r.uniform(0, 0.3), 0.25);
    }
    ray.add_point(somewhere()).add_direction(r.point(-1, 1));
    triangle.add_point(somewhere()).add_point(corner()).add_point(corner());
    all.insert(all.end(), {point, segment, ball, box, ray, triangle});
  }
  return all;
}

TEST(CoreQueries, EqualBruteForce) {
  Random r(41);
  for (const NamedMesh& n : meshes()) {
    const Mesh mesh(n.data);
    for (const auto& pose : poses_for(r, n)) {
      SCOPED_TRACE(n.name + (pose ? " placed" : ""));
      const MeshView view(mesh, pose ? &*pose : nullptr);
      for (Core core : cores(r, n)) {
        if (pose) {  // bring it near
          for (std::uint32_t k = 0; k < core.points; ++k) core.own[k] = pose->apply(core.own[k]);
        }
        const double d = r.uniform(0, 0.2) * n.size;
        std::vector<std::uint32_t> touching, near;
        std::optional<SurfaceClosest> best;
        for (std::uint32_t i = 0; i < size_of(view); ++i) {
          const Core t = triangle_core(placed_triangle(view, i));
          if (within(t, core)) touching.push_back(i);
          if (within(t, core, d)) near.push_back(i);
          if (!core.bounded()) continue;
          const CoreClosest c = closest(t, core);
          if (!best || c.distance < best->closest.distance) best = SurfaceClosest{c, i, 0};
        }
        EXPECT_EQ(intersects(view, core), !touching.empty());
        EXPECT_EQ(within(view, core, d), !near.empty());
        EXPECT_EQ(triangles_within(view, core), touching);
        EXPECT_EQ(triangles_within(view, core, d), near);
        if (near.size() > 1) {
          EXPECT_EQ(triangles_within(view, core, d, 1), std::vector<std::uint32_t>{near[0]});
        }
        if (!core.bounded()) continue;
        const auto found = closest(view, core);
        ASSERT_TRUE(found && best);
        EXPECT_EQ(found->closest.distance, best->closest.distance);
        EXPECT_EQ(found->triangle_a, best->triangle_a);
        for (int k = 0; k < 3; ++k) EXPECT_LE(std::fabs(found->closest.on_a[k] - best->closest.on_a[k]), 8 * 0x1p-53 * (n.size + std::fabs(found->closest.on_a[k])) + 0x1p-1073);  // both are rounded
        EXPECT_EQ(found->closest.on_b, best->closest.on_b);
        EXPECT_EQ(found->closest.distance == 0, !touching.empty());
      }
    }
  }
}

TEST(CoreQueries, SameAtEveryCpuLevel) {
  Random r(42);
  const NamedMesh n = meshes()[0];
  const Mesh mesh(n.data);
  const Pose pose = random_pose(r, 1);
  const auto all = cores(r, n);
  std::vector<double> first;
  for_each_cpu_level([&](CpuLevel) {
    std::vector<double> results;
    for (const Core& c : all) {
      results.push_back(intersects(MeshView(mesh, &pose), c));
      if (!c.bounded()) continue;
      const auto best = closest(MeshView(mesh, &pose), c);
      for (int i = 0; i < 3; ++i) results.push_back(best->closest.on_a[i]);
      results.push_back(best->triangle_a);
    }
    if (first.empty()) first = results;
    EXPECT_EQ(results, first);
  });
}

TEST(CoreQueries, EmptyMeshTouchesNothing) {
  const Mesh none(MeshData{});
  Core c;
  c.add_point(Vec3(0));
  EXPECT_FALSE(intersects(MeshView(none), c));
  EXPECT_FALSE(within(MeshView(none), c, 1e300));
  EXPECT_FALSE(closest(MeshView(none), c));
  EXPECT_TRUE(triangles_within(MeshView(none), c).empty());
}

TEST(CoreQueries, BoundsContainPlacedVertices) {
  Random r(43);
  for (const NamedMesh& n : meshes()) {
    const Mesh mesh(n.data);
    for (const auto& pose : poses_for(r, n)) {
      const MeshView view(mesh, pose ? &*pose : nullptr);
      Box3 exact;
      for (std::uint32_t i = 0; i < size_of(view); ++i) {
        for (const Vec3& p : placed_triangle(view, i).points) exact.add(p);
      }
      const Box3 tight = tight_bounds(view), loose = loose_bounds(view);
      EXPECT_EQ(tight.lo, exact.lo);
      EXPECT_EQ(tight.hi, exact.hi);
      for (int i = 0; i < 3; ++i) {
        EXPECT_LE(loose.lo[i], exact.lo[i]) << n.name;
        EXPECT_GE(loose.hi[i], exact.hi[i]) << n.name;
      }
    }
  }
}

}  // namespace
}  // namespace graze::test
