// hit_in_doubles in SIMD lanes: the same bits as hit_in_doubles at every CPU level and in every lane, alone and together. Only sizes outside the lanes' range
// are left to hit_in_doubles.
#include "pairs/detail/ray_hit_kernels.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <vector>

#include "exact/two_double.hpp"
#include "pairs/ray_triangle.hpp"
#include "platform/cpu.hpp"
#include "support/random.hpp"
#include "support/rounds.hpp"

namespace graze {
namespace {

using test::Random;

struct Case {
  RayQuery ray;
  Triangle triangle;
};

template <std::size_t N>
void put(HitLanesOf<N>& lanes, std::size_t k, const Case& c) {
  for (int i = 0; i < 3; ++i) {
    for (int p = 0; p < 3; ++p) lanes.corner[3 * p + i][k] = c.triangle.points[p][i];
    const TwoDouble direction = c.ray.to_point ? two_sum(c.ray.direction[i], -c.ray.origin[i]) : TwoDouble(c.ray.direction[i]);
    lanes.origin[i][k] = c.ray.origin[i];
    lanes.direction[i][k] = direction.hi;
    lanes.direction_rest[i][k] = direction.lo;
  }
}

bool same_bits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

/// Whether the lane is decided; its hit must equal that of hit_in_doubles.
template <std::size_t N>
bool check(const HitLanesOf<N>& lanes, std::size_t k, const Case& c) {
  const auto plain = hit_in_doubles(c.ray, c.triangle);
  if ((lanes.decided >> k & 1) == 0) {
    EXPECT_TRUE(!plain || (lanes.unaccepted >> k & 1) != 0) << k;
    return false;
  }
  EXPECT_TRUE(plain.has_value()) << k;
  if (!plain) return false;
  EXPECT_TRUE(same_bits(lanes.t[k], plain->t)) << k;
  EXPECT_EQ((lanes.front >> k & 1) != 0, plain->front);
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(same_bits(lanes.weight[i][k], plain->weights[i])) << k;
    EXPECT_TRUE(same_bits(lanes.normal[i][k], plain->normal[i])) << k;
  }
  return true;
}

/// Whether the time of the lane is decided; it must be that of hit_time, and decided wherever the whole hit is. Cases aim at a triangle, which rounding may
/// miss.
template <std::size_t N>
bool check_time(const HitLanesOf<N>& lanes, std::size_t k, const Case& c) {
  const bool decided = (lanes.decided >> k & 1) != 0;
  if (!decided) {
    EXPECT_TRUE((lanes.unaccepted >> k & 1) != 0 || !hit_in_doubles(c.ray, c.triangle)) << k;
  } else if (ray_hits(c.ray, c.triangle)) {
    EXPECT_TRUE(same_bits(lanes.t[k], hit_time(c.ray, c.triangle))) << k;
  }
  return decided;
}

TEST(RayHitKernels, MatchHitInDoubles) {
  Random random(21);
  std::vector<Case> cases;
  for (int k = 0; k < test::rounds(4000); ++k) {
    const double size = k % 7 == 5 ? std::ldexp(1.0, random.below(240) - 120) : k % 7 == 6 ? std::ldexp(1.0, random.below(1600) - 800) : 1;
    const auto scaled = [&](const Vec3& p) { return Vec3(p.x * size, p.y * size, p.z * size); };
    Case c;
    for (Vec3& p : c.triangle.points) p = scaled(k % 3 == 0 ? random.grid(-3, 3) : random.point(-1, 1));
    const auto& t = c.triangle.points;
    const double u = random.unit(), v = random.unit() * (1 - u);
    Vec3 aim;
    for (int i = 0; i < 3; ++i) aim[i] = t[0][i] + u * (t[1][i] - t[0][i]) + v * (t[2][i] - t[0][i]);
    c.ray.origin = scaled(k % 3 == 0 ? random.grid(-5, 5) : random.point(-1, 1));
    c.ray.to_point = k % 2;
    c.ray.direction = aim;
    if (!c.ray.to_point) {
      for (int i = 0; i < 3; ++i) c.ray.direction[i] -= c.ray.origin[i];
      if (k % 5 == 0) c.ray.direction[random.below(3)] = k % 10 == 0 ? 0.0 : std::ldexp(1.0, -1074 + random.below(1000));
    }
    cases.push_back(c);
  }
  const CpuLevel before = current_cpu_level();
  for (int level = 0; level < kCpuLevels; ++level) {
    if (force_cpu_level(static_cast<CpuLevel>(level)) != static_cast<CpuLevel>(level)) continue;
    SCOPED_TRACE(name(static_cast<CpuLevel>(level)));
    const HitKernels& kernels = hit_kernels();
    HitLanes lanes{};
    std::size_t decided = 0, alone = 0, times = 0, times_alone = 0;
    for (std::size_t i = 0; i < cases.size(); ++i) {
      HitLane lane;
      put(lane, 0, cases[i]);
      kernels.decide_lane(lane);
      alone += check(lane, 0, cases[i]);
      kernels.decide_time(lane);
      times_alone += check_time(lane, 0, cases[i]);
      put(lanes, i % HitLanes::kLanes, cases[i]);
      if (i % HitLanes::kLanes + 1 != HitLanes::kLanes && i + 1 != cases.size()) continue;
      kernels.decide(lanes);
      for (std::size_t k = 0; k <= i % HitLanes::kLanes; ++k) decided += check(lanes, k, cases[i - i % HitLanes::kLanes + k]);
      kernels.decide_times(lanes);
      for (std::size_t k = 0; k <= i % HitLanes::kLanes; ++k) times += check_time(lanes, k, cases[i - i % HitLanes::kLanes + k]);
    }
    EXPECT_EQ(decided, alone);
    EXPECT_EQ(times, times_alone);
    EXPECT_GE(times, decided);
    EXPECT_GT(decided, cases.size() / 2);
    EXPECT_LT(decided, cases.size());
  }
  force_cpu_level(before);
}

}  // namespace
}  // namespace graze
