// Decides whether an outline is accepted as a Polygon (a fan from its first corner), and along which axis it is projected.
#pragma once
#include <graze/vec.hpp>
#include <span>
#include <string>

namespace graze {

/// The axis of the largest component of a closed outline's exact area vector (the first of equal ones) and the sign of that component. Sign 0 means that the
/// area vector is zero.
struct AreaAxis {
  int drop = 2;
  int sign = 0;
};
AreaAxis area_axis(std::span<const Vec3> points);

/// An axis, with sign 1, along which the points do not project onto one line; sign 0 if they lie on one line.
AreaAxis open_axis(std::span<const Vec3> points);

/// Exact test that all points lie on one line (or are equal).
bool all_collinear(std::span<const Vec3> points);

/// Exact test that all points lie in one plane.
bool all_coplanar(std::span<const Vec3> points);

/// Tests whether the outline (3 or more finite corners) is accepted as a Polygon. Projected along the largest component of its exact area vector, all turns
/// must have one weak sign, and it must wind once. Without area, all corners must lie on one line. `strict` receives whether, of a fan, every corner turns, so
/// that no triangle is without area, whichever corner it is cut from.
bool is_fan(std::span<const Vec3> points, bool* strict = nullptr);
/// Whether no triangle of a fan from its first corner is without area; also where all are, as all corners lie on one line.
bool has_whole_fan(std::span<const Vec3> points);
/// Returns "" for a fan, else the defect ("corner 3 at (..) turns the other way: ..").
std::string fan_defect(std::span<const Vec3> points);

}  // namespace graze
