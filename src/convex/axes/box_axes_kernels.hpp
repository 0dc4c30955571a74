// The normals of the separating axes of two boxes, and how far the boxes overlap along them, in SIMD lanes. `pairs/obb_obb-inl.hpp` tests the same axes without
// forming their normals: whether boxes meet follows from six cofactors, and the 9 cross products of edges are needed for depths only.
#pragma once
#include <cstdint>

namespace graze {

/// Boxes A and B by coordinate: axis i has the coordinates axis[box][0 to 2][i], and again at i + 3.
struct BoxAxes {
  double axis[2][3][6], half[2][6];
  double t[3];             ///< from the middle of A to that of B
  double slack[3];         ///< what o(n) may be off by: of faces of A, faces of B, pairs of edges
  double parallel;         ///< |n|^2 of pairs of edges that are taken as nearly parallel
  double prefer, certain;  ///< what a pair of edges must be below of the square of a face's value; the gap of the bounds that may stay, of the depth
};

/// Normals n in five rows of four, the last of which is the first again: of faces of A, of faces of B, and a_i x b_j in row 2 + i.
struct BoxNormals {
  static constexpr int kRow = 4, kFaces = 2 * kRow, kCount = 5 * kRow;
  double normal[3][kCount];
  double squared[kCount], overlap[kCount], square[kCount], clear[kCount];  ///< |n|^2; o(n); o(n)^2 / |n|^2 with the sign of o(n); o(n) less its slack
  bool separated;                                                          ///< some o(n) is certainly below 0
  int which;                                                               ///< the normal of the least value o(n) / |n|, a face's if one is as good
  double norm, best, error;                                                ///< its length, its value, and what that may be off by
  bool shallow;                                                            ///< the error of the least value exceeds the gap that may stay
  double level;         ///< what all values must certainly be above: of a deep pair the least one less the gap, of a shallow one the least one and its error
  std::uint32_t below;  ///< bits of the values that are not
};

/// Four normals f x s in lanes, with the four generators (axis and half length) that are not perpendicular to each. The low parts are what halves and t are
/// rounded by.
struct FourNormals {
  static constexpr int kGenerators = 4;
  double f[3][4], s[3][4], generator[kGenerators][3][4], half[kGenerators][4], half_low[kGenerators][4];
  double t[3], t_low[3];
};
/// |n|^2, rounded; o(n) / |n| in pairs of doubles; and what of o(n) the generators 2 and 3 are.
struct FourValues {
  double squared[4], value[4], value_low[4], rest[4];
};

struct BoxAxesKernels {
  void (*normals)(const BoxAxes& boxes, BoxNormals& out);
  /// Requires that no product of three of the numbers underflows, nor its rounding error: else CPU levels differ.
  void (*precise)(const FourNormals& normals, FourValues& out);
};

const BoxAxesKernels& box_axes_kernels();

}  // namespace graze
