// Signs of polynomials in doubles, exact for all finite input. Each predicate is one formula template in predicates-inl.hpp, evaluated in tiers: doubles with a
// proven bound, then integers of fixed width (no allocation; they decide exact zeros), then unlimited integers.
#pragma once
#include <cstdint>
#include <graze/vec.hpp>

namespace graze {

/// Number of predicate calls that each tier decided, per thread.
struct PredicateCounts {
  std::uint64_t filter = 0;  ///< doubles with a proven bound
  std::uint64_t pairs = 0;   ///< pairs of doubles with a proven bound; only signs of oriented boxes have this tier
  std::uint64_t fixed = 0;   ///< integers of fixed width
  std::uint64_t big = 0;     ///< unlimited integers
};
extern constinit thread_local PredicateCounts predicate_counts_of_thread;
inline PredicateCounts& predicate_counts() { return predicate_counts_of_thread; }

/// Sign of ((b - a) x (c - a)) . (d - a). It is +1 when d lies on the side to which the normal of a, b, c points, and a, b, c appear counter-clockwise from
/// there.
int orient3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

/// Sign of component `drop` of (b - a) x (c - a): the orientation of a, b, c seen along that axis.
int orient2d(const Vec3& a, const Vec3& b, const Vec3& c, int drop);

/// Sign of (b - a) . (d - c).
int dot_sign(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

/// Sign of ((b - a) x (c - a)) . direction.
int orient_direction(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& direction);

/// Sign of ((b - a) x (c - a)) . (to - from).
int orient_direction_between(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& from, const Vec3& to);

/// Sign of |a - b|^2 - (r + s + extra)^2, for r + s + extra >= 0.
int compare_squared_distance(const Vec3& a, const Vec3& b, double r, double s, double extra);

}  // namespace graze
