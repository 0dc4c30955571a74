// Casts rays through pixels against the handles of a demonstration.
#include "viewer/hand.hpp"
#include <algorithm>
#include <cmath>

namespace graze::view {

std::pair<std::optional<Handle>, double> pick(const Demo& demo, const Projection& p, const glm::dvec2& pixel, double scale) {
  const Ray ray{p.eye, p.direction(pixel.x, pixel.y)};
  std::pair<std::optional<Handle>, double> best;
  const double size = 2 / (p.projection[1][1] * p.height);  // size of a pixel at distance 1
  for (Handle& h : demo.handles()) {
    const Placed placed = at(h.shape, h.pose);
    const bool front = h.way != Handle::Way::free, best_front = best.first && best.first->way != Handle::Way::free;
    if (best_front && !front) continue;
    double t = -1;
    if (const auto hit = raycast(ray, placed)) {
      t = hit->t;
    } else if (h.shape.get<Mesh>() == nullptr && h.shape.get<Solid>() == nullptr) {  // thin shapes: within picking distance
      const Closest c = closest(ray, placed);
      const double far = length(c.on_a - p.eye);
      if (c.distance < (front ? 5 : 8) * scale * size * far) t = far;
    }
    if (t >= 0 && (!best.first || t < best.second || (front && !best_front))) best = {std::move(h), t};
  }
  return best;
}

void pull(Demo& demo, const Handle& h, const Vec3& grip, const Vec3& eye, const Vec3& before, const Vec3& now) {
  if (h.way == Handle::Way::along) {
    const auto place = [&](const Vec3& d) -> std::optional<double> {  // the point of the line through the grip that is nearest to the ray
      const Vec3 w = grip - eye;
      const double b = dot(h.axis, d), det = 1 - b * b;
      if (det < 1e-3) return {};  // the arrow is seen end-on
      return (b * dot(d, w) - dot(h.axis, w)) / det;
    };
    const auto s0 = place(before), s1 = place(now);
    if (s0 && s1) demo.drag(h.moved(), h.axis * (*s1 - *s0));
    return;
  }
  const Vec3 arm = grip - h.center;
  const auto hit = [&](const Vec3& d) { return eye + d * (dot(h.center - eye, h.axis) / dot(d, h.axis)) - h.center; };  // in the ring's plane
  double angle = 0;
  if (std::abs(dot(before, h.axis)) > 0.2 && std::abs(dot(now, h.axis)) > 0.2) {
    const Vec3 a = hit(before), b = hit(now);
    angle = std::atan2(dot(h.axis, cross(a, b)), dot(a, b));
  } else {  // the ring is seen edge-on: use its tangent
    const Vec3 tangent = unit(cross(h.axis, arm));
    angle = dot(now - before, tangent) * length(grip - eye) / std::max(length(arm), 1e-300);
  }
  demo.turn(h.moved(), h.axis, angle);
}

}  // namespace graze::view
