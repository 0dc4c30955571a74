// Construction of polygons, and the exact rule of which outlines are accepted.
#include "mesh/polygon_rules.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <graze/error.hpp>
#include <graze/shapes/polygon.hpp>
#include <initializer_list>
#include <memory>
#include <vector>

#include "exact/approx.hpp"
#include "exact/big.hpp"
#include "exact/predicates.hpp"
#include "mesh/edge_meetings.hpp"
#include "platform/fp_environment.hpp"
#include "shapes/message.hpp"

namespace graze {
namespace {

// Returns twice the area vector of the triangles (0, i, i + 1) with first <= i < last, relative to the first corner.
template <class T>
std::array<T, 3> area_vector(std::span<const Vec3> points, std::size_t first, std::size_t last) {
  std::array<T, 3> sum{T(0.0), T(0.0), T(0.0)};
  const Vec3& o = points[0];
  for (std::size_t i = first; i < last; ++i) {
    const Vec3 &p = points[i], &q = points[i + 1];
    const T ux = T(p.x) - T(o.x), uy = T(p.y) - T(o.y), uz = T(p.z) - T(o.z), vx = T(q.x) - T(o.x), vy = T(q.y) - T(o.y), vz = T(q.z) - T(o.z);
    sum[0] = sum[0] + (uy * vz - uz * vy);
    sum[1] = sum[1] + (uz * vx - ux * vz);
    sum[2] = sum[2] + (ux * vy - uy * vx);
  }
  return sum;
}

enum class Fan { yes, bent_area, other_way, winds };
struct FanVerdict {
  Fan fan = Fan::yes;
  std::size_t corner = 0;
  bool strict = false;  // of a fan: every corner turns
};

FanVerdict judge(std::span<const Vec3> points) {
  const AreaAxis axis = area_axis(points);
  if (axis.sign == 0) return {all_collinear(points) ? Fan::yes : Fan::bent_area, 0};
  const int i = (axis.drop + 1) % 3, j = (axis.drop + 2) % 3;
  // Corners that differ from their predecessor, seen along the axis.
  std::vector<std::size_t> q;
  auto same = [&](std::size_t a, std::size_t b) { return points[a][i] == points[b][i] && points[a][j] == points[b][j]; };
  for (std::size_t k = 0; k < points.size(); ++k)
    if (q.empty() || !same(q.back(), k)) q.push_back(k);
  while (q.size() > 1 && same(q.front(), q.back())) q.pop_back();
  const std::size_t n = q.size();
  bool strict = n == points.size();
  auto upper = [&](std::size_t k) {  // the edge from q[k] points into the half circle [0, pi)
    const Vec3 &a = points[q[k]], &b = points[q[(k + 1) % n]];
    return a[j] != b[j] ? a[j] < b[j] : a[i] < b[i];
  };
  std::size_t changes = 0;
  for (std::size_t k = 0; k < n; ++k) {
    const std::size_t prev = (k + n - 1) % n;
    const int turn = orient2d(points[q[prev]], points[q[k]], points[q[(k + 1) % n]], axis.drop) * axis.sign;
    if (turn < 0) return {Fan::other_way, q[k]};
    strict = strict && turn != 0;
    if (upper(prev) != upper(k)) ++changes;
  }
  // Turns of one weak sign change the half circle twice per revolution. A fold back counts as half a revolution; the edges of a single revolution with a fold
  // could only close on a line.
  if (changes != 2) return {Fan::winds, 0};
  return {Fan::yes, 0, strict};
}

}  // namespace

AreaAxis area_axis(std::span<const Vec3> points) {
  const std::size_t last = points.size() - 1;
  // Blocks of 8192 triangles keep the terms of a bound below the 2^20 that Approx allows. The bound of a block, enlarged by the factor that Approx allows for
  // its roundings, holds, and there are fewer than 2^20 blocks.
  std::array<Approx, 3> a{0.0, 0.0, 0.0};
  for (std::size_t first = 1; first < last; first += 8192) {
    const auto block = area_vector<Approx>(points, first, std::min(last, first + 8192));
    for (int k = 0; k < 3; ++k) a[k] = a[k] + Approx(block[k].v, block[k].e * (1 + 0x1p-30));
  }
  int best = 0;
  for (int k = 1; k < 3; ++k)
    if (std::fabs(a[k].v) > std::fabs(a[best].v)) best = k;
  bool certain = points.size() < std::size_t{1} << 32;
  for (int k = 0; k < 3; ++k) certain = certain && (k == best || sign_of(Approx(std::fabs(a[best].v), a[best].e) - Approx(std::fabs(a[k].v), a[k].e)) == 1);
  if (const int sign = sign_of(a[best]); certain && sign != kUnknown) return {best, sign};

  auto magnitude = [](const Dyadic& x) { return sign_of(x) < 0 ? -x : x; };
  const auto exact = area_vector<Dyadic>(points, 1, last);
  best = 0;
  for (int k = 1; k < 3; ++k)
    if (compare(magnitude(exact[k]), magnitude(exact[best])) > 0) best = k;
  return {best, sign_of(exact[best])};
}

AreaAxis open_axis(std::span<const Vec3> points) {
  std::size_t other = 1;
  while (other < points.size() && points[0] == points[other]) ++other;
  for (std::size_t k = other + 1; k < points.size(); ++k)
    for (int drop = 0; drop < 3; ++drop)
      if (orient2d(points[0], points[other], points[k], drop) != 0) return {drop, 1};
  return {0, 0};
}

bool all_collinear(std::span<const Vec3> points) { return open_axis(points).sign == 0; }

bool all_coplanar(std::span<const Vec3> points) {
  std::size_t other = 1, third = 0;
  while (other < points.size() && points[other] == points[0]) ++other;
  for (std::size_t k = other + 1; k < points.size() && third == 0; ++k) {
    const Vec3 triangle[3] = {points[0], points[other], points[k]};
    if (!all_collinear(triangle)) third = k;
  }
  if (third == 0) return true;
  return std::all_of(points.begin(), points.end(), [&](const Vec3& p) { return orient3d(points[0], points[other], points[third], p) == 0; });
}

bool is_fan(std::span<const Vec3> points, bool* strict) {
  const FanVerdict v = judge(points);
  if (strict != nullptr) *strict = v.strict;
  return v.fan == Fan::yes;
}

bool has_whole_fan(std::span<const Vec3> points) {
  const AreaAxis axis = area_axis(points);
  if (axis.sign == 0) return true;
  for (std::size_t i = 2; i < points.size(); ++i)
    if (orient2d(points[0], points[i - 1], points[i], axis.drop) == 0) return false;
  return true;
}

std::string fan_defect(std::span<const Vec3> points) {
  const FanVerdict v = judge(points);
  switch (v.fan) {
    case Fan::yes:
      return "";
    case Fan::bent_area:
      return "its area vector is zero but its corners are not on one line: " + simplicity_defect(points, open_axis(points));
    case Fan::other_way:
      return "corner " + std::to_string(v.corner) + " at " + text(points[v.corner]) +
             " turns the other way than the whole: the outline is concave or crosses itself; cut a concave one with triangulate";
    case Fan::winds:
      return "it winds round more than once: " + simplicity_defect(points, area_axis(points));
  }
  return "";
}

Polygon::Polygon(std::span<const Vec3> points) {
  const DefaultFloatEnvironment guard;
  if (points.size() < 3) throw Error(ErrorCode::invalid_shape, "polygon: " + std::to_string(points.size()) + " corners, must have at least 3");
  for (std::size_t i = 0; i < points.size(); ++i) require_finite("polygon: corner " + std::to_string(i), points[i]);
  const std::string defect = fan_defect(points);
  if (!defect.empty()) throw Error(ErrorCode::invalid_shape, "polygon: " + defect);
  points_ = std::make_shared<const std::vector<Vec3>>(points.begin(), points.end());
}

Polygon::Polygon(std::initializer_list<Vec3> points) : Polygon(std::span<const Vec3>(points.begin(), points.size())) {}

}  // namespace graze
