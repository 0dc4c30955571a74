// Boxes, triangles, segments and points as operands of separating axes: their edges, corners and ranges along an axis, in doubles and in pairs of doubles.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "convex/sets/convex_set.hpp"
#include "convex/sets/generators.hpp"
#include "exact/two_double.hpp"
#include "math/v3.hpp"
#include "math/vec3.hpp"

namespace graze {

/// Whether the set has edges in three directions at most, of one kind: one point and up to three segments, or up to three points. No pose.
inline bool is_small_polytope(const ConvexSet& c) {
  return c.directions == 0 && !c.pose && (c.segments == 0 ? c.points <= 3 : c.points == 1 && c.segments <= 3);
}

inline V3<double> scaled(double s, const Vec3& g) { return {s * g.x, s * g.y, s * g.z}; }

/// The corners of an operand that are equally far along an axis, none lower.
struct LeastCorners {
  ConvexCorner corner;  ///< one of them: the low end of each segment in `edges`
  unsigned edges = 0;   ///< those between them, as bits
  unsigned points = 0;  ///< of points: these corners, as bits
};

/// One operand: its edges, and its corners relative to an origin.
struct PolytopeSide {
  const ConvexSet& c;
  const bool has_segments;
  int edges;
  V3<double> edge[3];    ///< rounded: of segment k, or from corner k to the next
  V3<double> corner[3];  ///< of points; of segments only the first, at the low ends
  double size = 0;       ///< bounds the sizes of corners, and the sums that they consist of

  PolytopeSide(const ConvexSet& set, const Vec3& origin) : c(set), has_segments(set.segments != 0) {
    if (has_segments) {
      edges = static_cast<int>(c.segments);
      const Vec3 p = c.base(0) - origin;
      corner[0] = v3(p);
      size = taxicab(p);
      for (int k = 0; k < edges; ++k) {
        corner[0] = corner[0] + scaled(c.lo[k], c.segment[k]);
        edge[k] = scaled(c.hi[k] - c.lo[k], c.segment[k]);
        size += 2 * std::max(std::fabs(c.lo[k]), std::fabs(c.hi[k])) * taxicab(c.segment[k]);
      }
    } else {
      const int n = static_cast<int>(c.points);
      edges = n == 3 ? 3 : n - 1;
      for (int k = 0; k < n; ++k) {
        corner[k] = v3(c.base(static_cast<std::size_t>(k)) - origin);
        size = std::max(size, taxicab(corner[k]));
      }
      // From the points: a difference of rounded corners could be off by more than a short edge.
      for (int k = 0; k < edges; ++k) edge[k] = v3(c.base(static_cast<std::size_t>(next(k))) - c.base(static_cast<std::size_t>(k)));
      size *= 2;
    }
  }
  int next(int k) const { return k + 1 < static_cast<int>(c.points) ? k + 1 : 0; }
  int faces() const { return has_segments ? edges * (edges - 1) / 2 : edges == 3 ? 1 : 0; }
  /// The two edges of a face; of a triangle both meet in corner 0.
  int first_edge(int face) const { return has_segments && face == 2 ? 1 : 0; }
  int second_edge(int face) const { return has_segments && face == 0 ? 1 : 2; }

  void range(const V3<double>& n, double& least, double& most) const {
    least = most = dot(n, corner[0]);
    if (has_segments) {
      for (int k = 0; k < edges; ++k) {
        const double x = dot(n, edge[k]);
        (x < 0 ? least : most) += x;
      }
    } else {
      for (int k = 1; k < static_cast<int>(c.points); ++k) {
        const double x = dot(n, corner[k]);
        least = std::min(least, x);
        most = std::max(most, x);
      }
    }
  }

  /// Edge k, relatively off by less than 2^-102.
  V3<TwoDouble> exact_edge(int k) const {
    if (has_segments) {
      const TwoDouble length = two_sum(c.hi[k], -c.lo[k]);
      const Vec3& g = c.segment[k];
      return {length * g.x, length * g.y, length * g.z};
    }
    return exact_difference(c.base(static_cast<std::size_t>(next(k))), c.base(static_cast<std::size_t>(k)));
  }
  /// The corners least along n, at which the edges in `free` begin. Returns false where another corner may be lower; `off` bounds the error of n . edge, per
  /// |edge|_1, and `level` tells of a difference of corners whether n . d is 0, exactly.
  template <class IsLevel>
  bool least_corners(const V3<double>& n, const IsLevel& level, unsigned free, double off, LeastCorners& out) const {
    out = {};
    if (has_segments) {
      out.edges = free;
      for (int k = 0; k < edges; ++k) {
        if (free >> k & 1) continue;
        const double x = dot(n, edge[k]);
        if (std::fabs(x) > off * taxicab(edge[k])) {
          if (x < 0) out.corner.bits |= 1u << k;
        } else if (!level(edge[k], k)) {
          return false;
        } else if (taxicab(edge[k]) > 0) {
          out.edges |= 1u << k;
        }
      }
      return true;
    }
    const int count = static_cast<int>(c.points);
    int first = 0;
    if (free == 0) {
      for (int k = 1; k < count; ++k)
        if (dot(n, corner[k] - corner[first]) < 0) first = k;
    } else {
      while (!(free >> first & 1)) ++first;
    }
    out.corner.base = static_cast<std::uint32_t>(first);
    out.points = 1u << first;
    for (int k = 0; k < count; ++k) {
      if (k == first) continue;
      if ((free & (free - 1)) == 0 && (free == 0 || k != next(first))) {
        const V3<double> d = v3(c.base(static_cast<std::size_t>(k)) - c.base(out.corner.base));  // rounded once
        if (dot(n, d) > off * taxicab(d)) continue;
        if (!level(d, -1)) return false;
      }
      out.points |= 1u << k;
    }
    for (int k = 0; k < edges; ++k)
      if ((out.points >> k & 1) && (out.points >> next(k) & 1)) out.edges |= 1u << k;
    return true;
  }
  /// The corner at the other end of an edge.
  ConvexCorner along(ConvexCorner k, int e) const {
    if (has_segments)
      k.bits |= 1u << e;
    else
      k.base = static_cast<std::uint32_t>(next(e));
    return k;
  }
};

/// The axes that separate two polytopes if any does, as edge i of side s and edge j of side t: of the faces of each side, then of one edge of each. Returns
/// whether `stop` ended it.
template <class Stop>
bool any_axis(const PolytopeSide* const (&sides)[2], const Stop& stop) {
  for (int s = 0; s < 2; ++s)
    for (int k = 0; k < sides[s]->faces(); ++k)
      if (stop(s, sides[s]->first_edge(k), s, sides[s]->second_edge(k))) return true;
  for (int i = 0; i < sides[0]->edges; ++i)
    for (int j = 0; j < sides[1]->edges; ++j)
      if (stop(0, i, 1, j)) return true;
  return false;
}

}  // namespace graze
