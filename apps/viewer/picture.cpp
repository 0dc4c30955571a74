// Bounds and cameras.
#include "viewer/picture.hpp"
#include <algorithm>
#include <cmath>
#include <limits>

namespace graze::view {

double dot(const Vec3& a, const Vec3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
double length(const Vec3& v) { return std::hypot(v.x, v.y, v.z); }
Vec3 cross(const Vec3& a, const Vec3& b) { return Vec3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x); }
Vec3 unit(const Vec3& v) {
  const double n = length(v);
  return n > 0 && std::isfinite(n) ? v / n : Vec3(0, 0, 1);
}
Vec3 turned(const Vec3& p, const Vec3& axis, double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  return p * c + cross(axis, p) * s + axis * (dot(axis, p) * (1 - c));
}

Box bounds(const Picture& picture) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  Box box{Vec3(inf), Vec3(-inf)};
  const auto take = [&](const Vec3& p) {
    for (int k = 0; k < 3; ++k) {
      if (!std::isfinite(p[k])) continue;
      box.min[k] = std::min(box.min[k], p[k]);
      box.max[k] = std::max(box.max[k], p[k]);
    }
  };
  for (const Part& part : picture.parts) {
    if (!part.surface || part.surface->corners.empty()) continue;
    const Vec3 &lo = part.surface->min, &hi = part.surface->max;
    for (int i = 0; i < 8; ++i) take(part.pose.apply(Vec3(i & 1 ? hi.x : lo.x, i & 2 ? hi.y : lo.y, i & 4 ? hi.z : lo.z)));
  }
  for (const Stroke& s : picture.strokes) {
    take(s.a);
    take(s.b);
  }
  for (const Dot& d : picture.dots) take(d.at);
  if (!(box.min.x <= box.max.x)) return Box{Vec3(0, 0, 0), Vec3(1, 1, 1)};
  return box;
}

Box focus(const Picture& picture) { return picture.focus ? *picture.focus : bounds(picture); }

Camera fit(const Box& box, const Vec3& direction, const Vec3& up, double aspect, double field_of_view) {
  Camera camera;
  camera.field_of_view = field_of_view;
  camera.up = up;
  camera.target = box.min * 0.5 + box.max * 0.5;
  const Vec3 back = unit(direction), right = unit(cross(up, back)), top = cross(back, right);
  const double tan_y = std::tan(field_of_view / 2), tan_x = tan_y * aspect;
  double distance = 0;
  for (int i = 0; i < 8; ++i) {  // each corner of the box inside the four sides of the view
    const Vec3 p = Vec3(i & 1 ? box.max.x : box.min.x, i & 2 ? box.max.y : box.min.y, i & 4 ? box.max.z : box.min.z) - camera.target;
    const double depth = dot(p, back);
    distance = std::max({distance, depth + std::abs(dot(p, right)) / tan_x, depth + std::abs(dot(p, top)) / tan_y});
  }
  if (!(distance > 0)) distance = 1;
  camera.eye = camera.target + back * (distance * 1.06);
  return camera;
}

}  // namespace graze::view
