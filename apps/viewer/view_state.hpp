// How the user has rotated, moved and zoomed the view, relative to the camera that a demonstration proposes.
#pragma once
#include <algorithm>
#include <cmath>
#include "viewer/picture.hpp"

namespace graze::view {

struct ViewState {
  double yaw = 0, pitch = 0;  // radians
  double zoom = 1;            // factor on the distance
  Vec3 shift{0, 0, 0};        // length

  Camera of(const Camera& proposed) const {
    Camera c = proposed;
    const Vec3 up = unit(c.up);
    Vec3 back = turned(c.eye - c.target, up, yaw);
    const Vec3 right = unit(cross(up, back));
    const double now = std::acos(std::clamp(dot(unit(back), up), -1.0, 1.0)), wish = std::clamp(now - pitch, 0.03, 3.11);  // never past the pole
    back = turned(back, right, wish - now);
    c.target = c.target + shift;
    c.eye = c.target + back * zoom;
    return c;
  }
  void turn(const Camera& proposed, double dx, double dy) {
    yaw -= dx;
    const double now = std::acos(std::clamp(dot(unit(proposed.eye - proposed.target), unit(proposed.up)), -1.0, 1.0));
    pitch = std::clamp(pitch + dy, now - 3.11, now - 0.03);
  }
  void nearer(double factor) { zoom = std::clamp(zoom * factor, 1e-4, 30.0); }
};

}  // namespace graze::view
