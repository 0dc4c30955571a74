// Triangle against box by separating axes: three comparisons, the triangle's plane, and nine turns of corners about edges; every sign is exact. The facet
// normals of the difference are coordinate axes, the triangle's normal, or e_k x edge with the box on the other side of the edge than the third corner. Where
// the difference is flat, these still include a normal of each of its sides within its plane, and the normal of the plane.
#include "pairs/triangle_box.hpp"

#include <algorithm>
#include <cmath>

#include "exact/approx.hpp"
#include "exact/predicates.hpp"

namespace graze {
namespace {

/// orient2d(a, b, c, drop) with its sign filter inlined: |error| <= 4 u (|l| + |r|) and underflow below 2^-1073.
inline int turn(const Vec3& a, const Vec3& b, const Vec3& c, int i, int j, int drop) {
  const double l = (b[i] - a[i]) * (c[j] - a[j]), r = (b[j] - a[j]) * (c[i] - a[i]);
  const double value = l - r, error = (std::fabs(l) + std::fabs(r)) * (5 * kUnitRoundoff) + 0x1p-1070;
  if (value > error) return 1;
  if (-value > error) return -1;
  return orient2d(a, b, c, drop);
}

}  // namespace

bool intersects_pair(const Triangle& triangle, const Box& box) {
  const auto& t = triangle.points;
  for (int k = 0; k < 3; ++k)
    if (std::max(std::max(t[0][k], t[1][k]), t[2][k]) < box.min[k] || std::min(std::min(t[0][k], t[1][k]), t[2][k]) > box.max[k]) return false;
  for (int k = 0; k < 3; ++k) {
    const int i = k == 2 ? 0 : k + 1, j = k == 0 ? 2 : k - 1;
    for (int edge = 0; edge < 3; ++edge) {
      const Vec3 &a = t[edge], &b = t[edge == 2 ? 0 : edge + 1], &c = t[edge == 0 ? 2 : edge - 1];
      // f(y) = d_i y_j - d_j y_i for the edge d; comparing coordinates gives the exact signs of d
      Vec3 least = box.min, greatest = box.min;
      (b[j] >= a[j] ? least : greatest)[i] = box.max[i];
      (b[i] >= a[i] ? greatest : least)[j] = box.max[j];
      if (turn(a, b, least, i, j, k) > 0) {
        if (turn(a, b, c, i, j, k) <= 0) return false;
      } else if (turn(a, b, greatest, i, j, k) < 0) {
        if (turn(a, b, c, i, j, k) >= 0) return false;
      }
    }
  }
  // The plane: tests the corners of the box farthest along the normal, chosen by the exact signs of its components.
  Vec3 low = box.min, high = box.min;
  for (int k = 0; k < 3; ++k) {
    const int i = k == 2 ? 0 : k + 1, j = k == 0 ? 2 : k - 1;
    (turn(t[0], t[1], t[2], i, j, k) >= 0 ? high : low)[k] = box.max[k];
  }
  return orient3d(t[0], t[1], t[2], low) <= 0 && orient3d(t[0], t[1], t[2], high) >= 0;
}

}  // namespace graze
