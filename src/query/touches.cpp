// Visits the pairs of convex pieces of two shapes: convex parts, and triangles of surfaces and solids.
#include "query/touches.hpp"

#include <cstdint>
#include <utility>
#include <variant>

#include "math/limits.hpp"
#include "mesh/queries/convex_queries.hpp"
#include "mesh/queries/surface_queries.hpp"

namespace graze {
namespace {

/// The number by which contacts name a part: of the triangle in a polygon's fan. Children of compounds have none.
std::optional<std::uint32_t> triangle_of(const ListedPart& p) { return p.child ? std::nullopt : p.triangle; }

ConvexClosest closest_of_operands(const Operand& a, const Operand& b) {
  const auto with = [&](const auto& p) { return b.convex ? closest(p, *b.convex) : closest(p, *b.curved); };
  return a.convex ? with(*a.convex) : with(*a.curved);
}

/// `meet`: two convex sets are known to intersect.
std::optional<Touch> touch_of(const Operand& a, const Operand& b, TouchDetail detail, bool meet) {
  using Reason = ConvexPenetration::Reason;
  const ConvexPenetration p = penetration(a, b, meet);
  if (!p.found && p.reason == Reason::apart) return std::nullopt;
  std::optional<Touch> found(std::in_place);
  Touch& t = *found;
  t.unbounded = p.reason == Reason::unbounded;
  t.vector = p.vector;
  t.contact.normal = p.normal;
  t.contact.depth = t.unbounded ? kInfinity : p.depth;
  if (detail == TouchDetail::depth) return found;
  if (t.unbounded)
    t.patch.assign(1, {closest_of_operands(a, b).on_b, kInfinity, true});
  else
    contact_patch(a, b, p, t.patch);
  t.contact.point = middle_of(t.patch);
  return found;
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
    std::optional<Touch> t = touch_of(a, b, detail_, meet);
    if (!t) return;
    t->contact.triangle_a = ta;
    t->contact.triangle_b = tb;
    out_.push_back(std::move(*t));
  }

  TouchDetail detail_;
  std::vector<Touch>& out_;
};

}  // namespace

std::optional<Touch> touch_of(const Operand& a, const Operand& b, TouchDetail detail) { return touch_of(a, b, detail, false); }

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
