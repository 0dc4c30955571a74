// Polygons: the exact rule of acceptance, and building one.
#include "mesh/polygon_rules.hpp"

#include <graze/error.hpp>
#include <graze/shapes/polygon.hpp>
#include <vector>

#include "core/fp_environment.hpp"
#include "exact/approx.hpp"
#include "exact/big.hpp"
#include "exact/predicates.hpp"
#include "shapes/message.hpp"

namespace graze {
namespace {

// Twice the area vector, relative to the first corner.
template <class T>
std::array<T, 3> area_vector(std::span<const Vec3> points) {
  std::array<T, 3> sum{T(0.0), T(0.0), T(0.0)};
  const Vec3& o = points[0];
  for (std::size_t i = 1; i + 1 < points.size(); ++i) {
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
};

FanVerdict judge(std::span<const Vec3> points) {
  const AreaAxis axis = area_axis(points);
  if (axis.sign == 0) return {all_collinear(points) ? Fan::yes : Fan::bent_area, 0};
  const int i = (axis.drop + 1) % 3, j = (axis.drop + 2) % 3;
  // corners that differ from the one before, as seen along the axis
  std::vector<std::size_t> q;
  auto same = [&](std::size_t a, std::size_t b) { return points[a][i] == points[b][i] && points[a][j] == points[b][j]; };
  for (std::size_t k = 0; k < points.size(); ++k)
    if (q.empty() || !same(q.back(), k)) q.push_back(k);
  while (q.size() > 1 && same(q.front(), q.back())) q.pop_back();
  const std::size_t n = q.size();
  auto upper = [&](std::size_t k) {  // does the edge from q[k] point to the half circle [0, pi)?
    const Vec3 &a = points[q[k]], &b = points[q[(k + 1) % n]];
    return a[j] != b[j] ? a[j] < b[j] : a[i] < b[i];
  };
  std::size_t changes = 0;
  for (std::size_t k = 0; k < n; ++k) {
    const std::size_t prev = (k + n - 1) % n;
    if (orient2d(points[q[prev]], points[q[k]], points[q[(k + 1) % n]], axis.drop) * axis.sign < 0) return {Fan::other_way, q[k]};
    if (upper(prev) != upper(k)) ++changes;
  }
  // Weak turns one way change the half circle twice per revolution; a fold back counts as half a revolution, and with one the edges of a single revolution could only close on a line.
  if (changes != 2) return {Fan::winds, 0};
  return {};
}

}  // namespace

AreaAxis area_axis(std::span<const Vec3> points) {
  auto magnitude = [](const auto& x) { return sign_of(x) < 0 ? -x : x; };
  if (points.size() < 10000) {  // few enough terms for the filter's bound
    const auto a = area_vector<Approx>(points);
    const int s[3] = {sign_of(a[0]), sign_of(a[1]), sign_of(a[2])};
    if (s[0] != kUnknown && s[1] != kUnknown && s[2] != kUnknown) {
      int best = 0;
      bool certain = true;
      for (int k = 1; k < 3; ++k) {
        const int more = sign_of(magnitude(a[k]) - magnitude(a[best]));
        if (more == kUnknown) certain = false;
        if (more == 1) best = k;
      }
      if (certain) return {best, s[best]};
    }
  }
  const auto a = area_vector<Dyadic>(points);
  int best = 0;
  for (int k = 1; k < 3; ++k)
    if (compare(magnitude(a[k]), magnitude(a[best])) > 0) best = k;
  return {best, sign_of(a[best])};
}

bool all_collinear(std::span<const Vec3> points) {
  std::size_t other = 1;
  auto equal = [](const Vec3& a, const Vec3& b) { return a.x == b.x && a.y == b.y && a.z == b.z; };
  while (other < points.size() && equal(points[0], points[other])) ++other;
  for (std::size_t k = other + 1; k < points.size(); ++k)
    for (int drop = 0; drop < 3; ++drop)
      if (orient2d(points[0], points[other], points[k], drop) != 0) return false;
  return true;
}

bool is_fan(std::span<const Vec3> points) { return judge(points).fan == Fan::yes; }

std::string fan_defect(std::span<const Vec3> points) {
  const FanVerdict v = judge(points);
  switch (v.fan) {
    case Fan::yes: return "";
    case Fan::bent_area: return "its area vector is zero but its corners are not on one line: it crosses itself or is bent";
    case Fan::other_way: return "corner " + std::to_string(v.corner) + " at " + text(points[v.corner]) + " turns the other way than the whole: the outline is concave or crosses itself; cut a concave one with triangulate";
    case Fan::winds: return "it winds round more than once: the outline crosses itself";
  }
  return "";
}

Polygon::Polygon(std::span<const Vec3> points) {
  const DefaultFloatEnvironment guard;
  if (points.size() < 3) throw Error("polygon: " + std::to_string(points.size()) + " corners, must have at least 3");
  for (std::size_t i = 0; i < points.size(); ++i) require_finite("polygon: corner " + std::to_string(i), points[i]);
  const std::string defect = fan_defect(points);
  if (!defect.empty()) throw Error("polygon: " + defect);
  points_ = std::make_shared<const std::vector<Vec3>>(points.begin(), points.end());
}

Polygon::Polygon(std::initializer_list<Vec3> points) : Polygon(std::span<const Vec3>(points.begin(), points.size())) {}

}  // namespace graze
