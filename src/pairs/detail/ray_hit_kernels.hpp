// hit_in_doubles of ray_triangle.hpp in SIMD lanes: one hit, or as many at once as the CPU has lanes.
#pragma once
#include <cstddef>
#include <cstdint>

namespace graze {

/// N rays and the triangles that they are known to hit, stored in parallel arrays. The results have the bits of hit_in_doubles.
template <std::size_t N>
struct HitLanesOf {
  static constexpr std::size_t kLanes = N;
  /// the direction is the sum direction + direction_rest; direction_rest is 0 unless the direction is a difference
  double corner[9][N], origin[3][N], direction[3][N], direction_rest[3][N];
  std::uint32_t decided;  ///< bit k: lane k is decided
  std::uint32_t
      unaccepted;       ///< bit k: lane k has sizes that the kernel does not accept; hit_in_doubles may decide it. It returns nothing for other undecided lanes
  std::uint32_t front;  ///< bit k: `front` of lane k
  double t[N], weight[3][N], normal[3][N];
};
using HitLanes = HitLanesOf<8>;
using HitLane = HitLanesOf<1>;

struct HitKernels {
  /// Computes all lanes; unused lanes must contain numbers.
  void (*decide)(HitLanes& lanes);
  void (*decide_lane)(HitLane& lane);
  /// The same for `t` alone, which they decide more often.
  void (*decide_times)(HitLanes& lanes);
  void (*decide_time)(HitLane& lane);
};

const HitKernels& hit_kernels();

}  // namespace graze
