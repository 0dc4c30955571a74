// Surfaces against surfaces: every answer equals brute force over all pairs of triangles.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <graze/threads.hpp>

#include "bvh/scenes.hpp"
#include "mesh/grid.hpp"
#include "mesh/meshes.hpp"
#include "pairs/triangle_triangle.hpp"
#include "platform/parallel.hpp"
#include "support/random.hpp"

namespace graze::test::surface_queries_test {
namespace {

TEST(SurfaceQueries, EqualBruteForce) {
  Random r(51);
  const auto all = meshes();
  for (const NamedMesh& n : all) {
    for (int round = 0; round < 6; ++round) {
      // B: another mesh of the same size and position, reduced to fewer triangles; sometimes small, sometimes on A's lattice.
      MeshData other = round % 2 ? lattice(r, 25, n.size / 4, n.at) : soup(r, 40, n.size * (round == 2 ? 0.01 : 1), n.at);
      if (n.name == "denormal") other = lattice(r, 20, 0x1p-1074, n.at, 8);
      const Mesh a(n.data), b(other);
      Random rp(static_cast<std::uint64_t>(round));
      const auto poses = poses_for(rp, n);
      const auto& pa = poses[static_cast<std::size_t>(round) % poses.size()];
      std::optional<Pose> pb = round == 4 ? std::optional<Pose>(r.pose(0.1 * n.size)) : pa;
      if (round == 4 && n.at != Vec3(0)) pb = pa;
      SCOPED_TRACE(n.name + " round " + std::to_string(round));
      const MeshView va(a, pa ? &*pa : nullptr), vb(b, pb ? &*pb : nullptr);
      const double d = r.real(0, 0.1) * n.size;
      std::vector<TrianglePair> touching, near;
      std::optional<SurfaceClosest> best;
      for (std::uint32_t i = 0; i < size_of(va); ++i) {
        const Triangle ta = placed_triangle(va, i);
        for (std::uint32_t j = 0; j < size_of(vb); ++j) {
          const Triangle tb = placed_triangle(vb, j);
          if (triangles_intersect(ta, tb)) touching.push_back({i, j});
          if (round < 3 && within(convex_triangle(ta), convex_triangle(tb), d)) near.push_back({i, j});
          if (round < 3) {
            const ConvexClosest c = closest(convex_triangle(ta), convex_triangle(tb));
            if (!best || c.distance < best->closest.distance) best = SurfaceClosest{c, i, j};
          }
        }
      }
      EXPECT_EQ(intersects(va, vb), !touching.empty());
      EXPECT_EQ(intersects(vb, va), !touching.empty());
      for (int threads : {1, 2, 7}) {
        set_threads(threads);
        EXPECT_EQ(triangle_pairs(va, vb), touching);
      }
      set_threads(0);
      if (round >= 3) continue;
      EXPECT_EQ(within(va, vb, d), !near.empty());
      EXPECT_EQ(triangle_pairs(va, vb, d), near);
      const auto found = closest(va, vb);
      ASSERT_TRUE(found && best);
      EXPECT_EQ(found->closest.distance, best->closest.distance);
      EXPECT_EQ(found->closest.distance == 0, !touching.empty());
      const TrianglePair pair{found->triangle_a, found->triangle_b};
      if (touching.empty()) {
        EXPECT_EQ(pair, (TrianglePair{best->triangle_a, best->triangle_b}));
        EXPECT_EQ(found->closest.on_a, best->closest.on_a);
      } else {
        EXPECT_TRUE(std::binary_search(touching.begin(), touching.end(), pair));
        EXPECT_EQ(found->closest.on_a, found->closest.on_b);
      }
    }
  }
}

TEST(SurfaceQueries, DistanceOfSeparateMeshes) {
  Random r(52);
  for (int round = 0; round < 20; ++round) {
    const Mesh a(ball(8, Vec3(0), 1)), b(soup(r, 60, 0.7, Vec3(0)));
    const Pose pose = r.pose(0);
    Pose away = pose;
    away.translation = Vec3(1.5 + 0.2 * round, 0.3, -0.4);
    const MeshView va(a, &pose), vb(b, &away);
    std::optional<SurfaceClosest> best;
    for (std::uint32_t i = 0; i < size_of(va); ++i) {
      for (std::uint32_t j = 0; j < size_of(vb); ++j) {
        const ConvexClosest c = closest(convex_triangle(placed_triangle(va, i)), convex_triangle(placed_triangle(vb, j)));
        if (!best || c.distance < best->closest.distance) best = SurfaceClosest{c, i, j};
      }
    }
    const auto found = closest(va, vb);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->closest.distance, best->closest.distance);
    if (found->closest.distance > 0) {  // of triangles that touch, any pair may be named
      EXPECT_EQ(found->triangle_a, best->triangle_a);
      EXPECT_EQ(found->triangle_b, best->triangle_b);
    }
    EXPECT_TRUE(within(va, vb, found->closest.distance * (1 + 1e-14)));
    EXPECT_FALSE(found->closest.distance > 0 && within(va, vb, found->closest.distance * (1 - 1e-14)));
  }
}

// Surfaces that touch in many places: which pair is named does not depend on CPU level or threads, nor on what float filters leave in a traversal's frames.
// Blocks whose faces face each other: all pairs of triangles of both faces, and of the sides around them, are equally far apart.
TEST(SurfaceQueries, TheLowestOfTiesBetweenFlatFaces) {
  Random r(77);
  const std::array<Pose, 4> poses = {Pose{}, Pose::quarter_turn(Axis::x, 1, Vec3(3, -2, 0.125)), Pose::quarter_turn(Axis::y, 3),
                                     Pose::from_quaternion(1, 2, 3, 4)};
  const auto block = [&](std::uint32_t n, double from, double to) {
    MeshData d;
    for (const double z : {from, to}) {
      const auto first = static_cast<std::uint32_t>(d.vertices.size());
      const Mesh face = grid(r, n, 1, Vec3(0, 0, z), 0);
      d.vertices.insert(d.vertices.end(), face.vertices().begin(), face.vertices().end());
      for (const TriangleIndices& t : face.triangles()) d.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
    }
    const std::uint32_t top = (n + 1) * (n + 1);
    for (std::uint32_t i = 0; i < n; ++i) {
      d.triangles.push_back({i, i + 1, top + i});
      d.triangles.push_back({i + 1, top + i + 1, top + i});
    }
    r.shuffle(d.triangles);
    return Mesh(d);
  };
  for (int round = 0; round < 24; ++round) {
    const double gap = round % 3 == 0 ? 0.125 : round % 3 == 1 ? 0.1 : 1 / 3.0;  // with 0.1 and 1/3 some gaps are no doubles
    const Mesh a = block(4, -1, 0.3), b = block(3, 0.3 + gap, 2);
    const Pose& pose = poses[static_cast<std::size_t>(round) % poses.size()];
    const MeshView va(a, &pose), vb(b, &pose);
    std::optional<SurfaceClosest> best;
    for (std::uint32_t i = 0; i < size_of(va); ++i)
      for (std::uint32_t j = 0; j < size_of(vb); ++j) {
        const ConvexClosest c = closest(convex_triangle(placed_triangle(va, i)), convex_triangle(placed_triangle(vb, j)));
        if (!best || c.distance < best->closest.distance) best = SurfaceClosest{c, i, j};
      }
    for (const int threads : {1, 2}) {
      set_threads(threads);
      const auto found = closest(va, vb);
      ASSERT_TRUE(found);
      EXPECT_EQ(found->closest.distance, best->closest.distance) << round;
      EXPECT_EQ(found->triangle_a, best->triangle_a) << round;
      EXPECT_EQ(found->triangle_b, best->triangle_b) << round;
      EXPECT_EQ(found->closest.on_a, best->closest.on_a) << round;
    }
  }
  set_threads(0);
}

TEST(SurfaceQueries, OnePairOfTouchingSurfacesIsNamed) {
  Random r(57);
  int not_lowest = 0;
  for (int round = 0; round < 40; ++round) {
    const Mesh a(round % 2 ? ball(9, Vec3(0), 1) : lattice(r, 200, 0.4, Vec3(0))), b(round % 3 ? soup(r, 150, 1, Vec3(0)) : lattice(r, 90, 0.4, Vec3(0)));
    const Pose pose = round % 3 ? r.pose(0.4) : Pose{};
    const MeshView va(a), vb(b, &pose);
    const auto touching = triangle_pairs(va, vb);
    if (touching.empty()) continue;
    std::optional<SurfaceClosest> first;
    for_each_cpu_level([&](CpuLevel level) {
      for (const int threads : {1, 3}) {
        set_threads(threads);
        const auto found = closest(va, vb);
        ASSERT_TRUE(found);
        if (!first) first = found;
        EXPECT_EQ((TrianglePair{found->triangle_a, found->triangle_b}), (TrianglePair{first->triangle_a, first->triangle_b})) << round << ' ' << name(level);
        EXPECT_EQ(found->closest.on_a, first->closest.on_a);
      }
      set_threads(0);
    });
    EXPECT_EQ(first->closest.distance, 0);
    EXPECT_TRUE(std::binary_search(touching.begin(), touching.end(), TrianglePair{first->triangle_a, first->triangle_b}));
    not_lowest += TrianglePair{first->triangle_a, first->triangle_b} != touching.front();
  }
  EXPECT_GT(not_lowest, 10);
}

TEST(SurfaceQueries, FilterAndCpuLevels) {
  const Mesh a(ball(12, Vec3(0), 1)), b(ball(12, Vec3(0.5, 0.25, 0), 1));
  std::vector<TrianglePair> first;
  for_each_cpu_level([&](CpuLevel) {
    const auto pairs = triangle_pairs(a, b);
    EXPECT_GT(pairs.size(), 20u);
    if (first.empty()) first = pairs;
    EXPECT_EQ(pairs, first);
  });
  const auto odd = triangle_pairs(a, b, 0, [](std::uint32_t i, std::uint32_t) { return i % 2 == 1; });
  std::vector<TrianglePair> expected;
  for (const TrianglePair& p : first) {
    if (p.a % 2 == 1) expected.push_back(p);
  }
  EXPECT_EQ(odd, expected);
}

TEST(SurfaceQueries, SelfPairsEqualBruteForce) {
  Random r(53);
  for (const NamedMesh& n : meshes()) {
    const Mesh mesh(n.data);
    for (const auto& pose : poses_for(r, n)) {
      SCOPED_TRACE(n.name + (pose ? " placed" : ""));
      const MeshView view(mesh, pose ? &*pose : nullptr);
      std::vector<TrianglePair> expected;
      for (std::uint32_t i = 0; i < size_of(view); ++i) {
        for (std::uint32_t j = i + 1; j < size_of(view); ++j) {
          if (intersect_beyond_shared(placed_triangle(view, i), placed_triangle(view, j))) expected.push_back({i, j});
        }
      }
      for (int threads : {1, 2, 7}) {
        set_threads(threads);
        EXPECT_EQ(self_pairs(view), expected);
      }
      set_threads(0);
    }
  }
  EXPECT_TRUE(self_pairs(Mesh(ball(20, Vec3(0), 1))).empty());
  EXPECT_TRUE(self_pairs(Mesh(MeshData{})).empty());
}

}  // namespace
}  // namespace graze::test::surface_queries_test
