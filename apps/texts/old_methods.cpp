// Implements the methods of the old listings with their documented defects; see the header.
#include "texts/old_methods.hpp"
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <glm/geometric.hpp>

namespace graze::texts::old {

namespace {

using F = glm::vec3;  // single precision
F f(const Vec3& v) { return F(v); }

struct Flat {
  F normal;
  float d;
  int u, v;  // the coordinates that are kept
};

Flat flatten(const Triangle& t) {
  const F normal = glm::cross(f(t.points[1]) - f(t.points[0]), f(t.points[2]) - f(t.points[0]));
  const int x = std::abs(static_cast<int>(normal.x)), y = std::abs(static_cast<int>(normal.y)), z = std::abs(static_cast<int>(normal.z));
  const int dropped = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
  return {normal, -glm::dot(normal, f(t.points[0])), dropped == 0 ? 1 : 0, dropped == 2 ? 1 : 2};
}

bool inside(const Triangle& t, int u, int v, float x, float y) {
  for (int k = 0; k < 3; ++k) {
    const F a = f(t.points[k]), b = f(t.points[(k + 1) % 3]), c = f(t.points[(k + 2) % 3]);
    if (a[u] == b[u]) {  // vertical: the same side as the third corner, strictly
      if (!((x < a[u] && c[u] < a[u]) || (x > a[u] && c[u] > a[u]))) return false;
    } else {
      const float m = (b[v] - a[v]) / (b[u] - a[u]), n = a[v] - m * a[u];
      const bool above = c[v] > m * c[u] + n;
      if (above ? y < m * x + n : y > m * x + n) return false;
    }
  }
  return true;
}

}  // namespace

Vec3 middle(const Vec3& a, const Vec3& g) { return (a + g) / 2.0; }
Vec3 middle_of_triangle(const Triangle& t) { return (t.points[0] + t.points[1] + t.points[2]) / 2.0; }
bool rounded_sphere_contains(double square, const Vec3& point) {
  const double radius = std::sqrt(square);
  return glm::dot(point, point) <= radius * radius;
}
bool spheres_penetrate(const Sphere& a, const Sphere& b) { return !(a.radius + b.radius > glm::distance(a.center, b.center)); }

double line_plane(const Vec3& a, const Vec3& b, const Plane& plane) {
  const F n = f(plane.normal);
  return -(glm::dot(n, f(b)) - glm::dot(n, f(plane.point))) / glm::dot(n, f(a) - f(b));
}

double height_on_plane(double x, double z, const Plane& plane) {
  const double d = -glm::dot(plane.normal, plane.point);
  return -(plane.normal.x * x + plane.normal.z * z + d) / plane.normal.y;
}

bool point_in_flat_triangle(const Triangle& t, double x, double y) { return inside(t, 0, 1, static_cast<float>(x), static_cast<float>(y)); }

bool edges_meet(const Triangle& edges, const Triangle& t) {
  const Flat plane = flatten(t);
  for (int k = 0; k < 3; ++k) {
    const F a = f(edges.points[k]), b = f(edges.points[(k + 1) % 3]);
    const float fall = glm::dot(plane.normal, a - b);
    if (fall == 0) continue;
    const float at = -(glm::dot(plane.normal, b) + plane.d) / fall;
    const F hit = b + at * (a - b);
    if (inside(t, plane.u, plane.v, hit[plane.u], hit[plane.v])) return at >= 0 && at <= 1;
  }
  return false;
}

bool triangles_meet(const Triangle& a, const Triangle& b) { return edges_meet(b, a) || edges_meet(a, b); }

double plane_distance(std::span<const Vec3> polygon, const Vec3& point) {
  const F n = glm::cross(f(polygon[1]) - f(polygon[0]), f(polygon[2]) - f(polygon[0]));
  const F unit = n / std::sqrt(glm::dot(n, n));
  const float d = -glm::dot(unit, f(polygon[0]));
  return glm::dot(unit, f(point)) + d;
}

int classify_sphere(const Sphere& sphere, std::span<const Vec3> polygon) {
  const double distance = plane_distance(polygon, sphere.center);
  if (std::abs(distance) < static_cast<float>(sphere.radius)) return 1;
  return distance >= static_cast<float>(sphere.radius) ? 2 : 0;
}

bool sphere_meets_polygon(const Sphere& sphere, std::span<const Vec3> polygon) {
  if (classify_sphere(sphere, polygon) != 1) return false;
  const F c = f(sphere.center), n = glm::normalize(glm::cross(f(polygon[1]) - f(polygon[0]), f(polygon[2]) - f(polygon[0])));
  const F p = c - static_cast<float>(plane_distance(polygon, sphere.center)) * n;
  double turn = 0;
  for (std::size_t i = 0; i < polygon.size(); ++i) turn += angle(polygon[i] - Vec3(p), polygon[(i + 1) % polygon.size()] - Vec3(p));
  if (turn >= .99 * 2 * std::acos(-1.0)) return true;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const F a = f(polygon[i]), way = f(polygon[(i + 1) % polygon.size()]) - a;
    const float t = std::clamp(glm::dot(c - a, way) / glm::dot(way, way), 0.0f, 1.0f);
    if (glm::distance(c, a + t * way) < static_cast<float>(sphere.radius)) return true;
  }
  return false;
}

Vec3 moving_point_hits(const Vec3& from, const Vec3& by, const Triangle& t) {
  const Vec3 a = t.points[0], ab = t.points[1] - a, ac = t.points[2] - a, n = glm::cross(ab, ac);
  const double fall = glm::dot(n, by), time = -glm::dot(n, from - a) / fall;
  const Vec3 hit = from + time * by;
  if (!(time > 0 && time <= 1)) return {0, 0, 0};
  for (int k = 0; k < 3; ++k)
    if (glm::dot(n, glm::cross(t.points[(k + 1) % 3] - t.points[k], hit - t.points[k])) < 0) return {0, 0, 0};
  return hit;
}

Vec3 reflect(const Vec3& v, const Vec3& normal) {
  const F w = f(v), n = f(normal);
  const float length = std::sqrt(glm::dot(w, w)), cosine = -glm::dot(w, n) / (length * std::sqrt(glm::dot(n, n)));
  return Vec3(w + 2 * length * std::cos(std::acos(cosine)) * n);
}

double angle(const Vec3& a, const Vec3& b) {
  const F x = f(a), y = f(b);
  return std::acos(glm::dot(x, y) / (std::sqrt(glm::dot(x, x)) * std::sqrt(glm::dot(y, y))));
}

bool has_stopped(const Vec3& velocity) { return velocity.x == 0 && velocity.y == 0 && velocity.x == 0; }

Vec3 normal_with_free_z(const Triangle& t) {
  const Vec3 a = t.points[1] - t.points[0], b = t.points[2] - t.points[0];
  const double area = a.x * b.y - a.y * b.x;  // Cramer's rule for x and y; 0 where the true normal has z = 0
  return {(a.y * b.z - a.z * b.y) / area, (a.z * b.x - a.x * b.z) / area, 1};
}

bool box_has_point(const Box& box, const Vec3& p) {
  for (int i = 0; i < 3; ++i)
    if (!(box.min[i] < p[i] && p[i] < box.max[i])) return false;
  return true;
}

bool box_meets_sphere(const Box& box, const Sphere& sphere) {
  double sum = 0;
  for (int i = 0; i < 3; ++i) sum += std::max({box.min[i] - sphere.center[i], sphere.center[i] - box.max[i], 0.0});
  return sum <= sphere.radius;
}

bool cube_meets_segment(double half, const Segment& segment) {
  const F middle = (f(segment.a) + f(segment.b)) * .5f, along = f(segment.b) - f(segment.a);
  const float length = std::sqrt(glm::dot(along, along)) / 2, e = static_cast<float>(half);
  const F d = along / (2 * length);
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    if (std::abs(middle[i]) > e + length * std::abs(d[i])) return false;
    const float sum = e * std::abs(d[j]) + e * std::abs(d[k]);
    if (std::abs(static_cast<double>(middle[j]) * d[k] - static_cast<double>(middle[k]) * d[j]) > sum) return false;
  }
  return true;
}

bool sphere_has_point(const Sphere& sphere, const Vec3& point) { return glm::distance(f(sphere.center), f(point)) <= static_cast<float>(sphere.radius); }

bool spheres_meet(const Sphere& a, const Sphere& b) {
  return glm::distance(f(a.center), f(b.center)) < static_cast<float>(a.radius) + static_cast<float>(b.radius);
}

bool sphere_meets_segment(const Sphere& sphere, const Segment& segment) {
  const F along = f(segment.b) - f(segment.a), c = f(sphere.center) - f(segment.a);
  const float r = static_cast<float>(sphere.radius), length = std::sqrt(glm::dot(along, along)), at = glm::dot(c, along) / length;
  return at > -r && at < length + r && glm::distance(c, at / length * along) < r;
}

}  // namespace graze::texts::old
