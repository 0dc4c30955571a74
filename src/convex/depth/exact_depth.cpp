// The least separating translation of two convex sets in integers: along the gap of the hulls, over all pairs of edges, or by an expanding polytope of exact
// vertices.
#include "convex/depth/exact_depth.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "convex/epa/expanding-inl.hpp"
#include "convex/gjk/nearest_exactly.hpp"
#include "convex/sets/plane_form.hpp"
#include "exact/integer_root.hpp"
#include "exact/rough.hpp"
#include "math/limits.hpp"

namespace graze {
namespace {

using Reason = ConvexPenetration::Reason;
using I3 = V3<BigInt>;
using R3 = V3<Rough>;

R3 rough(const I3& v) { return {Rough(v.x), Rough(v.y), Rough(v.z)}; }

/// The same direction with common factors of two removed.
I3 shortened(const I3& v) {
  unsigned zeros = std::numeric_limits<unsigned>::max();
  for (const BigInt* x : {&v.x, &v.y, &v.z})
    if (x->sign() != 0) zeros = std::min(zeros, static_cast<unsigned>(boost::multiprecision::lsb(boost::multiprecision::abs(*x))));
  if (zeros == 0 || zeros == std::numeric_limits<unsigned>::max()) return v;
  const auto without = [zeros](const BigInt& x) { return x.sign() < 0 ? -BigInt(-x >> zeros) : BigInt(x >> zeros); };
  return {without(v.x), without(v.y), without(v.z)};
}

/// A direction m of any length, and h(m) = the greatest m . w over A - B. No recession direction of A - B points along m.
struct Direction {
  I3 m{0, 0, 0};
  BigInt h = 0;
};

Direction along_hull(const IntegerPair& pair, I3 m) {
  BigInt low, high;
  pair.a.least(-m, low);
  pair.b.least(m, high);
  return {std::move(m), -(low + high)};
}

/// x without the bits below 2^-255 of it.
Dyadic leading(const Dyadic& x) {
  const int drop = bit_length(x.m) - 256;
  if (drop <= 0) return x;
  return {x.m.sign() < 0 ? -BigInt(-x.m >> drop) : BigInt(x.m >> drop), x.e + drop};
}
Dyadic leading(const BigInt& x) { return leading(Dyadic(x, 0)); }

/// The square root, with a relative error of 2^-120.
Dyadic root(const BigInt& squared) {
  Dyadic q = leading(squared);
  if (q.e % 2 != 0) q = {q.m << 1, q.e - 1};
  return {integer_root(q.m << 256), q.e / 2 - 128};
}

/// -m / |m|, each component rounded to nearest.
Vec3 normal_of(const I3& m, const Dyadic& length) {
  Vec3 n;
  const BigInt* c[3] = {&m.x, &m.y, &m.z};
  for (int i = 0; i < 3; ++i) {
    const Dyadic x = leading(*c[i]);
    n[i] = to_double(-x.m, length.m, x.e - length.e, Rounding::nearest);
  }
  return n;
}

ConvexPenetration touching(const I3& m) {
  ConvexPenetration p;
  p.reason = Reason::touching;
  p.normal = normal_of(m, root(dot(m, m)));
  return p;
}
ConvexPenetration unbounded() {
  ConvexPenetration p;
  p.reason = Reason::unbounded;
  return p;
}

/// Whether A + v lies on one side of a plane perpendicular to m and B on the other: -(h + m . v) >= R |m|, exactly.
bool separates(const IntegerPair& pair, const Direction& d, const BigInt& mm, const Vec3& v) {
  const BigInt* c[3] = {&d.m.x, &d.m.y, &d.m.z};
  Dyadic rest(-d.h, pair.exponent);
  for (int i = 0; i < 3; ++i) {
    if (v[i] == 0) continue;
    const Dyadic s(v[i]);
    rest = rest - Dyadic(product(s.m, *c[i]), s.e);
  }
  if (sign_of(rest) < 0) return false;
  if (pair.reach.sign() == 0) return true;
  const BigInt most = product(product(pair.reach, pair.reach), mm);
  return compare(Dyadic(product(rest.m, rest.m), 2 * rest.e), Dyadic(most, 2 * pair.exponent)) >= 0;
}

/// The translation by R + h / |m| against m. Where h is negative, the length is (R^2 m^2 - h^2) / (|m| (R |m| - h)): nothing cancels, and every value has a
/// relative error of at most 2^-115.
ConvexPenetration along(const IntegerPair& pair, const Direction& d) {
  const BigInt mm = dot(d.m, d.m);
  const Dyadic length = root(mm), reach = leading(pair.reach), h = leading(d.h);
  Dyadic over, under;  // The depth is their quotient, in units of 2^pair.exponent.
  if (d.h.sign() >= 0) {
    over = leading(reach * length + h);
    under = length;
  } else {
    over = leading(BigInt(product(product(pair.reach, pair.reach), mm) - product(d.h, d.h)));
    under = leading(length * (reach * length - h));
  }
  ConvexPenetration p;
  p.found = true;
  p.normal = normal_of(d.m, length);
  p.depth = to_double(over.m, under.m, over.e - under.e + pair.exponent, Rounding::nearest, true);
  under = leading(under * length);
  const BigInt* c[3] = {&d.m.x, &d.m.y, &d.m.z};
  for (int i = 0; i < 3; ++i) {
    const Dyadic x = over * leading(*c[i]);
    p.vector[i] = to_double(-x.m, under.m, x.e - under.e + pair.exponent, Rounding::nearest);
  }
  if (separates(pair, d, mm, p.vector)) return p;
  // Lengthened by 2^-100, with every component rounded away from zero, which moves A no less along -m.
  const Dyadic longer((over.m << 100) + over.m, over.e - 100);
  for (int i = 0; i < 3; ++i) {
    const Dyadic x = longer * leading(*c[i]);
    p.vector[i] = to_double(-x.m, under.m, x.e - under.e + pair.exponent, x.m.sign() > 0 ? Rounding::down : Rounding::up);
    if (!(std::fabs(p.vector[i]) <= kLargest)) return unbounded();  // no translation in doubles separates
  }
  return p;
}

// ---- few corners: every facet's normal is perpendicular to two edges ---------------------------------------------------------------------

/// Edges and directions of A and B, no two of them parallel.
class Edges {
 public:
  void add(const I3& v) {
    if (is_zero(v)) return;
    Edge e{shortened(v), {}};
    e.r = rough(e.v);
    for (const Edge& k : list_)
      if (parallel(k, e)) return;
    list_.push_back(std::move(e));
  }
  void add(const IntegerConvexSet& c) {
    for (std::size_t i = 0; i < c.base.size(); ++i)
      for (std::size_t j = i + 1; j < c.base.size(); ++j) add(c.base[j] - c.base[i]);
    for (std::uint32_t k = 0; k < c.segments; ++k) add(c.high[k] - c.low[k]);
    for (const I3& d : c.direction) add(d);
  }
  std::size_t size() const { return list_.size(); }
  const I3& operator[](std::size_t i) const { return list_[i].v; }
  R3 rough_cross(std::size_t i, std::size_t j) const { return cross(list_[i].r, list_[j].r); }
  I3 exact_cross(std::size_t i, std::size_t j) const { return shortened(cross(list_[i].v, list_[j].v)); }

 private:
  struct Edge {
    I3 v;
    R3 r;
  };
  static bool parallel(const Edge& p, const Edge& q) {
    const R3 c = cross(p.r, q.r);
    if (c.x.certain_sign() != 0 || c.y.certain_sign() != 0 || c.z.certain_sign() != 0) return false;
    return is_zero(cross(p.v, q.v));
  }
  std::vector<Edge> list_;
};

/// h(m) for rough m, relative to one point of A and one of B, so that the distance of A and B from the origin costs no precision.
class RoughHeight {
 public:
  explicit RoughHeight(const IntegerPair& pair) : between_(rough(pair.a.base[0] - pair.b.base[0])), a_(pair.a, false), b_(pair.b, true) {}
  Rough operator()(const R3& m) const { return dot(m, between_) + (a_.greatest(m) + b_.greatest(m)); }

 private:
  struct Side {
    std::vector<R3> points, low, high;
    Side(const IntegerConvexSet& c, bool negative) {
      const auto keep = [negative](std::vector<R3>& list, const I3& v) { list.push_back(negative ? rough(-v) : rough(v)); };
      for (std::size_t i = 1; i < c.base.size(); ++i) keep(points, c.base[i] - c.base[0]);
      for (std::uint32_t k = 0; k < c.segments; ++k) {
        keep(low, c.low[k]);
        keep(high, c.high[k]);
      }
    }
    Rough greatest(const R3& m) const {
      Rough best;
      for (const R3& p : points) best = greater(best, dot(m, p));
      for (std::size_t k = 0; k < low.size(); ++k) best = best + greater(dot(m, low[k]), dot(m, high[k]));
      return best;
    }
  };
  R3 between_;
  Side a_, b_;
};

/// The shallowest of all pairs of edges; among pairs equal up to 2^-34, one of them. Returns false when no pair is allowed. A pair with h = 0 wins where there
/// is one.
bool shallowest_pair(const IntegerPair& pair, const Edges& edges, Direction& best) {
  std::vector<I3> recession = pair.a.direction;
  for (const I3& d : pair.b.direction) recession.push_back(-d);
  const Rough reach(pair.reach);
  const RoughHeight rough_height(pair);
  struct Candidate {
    std::size_t i, j;
    bool negative, known;
    Rough value;  // R + h / |m|
  };
  std::vector<Candidate> list;
  for (std::size_t i = 0; i < edges.size(); ++i)
    for (std::size_t j = i + 1; j < edges.size(); ++j) {
      const R3 m = edges.rough_cross(i, j);
      const Rough mm = dot(m, m);
      const bool known = root_certain(mm);
      int side = 0;  // of the directions: +1 some lie along m, -1 some lie along -m
      bool both = false;
      for (const I3& r : recession) {
        int s = dot(m, rough(r)).certain_sign();
        if (s == 0) s = sign_of(dot(edges.exact_cross(i, j), r));
        both = both || side * s < 0;
        if (s != 0) side = s;
      }
      if (both) continue;
      for (const bool negative : {false, true}) {
        if (side == (negative ? -1 : 1)) continue;
        Candidate c{i, j, negative, known, {}};
        if (known) c.value = reach + rough_height(negative ? -m : m) * inverse_root(mm);
        list.push_back(c);
      }
    }
  const Candidate* first = nullptr;
  for (const Candidate& c : list)
    if (c.known && (!first || (c.value - first->value).m < 0)) first = &c;
  // Besides the least, only what may be below (1 - 2^-34) times it is evaluated: the result is minimal up to 6e-11. Where its own bound is above 2^-40, that
  // bound decides alone.
  Rough level;
  if (first) {
    level = first->value;
    if (level.r <= level.m * 0x1p-40) level = level * Rough(1 - 0x1p-34);
  }
  bool found = false;
  Rough least;
  for (const Candidate& c : list) {
    if (&c != first && c.known && (c.value - level).certain_sign() > 0) continue;
    const I3 m = edges.exact_cross(c.i, c.j);
    Direction d = along_hull(pair, c.negative ? -m : m);
    const Rough value = reach + Rough(d.h) * inverse_root(Rough(dot(d.m, d.m)));
    if (found && !((value - least).m < 0)) continue;
    found = true;
    least = value;
    best = std::move(d);
    if (best.h.sign() <= 0) break;
  }
  return found;
}

// ---- many corners: expanding polytope ---------------------------------------------------------------------------------------------------

/// A - B in integers: all vertices and planes are exact.
struct IntegerSpace {
  using Number = BigInt;
  using Real = BigInt;
  struct Plane {
    I3 n;      ///< outward
    BigInt d;  ///< n . v
    Rough inverse_length, distance;
  };

  const IntegerPair& pair;
  I3 support(const I3& m) const { return pair(pair.least(-m).g); }
  static const BigInt& real(const BigInt& x) { return x; }
  static BigInt size(const I3& v) { return dot(v, v); }
  static BigInt flat() { return 0; }
  static bool beyond(const BigInt& x) { return x.sign() >= 0; }
  static bool nearer(const Plane& f, const Plane& g) { return (f.distance - g.distance).m < 0; }
  static Plane plane(const I3& normal, const BigInt& d) {
    const R3 n = rough(normal);
    const Rough inverse = inverse_root(dot(n, n));
    return {normal, d, inverse, Rough(d) * inverse};
  }
  static bool shorten(I3& v) {
    v = shortened(v);
    return !is_zero(v);
  }
};

/// The nearest plane of the polytope bounds the depth from below, and equals the depth where A - B does not extend beyond it. Every step adds a vertex that lay
/// outside, so the expansion terminates.
Direction expand(const IntegerPair& pair) {
  ExpandingSurface<IntegerSpace> surface({pair});
  Direction best;
  if (!surface.begin(best.m)) return along_hull(pair, best.m);
  const Rough reach(pair.reach);
  Rough least;
  bool first = true;
  surface.run([&](const auto& face, const BigInt& h) {
    const Rough value = reach + Rough(h) * face.inverse_length;
    const bool end = h == face.d;
    if (first || end || (value - least).m < 0) {
      least = value;
      best = {face.n, h};
    }
    first = false;
    // The depth is between reach + distance and `least`; 2^-34 of it is well below the 1e-9 that are promised.
    return end || (face.d.sign() > 0 && (least * Rough(1 - 0x1p-34) - (reach + face.distance)).certain_sign() < 0);
  });
  return best;
}

/// Cuts the directions so far out that leaning towards one costs more than it gains. The least depth of the cut set is that of the whole up to 2^-60, and 0
/// only if that of the whole is.
void cut_directions(IntegerPair& pair) {
  int bits = 1;
  const auto measure = [&bits](const I3& v) {
    for (const BigInt* x : {&v.x, &v.y, &v.z}) bits = std::max(bits, bit_length(*x));
  };
  for (IntegerConvexSet* c : {&pair.a, &pair.b}) {
    for (const I3& p : c->base) measure(p);
    for (std::uint32_t k = 0; k < c->segments; ++k) {
      measure(c->low[k]);
      measure(c->high[k]);
    }
  }
  bits = std::max(bits, bit_length(pair.reach)) + 80;
  for (IntegerConvexSet* c : {&pair.a, &pair.b}) {
    for (const I3& d : c->direction) {
      c->low[c->segments] = {0, 0, 0};
      c->high[c->segments++] = {d.x << bits, d.y << bits, d.z << bits};
    }
    c->direction.clear();
  }
}

/// m made perpendicular to each direction that it points along.
I3 respecting(const IntegerPair& pair, I3 m) {
  const auto respect = [&m](const I3& r) {
    const BigInt d = dot(m, r);
    if (d.sign() > 0) m = shortened(dot(r, r) * m - d * r);
  };
  for (const I3& r : pair.a.direction) respect(r);
  for (const I3& r : pair.b.direction) respect(-r);
  return m;
}

/// A direction perpendicular to the edges, which are all parallel.
I3 across(const Edges& edges) {
  if (edges.size() == 0) return {-1, 0, 0};
  const I3& e = edges[0];
  const auto size = [](const BigInt& x) { return bit_length(x); };
  const int x = size(e.x), y = size(e.y), z = size(e.z);
  return cross(e, x <= y && x <= z ? I3{1, 0, 0} : y <= z ? I3{0, 1, 0} : I3{0, 0, 1});
}

}  // namespace

ConvexPenetration penetration_exactly(const ConvexSet& a, const ConvexSet& b) {
  const IntegerPair pair(a, b, 0);
  if (pair.reach.sign() > 0) {
    int sign = 0;
    const ExactNearest e = nearest_exactly(pair, {}, false, sign);
    if (!e.nearest.at_origin) {  // only the balls overlap: separate along the gap
      const I3 m = -shortened(e.nearest.X);
      return sign == 0 ? touching(m) : along(pair, along_hull(pair, m));
    }
  }
  Edges edges;
  PlaneForm plane;
  Direction d;
  if (a.points <= kFewCorners && b.points <= kFewCorners) {
    edges.add(pair.a);
    edges.add(pair.b);
    if (edges.size() < 2)
      d = along_hull(pair, across(edges));
    else if (!shallowest_pair(pair, edges, d))
      return unbounded();
  } else if (is_plane(a, plane) || is_plane(b, plane)) {
    edges.add(is_plane(a, plane) ? pair.a : pair.b);  // only the direction perpendicular to the plane is allowed
    if (!shallowest_pair(pair, edges, d)) return unbounded();
  } else {
    IntegerPair bounded = pair;
    cut_directions(bounded);
    d = along_hull(pair, respecting(pair, expand(bounded).m));
  }
  if (pair.reach.sign() == 0 && d.h.sign() <= 0) return touching(d.m);
  return along(pair, d);
}

}  // namespace graze
