// plain_hit of ray_triangle.hpp in lanes: as many hits at once as the CPU has room for, or one.
#pragma once
#include <cstddef>
#include <cstdint>

namespace graze {

/// N rays and the triangles that they are known to hit, side by side; the answers have the bits of plain_hit.
template <std::size_t N>
struct HitLanesOf {
  static constexpr std::size_t kLanes = N;
  double corner[9][N], origin[3][N], way[3][N], way_rest[3][N];  ///< the direction as a sum; way_rest is 0 unless it is a difference
  std::uint32_t told;                                            ///< bit k: lane k has its answer
  std::uint32_t odd;    ///< bit k: sizes that lanes do not take; plain_hit may have an answer. Of other lanes without answer it has none, either
  std::uint32_t front;  ///< bits
  double t[N], weight[3][N], normal[3][N];
};
using HitLanes = HitLanesOf<8>;
using HitLane = HitLanesOf<1>;

struct HitKernels {
  /// All lanes; those not in use must hold numbers.
  void (*plain)(HitLanes& lanes);
  void (*plain_one)(HitLane& lane);
};

const HitKernels& hit_kernels();

}  // namespace graze
