// Computes the intersection of two triangles. Exact signs choose its corners; rounded arithmetic only places corners that are not vertices of the triangles.
#include "contact/common_points.hpp"
#include <cmath>
#include <utility>
#include <vector>

namespace graze::contact {

namespace {

Vec3 cross(const Vec3& a, const Vec3& b) { return Vec3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x); }
double dot(const Vec3& a, const Vec3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
double norm(const Vec3& v) { return std::sqrt(dot(v, v)); }

/// A sum of doubles that is exact while nothing overflows or underflows (J. R. Shewchuk, "Adaptive Precision Floating-Point Arithmetic", 1997: grow and scale
/// of an expansion).
class Expansion {
 public:
  void add(double x) {
    for (double& part : parts_) {
      const double sum = part + x, other = sum - part, low = (part - (sum - other)) + (x - other);
      part = low;
      x = sum;
    }
    std::erase(parts_, 0.0);
    if (x != 0) parts_.push_back(x);
  }
  void add(const Expansion& e) {
    for (const double part : e.parts_) add(part);
  }
  Expansion times(double x) const {
    Expansion result;
    for (const double part : parts_) {
      const double product = part * x;
      result.add(std::fma(part, x, -product));
      result.add(product);
    }
    return result;
  }
  Expansion times(const Expansion& e) const {
    Expansion result;
    for (const double part : e.parts_) result.add(times(part));
    return result;
  }
  int sign() const { return parts_.empty() ? 0 : parts_.back() > 0 ? 1 : -1; }  // the last part outweighs all others

 private:
  std::vector<double> parts_;
};

Expansion difference(double x, double y) {
  Expansion e;
  e.add(x);
  e.add(-y);
  return e;
}

/// The side of the plane through a, b, c on which d lies: the sign of (b - a) x (c - a) . (d - a).
int side(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  if (d == a || d == b || d == c) return 0;  // neighbours of a model that meets itself
  const Vec3 u = b - a, v = c - a, w = d - a;
  const double det = dot(cross(u, v), w);
  const double permanent = (std::abs(u.y * v.z) + std::abs(u.z * v.y)) * std::abs(w.x) + (std::abs(u.z * v.x) + std::abs(u.x * v.z)) * std::abs(w.y) +
                           (std::abs(u.x * v.y) + std::abs(u.y * v.x)) * std::abs(w.z);
  // Each of the six products has three rounded differences and passes at most five roundings more: (1 + 2^-53)^8 - 1 < 2^-49 of the permanent, rounded too.
  if (std::abs(det) > 0x1p-48 * permanent) return det > 0 ? 1 : -1;
  std::array<Expansion, 3> x{difference(b.x, a.x), difference(b.y, a.y), difference(b.z, a.z)},
      y{difference(c.x, a.x), difference(c.y, a.y), difference(c.z, a.z)};
  Expansion sum;
  for (int k = 0; k < 3; ++k) {
    const std::size_t i = static_cast<std::size_t>((k + 1) % 3), j = static_cast<std::size_t>((k + 2) % 3);
    Expansion minor = x[i].times(y[j]);
    minor.add(x[j].times(y[i]).times(-1));
    sum.add(minor.times(difference(d[k], a[k])));
  }
  return sum.sign();
}

struct FoundPoint {
  CommonPoints common;
  void add(const Vec3& p) {
    for (int i = 0; i < common.count; ++i)
      if (common.points[static_cast<std::size_t>(i)] == p) return;
    if (common.count < 6) common.points[static_cast<std::size_t>(common.count++)] = p;
  }
};

const Vec3& corner(const Triangle& t, int k) { return t.points[static_cast<std::size_t>(k % 3)]; }

/// The crossing point, from the distances of the segment's ends on either side; always a point of the segment.
Vec3 between(const Vec3& p, const Vec3& q, double dp, double dq) {
  dp = std::abs(dp);
  dq = std::abs(dq);
  const double share = dp + dq > 0 ? dp / (dp + dq) : 0.5;
  return p + (q - p) * share;
}

/// Coplanar triangles: corners in the other triangle, and proper crossings of edges. `apex` lies off the plane, so that sides of lines are sides of planes
/// through it.
CommonPoints in_one_plane(const Triangle& a, const Triangle& b, const Vec3& normal) {
  FoundPoint found;
  for (int k = 0; k < 3; ++k)
    if (intersects(Point{corner(a, k)}, b)) found.add(corner(a, k));
  for (int k = 0; k < 3; ++k)
    if (intersects(Point{corner(b, k)}, a)) found.add(corner(b, k));
  const int axis = std::abs(normal.x) >= std::abs(normal.y) && std::abs(normal.x) >= std::abs(normal.z) ? 0 : std::abs(normal.y) >= std::abs(normal.z) ? 1 : 2;
  const auto line_side = [&](const Vec3& p, const Vec3& q, const Vec3& r) {
    Vec3 apex = p;
    apex[axis] += norm(q - p) + std::abs(p[axis]) + 1e-300;  // the normal's largest component, so never in the plane
    return side(p, q, apex, r);
  };
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const Vec3 &p = corner(a, i + 1), &q = corner(a, i + 2), &r = corner(b, j + 1), &s = corner(b, j + 2);
      if (line_side(p, q, r) * line_side(p, q, s) >= 0 || line_side(r, s, p) * line_side(r, s, q) >= 0) continue;
      const Vec3 across = cross(normal, s - r);
      found.add(between(p, q, dot(across, p - r), dot(across, q - r)));
    }
  CommonPoints& c = found.common;
  if (c.count == 2) {  // an edge of each holds it
    for (int k = 0; k < 3; ++k) {
      const auto holds = [&](const Triangle& t) {
        return line_side(corner(t, k + 1), corner(t, k + 2), c.points[0]) == 0 && line_side(corner(t, k + 1), corner(t, k + 2), c.points[1]) == 0;
      };
      if (holds(a)) c.edge_a = k;
      if (holds(b)) c.edge_b = k;
    }
  } else if (c.count > 2) {
    Vec3 middle(0, 0, 0);
    for (int i = 0; i < c.count; ++i) middle += c.points[static_cast<std::size_t>(i)] / static_cast<double>(c.count);
    const Vec3 u = c.points[0] - middle, v = cross(normal, u) / norm(normal);
    std::array<std::pair<double, Vec3>, 6> turned;  // by the angle about the middle
    for (int i = 0; i < c.count; ++i) {
      const Vec3 p = c.points[static_cast<std::size_t>(i)];
      std::size_t at = static_cast<std::size_t>(i);
      const double angle = std::atan2(dot(p - middle, v), dot(p - middle, u));
      for (; at > 0 && angle < turned[at - 1].first; --at) turned[at] = turned[at - 1];
      turned[at] = {angle, p};
    }
    for (int i = 0; i < c.count; ++i) c.points[static_cast<std::size_t>(i)] = turned[static_cast<std::size_t>(i)].second;
  }
  return c;
}

}  // namespace

CommonPoints common_points(const Triangle& a, const Triangle& b) {
  const Vec3 na = cross(a.points[1] - a.points[0], a.points[2] - a.points[0]), nb = cross(b.points[1] - b.points[0], b.points[2] - b.points[0]);
  std::array<int, 3> sa{}, sb{};
  for (std::size_t k = 0; k < 3; ++k) {
    sa[k] = side(b.points[0], b.points[1], b.points[2], a.points[k]);
    sb[k] = side(a.points[0], a.points[1], a.points[2], b.points[k]);
  }
  const auto none = [](const std::array<int, 3>& s) { return s[0] == 0 && s[1] == 0 && s[2] == 0; };
  CommonPoints c;
  if (!plane_of(a) || !plane_of(b)) {
    c.no_area = true;  // left to the adjacent triangles
  } else if (none(sa) && none(sb)) {
    c = in_one_plane(a, b, dot(na, na) >= dot(nb, nb) ? na : nb);
  } else {
    // Ends of the common segment: corners on the other triangle, and edges that pierce it. An edge through a corner or a piercing edge of the other adds no
    // end.
    FoundPoint found;
    const auto on_plane = [](const std::array<int, 3>& s, int k) { return s[static_cast<std::size_t>(k % 3)] == 0; };
    const auto pierces = [](const std::array<int, 3>& s, int k) {
      return s[static_cast<std::size_t>((k + 1) % 3)] * s[static_cast<std::size_t>((k + 2) % 3)] < 0;
    };
    for (int k = 0; k < 3; ++k) {
      if (on_plane(sa, k) && intersects(Point{corner(a, k)}, b)) found.add(corner(a, k));
      if (on_plane(sb, k) && intersects(Point{corner(b, k)}, a)) found.add(corner(b, k));
    }
    const auto edges = [&](const Triangle& t, const std::array<int, 3>& s, const Triangle& other, const std::array<int, 3>& s_other, const Vec3& normal,
                           bool second) {
      for (int k = 0; k < 3; ++k) {
        if (!pierces(s, k)) continue;
        const Segment edge{corner(t, k + 1), corner(t, k + 2)};
        if (!intersects(edge, other)) continue;
        bool known = false;
        for (int e = 0; e < 3 && !known; ++e) {
          known = on_plane(s_other, e) && intersects(Point{corner(other, e)}, edge);
          if (second && pierces(s_other, e)) known = known || intersects(edge, Segment{corner(other, e + 1), corner(other, e + 2)});
        }
        if (!known) found.add(between(edge.a, edge.b, dot(normal, edge.a - other.points[0]), dot(normal, edge.b - other.points[0])));
      }
    };
    edges(a, sa, b, sb, nb, false);
    edges(b, sb, a, sa, na, true);
    c = found.common;
    if (c.count > 2) c.count = 2;
    if (c.count == 2)
      for (int k = 0; k < 3; ++k) {
        if (sa[static_cast<std::size_t>((k + 1) % 3)] == 0 && sa[static_cast<std::size_t>((k + 2) % 3)] == 0) c.edge_a = k;
        if (sb[static_cast<std::size_t>((k + 1) % 3)] == 0 && sb[static_cast<std::size_t>((k + 2) % 3)] == 0) c.edge_b = k;
      }
  }
  if (c.count == 0) {  // no area, or sizes beyond the range of products
    c.count = 1;
    c.points[0] = closest(a, b).on_a;
  }
  return c;
}

double area(const CommonPoints& c) {
  Vec3 sum(0, 0, 0);
  for (int i = 1; i + 1 < c.count; ++i)
    sum += cross(c.points[static_cast<std::size_t>(i)] - c.points[0], c.points[static_cast<std::size_t>(i + 1)] - c.points[0]);
  return norm(sum) / 2;
}

double length(const CommonPoints& c) { return c.count == 2 ? norm(c.points[1] - c.points[0]) : 0; }

}  // namespace graze::contact
