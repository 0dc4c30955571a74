// Draws and picks the handles. Arrows start outside the rings, so that neither hides the other and the shape itself can still be picked in the middle.
#include "viewer/gizmo.hpp"
#include <cmath>
#include <graze/shapes.hpp>
#include <numbers>
#include <vector>

namespace graze::view {

namespace {

constexpr double kRing = 0.62, kFrom = 0.67, kTip = 1.1;  // of the size
constexpr int kSides = 48;
constexpr Color kAxisColors[] = {kFrameB, kGreen, kBlue};
constexpr const char* kAxisNames[] = {"x", "y", "z"};

Vec3 axis_of(int k) { return Vec3(k == 0, k == 1, k == 2); }
Vec3 on_ring(const Vec3& center, double size, int axis, int i) {
  const double angle = 2 * std::numbers::pi * i / kSides;
  return center + (axis_of((axis + 1) % 3) * std::cos(angle) + axis_of((axis + 2) % 3) * std::sin(angle)) * (kRing * size);
}

}  // namespace

std::vector<Handle> gizmo_handles(const Vec3& center, double size, int target) {
  std::vector<Handle> list;
  const double thick = 0.03 * size;
  for (int k = 0; k < 3; ++k) {
    const Vec3 axis = axis_of(k);
    list.push_back(
        {kGizmo + k, Capsule{center + axis * (kFrom * size), center + axis * (kTip * size), thick}, Pose{}, Handle::Way::along, axis, center, target});
  }
  for (int k = 0; k < 3; ++k) {
    std::vector<Compound::Child> sides;
    sides.reserve(kSides);
    for (int i = 0; i < kSides; ++i) sides.push_back({Capsule{on_ring(center, size, k, i), on_ring(center, size, k, i + 1), thick * 0.5}, Pose{}});
    list.push_back({kGizmo + 3 + k, Compound(std::move(sides)), Pose{}, Handle::Way::around, axis_of(k), center, target});
  }
  return list;
}

void add_gizmo(Picture& picture, const Vec3& center, double size, int hovered) {
  for (int k = 0; k < 3; ++k) {
    const bool arrow = hovered == kGizmo + k, ring = hovered == kGizmo + 3 + k;
    const Vec3 axis = axis_of(k), neck = center + axis * ((kTip - 0.14) * size), tip = center + axis * (kTip * size);
    const Color color = kAxisColors[k];
    picture.strokes.push_back({center + axis * (kFrom * size), neck, color, arrow ? 7.0f : 4.0f, true});
    Look look;
    look.color = color;
    look.edges = false;
    add_shape(picture, Cone{neck, tip, (arrow ? 0.06 : 0.045) * size}, Pose{}, look);
    picture.parts.back().through = true;
    picture.labels.push_back({tip, kAxisNames[k]});
    for (int i = 0; i < kSides; ++i) picture.strokes.push_back({on_ring(center, size, k, i), on_ring(center, size, k, i + 1), color, ring ? 6.0f : 2.5f, true});
  }
}

}  // namespace graze::view
