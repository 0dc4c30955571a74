// Least separating translation: along the gap when only the balls overlap; otherwise over all directions that can be facet normals of A - B (pairs of edges,
// when there are few), or by an expanding polytope. Doubles and pairs of doubles give bounds from both sides; integers decide where the bounds do not meet.
#include "convex/depth/penetration.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "convex/decide/curved_decide.hpp"
#include "convex/depth/depth_in_doubles.hpp"
#include "convex/depth/difference_face.hpp"
#include "convex/depth/exact_depth.hpp"
#include "convex/depth/zonotope_depth.hpp"
#include "convex/epa/expanding-inl.hpp"
#include "convex/sets/generators.hpp"
#include "convex/sets/hint_kind.hpp"
#include "convex/sets/order.hpp"
#include "convex/sets/plane_form.hpp"

namespace graze {
namespace {

using Reason = ConvexPenetration::Reason;
using D3 = V3<Dyadic>;

ConvexPenetration none(Reason r) {
  ConvexPenetration p;
  p.reason = r;
  return p;
}
ConvexPenetration touching(const V3<TwoDouble>& m) {
  ConvexPenetration p = none(Reason::touching);
  const V3<double> n = rounded(-m);
  p.normal = Vec3(n.x, n.y, n.z);
  return p;
}

/// An edge or direction of A - B, scaled by a power of two to a size of about 1. Exact as pairs of doubles.
struct Edge {
  V3<TwoDouble> t;
  V3<double> d;
};

/// Of A and B together, without those that are equal in all bits. `Edges` in exact_depth.cpp is a list of its own: it joins all parallel ones, which only exact
/// numbers can, and its pairs need no bounds for what rounding hides.
struct EdgeList {
  std::vector<Edge> edges;
  std::vector<V3<TwoDouble>> recession;  ///< directions of A - B; m must not point along any of them
  bool whole = true;                     ///< whether scaling was exact: no coordinate is too small relative to the others

  static int exponent(const V3<TwoDouble>& v) { return std::max({exponent_of(v.x.hi), exponent_of(v.y.hi), exponent_of(v.z.hi)}); }
  static V3<TwoDouble> unit_sized(V3<TwoDouble> v, int e) {
    for (TwoDouble* x : {&v.x, &v.y, &v.z}) *x = {scaled(x->hi, -e), scaled(x->lo, -e)};
    return v;
  }
  EdgeList() { edges.reserve(16); }
  void add(const V3<TwoDouble>& v) {
    const int e = exponent(v);
    if (e == -100000) return;
    const V3<TwoDouble> t = unit_sized(v, e);
    whole = whole && is_zero(unit_sized(t, -e) - v);
    const V3<double> d = rounded(t);
    for (const Edge& k : edges)
      if ((is_zero(k.d - d) && is_zero(k.t - t)) || (is_zero(k.d + d) && is_zero(k.t + t))) return;
    edges.push_back({t, d});
  }
  void add(const ConvexSet& c, bool of_b) {
    for (std::uint32_t i = 0; i < c.points; ++i)
      for (std::uint32_t j = i + 1; j < c.points; ++j) {
        const Vec3 p = c.base(i), q = c.base(j);
        double size = 0;
        for (int k = 0; k < 3; ++k) size = std::max({size, std::fabs(p[k]), std::fabs(q[k])});
        const int shift = size > 0x1p1000 ? -100 : 0;
        const auto less = [&](double x) {
          const double y = scaled(x, shift);
          whole = whole && scaled(y, -shift) == x;
          return y;
        };
        const auto difference = [&](int k) { return two_sum(less(q[k]), -less(p[k])); };
        add(V3<TwoDouble>{difference(0), difference(1), difference(2)});
      }
    for (std::uint32_t k = 0; k < c.segments; ++k)
      if (c.lo[k] != c.hi[k]) add(v3_two(c.segment[k]));
    for (std::uint32_t k = 0; k < c.directions; ++k) {
      add(v3_two(c.direction[k]));
      const V3<TwoDouble> d = v3_two(of_b ? -c.direction[k] : c.direction[k]);
      recession.push_back(unit_sized(d, exponent(d)));
    }
  }
};

Dyadic exact(const TwoDouble& x) { return Dyadic(x.hi) + Dyadic(x.lo); }
D3 exact(const V3<TwoDouble>& v) { return {exact(v.x), exact(v.y), exact(v.z)}; }

TwoDouble height(const LocalPair& pair, const V3<TwoDouble>& m) { return dot(m, pair.farthest(0, m) - pair.farthest(1, -m)); }

bool unit(V3<TwoDouble>& m) {
  const TwoDouble length = square_root(dot(m, m));
  if (!(length.hi > 0x1p-95)) return false;
  m = (TwoDouble(1) / length) * m;
  return true;
}

/// A cross product of two edges (components below 2) is off by less than kCrossError. Below the length kShortestCross nothing is known of its direction.
constexpr double kCrossError = 0x1p-98, kShortestCross = 0x1p-90;

/// Whether m . r <= 0 for all recession directions, exactly; m = sign * (edge i x edge j), of unit length, off by at most `error`.
bool allowed(const EdgeList& list, int i, int j, int sign, const V3<TwoDouble>& m, double error) {
  const Edge &p = list.edges[i], &q = list.edges[j];
  for (const V3<TwoDouble>& r : list.recession) {
    if (is_zero(p.t - r) || is_zero(p.t + r) || is_zero(q.t - r) || is_zero(q.t + r)) continue;
    const double d = rounded(dot(m, r));  // |r| < 2 sqrt(3)
    if (d < -4 * error) continue;
    if (d > 4 * error) return false;
    if (sign * sign_of(dot(cross(exact(p.t), exact(q.t)), exact(r))) > 0) return false;
  }
  return true;
}

/// The result of a tier of rounded numbers: h(m) + reach for a direction m, and the bound that no direction has less than `lower`.
struct Bounded {
  V3<TwoDouble> m;
  TwoDouble value = 0x1p100;
  double lower = -8;
  double error = 0;  ///< bound on the distance of m from the direction that it approximates

  /// Whether the bounds agree, and the value is large enough for the arithmetic of `along`: 2^-31 for the gap, 2^-33 for `error`, 2^-36 for the arithmetic
  /// and 2^-36 for the stretch are together below the 1e-9 that are promised.
  bool certain() const {
    const double v = rounded(value);
    return v > 0x1p-56 && error <= v * 0x1p-36 && v - lower <= v * 0x1p-31;
  }
};

/// The shallowest of all pairs of edges, the first of equal ones. A pair whose direction rounded numbers cannot resolve lowers `lower` to nothing.
Bounded shallowest_pair(const LocalPair& pair, const EdgeList& list) {
  struct Quick {
    int i, j, sign;
    double value;
    bool sure;
  };
  std::vector<Quick> quick;
  double least = 8;
  const int n = static_cast<int>(list.edges.size());
  quick.reserve(static_cast<std::size_t>(n * (n - 1)));
  Bounded best;
  if (!list.whole) return best;
  for (int i = 0; i < n; ++i)
    for (int j = i + 1; j < n; ++j) {
      V3<double> m = cross(list.edges[i].d, list.edges[j].d);
      double mm = dot(m, m);
      const bool sure = mm > 0x1p-20;  // longer than 2^-10
      V3<TwoDouble> t;
      TwoDouble length;
      if (!sure || !list.recession.empty()) {
        t = cross(list.edges[i].t, list.edges[j].t);
        length = square_root(dot(t, t));
        if (!(length.hi > kShortestCross)) {
          if (is_zero(cross(exact(list.edges[i].t), exact(list.edges[j].t)))) continue;
          return best;
        }
        t = (TwoDouble(1) / length) * t;
      }
      if (!sure) {
        m = rounded(t);
        mm = 1;
      }
      const double f = 1 / std::sqrt(mm);
      m = {m.x * f, m.y * f, m.z * f};
      double lo_a, hi_a, lo_b, hi_b;
      pair.range(0, m, lo_a, hi_a);
      pair.range(1, m, lo_b, hi_b);
      for (const int sign : {1, -1}) {
        if (!list.recession.empty() && !allowed(list, i, j, sign, sign > 0 ? t : -t, kCrossError / length.hi)) continue;
        const double value = sign > 0 ? hi_a - lo_b : hi_b - lo_a;
        quick.push_back({i, j, sign, value, sure});
        if (sure) least = std::min(least, value);
      }
    }
  // A component of a sure cross product is off by 12 u (rounded edges 4 u and the product 2 u, twice), its value by 2^10 * 18 u < 2^-38 (coordinates are below
  // 1/2), and a difference of two values by twice as much.
  double lower = 8;
  for (const Quick& q : quick) {
    if (q.value > least + 0x1p-37 && q.sure) continue;
    V3<TwoDouble> m = cross(list.edges[q.i].t, list.edges[q.j].t);
    const TwoDouble length = square_root(dot(m, m));
    m = (TwoDouble(q.sign) / length) * m;
    const double error = kCrossError / length.hi;
    const TwoDouble value = height(pair, m);
    lower = std::min(lower, rounded(value) - (2 * error + 2 * kLocalError<TwoDouble>));
    // 2^-88: values that differ by rounding count as equal, so the first of them wins
    if (rounded(value - best.value) < -0x1p-88) best = {m, value, -8, error};
  }
  if (quick.empty()) return best;
  const double reach = rounded(pair.reach());
  best.value = best.value + pair.reach();
  best.lower = lower * (1 + 0x1p-52) + reach * (1 - 0x1p-52);  // roundings of some u are nothing beside the 2^-31 of `certain`
  return best;
}

/// The result for direction m (unit) with value = h(m) + reach > 0. The vector is made longer until certainly h(m) + m . v + reach <= 0. Not `found` where no
/// vector of doubles satisfies that. Each round doubles the stretch from 2^-51: 16 rounds reach 2^-36, 60 reach 2^8. Vectors of a few
/// denormals are stretched on, to 2^98: by more than a denormal exceeds any depth that is above the error of its value.
ConvexPenetration along(const LocalPair& pair, const V3<TwoDouble>& m, const TwoDouble& value, int rounds = 150,
                        double error = 0) {  // value = h(m) + reach, computed for exactly this m
  ConvexPenetration r;
  const V3<double> n = rounded(-m);
  const double length = std::sqrt(dot(n, n));
  r.normal = Vec3(n.x / length, n.y / length, n.z / length);
  double stretch = 0x1p-51;
  const double rest = 2 * kLocalError<TwoDouble> + 4 * error;  // h(m) and m . v change by less than this for the direction that m approximates
  const auto tiny = [&] { return std::max({std::fabs(r.vector.x), std::fabs(r.vector.y), std::fabs(r.vector.z)}) < 0x1p-1000; };
  for (int k = 0; k < rounds && !r.found && (k < 60 || tiny()); ++k, stretch *= 2) {
    const TwoDouble l = (value + TwoDouble(2 * rest)) * (TwoDouble(1) + TwoDouble(stretch));
    r.vector = Vec3(pair.signed_in_world(-(l * m.x)), pair.signed_in_world(-(l * m.y)), pair.signed_in_world(-(l * m.z)));
    const V3<TwoDouble> v{pair.length_to_local(r.vector.x), pair.length_to_local(r.vector.y), pair.length_to_local(r.vector.z)};
    r.found = rounded(value + dot(m, v)) < -rest;
  }
  if (!r.found) return none(Reason::unbounded);
  r.depth = std::max(pair.length_in_world(value), std::numeric_limits<double>::denorm_min());
  return r;
}

/// Makes m perpendicular to the recession directions that it points along (they were cut, so m . r is only near 0).
void respect(const ConvexSet& c, bool of_b, V3<TwoDouble>& m) {
  for (int round = 0; round < 3; ++round)
    for (std::uint32_t k = 0; k < c.directions; ++k) {
      V3<TwoDouble> r = v3_two(of_b ? -c.direction[k] : c.direction[k]);
      r = EdgeList::unit_sized(r, EdgeList::exponent(r));
      const TwoDouble d = dot(m, r);
      if (d.hi <= 0) continue;
      m = m - (d / dot(r, r)) * r;
    }
  unit(m);
}

/// Most vertices of a polytope. A choice: at the cap, convex sets go on to the next tier, curved shapes keep the best direction found, which is valid.
constexpr int kMaxVertices = 256, kMaxVerticesInPairs = 600;

/// The shallowest direction by the expanding polytope: in doubles where their precision suffices, else in pairs of doubles. Doubles are accepted when the gap
/// of the bounds (4e-10, four times the goal) and what rounding moves (2^-31 < 5e-10) are together below 1e-9.
Shallowest<TwoDouble> expand(const LocalPair& pair) {
  const Shallowest<double> quick = ExpandingPolytope<double>(pair).run(kMaxVertices, 1e-10);
  Shallowest<TwoDouble> best;
  if (!quick.flat && quick.value * 0x1p-31 > 2 * kLocalError<double> && (quick.exhausted || quick.value - quick.lower <= quick.value * 4e-10)) {
    best.m = {quick.m.x, quick.m.y, quick.m.z};
    unit(best.m);
    best.value = height(pair, best.m);
    return best;
  }
  best = ExpandingPolytope<TwoDouble>(pair).run(kMaxVertices, 2e-10);
  if (!quick.flat) {  // the result in doubles is valid as well
    V3<TwoDouble> m{quick.m.x, quick.m.y, quick.m.z};
    if (unit(m)) {
      const TwoDouble value = height(pair, m);
      if (rounded(value - best.value) < 0) {
        best.m = m;
        best.value = value;
        best.flat = false;
      }
    }
  }
  return best;
}

/// The same for convex sets, with a bound of the depth from the planes of the polytope.
template <class N>
Bounded expand_bounded(const LocalPair& pair, int steps) {
  ExpandingPolytope<N> polytope(pair);
  const Shallowest<N> s = polytope.run(steps, 1e-10);
  Bounded best;
  if (s.flat) return best;
  best.m = {s.m.x, s.m.y, s.m.z};
  if (!unit(best.m)) return {};
  best.value = height(pair, best.m) + pair.reach();
  best.lower = (polytope.inside() + rounded(pair.reach())) * (1 - 0x1p-50);
  return best;
}

/// m along the gap between the hulls, when only the balls overlap. `lower` bounds the depth unless the hulls meet.
struct Gap : Bounded {
  bool meet = false;  ///< the hulls certainly meet
  double low = 0;     ///< lower bound on the distance of the hulls
};

/// `quick`: the search in doubles, which starts along its x unless that is 0.
Gap across_gap(const LocalPair& pair, double tolerance, Nearby<double>& quick) {
  Gap gap;
  const auto take = [&](const auto& s, const auto& x, double error) {
    gap.m = V3<TwoDouble>{-TwoDouble(x.x), -TwoDouble(x.y), -TwoDouble(x.z)};
    gap.low = rounded(s.low);
    // |x| of a point of A - B: x is off by `error` in each coordinate, its norm by 2.5 u
    gap.lower = rounded(pair.reach()) * (1 - 0x1p-52) - (rounded(s.norm) * (1 + 0x1p-50) + 2 * error);
    gap.value = unit(gap.m) ? pair.reach() + height(pair, gap.m) : TwoDouble(0x1p100);
  };
  if (search_nearest(pair, false, 0x1p-52, quick) == Certain::yes) {
    gap.meet = true;
    return gap;
  }
  take(quick, quick.x, kLocalError<double>);  // the direction of the best bound is off by the root of the tolerance, 2^-26
  if (gap.certain()) return gap;
  Nearby<TwoDouble> s;
  s.x = {quick.low_direction.x, quick.low_direction.y, quick.low_direction.z};
  search_nearest(pair, false, tolerance, s);
  take(s, s.low_direction, kLocalError<TwoDouble>);
  return gap;
}

/// The result in rounded numbers; when it is uncertain, `value` is no possible depth.
Bounded between_convex_sets_roughly(const LocalPair& pair, const ConvexSet& a, const ConvexSet& b) {
  Bounded gap;
  gap.lower = 0x1p100;
  if (rounded(pair.reach()) > 0) {
    Nearby<double> quick;
    const Gap g = across_gap(pair, 0x1p-90, quick);
    if (!g.meet) {
      gap = static_cast<const Bounded&>(g);
      if (gap.certain()) return gap;
    }
  }
  Bounded best;
  PlaneForm plane;
  const bool few = a.points <= kFewCorners && b.points <= kFewCorners;
  if (few || is_plane(a, plane) || is_plane(b, plane)) {
    EdgeList list;
    if (few || is_plane(a, plane)) list.add(a, false);  // beside a plane, only the direction perpendicular to it is allowed
    if (few || !is_plane(a, plane)) list.add(b, true);
    best = shallowest_pair(pair, list);
  } else if (!pair.cut()) {
    best = expand_bounded<double>(pair, kMaxVertices);
    if (!best.certain()) best = expand_bounded<TwoDouble>(pair, kMaxVerticesInPairs);
  }
  best.lower = std::min(best.lower, gap.lower);
  if (rounded(gap.value - best.value) < 0) {
    gap.lower = best.lower;
    return gap;
  }
  return best;
}

ConvexPenetration result_of(const ProvenDepth& s) {
  if (s.proof == Proof::apart) return none(Reason::apart);
  ConvexPenetration p;
  p.found = true;
  set_translation(s, p);
  return p;
}

ConvexPenetration without_doubles(const ConvexSet& a, const ConvexSet& b, bool meet) {
  if (!meet && !within(a, b, 0)) return none(Reason::apart);
  const LocalPair pair(a, b, 0);
  const Bounded best = between_convex_sets_roughly(pair, a, b);
  if (best.certain()) {
    const ConvexPenetration p = along(pair, best.m, best.value, 16, best.error);
    if (p.found) {
      ++decision_counts().pairs;
      return p;
    }
  }
  ++decision_counts().big;
  return penetration_exactly(a, b);
}

/// The same, counted as decided in doubles.
ConvexPenetration proven(const ProvenDepth& s) {
  ++decision_counts().filter;
  return result_of(s);
}

ConvexPenetration between_convex_sets(const Operand& hull_a, const Operand& hull_b, bool meet, PairHint* hint) {
  const ConvexSet &a = *hull_a.convex, &b = *hull_b.convex;
  const bool boxes = is_parallelepiped(a) && is_parallelepiped(b);
  ProvenDepth quick;
  if (is_zonotope(a) && is_zonotope(b)) quick = zonotope_depth(a, b);
  if (quick.proof == Proof::none && !boxes) quick = depth_in_doubles(hull_a, hull_b, hint);
  if (quick.proof != Proof::none) return proven(quick);
  const ConvexPenetration p = without_doubles(a, b, meet);
  if (!p.found || boxes) return p;
  const ProvenDepth at_face = depth_at_face_near(hull_a, hull_b, p.normal, hint);
  return at_face.proof == Proof::depth ? result_of(at_face) : p;
}

/// The direction out of a plane or half-space B.
V3<TwoDouble> out_of_plane(const LocalPair& pair, const PlaneForm& plane) {
  V3<TwoDouble> n = v3_two(plane.normal);
  n = EdgeList::unit_sized(n, EdgeList::exponent(n));
  unit(n);
  return !plane.solid && rounded(height(pair, n) - height(pair, -n)) < 0 ? n : -n;
}

/// `a` is curved.
ConvexPenetration with_curved(const Operand& a, const Operand& b) {
  if (b.convex && b.convex->is_ball())
    if (const auto near = nearest_place(*a.curved, b.convex->base(0)))
      if (const ProvenDepth s = depth_from_gap(-near->x, near->level, near->size, b.radius()); s.proof != Proof::none) return proven(s);
  const LocalPair pair(a, b, 0);
  LocalSearch search;
  if (!within_local(pair, *a.curved, b.convex, 0, search)) return none(Reason::apart);
  Nearby<double>& near = search.near;
  const double reach = rounded(pair.reach());
  bool around = search.by_doubles && near.n == 4;  // of a simplex that certainly contains the origin
  if (reach > 0 && !around) {
    const Gap gap = across_gap(pair, pair.tolerance() * 0x1p-24, near);
    if (!gap.meet && (gap.certain() || gap.low > pair.tolerance())) {
      if (rounded(gap.value) <= pair.tolerance()) return touching(gap.m);
      return along(pair, gap.m, gap.value);
    }
    around = gap.meet;
  }
  V3<TwoDouble> m;
  PlaneForm plane;
  bool flat = false;
  if (b.convex && is_plane(*b.convex, plane)) {
    m = out_of_plane(pair, plane);
  } else {
    std::optional<V3<double>> quick;
    if (around && !pair.cut()) quick = shallowest_in_doubles(pair, near);
    if (quick) {
      m = {quick->x, quick->y, quick->z};
      unit(m);
    } else {
      const Shallowest<TwoDouble> s = expand(pair);
      m = s.m;
      flat = s.flat;
    }
    if (b.convex) respect(*b.convex, true, m);
  }
  const TwoDouble value = height(pair, m) + pair.reach();
  if ((flat && reach == 0) || rounded(value) <= pair.tolerance()) return touching(m);
  return along(pair, m, value);
}

}  // namespace

bool in_order(const Operand& a, const Operand& b) {
  if (a.curved && b.curved) return order_of(*a.curved, *b.curved) <= 0;
  if (a.convex && b.convex) return order_of(*a.convex, *b.convex) <= 0;
  return a.curved != nullptr;
}

ConvexPenetration penetration(const Operand& a, const Operand& b, bool meet, PairHint* hint) {
  if (!in_order(a, b)) {
    if (hint) *hint = exchanged(*hint);
    const ConvexPenetration p = penetration(b, a, meet, hint);
    if (hint) *hint = exchanged(*hint);
    return exchanged(p);
  }
  if (a.convex && b.convex) return between_convex_sets(a, b, meet, hint);
  return with_curved(a, b);
}

}  // namespace graze
