// Least separating translations in closed form: of points, segments and parallelepipeds with balls, in doubles with a proven bound.
#pragma once

#include "convex/depth/gap_depth.hpp"
#include "convex/depth/penetration.hpp"
#include "convex/sets/order.hpp"
#include "convex/sets/zonotope.hpp"

namespace graze {

/// Which of two segments comes first: as of two ConvexSets.
inline int order_of_segments(const ZonotopeTerms<1>& a, const ZonotopeTerms<1>& b) {
  if (a.base.x != b.base.x) return a.base.x < b.base.x ? -1 : 1;
  if (const int s = order_of(a.base, b.base)) return s;
  if (const int s = order_of(a.end, b.end)) return s;
  return order_of(a.radius, b.radius);
}

/// The same of two boxes.
inline int order_of_boxes(const ZonotopeTerms<3>& a, const ZonotopeTerms<3>& b) {
  if (a.base.x != b.base.x) return a.base.x < b.base.x ? -1 : 1;
  if (const int s = order_of(a.base, b.base)) return s;
  for (int k = 0; k < 3; ++k) {
    for (int i = 0; i < 3; ++i)
      if (const int s = order_of(a.axis[k][i], b.axis[k][i])) return s;
    if (const int s = order_of(a.lo[k], b.lo[k])) return s;
    if (const int s = order_of(a.hi[k], b.hi[k])) return s;
  }
  return 0;
}

/// A box and a point, a segment or a box.
template <int M>
ProvenDepth box_depth(const ZonotopeTerms<3>& a, const ZonotopeTerms<M>& b);
template <>
ProvenDepth box_depth(const ZonotopeTerms<3>& a, const ZonotopeTerms<3>& b);

/// The result of `penetration`, where doubles prove it. Exchanging both negates the result exactly. Of two parallelepipeds it prefers the
/// normals of faces where one is as good as the normal of a pair of edges, up to 2^-36 of the depth.
template <int N, int M>
ProvenDepth zonotope_depth(const ZonotopeTerms<N>& a, const ZonotopeTerms<M>& b) {
  if constexpr (N < M) {
    return exchanged(zonotope_depth(b, a));
  } else if constexpr (N == 1 && M == 1) {
    return order_of_segments(a, b) > 0 ? exchanged(gap_depth(b, a)) : gap_depth(a, b);
  } else if constexpr (N < 3) {
    return gap_depth(a, b);
  } else {
    if constexpr (M == 0)
      if (const ProvenDepth p = gap_depth(a, b); p.proof != Proof::none) return p;
    return box_depth(a, b);
  }
}

/// Whether the convex set is a box, oriented or not.
inline bool is_parallelepiped(const ConvexSet& c) { return c.points == 1 && c.segments == 3 && c.directions == 0 && c.radius == 0; }
inline ZonotopeTerms<3> box_terms(const ConvexSet& c) {
  return {c.base(0), {v3(c.segment[0]), v3(c.segment[1]), v3(c.segment[2])}, {c.lo[0], c.lo[1], c.lo[2]}, {c.hi[0], c.hi[1], c.hi[2]}};
}
/// Whether it is a point or a segment with a ball, or a box.
inline bool is_zonotope(const ConvexSet& c) { return (c.points <= 2 && c.segments == 0 && c.directions == 0) || is_parallelepiped(c); }
/// Calls f with the terms of one of these.
template <class F>
auto with_zonotope(const ConvexSet& c, const F& f) {
  if (c.segments == 3) return f(box_terms(c));
  if (c.points == 2) return f(ZonotopeTerms<1>{c.base(0), c.base(1), c.radius});
  return f(ZonotopeTerms<0>{c.base(0), c.radius});
}
/// Requires two of these.
ProvenDepth zonotope_depth(const ConvexSet& a, const ConvexSet& b);

}  // namespace graze
