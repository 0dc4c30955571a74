// The error up to which a ray's position in a tree's coordinates counts as known. Plain data: kernels include this file once per CPU level.
#pragma once

namespace graze {

/// Rays whose positions in doubles err by more than this, as from 2^31 tree sizes away, are clipped in exact arithmetic. A smaller error hardly enlarges boxes
/// and hardly adds exact tests of triangles.
inline constexpr double kNearRayError = 0x1p-16;

}  // namespace graze
