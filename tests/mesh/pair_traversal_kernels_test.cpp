// The traversal of two meshes in one kernel: at every CPU level and all sizes, no pair that touches or may be nearest is left out, and few others are kept.
#include <gtest/gtest.h>

#include <algorithm>

#include "bvh/scenes.hpp"
#include "mesh/kernels/pair_traversal_kernels.hpp"
#include "mesh/meshes.hpp"
#include "pairs/triangle_triangle.hpp"
#include "support/random.hpp"

namespace graze::test::pair_traversal_kernels_test {
namespace {

struct Truth {
  std::vector<TrianglePair> touching, near;
  SurfaceClosest best;
};

Truth brute_force(const MeshView& a, const MeshView& b, double d) {
  Truth t;
  t.best.closest.distance = std::numeric_limits<double>::infinity();
  for (std::uint32_t i = 0; i < size_of(a); ++i) {
    const Triangle ta = placed_triangle(a, i);
    for (std::uint32_t j = 0; j < size_of(b); ++j) {
      const Triangle tb = placed_triangle(b, j);
      const ConvexClosest c = closest(convex_triangle(ta), convex_triangle(tb));
      if (c.distance == 0) t.touching.push_back({i, j});
      if (c.distance <= d) t.near.push_back({i, j});
      if (c.distance < t.best.closest.distance) t.best = SurfaceClosest{c, i, j};
    }
  }
  return t;
}

void expect_equal(const MeshView& a, const MeshView& b, double d) {
  const Truth truth = brute_force(a, b, d);
  for_each_cpu_level([&](CpuLevel level) {
    SCOPED_TRACE(name(level));
    EXPECT_EQ(intersects(a, b), !truth.touching.empty());
    EXPECT_EQ(triangle_pairs(a, b), truth.touching);
    EXPECT_EQ(triangle_pairs(a, b, d), truth.near);
    EXPECT_EQ(within(a, b, d), !truth.near.empty());
    const auto found = closest(a, b);
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->closest.distance, truth.best.closest.distance);
    if (!truth.touching.empty()) {
      EXPECT_TRUE(std::binary_search(truth.touching.begin(), truth.touching.end(), TrianglePair{found->triangle_a, found->triangle_b}));
      EXPECT_EQ(found->closest.on_a, found->closest.on_b);
    } else {
      EXPECT_EQ(found->triangle_a, truth.best.triangle_a);
      EXPECT_EQ(found->triangle_b, truth.best.triangle_b);
      EXPECT_EQ(found->closest.on_a, truth.best.closest.on_a);
      EXPECT_EQ(found->closest.on_b, truth.best.closest.on_b);
      const auto bounded = closest(a, b, found->closest.distance);
      ASSERT_TRUE(bounded.has_value());
      EXPECT_EQ((TrianglePair{bounded->triangle_a, bounded->triangle_b}), (TrianglePair{found->triangle_a, found->triangle_b}));
      EXPECT_FALSE(closest(a, b, found->closest.distance * (1 - 1e-15)).has_value());
      EXPECT_FALSE(closest(a, b, 0).has_value());
      EXPECT_FALSE(within(a, b, found->closest.distance * (1 - 1e-14)));
      EXPECT_TRUE(within(a, b, found->closest.distance * (1 + 1e-14)));
    }
  });
}

// Balls that touch, overlap slightly or are slightly apart; on both sides of the size ratio up to which floats suffice.
TEST(PairTraversalKernels, EqualBruteForceForAllSizes) {
  Random r(811);
  for (const double ratio : {1.0, 0.3, 20.0, 1.0 / 200, 200.0, 1.0 / 300, 600.0, 1.0 / 3000, 9000.0, 1.0 / 40000, 40000.0}) {
    for (const double scale : {1.0, 1e-30, 1e100}) {
      for (const double gap : {-0.03, -1e-9, 1e-9, 1e-4, 0.2}) {
        const Mesh a(ball(5, Vec3(0), scale)), b(ball(4, Vec3(0), ratio * scale));
        Pose pa = r.pose(0), pb = r.pose(0);
        Vec3 direction = r.point(-1, 1);
        direction = direction / std::sqrt(direction.x * direction.x + direction.y * direction.y + direction.z * direction.z);
        pb.translation = direction * ((1 + ratio) * 0.99 * scale + gap * std::min(ratio, 1.0) * scale);
        SCOPED_TRACE(std::to_string(ratio) + " " + std::to_string(gap));
        expect_equal(MeshView(a, &pa), MeshView(b, &pb), 0.01 * std::min(ratio, 1.0) * scale);
      }
    }
  }
}

// Triangles much larger than whole nodes of the other mesh, across it, beside it and around it.
TEST(PairTraversalKernels, CoarseMeshesEqualBruteForce) {
  Random r(814);
  int touching = 0, apart = 0;
  for (int round = 0; round < 60; ++round) {
    const double scale = round % 3 == 0 ? 1e-20 : 1, size = round % 2 ? r.real(3, 80) : r.real(1, 3);
    const Mesh fine(ball(7, Vec3(0), scale)), coarse(soup(r, 1 + r.below(6), size * scale, Vec3(0), 1));
    const Pose pa = r.pose(0), pb = r.pose(0);
    touching += intersects(MeshView(fine, &pa), MeshView(coarse, &pb));
    apart += !intersects(MeshView(fine, &pa), MeshView(coarse, &pb));
    SCOPED_TRACE(round);
    expect_equal(MeshView(fine, &pa), MeshView(coarse, &pb), r.real(0, 0.5) * scale);
    expect_equal(MeshView(coarse, &pb), MeshView(fine, &pa), r.real(0, 0.5) * scale);
  }
  EXPECT_GT(touching, 5);
  EXPECT_GT(apart, 20);
}

// One leaf each: the 16 pairs side by side.
TEST(PairTraversalKernels, KeepsTouchingTriangles) {
  Random r(812);
  int touching = 0, kept = 0, near = 0, kept_near = 0;
  for (int round = 0; round < 2000; ++round) {
    const MeshData da = round % 5 == 0 ? lattice(r, 4, 0.25, Vec3(0)) : soup(r, 4, 1, Vec3(0), 0.8),
                   db = round % 5 == 0 ? lattice(r, 4, 0.25, Vec3(0)) : soup(r, 4, 1, Vec3(0), 0.8);
    const Mesh a(da), b(db);
    const Pose pose = round % 5 == 0 ? Pose{} : r.pose(0.5);
    const MeshView va(a), vb(b, &pose);
    const PlacedTree pa(a.impl().tree, RigidMap{}), pb(b.impl().tree, RigidMap{pose.rotation, &pose.translation});
    const double margin = round % 2 ? 0 : r.real(0, 0.1);
    PairSearch w;
    w.trees.nodes_a = &a.impl().tree.node(0);
    w.trees.nodes_b = &b.impl().tree.node(0);
    w.trees.blocks_a = a.impl().blocks.data();
    w.trees.blocks_b = b.impl().blocks.data();
    w.trees.vertices_a = reinterpret_cast<const unsigned char*>(a.vertices().data());
    w.trees.vertices_b = reinterpret_cast<const unsigned char*>(b.vertices().data());
    const RelativePlacement b_in_a(pa, pb, margin), a_in_b(pb, pa, margin), corners(pa, pb, 0);
    ASSERT_TRUE(b_in_a.floats(w.trees.b_in_a) && a_in_b.floats(w.trees.a_in_b));
    BlockPlacement& c = w.trees.corners;
    c.usable = corners.doubles(c.axis, c.offset, c.error);
    c.error += kBlockError * (1 + 1.75 * corners.ratio());
    c.relative = 16 * (pa.defect + 0x1p-53);
    w.margin = local_length(a.impl().tree, margin) * (1 + c.relative);
    w.room = PairSearch::kRoom;
    for_each_cpu_level([&](CpuLevel) {
      const PairTraversalKernels& kernels = pair_traversal_kernels();
      kernels.start(w, 0, 0xFF, 0, 0xFF);
      EXPECT_TRUE(kernels.traversal(w));
      for (std::uint32_t i = 0; i < size_of(va); ++i) {
        for (std::uint32_t j = 0; j < size_of(vb); ++j) {
          bool found = false;
          for (std::uint32_t k = 0; k < w.found; ++k) {
            for (std::uint32_t bit = 0; bit < 16; ++bit) {
              if ((w.pair[k].bits >> bit & 1) == 0) continue;
              found = found || (a.impl().index_at(w.pair[k].a * 4 + bit / 4) == i && b.impl().index_at(w.pair[k].b * 4 + bit % 4) == j);
            }
          }
          const Triangle ta = placed_triangle(va, i), tb = placed_triangle(vb, j);
          const bool truth = margin > 0 ? within(convex_triangle(ta), convex_triangle(tb), margin) : triangles_intersect(ta, tb);
          EXPECT_TRUE(found || !truth);
          if (round % 5 == 0) continue;
          (margin > 0 ? near : touching) += truth;
          (margin > 0 ? kept_near : kept) += found;
        }
      }
    });
  }
  EXPECT_GT(touching, 1000);
  EXPECT_LE(kept, touching + touching / 200);  // random pairs: none is close
  EXPECT_LE(kept_near, near + near / 4);       // these axes alone do not separate corners from edges beyond them
}

double dot(const Vec3& a, const Vec3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

/// A fan of `count` triangles around an apex, opening along `axis`.
MeshData fan(Random& r, const Vec3& apex, const Vec3& axis, double size, int count) {
  MeshData data;
  data.vertices.push_back(apex);
  for (int i = 0; i < count; ++i) {
    Vec3 d = r.point(-1, 1);
    if (dot(d, axis) < 0) d = -d;
    data.vertices.push_back(apex + (axis * r.real(0.2, 1) + d * 0.5) * size);
  }
  for (std::uint32_t i = 1; i < static_cast<std::uint32_t>(count); ++i) data.triangles.push_back({0, i, i + 1});
  return data;
}

// Fans on either side of a plane that share only their apex. A bound that is slightly too small in any float test would separate them.
TEST(PairTraversalKernels, FansThatShareTheirApex) {
  Random r(813);
  const auto short_of = [](double x) { return static_cast<double>(static_cast<std::int64_t>(x * 0x1p40)) * 0x1p-40; };
  int moved_apart = 0;
  for (int round = 0; round < 1500; ++round) {
    Vec3 axis = r.point(-1, 1), apex = r.point(-1, 1), shift = r.point(-1, 1);
    for (int k = 0; k < 3; ++k) apex[k] = short_of(apex[k]), shift[k] = short_of(shift[k]);
    axis = axis / std::sqrt(dot(axis, axis));
    const bool coarse = round % 5 == 0;  // leaves of one fan are much larger than nodes of the other
    const double size = coarse ? 60 : round % 3 == 0 ? 1 : r.real(0.01, 3);
    const int count = round % 2 ? 3 : 30;
    const Mesh a(fan(r, apex, axis, size, count)), b(fan(r, apex - shift, -axis, 1, coarse ? 120 : count));
    const Pose pose = translation(shift), beside = translation(shift - axis * 1e-9);
    const bool apart = !intersects(MeshView(a), MeshView(b, &beside));
    moved_apart += apart;
    for_each_cpu_level([&](CpuLevel level) {
      ASSERT_TRUE(intersects(MeshView(a), MeshView(b, &pose))) << round << " at " << name(level);
      ASSERT_TRUE(intersects(MeshView(b, &pose), MeshView(a))) << round << " at " << name(level);
      ASSERT_EQ(closest(MeshView(a), MeshView(b, &pose))->closest.distance, 0);
      ASSERT_FALSE(triangle_pairs(MeshView(a), MeshView(b, &pose)).empty());
    });
  }
  EXPECT_GT(moved_apart, 1000);
}

}  // namespace
}  // namespace graze::test::pair_traversal_kernels_test
