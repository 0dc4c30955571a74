// When is an outline a Polygon (a fan from its first corner), and along which axis it is looked at.
#pragma once
#include <graze/vec.hpp>
#include <span>
#include <string>

namespace graze {

/// The axis of the largest component of a closed outline's exact area vector (of equal ones the first) and that component's sign; sign 0: the area vector is
/// zero.
struct AreaAxis {
  int drop = 2;
  int sign = 0;
};
AreaAxis area_axis(std::span<const Vec3> points);

/// All points on one line (or equal), exactly.
bool all_collinear(std::span<const Vec3> points);

/// All points in one plane, exactly.
bool all_coplanar(std::span<const Vec3> points);

/// Is the outline (3 or more finite corners) accepted as a Polygon: projected along the largest component of its exact area vector, all turns have one weak
/// sign and it winds once; without area, all corners on one line.
bool is_fan(std::span<const Vec3> points);
/// "" for a fan, else what is wrong ("corner 3 at (..) turns the other way: ..").
std::string fan_defect(std::span<const Vec3> points);

}  // namespace graze
