// ConvexSet, the common form of all linear and round convex shapes, in world coordinates:
//   hull(base points) + sum over k of [lo_k, hi_k] * segment_k + cone(directions) + ball(radius)
// where + is the Minkowski sum. Corners of an oriented box or of a swept shape are sums of products rather than doubles. This form stores the terms, so the
// exact tiers read the exact corners. The library's generic decision (decide.hpp) takes two convex sets.
#pragma once
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>

#include "platform/expects.hpp"
#include "shapes/pose.hpp"

namespace graze {

struct HullData;

struct ConvexSet {
  const Vec3* outside = nullptr;  ///< base points stored elsewhere (hulls); null: in `own`
  std::uint32_t points = 0;       ///< number of base points, >= 1
  Vec3 own[4];
  const HullData* hull = nullptr;  ///< the hull whose points these are, if any; two points at least, which may be equal
  const Pose* pose = nullptr;      ///< applied to every base point with the contract's arithmetic, and to nothing else

  std::uint32_t segments = 0;  ///< at most 5: three axes of a box and two motions
  Vec3 segment[5];
  double lo[5], hi[5];

  std::uint32_t directions = 0;  ///< generators of the recession cone; a line gives d and -d
  Vec3 direction[6];

  double radius = 0;

  ConvexSet() = default;
  /// Copies only the members in use: most convex sets have one base point or three.
  ConvexSet(const ConvexSet& c) { *this = c; }
  ConvexSet& operator=(const ConvexSet& c) {
    outside = c.outside;
    points = c.points;
    for (std::uint32_t i = 0; i < points && !outside; ++i) own[i] = c.own[i];
    hull = c.hull;
    pose = c.pose;
    segments = c.segments;
    for (std::uint32_t k = 0; k < segments; ++k) {
      segment[k] = c.segment[k];
      lo[k] = c.lo[k];
      hi[k] = c.hi[k];
    }
    directions = c.directions;
    for (std::uint32_t k = 0; k < directions; ++k) direction[k] = c.direction[k];
    radius = c.radius;
    return *this;
  }

  Vec3 base(std::size_t i) const {
    GRAZE_EXPECTS(i < points);
    const Vec3& p = outside ? outside[i] : own[i];
    return pose ? apply_pose(*pose, p) : p;
  }
  ConvexSet& add_point(const Vec3& p) {
    GRAZE_EXPECTS(points < std::size(own) && outside == nullptr);
    own[points++] = p;
    return *this;
  }
  ConvexSet& add_segment(const Vec3& v, double l, double h) {
    GRAZE_EXPECTS(segments < std::size(segment));
    segment[segments] = v;
    lo[segments] = l;
    hi[segments] = h;
    ++segments;
    return *this;
  }
  ConvexSet& add_direction(const Vec3& d) {
    GRAZE_EXPECTS(directions < std::size(direction));
    direction[directions++] = d;
    return *this;
  }
  bool bounded() const { return directions == 0; }
  bool is_ball() const { return points == 1 && segments == 0 && directions == 0; }
  bool is_point() const { return is_ball() && radius == 0; }
};

inline ConvexSet convex_point(const Vec3& p) {
  ConvexSet c;
  c.add_point(p);
  return c;
}

}  // namespace graze
