// A core that moves along a straight line against one that rests, in integers: the exact decisions that certify the first time of contact.
#pragma once
#include "convex/generators.hpp"
#include "convex/raycast.hpp"

namespace graze {

class ExactMotion {
 public:
  ExactMotion(const Core& a, const Motion& motion, const Core& b);

  /// Is there contact at some t of [0, s] (s may be infinite), or for `whole_line` of (-infinity, s]?
  bool contact_by(double s, bool whole_line) const;

  /// Given contact by s and none by the next lower double: is s the first time itself, rather than something below it?
  bool first_time_is(double s) const;

  /// The normal of contact: the direction from B to A just before the first time, which lies in (before, next double above]; unit length. There must be no contact at `before`.
  Vec3 normal(double before) const;

 private:
  IntegerPair at(const Dyadic& t) const;

  IntegerPair pair_;
  V3<BigInt> motion_;
  int motion_exponent_ = 0;
};

}  // namespace graze
