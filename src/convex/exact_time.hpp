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
  /// From the face of A - B nearest to the origin at a time before T: its plane (line, point) comes as near as the radii at a time T_F, the lower root of a quadratic, where x is its point nearest to the origin. If x lies in the
  /// face, T <= T_F; if the plane across x supports A - B, T >= T_F. Both are signs of linear functions of T_F. If one fails, Newton's iteration on the convex distance, rounded down, gives a later time before T to take the face
  /// at; near enough to T it is the one of the contact.
  ExactTime(const Core& a, const Motion& motion, const Core& b, double before);

  friend int compare(const ExactTime& p, const ExactTime& q);

 private:
  BigInt a_, b_, d_;
  int unit_ = 0;
};

/// Sign of P - Q.
int compare(const ExactTime& p, const ExactTime& q);

}  // namespace graze
