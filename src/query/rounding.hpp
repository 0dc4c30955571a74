// Sums and distances rounded outward: guaranteed bounds, as tight as doubles allow.
#pragma once
#include <graze/vec.hpp>
#include <span>

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

/// The smallest double that is at least the exact distance of every point from the centre; 0 for no points, infinity beyond the largest double.
double containing_radius(const Vec3& center, std::span<const Vec3> points);

}  // namespace graze
