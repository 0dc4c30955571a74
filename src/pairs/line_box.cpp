// Segment, ray and line against a box by separating axes: the coordinate axes (comparisons) and their cross products with the direction (the turn of two
// corners about the line, seen along an axis). These are all facet normals of the difference of the two sets. Where the difference is flat, they still include
// a normal of each of its sides within its plane, and the normal of the plane.
#include "pairs/line_box.hpp"

#include <algorithm>
#include <cmath>

#include "exact/distance_predicates.hpp"
#include "exact/predicates.hpp"
#include "pairs/detail/certain.hpp"

namespace graze {

namespace filter {
#include "pairs/line_box-inl.hpp"
}

namespace {

/// Of the line through o along d.
struct Gaps : filter::LineBoxGaps<double> {
  Gaps(const Vec3& d, const Vec3& o, const Box& b)
      : LineBoxGaps({d.x, d.y, d.z}, {b.min.x - o.x, b.min.y - o.y, b.min.z - o.z}, {b.max.x - o.x, b.max.y - o.y, b.max.z - o.z}) {}
};

/// Whether an axis e_k x d separates the line (through o along d, rounded or not, its signs right) from the box. Uncertain axes are decided by exact(corner,
/// drop), the exact sign for a corner.
template <class Exact>
bool open_axis_separates(const Gaps& gaps, const Vec3& d, const Box& b, const Exact& exact) {
  for (int k = 0; k < 3; ++k) {
    if (gaps.spares(k)) continue;
    const int i = k == 2 ? 0 : k + 1, j = k == 0 ? 2 : k - 1;
    Vec3 least = b.min, greatest = b.min;
    (d[j] >= 0 ? least : greatest)[i] = b.max[i];
    (d[i] >= 0 ? greatest : least)[j] = b.max[j];
    if (exact(least, k) > 0 || exact(greatest, k) < 0) return true;
  }
  return false;
}

bool line_separated(const Vec3& o, const Vec3& d, const Box& b) {
  const Gaps gaps(d, o, b);
  return gaps.any_separates() || open_axis_separates(gaps, d, b, [&](const Vec3& corner, int drop) { return turn_sign(d, o, corner, drop); });
}

/// Decides pairs that doubles cannot distinguish from touching, when the boxes overlap. A separate function, because inlining it would slow down the usual
/// case.
[[gnu::noinline]] bool close_segment_meets(const Segment& s, const Vec3& d, const Box& b, const Gaps& gaps) {
  // On a grid of differences below 2^25 e everything is exact: S is below 2^26 e, products below 2^51 e^2, T and R below 2^52 e^2.
  double x[12], size[3];
  for (int k = 0; k < 3; ++k) {
    x[k] = s.a[k], x[3 + k] = s.b[k], x[6 + k] = b.min[k], x[9 + k] = b.max[k];
    size[k] = std::max(std::fabs(d[k]), std::max(std::fabs(b.min[k] - s.a[k]), std::fabs(b.max[k] - s.a[k])));
  }
  const double far = std::max(std::max(size[0], size[1]), size[2]);
  if (filter::on_grid(x, far, 25)) return !gaps.any_positive();
  return !open_axis_separates(gaps, d, b, [&](const Vec3& corner, int drop) { return orient2d(s.a, s.b, corner, drop); });
}

}  // namespace

bool intersects_pair(const Segment& s, const Box& b) {
  unsigned apart = 0;
  for (int k = 0; k < 3; ++k) apart |= (std::max(s.a[k], s.b[k]) < b.min[k]) | (std::min(s.a[k], s.b[k]) > b.max[k]);
  const Vec3 d(s.b.x - s.a.x, s.b.y - s.a.y, s.b.z - s.a.z);
  const Gaps gaps(d, s.a, b);
  apart |= gaps.any_separates();
  if (apart + gaps.none_separates() != 0) [[likely]]
    return apart == 0;  // neither is predictable alone, but nearly always one of them holds
  return close_segment_meets(s, d, b, gaps);
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
