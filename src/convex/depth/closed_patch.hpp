// Where points, segments and boxes, with balls, meet, without the way over features: a ball and anything and two capsules that cross at one point, boxes as
// box_patch.hpp has it.
#pragma once
#include <algorithm>

#include "convex/depth/box_patch.hpp"
#include "convex/depth/contact_patch.hpp"
#include "convex/depth/gap_depth.hpp"
#include "convex/sets/zonotope.hpp"
#include "math/limits.hpp"
#include "math/vec3.hpp"

namespace graze {

/// A radius in units of the smaller size: a choice, as the rounding of the normal moves points by 2^-52 of a radius.
inline constexpr double kMostRadius = 0x1p12;
/// The sine of the angle of two edges that are taken to lie along each other: a choice.
inline constexpr double kNearlyParallel = 0x1p-4;

/// Half the depth below the farthest point of a ball along the normal, which points from the ball for `sign` -1 and to it for 1.
inline bool ball_patch(const Vec3& centre, double radius, double sign, const ConvexPenetration& p, ContactPatch& out) {
  const double depth = p.found ? p.depth : 0, t = sign * (radius - 0.5 * depth);
  out.count = 0;
  out.add({Vec3(centre.x - t * p.normal.x, centre.y - t * p.normal.y, centre.z - t * p.normal.z), depth, true});
  return max_norm(out.at[0].point) <= kLargest;
}

inline double size_of(const ZonotopeTerms<0>& s) { return s.radius; }
inline double size_of(const ZonotopeTerms<1>& s) { return std::max(max_norm(minus(s.end, s.base)), s.radius); }
inline double size_of(const ZonotopeTerms<3>& s) {
  double size = 0;
#pragma GCC unroll 3
  for (int k = 0; k < 3; ++k) size = std::max(size, 0.5 * (s.hi[k] - s.lo[k]) * max_norm(s.axis[k]));
  return size;
}

/// A ball B and anything.
template <int N>
bool ball_patch(const ZonotopeTerms<N>& a, const ZonotopeTerms<0>& b, const ConvexPenetration& p, ContactPatch& out) {
  const double small = std::min(size_of(a), size_of(b));
  if constexpr (N == 0) {
    if (a.radius <= b.radius) return a.radius <= kMostRadius * small && ball_patch(a.base, a.radius, 1, p, out);
  }
  return b.radius <= kMostRadius * small && ball_patch(b.base, b.radius, -1, p, out);
}

/// Two capsules of which only the balls overlap; `on_a`: the point of A's segment that is nearest to B's. False where they lie along each other.
inline bool capsule_patch(const ZonotopeTerms<1>& a, const ZonotopeTerms<1>& b, const Vec3& on_a, const ConvexPenetration& p, ContactPatch& out) {
  const Vec3 d = minus(a.end, a.base), e = minus(b.end, b.base);
  const double dd = dot(d, d), ee = dot(e, e), dn = dot(d, p.normal), en = dot(e, p.normal);
  const bool level = dn * dn <= kSteepEdge * dd && en * en <= kSteepEdge * ee;
  const double turn = dot(p.normal, cross(d, e));
  if (level && !(turn * turn > kNearlyParallel * kNearlyParallel * ((dd - dn * dn) * (ee - en * en)))) return false;
  return std::max(a.radius, b.radius) <= kMostRadius * std::min(size_of(a), size_of(b)) && ball_patch(on_a, a.radius, 1, p, out);
}

/// The patch of two zonotopes; false where features have to tell it. Two of one kind are in the order in which pairs are computed.
template <int N, int M>
bool closed_patch(const ZonotopeTerms<N>& a, const ZonotopeTerms<M>& b, const ConvexPenetration& p, ContactPatch& out) {
  if constexpr (N < M) {
    return closed_patch(b, a, exchanged(p), out);
  } else if constexpr (M == 0) {
    return ball_patch(a, b, p, out);
  } else if constexpr (N == 1) {
    Vec3 on_a;
    return gap_depth(a, b, on_a).proof == Proof::depth && capsule_patch(a, b, on_a, p, out);
  } else {
    return BoxPatch::find(a, b, {0 - p.normal.x, 0 - p.normal.y, 0 - p.normal.z}, p.found ? p.depth : 0, out);
  }
}

}  // namespace graze
