// The normals of the separating axes of two boxes, and how far the boxes overlap along them, in SIMD lanes.
#pragma once

namespace graze {

/// Boxes A and B by coordinate: axis i has the coordinates axis[box][0 to 2][i], and again at i + 3.
struct BoxAxes {
  double axis[2][3][6], half[2][6];
  double t[3];                      ///< from the middle of A to that of B
  double half_low[2][6], t_low[3];  ///< what half and t are rounded by; for `precise` only
};

/// Normals n in five rows of four, the last of which is the first again: of faces of A, of faces of B, and a_i x b_j in row 2 + i.
struct BoxNormals {
  static constexpr int kRow = 4, kFaces = 2 * kRow, kCount = 5 * kRow;
  double normal[3][kCount];
  double squared[kCount], overlap[kCount], square[kCount];  ///< |n|^2; o(n); o(n)^2 / |n|^2 with the sign of o(n)
};

/// |n|^2 and o(n) in pairs of doubles.
struct PreciseOverlaps {
  double squared[BoxNormals::kCount], squared_low[BoxNormals::kCount], overlap[BoxNormals::kCount], overlap_low[BoxNormals::kCount];
};

struct BoxAxesKernels {
  void (*normals)(const BoxAxes& boxes, BoxNormals& out);
  /// Requires that no product of three of the numbers underflows, nor its rounding error: else CPU levels differ.
  void (*precise)(const BoxAxes& boxes, PreciseOverlaps& out);
};

const BoxAxesKernels& box_axes_kernels();

}  // namespace graze
