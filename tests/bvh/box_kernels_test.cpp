// The SIMD kernels of the trees: the same bits at every CPU level, equal to scalar code, and run at the requested level.
#include "bvh/box_kernels.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstring>

#include "bvh/scenes.hpp"
#include "support/random.hpp"

namespace graze::test {
namespace {

WideNode random_node(Random& r) {
  WideNode n{};
  n.used = static_cast<std::uint32_t>(r.integer(1, 8));
  for (std::uint32_t s = 0; s < 8; ++s) {
    for (int i = 0; i < 3; ++i) {
      const float c = static_cast<float>(r.integer(-4, 4)) / 4, h = static_cast<float>(r.integer(0, 4)) / 8;
      n.plane[i][s] = s < n.used ? c - h : 2;
      n.plane[3 + i][s] = s < n.used ? c + h : -2;
    }
  }
  return n;
}

struct Results {
  std::vector<std::uint32_t> words;
  void add(std::uint32_t w) { words.push_back(w); }
  void add(const float* f, std::uint32_t used) {
    for (std::uint32_t i = 0; i < used; ++i) words.push_back(std::bit_cast<std::uint32_t>(f[i] + 0.0f));  // both zeros count as one
  }
};

Results run(const BoxKernels& k) {
  Random r(21);
  Results results;
  for (int round = 0; round < 3000; ++round) {
    const WideNode n = random_node(r);
    QueryBox q;
    QueryOrientedBox o;
    QueryRay ray;
    for (int i = 0; i < 3; ++i) {
      const float c = static_cast<float>(r.integer(-5, 5)) / 4, h = static_cast<float>(r.integer(0, 2)) / 4;
      q.lo[i] = c - h;
      q.hi[i] = c + h;
      o.center[i] = c;
      o.half[i] = h;
      for (int j = 0; j < 3; ++j) o.axis[i][j] = static_cast<float>(r.real(-1, 1));
      const float d = static_cast<float>(r.real(-2, 2));
      ray.o_near[i] = ray.o_far[i] = static_cast<float>(r.real(-1, 1));
      ray.inverse[i] = r.integer(0, 5) == 0 ? 0x1p40f : 1 / d;
      ray.near_plane[i] = static_cast<std::uint32_t>(ray.inverse[i] > 0 ? i : 3 + i);
      ray.far_plane[i] = static_cast<std::uint32_t>(ray.inverse[i] > 0 ? 3 + i : i);
    }
    o.bounds = q;
    ray.t_hi = static_cast<float>(r.real(0, 3));
    std::uint32_t expected = 0;
    for (std::uint32_t s = 0; s < n.used; ++s) {
      bool hit = true;
      for (int i = 0; i < 3; ++i) hit = hit && n.plane[i][s] <= q.hi[i] && q.lo[i] <= n.plane[3 + i][s];
      expected |= static_cast<std::uint32_t>(hit) << s;
    }
    const std::uint32_t overlap = k.overlap(n, q);
    EXPECT_EQ(overlap, expected);
    results.add(overlap);
    float value[8];
    results.add(k.ray(n, ray, value));
    results.add(value, n.used);
    results.add(k.distance(n, q, 0.3f, value));
    results.add(value, n.used);
    for (std::uint32_t s = 0; s < n.used; ++s) {
      double exact = 0;  // coordinates are quarters: sums of squares are exact
      for (int i = 0; i < 3; ++i) {
        const double gap = std::max({0.0, static_cast<double>(n.plane[i][s]) - q.hi[i], static_cast<double>(q.lo[i]) - n.plane[3 + i][s]});
        exact += gap * gap;
      }
      EXPECT_LE(value[s], exact);
      EXPECT_GE(value[s], exact * (1 - 0x1p-19));
    }
    results.add(k.oriented_overlap(n, o));
    results.add(k.oriented_distance(n, o, 0.3f, value));
    results.add(value, n.used);
  }
  return results;
}

TEST(BoxKernels, GiveTheSameBitsAtEveryLevel) {
  std::vector<std::uint32_t> first;
  int levels = 0;
  for_each_cpu_level([&](CpuLevel) {
    const Results r = run(box_kernels());
    if (levels++ == 0) first = r.words;
    EXPECT_EQ(r.words, first);
  });
  EXPECT_GE(levels, 1);
}

TEST(BoxKernels, RunAtTheForcedLevel) {
  for_each_cpu_level([&](CpuLevel level) {
    const int at = static_cast<int>(level);
    const KernelCounts before = kernel_counts;
    run(box_kernels());
    EXPECT_EQ(kernel_counts.overlap[at] - before.overlap[at], 3000u) << name(level);
    EXPECT_EQ(kernel_counts.ray[at] - before.ray[at], 3000u) << name(level);
    EXPECT_EQ(kernel_counts.distance[at] - before.distance[at], 3000u) << name(level);
    EXPECT_EQ(kernel_counts.oriented_overlap[at] - before.oriented_overlap[at], 3000u) << name(level);
    EXPECT_EQ(kernel_counts.oriented_distance[at] - before.oriented_distance[at], 3000u) << name(level);
    for (int other = 0; other < kCpuLevels; ++other) {
      if (other != at) {
        EXPECT_EQ(kernel_counts.overlap[other], before.overlap[other]);
      }
    }
  });
}

}  // namespace
}  // namespace graze::test
