// The search for surfaces that touch or nearly touch: at every CPU level it keeps each pair that touches, in the order of the traversal, and each that may be
// nearest; the distances that it proves exist.
#include "mesh/kernels/close_pair_kernels.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "bvh/scenes.hpp"
#include "mesh/kernels/pair_traversal_kernels.hpp"
#include "mesh/meshes.hpp"
#include "mesh/queries/surface_queries.hpp"
#include "pairs/triangle_triangle.hpp"
#include "support/random.hpp"
#include "support/rounds.hpp"

namespace graze::test::close_pair_kernels_test {
namespace {

/// Two meshes for the kernels.
struct Placed {
  MeshView a, b;
  PlacedTree pa, pb;
  PlacedPair trees{};
  TurnPlacement turn{};

  Placed(const Mesh& ma, const Mesh& mb, const Pose& pose)
      : a(ma), b(mb, &pose), pa(a.mesh->tree, RigidMap{}), pb(b.mesh->tree, RigidMap{pose.rotation, &pose.translation}) {
    const RelativePlacement b_in_a(pa, pb, 0), a_in_b(pb, pa, 0);
    trees.nodes_a = &a.mesh->tree.node(0);
    trees.nodes_b = &b.mesh->tree.node(0);
    trees.blocks_a = a.mesh->blocks.data();
    trees.blocks_b = b.mesh->blocks.data();
    trees.vertices_a = reinterpret_cast<const unsigned char*>(a.mesh->vertices.data());
    trees.vertices_b = reinterpret_cast<const unsigned char*>(b.mesh->vertices.data());
    BlockPlacement& c = trees.corners;
    c.usable = b_in_a.doubles(c.axis, c.offset, c.error);
    c.error += kBlockError * (1 + 1.75 * b_in_a.ratio());
    c.relative = 16 * (pa.defect + 0x1p-53);
    EXPECT_TRUE(b_in_a.floats(trees.b_in_a) && a_in_b.floats(trees.a_in_b) && b_in_a.turns(turn, c.error));
  }
  Triangle triangle_a(BlockPlace i) const { return placed_triangle(a, a.mesh->index_at(i)); }
  Triangle triangle_b(BlockPlace i) const { return placed_triangle(b, b.mesh->index_at(i)); }
  double distance(BlockPlace i, BlockPlace j) const {
    return local_length(a.mesh->tree, closest(convex_triangle(triangle_a(i)), convex_triangle(triangle_b(j))).distance);
  }
  bool touch(BlockPlace i, BlockPlace j) const { return triangles_intersect(triangle_a(i), triangle_b(j)); }
};

/// The first pair that touches, of those that the pair traversal finds.
std::optional<std::pair<BlockPlace, BlockPlace>> first_touching(const Placed& p) {
  PairSearch w;
  w.trees = p.trees;
  w.margin = 0;
  w.room = 1;
  pair_traversal_kernels().start(w, 0, 0xFF, 0, 0xFF);
  for (bool done = false; !done; w.found = 0) {
    done = pair_traversal_kernels().traversal(w);
    for (std::uint32_t k = 0; k < w.found; ++k) {
      for (std::uint32_t bit = 0; bit < 16; ++bit) {
        const BlockPlace i = w.pair[k].a * 4 + bit / 4, j = w.pair[k].b * 4 + bit % 4;
        if ((w.pair[k].bits >> bit & 1) != 0 && p.touch(i, j)) return std::pair(i, j);
      }
    }
  }
  return std::nullopt;
}

std::optional<std::pair<BlockPlace, BlockPlace>> first_by_close_search(const Placed& p, ClosePairSearch& w) {
  const ClosePairKernels& kernels = close_pair_kernels();
  w.trees = p.trees;
  w.turn = p.turn;
  w.least = 1e30;
  kernels.start_touching(w);
  for (bool done = false; !done; w.found = 0) {
    done = kernels.touching(w);
    for (std::uint32_t k = 0; k < w.found; ++k) {
      if (p.touch(w.candidate[k].a, w.candidate[k].b)) return std::pair(w.candidate[k].a, w.candidate[k].b);
    }
  }
  return std::nullopt;
}

/// Balls along a random direction, `gap` apart but for their facets.
Pose beside(Random& r, double ratio, double gap) {
  Vec3 direction = r.point(-1, 1);
  direction = direction / std::sqrt(direction.x * direction.x + direction.y * direction.y + direction.z * direction.z);
  Pose pose = r.pose(0);
  pose.translation = direction * ((1 + ratio) * 0.99 + gap);
  return pose;
}

// The nearest pair is among the candidates for any direction of the search, however often the search pauses, and from any bound.
TEST(ClosePairKernels, KeepsTouchingAndNearestPairs) {
  Random r(851);
  int touching = 0, proved = 0;
  const Mesh a(ball(6, Vec3(0), 1));
  for (int round = 0; round < (kSanitized ? 12 : 150); ++round) {
    const double ratio = round % 3 == 0 ? 0.1 : r.real(0.5, 2);
    const Mesh b(ball(5, Vec3(0), ratio));
    const Pose pose = beside(r, ratio, round % 2 == 0 ? r.real(-0.02, 0.02) : r.real(0, 1e-5));
    const Placed p(a, b, pose);
    const Vec3 some = r.point(-0.5, 0.5);
    for_each_cpu_level([&](CpuLevel level) {
      SCOPED_TRACE(std::to_string(round) + " at " + name(level));
      ClosePairSearch w;
      const auto first = first_by_close_search(p, w);
      EXPECT_EQ(first, first_touching(p));
      touching += first.has_value();
      if (first) return;
      const auto nearest = closest(p.a, p.b);
      const double d = local_length(p.a.mesh->tree, nearest->closest.distance);
      if (w.least < 1e30) {
        EXPECT_GE(w.least, p.distance(w.bound_a, w.bound_b) * (1 - 1e-14));
        ++proved;
      } else {
        w.least = d * 1.5;
      }
      if (round % 5 == 0) w.least = d * (1 + 1e-9);
      w.boxes_a = p.a.mesh->oriented().data();
      w.boxes_b = p.b.mesh->oriented().data();
      const Vec3 way = (nearest->closest.on_b - nearest->closest.on_a) * (0.999 / nearest->closest.distance), along = round % 4 == 0 ? some : way;
      for (int k = 0; k < 3; ++k) w.along[k] = static_cast<float>(along[k]);
      bool found = false;
      close_pair_kernels().start_nearest(w);
      for (bool done = false; !done;) {
        w.steps = round % 2 ? 1000000 : 3;
        done = close_pair_kernels().nearest(w);
        for (std::uint32_t k = 0; k < w.found; ++k)
          found = found || TrianglePair{p.a.mesh->index_at(w.candidate[k].a), p.b.mesh->index_at(w.candidate[k].b)} ==
                               TrianglePair{nearest->triangle_a, nearest->triangle_b};
        w.found = 0;
      }
      EXPECT_TRUE(found);
      EXPECT_GE(w.least, d * (1 - 1e-14));
      EXPECT_LE(w.least, d * (1 + 1e-6) + 1e-6);
    });
  }
  EXPECT_GT(touching, 0);
  EXPECT_GT(proved, 0);
}

// The same against all pairs, through closest(): surfaces much nearer than their triangles are large, and a bound.
TEST(ClosePairKernels, DistancesNearContactEqualBruteForce) {
  Random r(852);
  int apart = 0;
  for (int round = 0; round < (kSanitized ? 8 : 100); ++round) {
    const Mesh a(ball(4, Vec3(0), 1)), b(ball(4, Vec3(0), 1));
    const Pose pose = beside(r, 1, r.real(-0.01, 0.03));
    const MeshView va(a), vb(b, &pose);
    SurfaceClosest best;
    best.closest.distance = std::numeric_limits<double>::infinity();
    for (std::uint32_t i = 0; i < size_of(va); ++i) {
      for (std::uint32_t j = 0; j < size_of(vb); ++j) {
        const ConvexClosest c = closest(convex_triangle(placed_triangle(va, i)), convex_triangle(placed_triangle(vb, j)));
        if (c.distance < best.closest.distance) best = {c, i, j};
      }
    }
    for_each_cpu_level([&](CpuLevel level) {
      SCOPED_TRACE(std::to_string(round) + " at " + name(level));
      const auto found = closest(va, vb);
      ASSERT_TRUE(found.has_value());
      EXPECT_EQ(found->closest.distance, best.closest.distance);
      if (best.closest.distance == 0) return;
      ++apart;
      EXPECT_EQ((TrianglePair{found->triangle_a, found->triangle_b}), (TrianglePair{best.triangle_a, best.triangle_b}));
      EXPECT_EQ(found->closest.on_a, best.closest.on_a);
      EXPECT_TRUE(closest(va, vb, best.closest.distance).has_value());
      EXPECT_FALSE(closest(va, vb, best.closest.distance * (1 - 1e-15)).has_value());
    });
  }
  EXPECT_GT(apart, kSanitized ? 0 : 50);
}

// Flat plates that face each other: along their normal the boxes of all nodes are exactly as far apart as the surfaces.
TEST(ClosePairKernels, PlatesThatFaceEachOther) {
  Random r(853);
  for (int round = 0; round < (kSanitized ? 3 : 20); ++round) {
    const Pose tilt = r.pose(0);
    const auto plate = [&](double height) {
      MeshData data;
      constexpr std::uint32_t kSide = 12;
      for (std::uint32_t i = 0; i <= kSide; ++i)
        for (std::uint32_t j = 0; j <= kSide; ++j) data.vertices.push_back(tilt.apply(Vec3(0.1 * i, 0.1 * j, height)));
      for (std::uint32_t i = 0; i < kSide; ++i) {
        for (std::uint32_t j = 0; j < kSide; ++j) {
          const std::uint32_t k = i * (kSide + 1) + j;
          data.triangles.push_back({k, k + kSide + 1, k + 1});
          data.triangles.push_back({k + 1, k + kSide + 1, k + kSide + 2});
        }
      }
      return Mesh(data);
    };
    const Mesh a = plate(0), b = plate(0.01);
    for_each_cpu_level([&](CpuLevel level) {
      SCOPED_TRACE(std::to_string(round) + " at " + name(level));
      const auto found = closest(MeshView(a), MeshView(b));
      ASSERT_TRUE(found.has_value());
      EXPECT_NEAR(found->closest.distance, 0.01, 1e-12);
    });
  }
}

}  // namespace
}  // namespace graze::test::close_pair_kernels_test
