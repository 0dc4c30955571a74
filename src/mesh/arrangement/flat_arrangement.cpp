// All points where others meet the triangle are collected first; those on a common line, in order along it, bound its pieces.
#include "mesh/arrangement/flat_arrangement.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "mesh/arrangement/meeting_points.hpp"

namespace graze {
namespace {

V3<Dyadic> normal_of(const ExactTriangle& t) { return cross(t.points[1] - t.points[0], t.points[2] - t.points[0]); }

bool is_on_segment(const ExactPoint& v, const V3<Dyadic>& p, const V3<Dyadic>& q) {
  const V3<Dyadic> to_p = from_to(v, p), to_q = from_to(v, q);
  return is_zero(cross(to_p, to_q)) && sign_of(dot(to_p, to_q)) <= 0;
}

int compare(const ExactPoint& v, const ExactPoint& w) {
  for (int i = 0; i < 3; ++i)
    if (const int c = graze::compare(v.at[i] * w.scale, w.at[i] * v.scale); c != 0) return c;
  return 0;
}

/// Adds the pieces between the points, which lie on one line.
void add_pieces(std::vector<ExactSegment>& out, std::vector<ExactPoint> on_line) {
  std::sort(on_line.begin(), on_line.end(), [](const ExactPoint& v, const ExactPoint& w) { return compare(v, w) < 0; });
  for (std::size_t k = 0; k + 1 < on_line.size(); ++k) out.push_back({on_line[k], on_line[k + 1]});
}

/// Both segments as integer multiples of one unit, and a number of these units.
struct SameScale {
  std::array<V3<Dyadic>, 4> points;
  Dyadic length;
  SameScale(const ExactSegment& s, const ExactSegment& t, double r) {
    const ExactPoint* const all[] = {&s.from, &s.to, &t.from, &t.to};
    length = Dyadic(r);
    for (std::size_t i = 0; i < 4; ++i) {
      points[i] = all[i]->at;
      for (std::size_t j = 0; j < 4; ++j)
        if (j != i) points[i] = all[j]->scale * points[i];
      length = length * all[i]->scale;
    }
  }
};

/// Whether p is nearer to the segment than the root of `square`.
bool is_near(const V3<Dyadic>& p, const V3<Dyadic>& a, const V3<Dyadic>& b, const Dyadic& square) {
  const V3<Dyadic> d = b - a, x = p - a;
  const Dyadic along = dot(x, d), dd = dot(d, d);
  if (sign_of(along) <= 0) return graze::compare(dot(x, x), square) < 0;
  if (graze::compare(along, dd) >= 0) return graze::compare(dot(p - b, p - b), square) < 0;
  return graze::compare(dot(x, x) * dd - along * along, square * dd) < 0;
}

}  // namespace

ExactPoint middle_of(const ExactSegment& s) { return {s.to.scale * s.from.at + s.from.scale * s.to.at, Dyadic(2.0) * s.from.scale * s.to.scale}; }

ExactPoint nearest_on(const ExactSegment& s, const ExactPoint& p) {
  const V3<Dyadic> a = s.to.scale * s.from.at, b = s.from.scale * s.to.at, d = b - a;  // in units of 1 / unit
  const Dyadic unit = s.from.scale * s.to.scale, along = dot(unit * p.at - p.scale * a, d), length = p.scale * dot(d, d);
  if (sign_of(along) <= 0) return s.from;
  if (graze::compare(along, length) >= 0) return s.to;
  return {length * a + along * d, length * unit};
}

std::vector<ExactSegment> pieces_in(const ExactTriangle& triangle, std::span<const ExactTriangle> others) {
  const V3<Dyadic> normal = normal_of(triangle);
  std::vector<const ExactTriangle*> near;
  std::vector<bool> flat;  // in the same plane, or without area: such a triangle divides this one by its edges
  for (const ExactTriangle& o : others) {
    if (!o.box.overlaps(triangle.box)) continue;
    near.push_back(&o);
    flat.push_back(is_zero(cross(normal, normal_of(o))));
  }
  MeetingPoints found;
  for (const V3<Dyadic>& p : triangle.points) found.add(ExactPoint{p});
  for (std::size_t i = 0; i < near.size(); ++i) {
    for (const V3<Dyadic>& p : near[i]->points) found.add(ExactPoint{p});
    found.add_meeting(triangle, *near[i]);
    for (std::size_t k = 0; k < i; ++k) {
      if (!near[k]->box.overlaps(near[i]->box)) continue;
      if (flat[i] || flat[k])
        found.add_meeting(*near[k], *near[i]);
      else
        found.add_common(triangle, *near[k], *near[i]);
    }
  }
  std::vector<ExactPoint> points = std::move(found.points);
  for (const Vec3& v : found.vertices) points.push_back({exact(v)});
  std::erase_if(points, [&](const ExactPoint& v) { return !triangle_contains(triangle, v); });
  std::vector<Box3> boxes;
  boxes.reserve(points.size());
  for (const ExactPoint& v : points) boxes.push_back(box_of(v));

  std::vector<ExactSegment> pieces;
  const auto add_line = [&](const Box3& box, const auto& contains) {
    std::vector<ExactPoint> on_line;
    for (std::size_t i = 0; i < points.size(); ++i)
      if (boxes[i].overlaps(box) && contains(points[i])) on_line.push_back(points[i]);
    add_pieces(pieces, std::move(on_line));
  };
  const auto add_edges = [&](const ExactTriangle& t) {
    for (std::size_t i = 0; i < 3; ++i) add_line(t.box, [&](const ExactPoint& v) { return is_on_segment(v, t.points[i], t.points[(i + 1) % 3]); });
  };
  add_edges(triangle);
  for (std::size_t i = 0; i < near.size(); ++i) {
    if (flat[i])
      add_edges(*near[i]);
    else
      add_line(near[i]->box, [&](const ExactPoint& v) { return triangle_contains(*near[i], v); });
  }
  return pieces;
}

bool are_closer(const ExactSegment& s, const ExactSegment& t, double r) {
  const SameScale x(s, t, r);
  const auto& [a, b, c, d] = x.points;
  const Dyadic square = x.length * x.length;
  if (is_near(a, c, d, square) || is_near(b, c, d, square) || is_near(c, a, b, square) || is_near(d, a, b, square)) return true;
  const V3<Dyadic> u = b - a, v = d - c, w = c - a, n = cross(u, v);
  const Dyadic nn = dot(n, n), on_s = dot(cross(w, v), n), on_t = dot(cross(w, u), n);
  const auto is_inside = [&](const Dyadic& place) { return sign_of(place) > 0 && graze::compare(place, nn) < 0; };
  if (!is_inside(on_s) || !is_inside(on_t)) return false;
  const Dyadic height = dot(w, n);
  return graze::compare(height * height, square * nn) < 0;
}

Vec3 direction_of(const V3<Dyadic>& v) {
  int e = -1 << 30;
  for (int i = 0; i < 3; ++i)
    if (sign_of(v[i]) != 0) e = std::max(e, bit_length(v[i].m) + v[i].e);
  const auto component = [&](const Dyadic& x) { return sign_of(x) == 0 ? 0.0 : to_double(Dyadic(x.m, x.e - e)); };
  return {component(v.x), component(v.y), component(v.z)};
}

Vec3 rounded_difference(const ExactPoint& p, const V3<Dyadic>& from) {
  const Box3 box = box_of({p.at - p.scale * from, p.scale});
  Vec3 d;
  for (int i = 0; i < 3; ++i) d[i] = std::fabs(box.lo[i]) < std::fabs(box.hi[i]) ? box.lo[i] : box.hi[i];
  return d;
}

ExactPoint foot_in_plane(const ExactPoint& p, const ExactTriangle& triangle) {
  const V3<Dyadic> n = normal_of(triangle);
  const Dyadic nn = dot(n, n), height = dot(p.at - p.scale * triangle.points[0], n);
  return {nn * p.at - height * n, nn * p.scale};
}

}  // namespace graze
