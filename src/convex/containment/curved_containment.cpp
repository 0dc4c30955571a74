// Containment of curved shapes by support functions in linear sets, by exact signs where both shapes have one axis or centre, and else by the pieces of
// curved_pieces.hpp.
#include "convex/containment/curved_containment.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <variant>
#include <vector>

#include "convex/containment/curved_pieces.hpp"
#include "convex/decide/decide.hpp"
#include "convex/depth/penetration.hpp"
#include "convex/sets/order.hpp"
#include "convex/sets/plane_form.hpp"
#include "exact/exact_vectors.hpp"
#include "math/vec3.hpp"
#include "platform/expects.hpp"

namespace graze {
namespace {

using D3 = V3<Dyadic>;

/// Null for a shape that is no hull of two discs.
const HullOfDiscs* discs_of(const Curved& c) {
  return c.visit([](const auto& kind) { return kind.discs(); });
}

/// Sign of the greatest n . (x - p) over the points x of the shape.
int side_of(const Curved& c, const D3& n, const D3& p) {
  return c.visit([&](const auto& kind) { return kind.side(n, p); });
}

// ---- curved shapes in linear sets --------------------------------------------------------------------------------------------------------

/// Whether the shape, which lies in the plane of the corners with normal n, lies in their hull: the sides of the hull, one after the other.
bool in_polygon(const Curved& a, const std::vector<D3>& corners, const D3& n) {
  const auto before = [](const D3& p, const D3& q) {
    for (int k = 0; k < 3; ++k)
      if (const int s = compare(p[k], q[k])) return s < 0;
    return false;
  };
  const D3 start = *std::min_element(corners.begin(), corners.end(), before);
  D3 from = start;
  do {
    const D3* next = nullptr;
    for (const D3& p : corners) {
      if (is_zero(p - from)) continue;
      const int turn = next ? sign_of(dot(n, cross(*next - from, p - from))) : -1;
      if (turn < 0 || (turn == 0 && sign_of(dot(p - from, p - from) - dot(*next - from, *next - from)) > 0)) next = &p;
    }
    const D3 to = *next;
    if (side_of(a, cross(to - from, n), from) > 0) return false;
    from = to;
  } while (!is_zero(from - start));
  return true;
}

/// Whether doubles prove that operand 0 lies on the inner side of a face of a hull, whose corners go counter-clockwise. In the local frame corners and points
/// of the shape are below 1/2 in size, so the normal, of a length below 3, is off by 2^-48 at most, and the height by 3 times the error of a support and 2^-47.
bool is_clearly_inside(const LocalPair& pair, const ConvexSet& face) {
  const auto corner = [&](std::size_t i) { return pair.point_to_local(face.base(i)); };
  const V3<double> p = corner(0), n = cross(corner(1) - p, corner(2) - p);
  return dot(n, pair.farthest(0, n) - p) < -(4 * kLocalError<double> + 0x1p-47);
}

bool is_in_linear(const Curved& a, const ConvexSet& b) {
  PlaneForm plane;
  if (is_plane(b, plane)) {
    const D3 n = exact(plane.normal), p = exact(plane.point);
    return side_of(a, n, p) <= 0 && (plane.solid || side_of(a, -n, p) <= 0);
  }
  if (!b.bounded()) return false;  // a line or a ray
  const std::vector<D3> basis = basis_of(b);
  if (basis.size() < 2) return false;
  if (basis.size() == 2) {
    const D3 n = cross(basis[0], basis[1]);
    if (side_of(a, n, first_corner(b)) > 0 || side_of(a, -n, first_corner(b)) > 0) return false;
    std::vector<D3> corners;
    for_each_hull_corner(b, [&](const ConvexSet& corner) {
      corners.push_back(first_corner(corner));
      return true;
    });
    return in_polygon(a, corners, n);
  }
  const D3 inner = some_inner_point(b);
  const LocalPair pair(a, b, 0);
  return ConvexFaces(b).for_each([&](const ConvexSet& face) {
    if (b.outside && is_clearly_inside(pair, face)) return true;
    const std::vector<D3> sides = basis_of(face);
    GRAZE_EXPECTS(sides.size() == 2);
    const D3 n = cross(sides[0], sides[1]), p = first_corner(face);
    return side_of(a, sign_of(dot(n, inner - p)) > 0 ? -n : n, p) <= 0;
  });
}

// ---- exact answers for curved pairs ------------------------------------------------------------------------------------------------------

Certain subset_exactly(const Curved& a, const Curved& b) {
  if (order_of(a, b) == 0) return Certain::yes;
  const HullOfDiscs *discs_a = discs_of(a), *discs_b = discs_of(b);
  if (discs_a && discs_b) return discs_a->is_in(*discs_b);
  return a.visit([&]<class K>(const K& kind) {
    const K* const other = std::get_if<K>(&b.shape);
    return other ? kind.is_in(*other) : Certain::unknown;
  });
}

// ---- touching ----------------------------------------------------------------------------------------------------------------------------

/// Vectors along which an operand extends: the axis of a curved shape, the edges of a linear set of few points.
void add_edges(const Operand& o, const LocalPair& pair, std::vector<V3<TwoDouble>>& edges) {
  if (o.curved) {
    if (const HullOfDiscs* const discs = discs_of(*o.curved)) edges.push_back(discs->unit_axis<TwoDouble>(pair));
    return;
  }
  const ConvexSet& c = *o.convex;
  const auto add = [&](const Vec3& v) {
    if (max_norm(v) == 0) return;
    const Vec3 u = to_unit_range(v);
    edges.push_back({u.x, u.y, u.z});
  };
  for (std::uint32_t i = 1; i < c.points && c.points <= 4; ++i) edges.push_back(pair.local<TwoDouble>(c.base(i)) - pair.local<TwoDouble>(c.base(i - 1)));
  for (std::uint32_t k = 0; k < c.segments; ++k) add(c.segment[k]);
  for (std::uint32_t k = 0; k < c.directions; ++k) add(c.direction[k]);
}

/// Whether moving the shapes apart by the bound of touching along a direction that edges or axes suggest separates them. It spares the search for the least
/// penetration where shapes lie on each other.
bool touch_along_edges(const Operand& a, const Operand& b, const LocalPair& pair) {
  std::vector<V3<TwoDouble>> edges;
  add_edges(a, pair, edges);
  add_edges(b, pair, edges);
  const double tolerance = pair.tolerance();
  const auto separates = [&](V3<TwoDouble> m) {
    const V3<double> d = rounded(m);
    const double length = std::sqrt(dot(d, d));
    if (!(length > 0x1p-40)) return false;  // parallel edges
    for (const double sign : {1.0, -1.0}) {
      const V3<double> x = (sign / length) * d;
      const double rough = dot(x, pair.farthest(0, x) - pair.farthest(1, -x)) + rounded(pair.reach());
      if (rough > tolerance + 4 * kLocalError<double>) continue;
      V3<TwoDouble> n = (TwoDouble(sign) / square_root(dot(m, m))) * m;
      if (rounded(dot(n, pair.farthest(0, n) - pair.farthest(1, -n)) + pair.reach()) <= tolerance) return true;
    }
    return false;
  };
  const auto middle = [&](const Operand& o) {
    if (o.convex) return pair.local<TwoDouble>(o.convex->base(0));
    const Ends ends = o.curved->ends();
    return TwoDouble(0.5) * (pair.local<TwoDouble>(ends.a) + pair.local<TwoDouble>(ends.b));
  };
  const V3<TwoDouble> between = middle(b) - middle(a);
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (separates(edges[i]) || separates(cross(edges[i], cross(between, edges[i])))) return true;
    for (std::size_t j = 0; j < i; ++j)
      if (separates(cross(edges[i], edges[j]))) return true;
  }
  return separates(between);
}

}  // namespace

bool is_subset(const Curved& a, const ConvexSet& b) {
  if (a.convex()) return is_subset(*a.convex(), b);
  GRAZE_EXPECTS(!a.moves());
  if (b.radius == 0) return is_in_linear(a, b);
  GRAZE_EXPECTS(b.segments == 0 && b.bounded() && b.points <= 2);
  if (b.points == 1)
    if (const HullOfDiscs* const discs = discs_of(a)) return discs->is_in_ball(exact(b.base(0)), b.radius);
  const LocalPair pair(a, b, 0);
  return are_inside(pieces_of(a, pair), pair, b, 1);
}

bool is_subset(const ConvexSet& a, const Curved& b) {
  if (b.convex()) return is_subset(a, *b.convex());
  GRAZE_EXPECTS(!b.moves());
  if (!a.bounded()) return false;
  if (a.radius == 0) return for_each_hull_corner(a, [&](const ConvexSet& corner) { return within(b, corner); });
  GRAZE_EXPECTS(a.segments == 0 && a.points <= 2);
  Certain exact = Certain::yes;
  for (std::uint32_t i = 0; i < a.points && exact == Certain::yes; ++i)
    exact = b.visit([&](const auto& kind) { return kind.contains_ball(a.base(i), a.radius); });
  if (exact != Certain::unknown) return exact == Certain::yes;
  const LocalPair pair(b, a, 0);
  return are_inside(pieces_of(a, pair), pair, b, 0);
}

bool is_subset(const Curved& a, const Curved& b) {
  if (a.convex()) return is_subset(*a.convex(), b);
  if (b.convex()) return is_subset(a, *b.convex());
  GRAZE_EXPECTS(!a.moves() && !b.moves());
  if (const Certain exact = subset_exactly(a, b); exact != Certain::unknown) return exact == Certain::yes;
  const LocalPair pair(a, b, 0);
  return are_inside(pieces_of(a, pair), pair, b, 1);
}

bool has_volume(const Curved& c) {
  if (c.convex()) return has_volume(*c.convex());
  return is_zero(c.visit([](const auto& kind) { return kind.flat_normal(); }));
}

D3 some_inner_point(const Curved& c) {
  GRAZE_EXPECTS(has_volume(c));
  if (c.convex()) return some_inner_point(*c.convex());
  const Ends ends = c.ends();
  return Dyadic(0.5) * (exact(ends.a) + exact(ends.b));
}

bool share_inner_points(const Operand& a, const Operand& b) {
  if (!in_order(a, b)) return share_inner_points(b, a);
  const auto solid = [](const Operand& o) { return o.convex ? has_volume(*o.convex) : has_volume(*o.curved); };
  if (!solid(a) && !solid(b)) return false;
  // `yes` of doubles means that a tetrahedron of the difference certainly surrounds the origin, or that hulls are certainly nearer than the radii.
  const LocalPair pair(a, b, 0);
  // The second direction, oblique to all axes, is for shapes whose symmetry leaves no tetrahedron to the first.
  for (const V3<double>& start : {V3<double>{1, 0, 0}, V3<double>{0.6, 0.48, 0.64}}) {
    Nearby<double> quick;
    quick.x = start;
    if (search_nearest(pair, true, 0, quick) == Certain::yes) return true;
  }
  if (touch_along_edges(a, b, pair)) return false;
  const ConvexPenetration::Reason reason = penetration(a, b).reason;
  return reason != ConvexPenetration::Reason::touching && reason != ConvexPenetration::Reason::apart;
}

}  // namespace graze
