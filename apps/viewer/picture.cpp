// Bounds and cameras of pictures.
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
  camera.aspect = aspect;
  camera.field_of_view = field_of_view;
  camera.up = up;
  camera.target = box.min * 0.5 + box.max * 0.5;
  const Vec3 back = unit(direction), right = unit(cross(up, back)), top = cross(back, right);
  const double tan_y = std::tan(field_of_view / 2), tan_x = tan_y * aspect;
  double distance = 0;
  for (int i = 0; i < 8; ++i) {  // each corner of the box must be inside the four sides of the view
    const Vec3 p = Vec3(i & 1 ? box.max.x : box.min.x, i & 2 ? box.max.y : box.min.y, i & 4 ? box.max.z : box.min.z) - camera.target;
    const double depth = dot(p, back);
    distance = std::max({distance, depth + std::abs(dot(p, right)) / tan_x, depth + std::abs(dot(p, top)) / tan_y});
  }
  if (!(distance > 0)) distance = 1;
  camera.eye = camera.target + back * (distance * 1.03);
  return camera;
}

Camera fit(const Picture& picture, const Vec3& direction, const Vec3& up, double aspect, const Margins& margins, double field_of_view) {
  const Box box = bounds(picture);
  Camera camera;
  camera.aspect = aspect;
  camera.field_of_view = field_of_view;
  camera.up = up;
  const Vec3 middle = box.min * 0.5 + box.max * 0.5, back = unit(direction), right = unit(cross(up, back)), top = cross(back, right);
  std::vector<Vec3> points;  // in the frame of the view, about the middle
  const auto take = [&](const Vec3& p) {
    const Vec3 q = p - middle;
    if (std::isfinite(length(q))) points.emplace_back(dot(q, right), dot(q, top), dot(q, back));
  };
  for (const Part& part : picture.parts) {
    if (!part.surface) continue;
    const std::size_t n = part.surface->corners.size(), step = std::max<std::size_t>(1, n / 20000);
    for (std::size_t i = 0; i < n; i += step) {
      const Corner& c = part.surface->corners[i];
      take(part.pose.apply(part.surface->origin + Vec3(c.x, c.y, c.z)));
    }
  }
  for (const Stroke& s : picture.strokes) {
    take(s.a);
    take(s.b);
  }
  for (const Dot& d : picture.dots) take(d.at);
  const double tan_y = std::tan(field_of_view / 2), tan_x = tan_y * aspect;
  if (points.empty()) return fit(box, direction, up, aspect, field_of_view);
  // the eye at (x, y, z) sees q when |q.x - x| <= (z - q.z) tan_x, so each side of the view bounds z -+ x / tan from below; the same for y
  constexpr double kRoom = 0.94;
  double xp = -1e300, xm = -1e300, yp = -1e300, ym = -1e300;
  const double tx_left = tan_x * kRoom, tx_right = tan_x * (kRoom - 2 * margins.right), ty_top = tan_y * kRoom, ty_low = tan_y * (kRoom - 2 * margins.below);
  for (const Vec3& q : points) {
    xp = std::max(xp, q.z + q.x / tx_right);
    xm = std::max(xm, q.z - q.x / tx_left);
    yp = std::max(yp, q.z + q.y / ty_top);
    ym = std::max(ym, q.z - q.y / ty_low);
  }
  double z = (xp * tx_right + xm * tx_left) / (tx_right + tx_left);
  z = std::max(z, (yp * ty_top + ym * ty_low) / (ty_top + ty_low));
  const double x = ((xp - z) * tx_right - (xm - z) * tx_left) / 2, y = ((yp - z) * ty_top - (ym - z) * ty_low) / 2;
  double reach = 0;  // the target is in the middle of the visible depth
  for (const Vec3& q : points) reach = std::max(reach, z - q.z);
  double nearest = reach;
  for (const Vec3& q : points) nearest = std::min(nearest, z - q.z);
  if (!(reach > 0)) reach = nearest = 1;
  camera.eye = middle + right * x + top * y + back * z;
  camera.target = camera.eye - back * std::max((nearest + reach) / 2, reach * 1e-3);
  return camera;
}

}  // namespace graze::view
