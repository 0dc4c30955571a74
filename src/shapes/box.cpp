// Constructs boxes from common representations, rounded outward, and returns their named corners.
#include <graze/error.hpp>
#include <graze/shapes/box.hpp>
#include <string>

#include "exact/rounding.hpp"
#include "platform/fp_environment.hpp"
#include "shapes/message.hpp"

namespace graze {
namespace {

void require_size(const char* name, const Vec3& size) {
  require_finite(std::string("box: ") + name, size);
  for (int i = 0; i < 3; ++i)
    if (size[i] < 0) throw Error(ErrorCode::invalid_shape, std::string("box: ") + name + "." + "xyz"[i] + " is " + text(size[i]) + ", must be >= 0");
}

}  // namespace

Box Box::from_center(const Vec3& center, const Vec3& half) {
  const DefaultFloatEnvironment guard;
  require_finite("box: center", center);
  require_size("half", half);
  Box b;
  for (int i = 0; i < 3; ++i) {
    b.min[i] = add_down(center[i], -half[i]);
    b.max[i] = add_up(center[i], half[i]);
  }
  require_finite("box: min (center - half)", b.min);
  require_finite("box: max (center + half)", b.max);
  return b;
}

Box Box::from_center(const Vec3& center, double half) { return from_center(center, Vec3(half, half, half)); }

Box Box::from_corner(const Vec3& corner, const Vec3& size) {
  const DefaultFloatEnvironment guard;
  require_finite("box: corner", corner);
  require_size("size", size);
  Box b;
  b.min = corner;
  for (int i = 0; i < 3; ++i) b.max[i] = add_up(corner[i], size[i]);
  require_finite("box: max (corner + size)", b.max);
  return b;
}

Vec3 Box::corner(Corner c) const {
  // A..H as in the header: true where x, y, z is the maximum
  static constexpr bool upper[8][3] = {{0, 0, 0}, {0, 1, 0}, {1, 1, 0}, {1, 0, 0}, {0, 0, 1}, {0, 1, 1}, {1, 1, 1}, {1, 0, 1}};
  const auto& u = upper[static_cast<int>(c) & 7];
  return Vec3(u[0] ? max.x : min.x, u[1] ? max.y : min.y, u[2] ? max.z : min.z);
}

Vec3 Box::center() const {
  const DefaultFloatEnvironment guard;
  Vec3 m(0, 0, 0);
  for (int i = 0; i < 3; ++i) {
    // Halving the rounded sum rounds once, except where the half is denormal, and there the sum is exact. A sum that overflows is far from the denormals, so
    // its halves are exact.
    const double s = min[i] + max[i];
    m[i] = is_finite(s) ? 0.5 * s : 0.5 * min[i] + 0.5 * max[i];
  }
  return m;
}

}  // namespace graze
