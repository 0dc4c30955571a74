// Comparisons of distances with radii: the region of the closest features first, then the sign of one polynomial, each sign exact.
#include "exact/distance_predicates.hpp"

#include <array>

#include "exact/distance_predicates-inl.hpp"
#include "exact/predicates-inl.hpp"
#include "exact/tiered.hpp"

namespace graze {
namespace {

/// Sign of the parameter, counted from p towards q, of the point where the line p q is nearest to the line v w; 0 when the lines are parallel.
int nearest_parameter_sign(const Vec3& p, const Vec3& q, const Vec3& v, const Vec3& w) {
  return sign_by_tiers(std::array<double, 12>{p.x, p.y, p.z, q.x, q.y, q.z, v.x, v.y, v.z, w.x, w.y, w.z}, kNoOthers,
                       [](const auto& x, const auto&) { return formula::nearest_parameter(x); });
}

int side_of_edge(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& p) {
  return sign_by_tiers(std::array<double, 12>{a.x, a.y, a.z, b.x, b.y, b.z, c.x, c.y, c.z, p.x, p.y, p.z}, kNoOthers,
                       [](const auto& x, const auto&) { return formula::side_of_edge(x); });
}

bool parallel(const Vec3& p, const Vec3& q, const Vec3& v, const Vec3& w) {
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    if (sign_by_tiers(std::array<double, 8>{p[i], p[j], q[i], q[j], v[i], v[j], w[i], w[j]}, kNoOthers,
                      [](const auto& x, const auto&) { return formula::det2(x[2] - x[0], x[3] - x[1], x[6] - x[4], x[7] - x[5]); }) != 0)
      return false;
  }
  return true;
}

}  // namespace

int compare_line_distance(const Vec3& a, const Vec3& b, const Vec3& c, double r, double s) {
  return sign_by_tiers(std::array<double, 11>{a.x, a.y, a.z, b.x, b.y, b.z, c.x, c.y, c.z, r, s}, kNoOthers,
                       [](const auto& x, const auto&) { return formula::line_distance_excess(x); });
}

bool within_segment(const Vec3& a, const Vec3& b, const Vec3& c, double r, double s) {
  if (dot_sign(a, b, a, c) <= 0) return compare_squared_distance(a, c, r, s, 0) <= 0;
  if (dot_sign(b, a, b, c) <= 0) return compare_squared_distance(b, c, r, s, 0) <= 0;
  return compare_line_distance(a, b, c, r, s) <= 0;
}

bool segments_within(const Vec3& p, const Vec3& q, const Vec3& v, const Vec3& w, double r, double s) {
  // The least distance occurs at an endpoint of one segment, or between interior points where the two lines are closest to each other.
  if (within_segment(p, q, v, r, s) || within_segment(p, q, w, r, s) || within_segment(v, w, p, r, s) || within_segment(v, w, q, r, s)) return true;
  if (parallel(p, q, v, w)) return false;
  if (nearest_parameter_sign(p, q, v, w) < 0 || nearest_parameter_sign(q, p, v, w) < 0 || nearest_parameter_sign(v, w, p, q) < 0 ||
      nearest_parameter_sign(w, v, p, q) < 0)
    return false;
  return sign_by_tiers(std::array<double, 14>{p.x, p.y, p.z, q.x, q.y, q.z, v.x, v.y, v.z, w.x, w.y, w.z, r, s}, kNoOthers,
                       [](const auto& x, const auto&) { return formula::lines_distance_excess(x); }) <= 0;
}

bool within_triangle(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& p, double r) {
  if (within_segment(a, b, p, r, 0) || within_segment(b, c, p, r, 0) || within_segment(c, a, p, r, 0)) return true;
  if (orient2d(a, b, c, 0) == 0 && orient2d(a, b, c, 1) == 0 && orient2d(a, b, c, 2) == 0) return false;
  if (side_of_edge(a, b, c, p) < 0 || side_of_edge(b, c, a, p) < 0 || side_of_edge(c, a, b, p) < 0) return false;
  return sign_by_tiers(std::array<double, 13>{a.x, a.y, a.z, b.x, b.y, b.z, c.x, c.y, c.z, p.x, p.y, p.z, r}, kNoOthers,
                       [](const auto& x, const auto&) { return formula::plane_distance_excess(x); }) <= 0;
}

int plane_side(const Vec3& n, const Vec3& p, const Vec3& c) {
  return sign_by_tiers(std::array<double, 6>{p.x, p.y, p.z, c.x, c.y, c.z}, std::array<double, 3>{n.x, n.y, n.z},
                       [](const auto& x, const auto& y) { return formula::height(x, y); });
}

int compare_plane_distance(const Vec3& n, const Vec3& p, const Vec3& c, double r) {
  return sign_by_tiers(std::array<double, 7>{p.x, p.y, p.z, c.x, c.y, c.z, r}, std::array<double, 3>{n.x, n.y, n.z},
                       [](const auto& x, const auto& y) { return formula::normal_distance_excess(x, y); });
}

int compare_axis_distance(const Vec3& o, const Vec3& d, const Vec3& c, double r) {
  return sign_by_tiers(std::array<double, 7>{o.x, o.y, o.z, c.x, c.y, c.z, r}, std::array<double, 3>{d.x, d.y, d.z},
                       [](const auto& x, const auto& y) { return formula::axis_distance_excess(x, y); });
}

int turn_sign(const Vec3& d, const Vec3& o, const Vec3& c, int drop) {
  const int i = drop == 0 ? 1 : drop == 1 ? 2 : 0, j = drop == 0 ? 2 : drop == 1 ? 0 : 1;
  return sign_by_tiers(std::array<double, 4>{o[i], o[j], c[i], c[j]}, std::array<double, 2>{d[i], d[j]},
                       [](const auto& x, const auto& y) { return formula::turn(x, y); });
}

}  // namespace graze
