// Sums and distances rounded outward: guaranteed bounds, as tight as doubles allow.
#pragma once
#include <graze/vec.hpp>
#include <span>

#include "exact/two_double.hpp"
#include "math/box3.hpp"

namespace graze {

/// The sum first + sum of a * b, with up to 8 products.
class SumOfProducts {
 public:
  void add(double x) { add(x, 1); }
  void add(double a, double b) {
    if (a != 0 && b != 0) factor_[count_][0] = a, factor_[count_][1] = b, ++count_;
  }
  /// The smallest double not below the exact sum; infinity beyond the largest double.
  double round_up() const;
  /// The largest double not above the exact sum.
  double round_down() const;

 private:
  double factor_[8][2];
  int count_ = 0;
};

/// a + b rounded up, and rounded down.
double add_up(double a, double b);
double add_down(double a, double b);

/// Adds the box of that centre and those half sizes.
void add_around(Box3& box, const Vec3& center, const Vec3& half);

/// A double that is at least |x| 2^e, for x with an error of at most 2^-60 relative to a magnitude of about 1.
double scaled_up(const TwoDouble& x, int e);

/// The smallest double that is at least the exact distance of every point from the centre; 0 for no points, infinity beyond the largest double.
double containing_radius(const Vec3& center, std::span<const Vec3> points);
inline double distance_up(const Vec3& a, const Vec3& b) { return containing_radius(a, std::span<const Vec3>(&b, 1)); }

}  // namespace graze
