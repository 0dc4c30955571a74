// Compares the filters of triangle pairs, of shapes and triangles, and of points and triangles with exact answers. No touching pair is left out, "certain" is
// correct, enclosures enclose, and the bits are the same at every CPU level.
#include "mesh/kernels/pair_kernels.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "bvh/scenes.hpp"
#include "convex/decide/closest.hpp"
#include "convex/decide/decide.hpp"
#include "mesh/kernels/convex_kernels.hpp"
#include "mesh/meshes.hpp"
#include "pairs/triangle_triangle.hpp"
#include "support/random.hpp"

namespace graze::test::pair_kernels_test {
namespace {

double coordinate(const TriangleBlock& b, std::size_t i, std::size_t lane) { return static_cast<double>(b.corner[i][lane]); }

TriangleBlock random_block(Random& r, double size) {
  TriangleBlock b{};
  for (std::size_t lane = 0; lane < kBlock; ++lane) {
    const Vec3 at = r.point(-0.2, 0.2);
    for (std::size_t i = 0; i < 9; ++i) b.corner[i][lane] = static_cast<float>(at[static_cast<int>(i % 3)] + r.real(-size, size));
  }
  return b;
}
Triangle triangle(const TriangleBlock& b, std::size_t lane) {
  Triangle t;
  for (std::size_t i = 0; i < 9; ++i) t.points[i / 3][static_cast<int>(i % 3)] = coordinate(b, i, lane);
  return t;
}

TEST(PairKernels, AgreeWithExactPairs) {
  Random r(302);
  BlockPlacement stay{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0, 0, 0}, 0x1p-40, 0x1p-40, true};
  int touching = 0, possible = 0;
  for (int round = 0; round < 300; ++round) {
    const TriangleBlock a = random_block(r, round % 2 ? 0.1 : 0.3), b = random_block(r, 0.2);
    std::uint32_t first_bits = 0;
    double first_lo[16], first_hi[16];
    bool any = false;
    for_each_cpu_level([&](CpuLevel) {
      const PairKernels& k = pair_kernels();
      PlacedBlock placed;
      k.place(b, stay, placed);
      const std::uint32_t bits = k.touch(a, 4, placed, 4, stay.error, 0), three = k.touch(a, 3, placed, 2, stay.error, 0);
      EXPECT_EQ(three, bits & 0x333u);
      double lo[16], hi[16];
      EXPECT_EQ(k.distance(a, 4, placed, 4, stay, std::numeric_limits<double>::infinity(), lo, hi), 0xFFFFu);
      if (any) {
        EXPECT_EQ(bits, first_bits);
        EXPECT_EQ(std::memcmp(lo, first_lo, sizeof lo), 0);
        EXPECT_EQ(std::memcmp(hi, first_hi, sizeof hi), 0);
      }
      any = true;
      first_bits = bits;
      std::memcpy(first_lo, lo, sizeof lo);
      std::memcpy(first_hi, hi, sizeof hi);
      const double least = hi[static_cast<std::size_t>(round % 16)];
      double lo2[16], hi2[16];
      const std::uint32_t near = k.distance(a, 4, placed, 4, stay, least, lo2, hi2);
      for (std::uint32_t i = 0; i < 16; ++i) {  // pairs that may be as near as `least` are not discarded
        if (hi[i] <= least) {
          EXPECT_TRUE(near >> i & 1);
        }
      }
    });
    for (std::uint32_t i = 0; i < 4; ++i) {
      for (std::uint32_t j = 0; j < 4; ++j) {
        const Triangle ta = triangle(a, i), tb = triangle(b, j);
        const bool touch = triangles_intersect(ta, tb), maybe = first_bits >> (4 * i + j) & 1;
        EXPECT_TRUE(!touch || maybe);
        touching += touch;
        possible += maybe;
        const double d = closest(convex_triangle(ta), convex_triangle(tb)).distance;
        EXPECT_LE(first_lo[4 * i + j], d);
        EXPECT_GE(first_hi[4 * i + j], d);
        if (d > 0) {
          EXPECT_LT(first_hi[4 * i + j] - first_lo[4 * i + j], 1e-9);
        }
      }
    }
  }
  EXPECT_GT(touching, 100);
  EXPECT_EQ(possible, touching);  // random pairs: none is close
}

TEST(ConvexKernels, AgreeWithExactShapes) {
  Random r(303);
  int touching = 0, certain = 0, possible = 0;
  for (int round = 0; round < 3000; ++round) {
    const TriangleBlock b = random_block(r, 0.05);
    const Vec3 c = r.point(-0.2, 0.2);
    const Pose turn = r.pose(0);
    LocalConvexSet local{};
    ConvexSet convex;
    convex.add_point(c);
    for (int i = 0; i < 3; ++i) local.center[i] = c[i];
    local.halves = round % 3 == 0 ? 0 : round % 3 == 1 ? 1 : 3;
    const double sizes[3] = {0.1, 0.06, 0.03};
    for (std::uint32_t k = 0; k < local.halves; ++k) {
      Vec3 h;
      for (int i = 0; i < 3; ++i) local.half[k][i] = h[i] = turn.rotation[i][k] * sizes[k];
      convex.add_segment(h, -1, 1);
    }
    local.square = local.halves == 3;
    local.error = 0x1p-40;
    if (local.halves < 3) local.radius_lo = local.radius_hi = convex.radius = 0.05;
    local.radius_hi *= 1 + 0x1p-40;
    local.radius_lo *= 1 - 0x1p-40;
    std::uint32_t truth = 0;
    for (std::uint32_t i = 0; i < 4; ++i) truth |= within(convex, convex_triangle(triangle(b, i)), 0) ? 1u << i : 0;
    bool any = false;
    ConvexHits first{};
    for_each_cpu_level([&](CpuLevel) {
      const ConvexHits hits = convex_kernels().touch(b, 4, local);
      EXPECT_EQ(truth & ~hits.possible, 0u);
      EXPECT_TRUE(!hits.certain || truth != 0);
      EXPECT_EQ(convex_kernels().touch(b, 2, local).possible, hits.possible & 3);
      if (any) {
        EXPECT_EQ(hits.possible, first.possible);
        EXPECT_EQ(hits.certain, first.certain);
      }
      any = true;
      first = hits;
    });
    touching += truth != 0;
    certain += first.certain;
    possible += first.possible != 0;
  }
  EXPECT_GT(touching, 300);
  EXPECT_GT(certain, touching / 2);
  EXPECT_LT(possible, touching * 12 / 10);
}

}  // namespace
}  // namespace graze::test::pair_kernels_test
