// Segment, ray and line against a box by separating axes: the coordinate axes (comparisons) and their cross products with the direction (the turn of two corners about the line, seen along an axis).
// These are all normals of facets of the difference of the two sets; where the difference is flat, they still hold a normal of each of its sides within its plane, and of the plane.
#include "pairs/line_box.hpp"

#include <cmath>

#include "exact/approx.hpp"
#include "exact/distance_predicates.hpp"
#include "exact/predicates.hpp"

namespace graze {
namespace {

/// Turn of a corner about the line, seen along one axis, in doubles: |error| <= 4 u (|l| + |r|) (differences or none, two products, one difference), underflow at most 2^-1073 in all.
struct Turn {
  double value, error;
  Turn(double l, double r) : value(l - r), error((std::fabs(l) + std::fabs(r)) * (5 * kUnitRoundoff) + 0x1p-1070) {}
  bool positive() const { return value > error; }
  bool negative() const { return -value > error; }
};

/// Does an axis e_k x d separate the line (through o along d, rounded or not, its signs right) from the box? exact(corner, drop) is the sign for a corner.
template <class Exact>
bool cross_axis_separates(const Vec3& d, const Vec3& o, const Box& b, const Exact& exact) {
  const Vec3 low(b.min.x - o.x, b.min.y - o.y, b.min.z - o.z), high(b.max.x - o.x, b.max.y - o.y, b.max.z - o.z);
  bool certain[3], separated = false;
#pragma GCC unroll 3
  for (int k = 0; k < 3; ++k) {
    const int i = k == 2 ? 0 : k + 1, j = k == 0 ? 2 : k - 1;
    // f(y) = d_i y_j - d_j y_i over the box: least and greatest at corners by the signs of d
    const double il = d[j] >= 0 ? high[i] : low[i], ih = d[j] >= 0 ? low[i] : high[i];
    const double jl = d[i] >= 0 ? low[j] : high[j], jh = d[i] >= 0 ? high[j] : low[j];
    const Turn least(d[i] * jl, d[j] * il), greatest(d[i] * jh, d[j] * ih);
    separated |= least.positive() | greatest.negative();
    certain[k] = least.negative() & greatest.positive();
  }
  if (separated) return true;
  if (certain[0] & certain[1] & certain[2]) return false;
  for (int k = 0; k < 3; ++k) {
    if (certain[k]) continue;
    const int i = k == 2 ? 0 : k + 1, j = k == 0 ? 2 : k - 1;
    Vec3 least = b.min, greatest = b.min;
    (d[j] >= 0 ? least : greatest)[i] = b.max[i];
    (d[i] >= 0 ? greatest : least)[j] = b.max[j];
    if (exact(least, k) > 0 || exact(greatest, k) < 0) return true;
  }
  return false;
}

bool line_separated(const Vec3& o, const Vec3& d, const Box& b) {
  return cross_axis_separates(d, o, b, [&](const Vec3& corner, int drop) { return turn_sign(d, o, corner, drop); });
}

}  // namespace

bool intersects_pair(const Segment& s, const Box& b) {
  bool apart = false;
  for (int k = 0; k < 3; ++k) apart |= ((s.a[k] < b.min[k]) & (s.b[k] < b.min[k])) | ((s.a[k] > b.max[k]) & (s.b[k] > b.max[k]));
  if (apart) return false;
  const Vec3 d(s.b.x - s.a.x, s.b.y - s.a.y, s.b.z - s.a.z);
  return !cross_axis_separates(d, s.a, b, [&](const Vec3& corner, int drop) { return orient2d(s.a, s.b, corner, drop); });
}

bool intersects_pair(const Ray& r, const Box& b) {
  for (int k = 0; k < 3; ++k)
    if ((r.origin[k] > b.max[k] && r.direction[k] >= 0) || (r.origin[k] < b.min[k] && r.direction[k] <= 0)) return false;
  return !line_separated(r.origin, r.direction, b);
}

bool intersects_pair(const Line& l, const Box& b) {
  for (int k = 0; k < 3; ++k)
    if (l.direction[k] == 0 && (l.origin[k] > b.max[k] || l.origin[k] < b.min[k])) return false;
  return !line_separated(l.origin, l.direction, b);
}

}  // namespace graze
