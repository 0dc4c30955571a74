// Exact first times of contact: roots of quadratics with integer coefficients, compared and rounded without error. The last tier of the time of contact and of
// the order of contacts.
#pragma once
#include <optional>

#include "convex/time/exact_motion.hpp"

namespace graze {

class ExactContact;

/// T = (-b - sqrt(D)) / a * 2^unit, a > 0, D >= 0.
class ExactTime {
 public:
  /// The time t itself.
  explicit ExactTime(double t);
  /// The first time T of contact of A + t * motion with B. Requires that T exists and is after `before`.
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
/// Consider the face of A - B nearest to the origin at a time before T. Its plane (line, point) comes as near as the sum of radii at a time T_F, the lower root
/// of a quadratic; x is the plane's point nearest to the origin at T_F. If x lies in the face, T <= T_F; if the plane perpendicular to x supports A - B, T >=
/// T_F. Both conditions are signs of linear functions of T_F. If one fails, Newton's iteration on the convex distance, rounded down, gives a later time before
/// T at which to take the next face. Near enough to T, the face is that of the contact. Where there is no contact, the same iteration passes the end, or the
/// nearest approach.
class ExactContact {
 public:
  enum class Outcome { none, at_start, later };
  /// Requires no contact up to `before`, if that is above 0. Without `limited`, T may be above 1.
  ExactContact(const ConvexSet& a, const Motion& motion, const ConvexSet& b, double before = 0, bool limited = true);

  Outcome outcome() const { return outcome_; }
  const ExactTime& time() const { return time_; }
  /// The largest double not above T; `exact` is set to whether it equals T.
  double rounded_down(bool& exact) const;
  /// ExactMotion::across(), else the direction from B to A just before T; unit length.
  Vec3 normal() const;
  /// A point of B's hull that is nearest at T, rounded. The point of contact on B is at a distance of B's radius along the normal from there. Empty for
  /// unbounded shapes.
  std::optional<Vec3> on_b() const;
  const ExactMotion& motion() const { return motion_; }

 private:
  ExactMotion motion_;
  const ConvexSet& b_;
  Outcome outcome_ = Outcome::none;
  ExactTime time_;
  ExactNearest near_;
  V3<BigInt> x0_, x1_;
};

}  // namespace graze
