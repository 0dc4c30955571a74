// First contacts as exact numbers: times are roots of quadratics with integer coefficients, compared and rounded without error. The last tier of "when" and of
// "which comes first".
#pragma once
#include <optional>

#include "convex/exact_motion.hpp"

namespace graze {

class ExactContact;

/// T = (-b - sqrt(D)) / a * 2^unit, a > 0, D >= 0.
class ExactTime {
 public:
  /// A double.
  explicit ExactTime(double t);
  /// The first time T of contact of A + t * motion with B, of which is known that it is after `before` and that it exists.
  ExactTime(const ConvexSet& a, const Motion& motion, const ConvexSet& b, double before);

  friend int compare(const ExactTime& p, const ExactTime& q);

 private:
  friend class ExactContact;
  ExactTime() = default;
  BigInt a_ = 1, b_ = 0, d_ = 0;
  int unit_ = 0;
};

/// Sign of P - Q.
int compare(const ExactTime& p, const ExactTime& q);

/// The first contact of A + t * motion with B, t in [0, 1], in integers.
///
/// From the face of A - B nearest to the origin at a time before T: its plane (line, point) comes as near as the radii at a time T_F, the lower root of a
/// quadratic, where x is its point nearest to the origin. If x lies in the face, T <= T_F; if the plane across x supports A - B, T >= T_F. Both are signs of
/// linear functions of T_F. If one fails, Newton's iteration on the convex distance, rounded down, gives a later time before T to take the face at; near enough
/// to T it is the one of the contact. Where there is none, the same iteration passes the end, or the nearest approach.
class ExactContact {
 public:
  enum class Found { none, at_start, later };
  /// There must be no contact up to `before`, if that is above 0. Without `limited`, T may be above 1.
  ExactContact(const ConvexSet& a, const Motion& motion, const ConvexSet& b, double before = 0, bool limited = true);

  Found found() const { return found_; }
  const ExactTime& time() const { return time_; }
  /// The largest double not above T, and whether it is T.
  double rounded_down(bool& exact) const;
  /// The direction from B to A just before T; unit length.
  Vec3 normal() const;
  /// A point of B's hull that is nearest at T, rounded; B itself is touched its radius along the normal from there. Nothing for unbounded shapes.
  std::optional<Vec3> on_b() const;
  const ExactMotion& motion() const { return motion_; }

 private:
  ExactMotion motion_;
  const ConvexSet& b_;
  Found found_ = Found::none;
  ExactTime time_;
  ExactNearest near_;
  V3<BigInt> x0_, x1_;
};

}  // namespace graze
