// First times of contact as exact numbers: roots of quadratics with integer coefficients, compared without rounding. The last tier of "which contact comes first".
#pragma once
#include "convex/exact_motion.hpp"

namespace graze {

/// T = (-b - sqrt(D)) / a * 2^unit, a > 0, D >= 0.
class ExactTime {
 public:
  /// A double.
  explicit ExactTime(double t);
  /// The first time T of contact of A + t * motion with B, known to lie in (before, next double above], with no contact at `before`.
  ///
  /// From the face of A - B nearest to the origin at a time before T: the distance of its plane (line, point) reaches the radii at a time T_F, the lower root of a quadratic. Always T_F <= T, for the plane is no farther than A - B.
  /// If at T_F the point of the plane nearest to the origin lies in the face (signs of linear functions of T_F), the distance of A - B is reached, too, and T = T_F. If not, T_F itself, rounded down ever less, is a later time
  /// before T to take the face at; there are finitely many faces.
  ExactTime(const Core& a, const Motion& motion, const Core& b, double before);

  friend int compare(const ExactTime& p, const ExactTime& q);

 private:
  BigInt a_, b_, d_;
  int unit_ = 0;
};

/// Sign of P - Q.
int compare(const ExactTime& p, const ExactTime& q);

}  // namespace graze
