// The largest error of a ray's position in a tree's coordinates that needs no exact clipping. Plain data: kernels include this file once per CPU level.
#pragma once

namespace graze {

/// Rays whose positions in doubles err by more than this, for example from 2^31 tree sizes away, are clipped in exact arithmetic. A smaller error barely
/// enlarges boxes and adds few exact tests of triangles.
inline constexpr double kNearRayError = 0x1p-16;

}  // namespace graze
