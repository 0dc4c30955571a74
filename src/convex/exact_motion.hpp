// A convex set that moves along a straight line against one that rests, in integers: the exact decisions that certify the first time of contact.
#pragma once
#include "convex/generators.hpp"
#include "convex/raycast.hpp"

namespace graze {

/// Contact at the start, looked at exactly.
struct StartContact {
  bool touching = false;   ///< only the boundaries meet; else one lies deeper in the other
  bool departing = false;  ///< apart just after t = 0
  Vec3 normal{0, 0, 0};  ///< unit length, from B to A, if touching: that of the contact just before t = 0 where there was none, else of the parting just after,
                         ///< else one of those that separate
};

/// Rounded to a unit vector; 0 for 0.
Vec3 unit_vector(const V3<BigInt>& x);

class ExactMotion {
 public:
  ExactMotion(const ConvexSet& a, const Motion& motion, const ConvexSet& b);

  /// Is there contact at some t of [0, s] (s may be infinite), or for `whole_line` of (-infinity, s]?
  bool contact_by(double s, bool whole_line) const;

  /// Given contact by s and none by the next lower double: is s the first time itself, rather than something below it?
  bool first_time_is(double s) const;

  /// The normal of contact: the direction from B to A just before the first time, which lies in (before, next double above]; unit length. There must be no
  /// contact at `before`.
  Vec3 normal(double before) const;

  /// Given contact at t = 0.
  StartContact start() const;

  /// The convex sets at t; at 0; and the motion of A per unit of t, in units of 2^motion_exponent().
  IntegerPair at(const Dyadic& t) const;
  /// From the nearest point at some time before contact: for how much longer there is surely none, to a relative 2^-bits all that the plane across it promises;
  /// 0 when the motion does not lead nearer.
  Dyadic surely_free(const IntegerPair& pair, const ExactNearest& near, int bits) const;
  const IntegerPair& at_start() const { return pair_; }
  const V3<BigInt>& motion() const { return motion_; }
  int motion_exponent() const { return motion_exponent_; }

 private:
  IntegerPair pair_;
  V3<BigInt> motion_;
  int motion_exponent_ = 0;
};

}  // namespace graze
