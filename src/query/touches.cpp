// Visits the pairs of convex pieces of two shapes: convex parts, and triangles of surfaces and solids.
#include "query/touches.hpp"

#include <cstdint>
#include <optional>
#include <utility>
#include <variant>

#include "convex/decide/decide.hpp"
#include "convex/depth/closed_patch.hpp"
#include "convex/depth/zonotope_depth.hpp"
#include "math/limits.hpp"
#include "mesh/queries/convex_queries.hpp"
#include "mesh/queries/surface_queries.hpp"
#include "parts/convex_of_shape.hpp"
#include "parts/zonotope_of_shape.hpp"
#include "platform/watch.hpp"

namespace graze {
namespace {

/// The number by which contacts name a part: of the triangle in a polygon's fan. Children of compounds have none.
std::optional<std::uint32_t> triangle_of(const ListedPart& p) { return p.child ? std::nullopt : p.triangle; }

ConvexClosest closest_of_operands(const Operand& a, const Operand& b) {
  const auto with = [&](const auto& p) { return b.convex ? closest(p, *b.convex) : closest(p, *b.curved); };
  return a.convex ? with(*a.convex) : with(*a.curved);
}

/// Writes the patch of two operands that meet.
void find_patch(const Operand& a, const Operand& b, const ConvexPenetration& p, ContactPatch& patch) {
  if (p.reason == ConvexPenetration::Reason::unbounded) {
    patch.count = 0;
    patch.add({closest_of_operands(a, b).on_b, kInfinity, true});
  } else {
    contact_patch(a, b, p, patch);
  }
}

/// Normal and depth; false when the operands are apart. `meet`: two convex sets are known to intersect.
bool find_depth(const Operand& a, const Operand& b, bool meet, ConvexPenetration& p, Contact& contact, PairHint* hint = nullptr) {
  using Reason = ConvexPenetration::Reason;
  p = penetration(a, b, meet, hint);
  if (!p.found && p.reason == Reason::apart) return false;
  contact.normal = p.normal;
  contact.depth = p.reason == Reason::unbounded ? kInfinity : p.depth;
  return true;
}

int order_of_terms(const ZonotopeTerms<0>& a, const ZonotopeTerms<0>& b) { return order_of(a.base, b.base); }
int order_of_terms(const ZonotopeTerms<1>& a, const ZonotopeTerms<1>& b) { return order_of_segments(a, b); }
int order_of_terms(const ZonotopeTerms<3>& a, const ZonotopeTerms<3>& b) { return order_of_boxes(a, b); }

/// Of points, segments and boxes, with balls, in the closed forms, without convex sets. A is the one with more axes.
template <int N, int M>
Proof closed_contact_in_order(const ZonotopeTerms<N>& a, const ZonotopeTerms<M>& b, ConvexPenetration& p, ContactPatch& patch) {
  Vec3 on_a;
  ProvenDepth s;
  if constexpr (N == 1 && M == 1)
    s = gap_depth(a, b, on_a);
  else
    s = zonotope_depth(a, b);
  if (s.proof != Proof::depth) return s.proof;
  p.found = true;
  set_translation(s, p);
  bool found;
  if constexpr (N == 1 && M == 1)
    found = capsule_patch(a, b, on_a, p, patch);
  else
    found = closed_patch(a, b, p, patch);
  return found ? Proof::depth : Proof::none;
}
/// The same in any order.
template <int N, int M>
Proof closed_contact(const ZonotopeTerms<N>& a, const ZonotopeTerms<M>& b, ConvexPenetration& p, ContactPatch& patch) {
  if constexpr (N > M) {
    return closed_contact_in_order(a, b, p, patch);
  } else {
    if constexpr (N == M)
      if (order_of_terms(a, b) <= 0) return closed_contact_in_order(a, b, p, patch);
    const Proof proof = closed_contact_in_order(b, a, p, patch);
    p = exchanged(p);
    return proof;
  }
}

/// Calls f with the terms of a point, segment or box with or without a ball; returns `none` for other shapes.
template <class F>
Proof with_terms(const ShapeRef& s, const F& f) {
  switch (s.kind()) {
    case Kind::point:
      return f(zonotope_of(*s.get<Point>(), s.pose()));
    case Kind::sphere:
      return f(zonotope_of(*s.get<Sphere>(), s.pose()));
    case Kind::segment:
      return f(zonotope_of(*s.get<Segment>(), s.pose()));
    case Kind::capsule:
      return f(zonotope_of(*s.get<Capsule>(), s.pose()));
    case Kind::box:
      return f(zonotope_of(*s.get<Box>(), s.pose()));
    case Kind::oriented_box:
      return f(zonotope_of(*s.get<OrientedBox>(), s.pose()));
    default:
      return Proof::none;
  }
}

/// Collects the touching pairs of convex pieces of two parts.
class Toucher {
 public:
  Toucher(TouchDetail detail, std::vector<Touch>& out) : detail_(detail), out_(out) {}

  template <class P, class Q>
  void operator()(const P& a, const Q& b) {
    if constexpr (is_convex<P> && is_convex<Q>)
      pair(a, b, ta_, tb_, false);
    else if constexpr (std::is_same_v<P, SolidView>)
      (*this)(a.surface, b);
    else if constexpr (std::is_same_v<Q, SolidView>)
      (*this)(a, b.surface);
    else if constexpr (is_convex<P>) {
      for (std::uint32_t j : triangles_within(b, a)) pair(a, convex_triangle(b.triangle(j)), ta_, j, true);
    } else if constexpr (is_convex<Q>) {
      for (std::uint32_t i : triangles_within(a, b)) pair(convex_triangle(a.triangle(i)), b, i, tb_, true);
    } else {
      for (const TrianglePair& k : triangle_pairs(a, b)) pair(convex_triangle(a.triangle(k.a)), convex_triangle(b.triangle(k.b)), k.a, k.b, true);
    }
  }
  std::optional<std::uint32_t> ta_, tb_;  ///< triangle indices in the fans of polygons

 private:
  template <class P, class Q>
  void pair(const P& a, const Q& b, std::optional<std::uint32_t> ta, std::optional<std::uint32_t> tb, bool meet) {
    checkpoint();
    Touch t;
    ConvexPenetration p;
    if (!find_depth(a, b, meet, p, t.contact)) return;
    t.unbounded = p.reason == ConvexPenetration::Reason::unbounded;
    t.vector = p.vector;
    if (detail_ != TouchDetail::depth) {
      ContactPatch patch;
      find_patch(a, b, p, patch);
      t.contact.point = middle_of(patch);
      if (detail_ == TouchDetail::patch) t.patch.assign(patch.begin(), patch.end());
    }
    t.contact.triangle_a = ta;
    t.contact.triangle_b = tb;
    out_.push_back(std::move(t));
  }

  TouchDetail detail_;
  std::vector<Touch>& out_;
};

}  // namespace

bool find_contact(const ShapeRef& a, const ShapeRef& b, Contact& contact, ContactPatch& patch, PairHint* hint) {
  ConvexPenetration p;
  const Proof proof = with_terms(a, [&](const auto& x) { return with_terms(b, [&](const auto& y) { return closed_contact(x, y, p, patch); }); });
  if (proof != Proof::none) {
    ++decision_counts().filter;
    if (proof == Proof::apart) return false;
    contact.normal = p.normal;
    contact.depth = p.depth;
    return true;
  }
  const ConvexSet ca = convex_set_of(a), cb = convex_set_of(b);
  if (!find_depth(ca, cb, false, p, contact, hint)) return false;
  find_patch(ca, cb, p, patch);
  return true;
}

void add_touches(const Part& a, const Part& b, std::vector<Touch>& out) { std::visit(Toucher(TouchDetail::depth, out), a, b); }

std::vector<Touch> all_touches(const PartList& a, const PartList& b, TouchDetail detail) {
  std::vector<Touch> out;
  Toucher touch(detail, out);
  for (const ListedPart& p : a)
    for (const ListedPart& q : b) {
      touch.ta_ = triangle_of(p);
      touch.tb_ = triangle_of(q);
      std::visit(touch, p.part, q.part);
    }
  return out;
}

}  // namespace graze
