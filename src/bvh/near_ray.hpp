// When a ray's place in a tree's coordinates counts as known. Plain data: kernels include it, once per CPU level.
#pragma once

namespace graze {

/// Rays whose places are off by more than this in doubles, as from 2^31 tree sizes away, are clipped in exact numbers: a smaller error hardly makes boxes
/// larger or leaves more triangles to exact tests.
inline constexpr double kNearRayError = 0x1p-16;

}  // namespace graze
