// Separating axes of two small polytopes, by three tiers each.
#include "convex/axes/polytopes_meet.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "convex/sets/small_polytope.hpp"
#include "exact/fine.hpp"
#include "exact/sum_sign.hpp"

namespace graze {
namespace {

enum class Along { apart, overlap, unknown };

/// The lesser of two numbers: off by no more than either.
Fine lesser(const Fine& x, const Fine& y) { return {x.v.hi < y.v.hi || (x.v.hi == y.v.hi && x.v.lo < y.v.lo) ? x.v : y.v, std::max(x.e, y.e)}; }

bool is_moderate(const ConvexSet& c) {
  for (std::size_t i = 0; i < c.points; ++i)
    if (!moderate(c.base(i))) return false;
  for (std::size_t k = 0; k < c.segments; ++k)
    if (!moderate(c.segment[k]) || !moderate(c.lo[k]) || !moderate(c.hi[k])) return false;
  return true;
}

/// The direction of an edge, exactly if that is a triple of doubles.
V3<Fine> fine_edge(const PolytopeSide& s, int k) {
  if (s.has_segments) return fine(s.c.segment[k]);
  return fine(s.c.base(static_cast<std::size_t>(s.next(k)))) - fine(s.c.base(static_cast<std::size_t>(k)));
}

/// The least of n . p over the side's points p.
Fine least_along(const PolytopeSide& s, const V3<Fine>& n) {
  Fine least = dot(n, fine(s.c.base(0)));
  if (!s.has_segments)
    for (std::size_t i = 1; i < s.c.points; ++i) least = lesser(least, dot(n, fine(s.c.base(i))));
  for (int k = 0; s.has_segments && k < s.edges; ++k) {
    const Fine x = dot(n, fine(s.c.segment[k]));
    least = least + lesser(x * Fine(s.c.lo[k]), x * Fine(s.c.hi[k]));
  }
  return least;
}

/// The terms of the least coordinate i of the side (sign = 1), or of minus its greatest (sign = -1), into `out`. Products are exact pairs, as numbers are
/// moderate. Returns how many.
std::size_t end_of(const PolytopeSide& s, int i, double sign, double* out) {
  std::size_t n = 0;
  if (!s.has_segments) {
    double end = sign * s.c.base(0)[i];
    for (std::size_t k = 1; k < s.c.points; ++k) end = std::min(end, sign * s.c.base(k)[i]);
    out[n++] = end;
    return n;
  }
  out[n++] = sign * s.c.base(0)[i];
  for (int k = 0; k < s.edges; ++k) {
    const double g = sign * s.c.segment[k][i];
    if (g == 0) continue;
    const TwoDouble x = two_product(g, g > 0 ? s.c.lo[k] : s.c.hi[k]);
    out[n++] = x.hi;
    out[n++] = x.lo;
  }
  return n;
}

struct Axes {
  const PolytopeSide &a, &b;
  const double size = a.size + b.size;

  /// n . (corners) is off by at most 2^-48 |n|_1 size for this n, as in polytope_time.cpp; n itself by less than 2^-48 of `area`, the product of the edges'
  /// sizes.
  Along in_doubles(const V3<double>& n, double area) const {
    double a0, a1, b0, b1;
    a.range(n, a0, a1);
    b.range(n, b0, b1);
    const double gap = std::max(b0 - a1, a0 - b1), one = taxicab(n);
    if (gap > one * size * 0x1p-48) return Along::apart;
    return gap < -area * size * 0x1p-46 ? Along::overlap : Along::unknown;
  }

  /// Along a coordinate axis, exactly.
  Along along_coordinate(int i) const {
    for (const bool a_first : {true, false}) {
      double terms[14];
      std::size_t n = end_of(a_first ? b : a, i, 1, terms);
      n += end_of(a_first ? a : b, i, -1, terms + n);
      if (sign_of_sum({terms, n}) > 0) return Along::apart;
    }
    return Along::overlap;
  }

  /// An axis without direction, of edges along each other, is none: it does not keep anything apart.
  Along in_pairs(const V3<Fine>& e, const V3<Fine>& f) const {
    const V3<Fine> n = cross(e, f);
    const bool zero[3] = {is_zero(n.x), is_zero(n.y), is_zero(n.z)};
    if (zero[0] && zero[1] && zero[2]) return Along::overlap;
    for (int i = 0; i < 3; ++i)
      if (zero[(i + 1) % 3] && zero[(i + 2) % 3]) return sign_of(n[i]) == 1 || sign_of(n[i]) == -1 ? along_coordinate(i) : Along::unknown;
    const V3<Fine> back = -n;
    const int ahead = sign_of(least_along(b, n) + least_along(a, back)), behind = sign_of(least_along(a, n) + least_along(b, back));
    if (ahead == 1 || behind == 1) return Along::apart;
    return (ahead == -1 || ahead == 0) && (behind == -1 || behind == 0) ? Along::overlap : Along::unknown;
  }

  Along along(const PolytopeSide& s, int i, const PolytopeSide& t, int j) const {
    const Along plain = in_doubles(cross(s.edge[i], t.edge[j]), taxicab(s.edge[i]) * taxicab(t.edge[j]));
    return plain == Along::unknown ? in_pairs(fine_edge(s, i), fine_edge(t, j)) : plain;
  }

  /// Three edges certainly span space, so that the faces of A - B have the axes tested.
  bool solid() const {
    V3<double> edge[6];
    int n = 0;
    for (const PolytopeSide* s : {&a, &b})
      for (int k = 0; k < s->edges; ++k) edge[n++] = s->edge[k];
    for (int i = 0; i < n; ++i)
      for (int j = i + 1; j < n; ++j)
        for (int k = j + 1; k < n; ++k)
          if (std::fabs(dot(cross(edge[i], edge[j]), edge[k])) > taxicab(edge[i]) * taxicab(edge[j]) * taxicab(edge[k]) * 0x1p-40) return true;
    return false;
  }
};

}  // namespace

Certain polytopes_meet(const ConvexSet& ca, const ConvexSet& cb) {
  if (!is_small_polytope(ca) || !is_small_polytope(cb) || ca.radius != 0 || cb.radius != 0 || !is_moderate(ca) || !is_moderate(cb)) return Certain::unknown;
  const Vec3 origin = cb.base(0);
  const PolytopeSide a(ca, origin), b(cb, origin);
  const Axes axes{a, b};
  bool all = true;
  const PolytopeSide* const sides[2] = {&a, &b};
  const bool apart = any_axis(sides, [&](int s, int i, int t, int j) {
    const Along found = axes.along(*sides[s], i, *sides[t], j);
    all = all && found == Along::overlap;
    return found == Along::apart;
  });
  if (apart) return Certain::no;
  return all && axes.solid() ? Certain::yes : Certain::unknown;
}

}  // namespace graze
