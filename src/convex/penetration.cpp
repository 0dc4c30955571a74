// Least separating translation: along the gap when only the balls overlap; else over all directions that can be facet normals of A - B (pairs of edges, few of them), or by an expanding polytope. Certified at the end.
#include "convex/penetration.hpp"

#include "convex/expanding-inl.hpp"

namespace graze {
namespace {

using Reason = CorePenetration::Reason;
using D3 = V3<Dyadic>;

CorePenetration none(Reason r) {
  CorePenetration p;
  p.reason = r;
  return p;
}
CorePenetration touching(const V3<TwoDouble>& m) {
  CorePenetration p = none(Reason::touching);
  const V3<double> n = rounded(-m);
  p.normal = Vec3(n.x, n.y, n.z);
  return p;
}

/// An edge or direction of A - B, scaled by a power of two to a size of about 1. Exact as pairs of doubles.
struct Edge {
  V3<TwoDouble> t;
  V3<double> d;
};

struct EdgeList {
  std::vector<Edge> edges;
  std::vector<V3<TwoDouble>> recession;  ///< directions of A - B; m must not point along any

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
    const V3<double> d = rounded(t);
    for (const Edge& k : edges)
      if ((is_zero(k.d - d) && is_zero(k.t - t)) || (is_zero(k.d + d) && is_zero(k.t + t))) return;
    edges.push_back({t, d});
  }
  /// Edges between the points of the core that `chosen` accepts; false when there are too many.
  template <class F>
  bool add(const Core& c, bool of_b, std::size_t limit, const F& chosen) {
    std::vector<Vec3> points;
    for (std::uint32_t i = 0; i < c.points && c.points > 1; ++i)
      if (chosen(i)) {
        points.push_back(c.base(i));
        if (points.size() > limit) return false;
      }
    for (std::size_t i = 0; i < points.size(); ++i)
      for (std::size_t j = i + 1; j < points.size(); ++j) {
        double size = 0;
        for (int k = 0; k < 3; ++k) size = std::max({size, std::fabs(points[i][k]), std::fabs(points[j][k])});
        const int shift = size > 0x1p1000 ? -100 : 0;
        const auto difference = [&](int k) { return two_sum(scaled(points[j][k], shift), -scaled(points[i][k], shift)); };
        add(V3<TwoDouble>{difference(0), difference(1), difference(2)});
      }
    for (std::uint32_t k = 0; k < c.segments; ++k)
      if (c.lo[k] != c.hi[k]) add(v3_two(c.segment[k]));
    for (std::uint32_t k = 0; k < c.directions; ++k) {
      add(v3_two(c.direction[k]));
      const V3<TwoDouble> d = v3_two(of_b ? -c.direction[k] : c.direction[k]);
      recession.push_back(unit_sized(d, exponent(d)));
    }
    return true;
  }
};

Dyadic exact(const TwoDouble& x) { return Dyadic(x.hi) + Dyadic(x.lo); }
D3 exact(const V3<TwoDouble>& v) { return {exact(v.x), exact(v.y), exact(v.z)}; }

/// A direction m = sign * (edge i x edge j), its unit vector and h(m).
struct Candidate {
  int i = -1, j = -1, sign = 1;
  V3<TwoDouble> m;
  TwoDouble value = 8;
};

TwoDouble height(const LocalPair& pair, const V3<TwoDouble>& m) { return dot(m, pair.farthest(0, m) - pair.farthest(1, -m)); }

bool unit(V3<TwoDouble>& m) {
  const TwoDouble length = square_root(dot(m, m));
  if (!(length.hi > 0x1p-95)) return false;
  m = (TwoDouble(1) / length) * m;
  return true;
}

/// m . r <= 0 for all recession directions, exactly.
bool allowed(const EdgeList& list, int i, int j, int sign, const V3<TwoDouble>& m) {
  const Edge &p = list.edges[i], &q = list.edges[j];
  for (const V3<TwoDouble>& r : list.recession) {
    if (is_zero(p.t - r) || is_zero(p.t + r) || is_zero(q.t - r) || is_zero(q.t + r)) continue;
    const double d = rounded(dot(m, r));
    if (d < -0x1p-80) continue;
    if (d > 0x1p-80) return false;
    if (sign * sign_of(dot(cross(exact(p.t), exact(q.t)), exact(r))) > 0) return false;
  }
  return true;
}

V3<TwoDouble> precise(const EdgeList& list, int i, int j, int sign) {
  V3<TwoDouble> m = cross(list.edges[i].t, list.edges[j].t);
  unit(m);
  return sign < 0 ? -m : m;
}

/// The shallowest of all pairs of edges, the first of equal ones; false when no direction is allowed. `flat`: all edges are parallel.
bool shallowest_pair(const LocalPair& pair, const EdgeList& list, Candidate& best, bool& flat) {
  struct Quick {
    int i, j, sign;
    double value;
    bool sure;
  };
  std::vector<Quick> quick;
  double least = 8;
  const int n = static_cast<int>(list.edges.size());
  quick.reserve(static_cast<std::size_t>(n * (n - 1)));
  flat = true;
  for (int i = 0; i < n; ++i)
    for (int j = i + 1; j < n; ++j) {
      V3<double> m = cross(list.edges[i].d, list.edges[j].d);
      double mm = dot(m, m);
      const bool sure = mm > 0x1p-20;
      if (!sure) {
        V3<TwoDouble> t = cross(list.edges[i].t, list.edges[j].t);
        if (!unit(t)) continue;
        m = rounded(t);
        mm = 1;
      }
      flat = false;
      const double f = 1 / std::sqrt(mm);
      m = {m.x * f, m.y * f, m.z * f};
      double lo_a, hi_a, lo_b, hi_b;
      pair.range(0, m, lo_a, hi_a);
      pair.range(1, m, lo_b, hi_b);
      for (const int sign : {1, -1}) {
        if (!list.recession.empty() && !allowed(list, i, j, sign, precise(list, i, j, sign))) continue;
        const double value = sign > 0 ? hi_a - lo_b : hi_b - lo_a;
        quick.push_back({i, j, sign, value, sure});
        if (sure) least = std::min(least, value);
      }
    }
  if (quick.empty()) return false;
  // m is off by at most 2^-40 where the edges are nearly parallel (sure: 2^-42), so the least is among these.
  for (const Quick& q : quick) {
    if (q.value > least + 0x1p-38 && q.sure) continue;
    Candidate c{q.i, q.j, q.sign, cross(list.edges[q.i].t, list.edges[q.j].t), 0};
    if (q.sign < 0) c.m = -c.m;
    if (!unit(c.m)) continue;
    c.value = height(pair, c.m);
    if (rounded(c.value - best.value) < -0x1p-88) best = c;
  }
  return best.i >= 0;
}

/// h(m) exactly for m = sign * (edge x edge), times the length of m.
Dyadic exact_height(const Core& c, const D3& m) {
  const auto vector = [](const Vec3& v) { return D3{v.x, v.y, v.z}; };
  Dyadic best = dot(m, vector(c.base(0)));
  for (std::uint32_t i = 1; i < c.points; ++i) {
    Dyadic d = dot(m, vector(c.base(i)));
    if (compare(d, best) > 0) best = std::move(d);
  }
  for (std::uint32_t k = 0; k < c.segments; ++k) {
    const Dyadic d = dot(m, vector(c.segment[k])), l = d * Dyadic(c.lo[k]), h = d * Dyadic(c.hi[k]);
    best = best + (compare(h, l) > 0 ? h : l);
  }
  return best;
}
Dyadic exact_height(const Core& a, const Core& b, const D3& m) { return exact_height(a, m) + exact_height(b, -m); }
D3 exact_direction(const EdgeList& list, const Candidate& c) {
  const D3 m = cross(exact(list.edges[c.i].t), exact(list.edges[c.j].t));
  return c.sign < 0 ? -m : m;
}

/// Is some pair of edges the normal of a plane through the origin that A - B does not cross? Exact; reach 0.
bool merely_touching(const LocalPair& pair, const Core& a, const Core& b, const EdgeList& list, V3<TwoDouble>& normal) {
  const int n = static_cast<int>(list.edges.size());
  for (int i = 0; i < n; ++i)
    for (int j = i + 1; j < n; ++j) {
      V3<TwoDouble> t = cross(list.edges[i].t, list.edges[j].t);
      if (!unit(t)) continue;
      for (const int sign : {1, -1}) {
        const V3<TwoDouble> m = sign < 0 ? -t : t;
        if (!list.recession.empty() && !allowed(list, i, j, sign, m)) continue;
        if (rounded(height(pair, m)) > 0x1p-80) continue;
        if (sign_of(exact_height(a, b, exact_direction(list, {i, j, sign, m, 0}))) > 0) continue;
        normal = m;
        return true;
      }
    }
  return false;
}

/// The result for direction m (unit) with value = h(m) + reach > 0: the vector, made longer until certainly h(m) + m . v + reach <= 0.
CorePenetration along(const LocalPair& pair, const V3<TwoDouble>& m, const TwoDouble& value) {  // value = h(m) + reach as computed for this very m
  CorePenetration r;
  r.found = true;
  const V3<double> n = rounded(-m);
  const double length = std::sqrt(dot(n, n));
  r.normal = Vec3(n.x / length, n.y / length, n.z / length);
  double stretch = 0x1p-51;
  const double rest = 0x1p-92;
  for (int k = 0; k < 60; ++k, stretch *= 2) {
    const TwoDouble l = (value + TwoDouble(rest)) * (TwoDouble(1) + TwoDouble(stretch));
    r.vector = Vec3(pair.signed_in_world(-(l * m.x)), pair.signed_in_world(-(l * m.y)), pair.signed_in_world(-(l * m.z)));
    const V3<TwoDouble> v{pair.length_to_local(r.vector.x), pair.length_to_local(r.vector.y), pair.length_to_local(r.vector.z)};
    if (rounded(value + dot(m, v)) < -2 * kLocalError<TwoDouble>) break;
  }
  r.depth = std::max(pair.length_in_world(value), std::numeric_limits<double>::denorm_min());
  return r;
}

/// A depth too small for pairs of doubles: everything in integers. m = sign * (edge x edge), reach 0, h > 0.
CorePenetration along_exactly(const Core& a, const Core& b, const D3& m, const V3<TwoDouble>& unit_m) {
  CorePenetration r;
  r.found = true;
  const V3<double> n = rounded(-unit_m);
  r.normal = Vec3(n.x, n.y, n.z);
  const Dyadic h = exact_height(a, b, m), mm = dot(m, m);
  const Dyadic* c[3] = {&m.x, &m.y, &m.z};
  double grow = 1;
  for (int k = 0; k < 200; ++k, grow = k < 20 ? grow + 0x1p-50 : grow * 1.5) {
    const Dyadic longer = h * Dyadic(grow);
    for (int i = 0; i < 3; ++i) {
      const Dyadic x = longer * *c[i];
      r.vector[i] = to_double(-x.m, mm.m, x.e - mm.e, Rounding::nearest);
      if (k >= 20 && r.vector[i] == 0 && n.x * n.x + n.y * n.y + n.z * n.z > 0) r.vector[i] = (i == 0 ? n.x : i == 1 ? n.y : n.z) > 0 ? 0x1p-1074 : (i == 0 ? n.x : i == 1 ? n.y : n.z) < 0 ? -0x1p-1074 : 0;
    }
    if (sign_of(h + dot(m, D3{r.vector.x, r.vector.y, r.vector.z})) <= 0) break;
  }
  const int e2 = 2 * h.e - mm.e;  // depth^2 = h^2 / mm
  r.depth = e2 % 2 == 0 ? sqrt_to_double(h.m * h.m, mm.m, e2 / 2, true) : sqrt_to_double(BigInt((h.m * h.m) << 1), mm.m, (e2 - 1) / 2, true);
  return r;
}

/// m made perpendicular to the recession directions that it points along (they were cut: m . r is only near 0).
void respect(const Core& c, bool of_b, V3<TwoDouble>& m) {
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

/// The shallowest direction by the expanding polytope: in doubles where these suffice, else in pairs of doubles.
Shallowest<TwoDouble> expand(const LocalPair& pair, bool curved) {
  const Shallowest<double> quick = ExpandingPolytope<double>(pair).run(256, 1e-10);
  Shallowest<TwoDouble> best;
  if (!quick.flat && quick.value * 0x1p-31 > 2 * kLocalError<double> && (quick.exhausted || quick.value - quick.lower <= quick.value * 4e-10)) {
    best.m = {quick.m.x, quick.m.y, quick.m.z};
    unit(best.m);
    best.value = height(pair, best.m);
    return best;
  }
  best = ExpandingPolytope<TwoDouble>(pair).run(curved ? 256 : 600, 2e-10);
  if (!quick.flat) {  // whatever doubles found is valid as well
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

/// When only the balls overlap: m along the gap between the hulls, value = reach - gap. False when the hulls are not more than `least` apart.
bool across_gap(const LocalPair& pair, double least, double tolerance, V3<TwoDouble>& m, TwoDouble& value) {
  Nearby<double> quick;
  if (search_nearest(pair, false, 0x1p-52, quick) == Search::within) return false;
  if (quick.low > 0x1p-30) {
    m = V3<TwoDouble>{-quick.low_direction.x, -quick.low_direction.y, -quick.low_direction.z};
    unit(m);
    value = pair.reach() + height(pair, m);
    const double lower = rounded(pair.reach()) - (quick.norm + kLocalError<double>);  // no direction has less
    if (rounded(value) - lower <= 4e-10 * rounded(value)) return true;
  }
  Nearby<TwoDouble> s;
  s.x = {quick.low_direction.x, quick.low_direction.y, quick.low_direction.z};
  search_nearest(pair, false, tolerance, s);
  if (!(rounded(s.low) > least)) return false;
  m = -s.low_direction;
  unit(m);
  value = pair.reach() + height(pair, m);
  return true;
}

/// Base points that lie farthest along m, to 2^-24; of more than eight the extreme ones in eight directions across m: they span the same face.
std::vector<std::uint32_t> near_corners(const LocalPair& pair, const Core& c, const V3<double>& m) {
  std::vector<std::uint32_t> list;
  double level = -8;
  for (std::uint32_t i = 0; i < c.points; ++i) level = std::max(level, dot(m, pair.point_to_local(c.base(i))));
  for (std::uint32_t i = 0; i < c.points; ++i)
    if (level - dot(m, pair.point_to_local(c.base(i))) < 0x1p-24) list.push_back(i);
  if (list.size() <= 8) return list;
  const V3<double> s = cross(m, std::fabs(m.x) < 0.6 ? V3<double>{1, 0, 0} : V3<double>{0, 1, 0}), t = cross(m, s);
  std::vector<std::uint32_t> extreme;
  for (const auto& [x, y] : {std::pair(1.0, 0.3), std::pair(0.5, 0.8), std::pair(-0.3, 1.0), std::pair(-0.8, 0.5)})
    for (const double sign : {1.0, -1.0}) {
      const V3<double> d = (sign * x) * s + (sign * y) * t;
      std::uint32_t best = list[0];
      for (std::uint32_t i : list)
        if (dot(d, pair.point_to_local(c.base(i))) > dot(d, pair.point_to_local(c.base(best)))) best = i;
      extreme.push_back(best);
    }
  return extreme;
}

constexpr auto all_points = [](std::uint32_t) { return true; };

CorePenetration between_cores(const LocalPair& pair, const Core& a, const Core& b) {
  if (!within(a, b, 0)) return none(Reason::apart);
  const double reach = rounded(pair.reach());
  if (reach > 0) {
    V3<TwoDouble> m;
    TwoDouble value;
    if (across_gap(pair, 0x1p-80, 0x1p-90, m, value)) {
      if (rounded(value) < 0x1p-44 && compare_distance(a, b, 0) == 0) return touching(m);
      return along(pair, m, value);
    }
  }
  EdgeList list;
  const bool few = list.add(a, false, 8, all_points) && list.add(b, true, 8, all_points) && list.edges.size() <= 56;
  if (few) {
    Candidate best;
    bool flat = false;
    const bool any = shallowest_pair(pair, list, best, flat);
    if (flat) {  // A - B is a point or part of a line
      V3<TwoDouble> m{-1.0, 0.0, 0.0};
      if (!list.edges.empty()) {
        const V3<double>& e = list.edges[0].d;
        const double x = std::fabs(e.x), y = std::fabs(e.y), z = std::fabs(e.z);
        const V3<TwoDouble> axis = x <= y && x <= z ? V3<TwoDouble>{1.0, 0.0, 0.0} : y <= z ? V3<TwoDouble>{0.0, 1.0, 0.0} : V3<TwoDouble>{0.0, 0.0, 1.0};
        m = cross(list.edges[0].t, axis);
        unit(m);
      }
      if (reach == 0) return touching(m);
      return along(pair, m, height(pair, m) + pair.reach());
    }
    if (!any) return none(Reason::unbounded);
    if (reach == 0 && rounded(best.value) < 0x1p-50) {
      V3<TwoDouble> normal;
      if (merely_touching(pair, a, b, list, normal)) return touching(normal);
      const D3 m = exact_direction(list, best);
      return along_exactly(a, b, m, best.m);
    }
    return along(pair, best.m, best.value + pair.reach());
  }
  Shallowest<TwoDouble> s = expand(pair, false);
  respect(a, false, s.m);
  respect(b, true, s.m);
  s.value = height(pair, s.m);
  if (reach == 0 && rounded(s.value) < 0x1p-50) {
    // Exactly: only corners near the supporting planes can be in touch.
    EdgeList near;
    const V3<double> m = rounded(s.m);
    const std::vector<std::uint32_t> of_a = near_corners(pair, a, m), of_b = near_corners(pair, b, -m);
    const auto in = [](const std::vector<std::uint32_t>& list) { return [&list](std::uint32_t k) { return std::find(list.begin(), list.end(), k) != list.end(); }; };
    near.add(a, false, 64, in(of_a));
    near.add(b, true, 64, in(of_b));
    V3<TwoDouble> normal;
    if (merely_touching(pair, a, b, near, normal)) return touching(normal);
    if (s.flat) return touching(s.m);
  }
  // Cut cones reach far out: a direction that cannot be freed of them means that there is none.
  if (rounded(s.value) > 0.25 && pair.cut()) return none(Reason::unbounded);
  return along(pair, s.m, s.value + pair.reach());
}

CorePenetration with_curved(const LocalPair& pair, const Operand& a, const Operand& b) {
  const bool meet = a.curved && b.curved ? within(*a.curved, *b.curved, 0) : a.curved ? within(*a.curved, *b.core, 0) : within(*b.curved, *a.core, 0);
  if (!meet) return none(Reason::apart);
  const Core* core = a.core ? a.core : b.core;
  const double reach = rounded(pair.reach());
  if (reach > 0) {
    V3<TwoDouble> m;
    TwoDouble value;
    if (across_gap(pair, pair.tolerance(), pair.tolerance() * 0x1p-24, m, value)) {
      if (rounded(value) <= pair.tolerance()) return touching(m);
      return along(pair, m, value);
    }
  }
  V3<TwoDouble> m;
  PlaneForm plane;
  bool flat = false;
  if (core && is_plane(*core, plane)) {
    V3<TwoDouble> n = v3_two(plane.normal);
    n = EdgeList::unit_sized(n, EdgeList::exponent(n));
    unit(n);
    if (core == a.core) n = -n;  // now m = -n moves the shape out along n, or the half-space back
    m = -n;
    if (!plane.solid && rounded(height(pair, n) - height(pair, m)) < 0) m = n;
  } else {
    const Shallowest<TwoDouble> s = expand(pair, true);
    m = s.m;
    flat = s.flat;
    if (a.core) respect(*a.core, false, m);
    if (b.core) respect(*b.core, true, m);
  }
  const TwoDouble value = height(pair, m) + pair.reach();
  if ((flat && reach == 0) || rounded(value) <= pair.tolerance()) return touching(m);
  return along(pair, m, value);
}

/// Order by contents, so that exchanging the operands changes nothing but the signs.
int compare(const Vec3& p, const Vec3& q) {
  for (int i = 0; i < 3; ++i)
    if (p[i] != q[i]) return p[i] < q[i] ? -1 : 1;
  return 0;
}
int compare(double x, double y) { return x < y ? -1 : x > y ? 1 : 0; }

int compare(const Core& x, const Core& y) {
  if (x.points != y.points) return x.points < y.points ? -1 : 1;
  if (x.segments != y.segments) return x.segments < y.segments ? -1 : 1;
  if (x.directions != y.directions) return x.directions < y.directions ? -1 : 1;
  if (const int c = compare(x.radius, y.radius)) return c;
  for (std::uint32_t k = 0; k < x.segments; ++k) {
    if (const int c = compare(x.segment[k], y.segment[k])) return c;
    if (const int c = compare(x.lo[k], y.lo[k])) return c;
    if (const int c = compare(x.hi[k], y.hi[k])) return c;
  }
  for (std::uint32_t k = 0; k < x.directions; ++k)
    if (const int c = compare(x.direction[k], y.direction[k])) return c;
  for (std::uint32_t i = 0; i < x.points; ++i)
    if (const int c = compare(x.base(i), y.base(i))) return c;
  return 0;
}

int compare(const Curved& x, const Curved& y) {
  if (x.kind != y.kind) return x.kind < y.kind ? -1 : 1;
  if (const int c = compare(x.a, y.a)) return c;
  if (const int c = compare(x.b, y.b)) return c;
  if (const int c = compare(x.radius, y.radius)) return c;
  for (int i = 0; i < 3; ++i) {
    if (const int c = compare(x.radii[i], y.radii[i])) return c;
    if (const int c = compare(x.axis[i], y.axis[i])) return c;
  }
  return compare(x.direction, y.direction);
}

bool in_order(const Operand& a, const Operand& b) {
  if (a.curved && b.curved) return compare(*a.curved, *b.curved) <= 0;
  if (a.core && b.core) return compare(*a.core, *b.core) <= 0;
  return a.curved != nullptr;
}

}  // namespace

CorePenetration penetration(const Operand& a, const Operand& b) {
  if (!in_order(a, b)) {
    CorePenetration r = penetration(b, a);
    for (int i = 0; i < 3; ++i) {
      r.normal[i] = 0 - r.normal[i];
      r.vector[i] = 0 - r.vector[i];
    }
    return r;
  }
  const LocalPair pair(a, b, 0);
  if (a.core && b.core) return between_cores(pair, *a.core, *b.core);
  return with_curved(pair, a, b);
}

Core moved(const Core& c, const Vec3& v) {
  Core r = c;
  r.add_segment(v, 1, 1);
  return r;
}

Curved moved(const Curved& c, const Vec3& v) {
  Curved r = c;
  if (c.kind == Curved::Kind::core) {
    r.core = moved(c.core, v);
  } else {
    r.a = c.a + v;
    r.b = c.b + v;
  }
  return r;
}

}  // namespace graze
