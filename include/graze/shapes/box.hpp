// A solid axis-aligned box.
#pragma once
#include <graze/shapes/fields.hpp>
#include <tuple>

namespace graze {

/// The corners of a box, named as by K. Kaiser (Game Programming Gems 1, ch. 4.5). See Box::corner().
enum class Corner { A, B, C, D, E, F, G, H };

/// All x with min <= x <= max in every coordinate. Placed by a pose with columns R_i and translation T the box is
/// { T + sum s_i R_i : min_i <= s_i <= max_i }.
struct Box {
  Vec3 min{0, 0, 0}, max{0, 0, 0};

  /// Returns the box with that centre and half size per axis. min and max are rounded outward, so the box contains the exact one.
  /// Throws Error for a negative or non-finite size.
  [[nodiscard]] static Box from_center(const Vec3& center, const Vec3& half);
  /// The same for a cube.
  [[nodiscard]] static Box from_center(const Vec3& center, double half);
  /// Returns the box with that lowest corner and size per axis. max is rounded outward.
  /// Throws Error for a negative or non-finite size.
  [[nodiscard]] static Box from_corner(const Vec3& corner, const Vec3& size);

  /// Returns a corner by name (x, y, z):
  /// - A min,min,min · B min,max,min · C max,max,min · D max,min,min
  /// - E min,min,max · F min,max,max · G max,max,max · H max,min,max
  [[nodiscard]] Vec3 corner(Corner c) const;
  /// Returns the middle of the diagonal AG, each coordinate correctly rounded. Never overflows.
  [[nodiscard]] Vec3 center() const;

  static constexpr const char* type_name = "box";
  [[nodiscard]] static constexpr auto fields() { return std::make_tuple(field("min", &Box::min, Role::position), field("max", &Box::max, Role::position)); }
};

}  // namespace graze
