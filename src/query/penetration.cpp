// Penetration and contacts of any two shapes. Convex parts use the least separating translation. Surfaces and solids use a separating translation that is
// proposed from the contacts and then verified.
#include <graze/query/penetration.hpp>

#include <algorithm>
#include <cmath>
#include <deque>
#include <utility>
#include <variant>

#include "convex/decide/decide.hpp"
#include "convex/depth/penetration.hpp"
#include "convex/depth/zonotope_depth.hpp"
#include "convex/sets/convex_set_bounds.hpp"
#include "math/limits.hpp"
#include "math/vec3.hpp"
#include "mesh/arrangement/clearing.hpp"
#include "mesh/queries/convex_queries.hpp"
#include "mesh/queries/mesh_view.hpp"
#include "mesh/queries/moved_surfaces.hpp"
#include "mesh/queries/solid_queries.hpp"
#include "mesh/queries/surface_queries.hpp"
#include "parts/children.hpp"
#include "parts/part_list.hpp"
#include "parts/part_pairs.hpp"
#include "parts/table.hpp"
#include "parts/zonotope_of_shape.hpp"
#include "platform/fp_environment.hpp"
#include "query/inner_points.hpp"
#include "query/touches.hpp"
#include "shapes/length.hpp"

namespace graze {
namespace {

SurfaceOrSolid surface_or_solid(const MeshView& view) { return {view, false}; }
SurfaceOrSolid surface_or_solid(const SolidView& solid) { return {solid.surface, true}; }

template <class P, class Q>
bool parts_meet(const P& p, const Q& q) {
  if constexpr (part_rank<P> >= part_rank<Q>)
    return within(p, q, 0.0);
  else
    return within(q, p, 0.0);
}

bool parts_meet(const Part& a, const Part& b) {
  return std::visit([](const auto& p, const auto& q) { return parts_meet(p, q); }, a, b);
}

/// The part translated by v: exactly for convex sets, for others by a pose with that translation.
Part moved_part(const Part& part, const Vec3& v, std::deque<Pose>& poses) {
  return std::visit(
      [&]<class P>(const P& p) -> Part {
        if constexpr (is_convex<P>) {
          return moved(p, v);
        } else {
          MeshView m = surface_or_solid(p).surface;
          Pose pose = m.pose ? *m.pose : Pose{};
          pose.translation += v;
          m.pose = &poses.emplace_back(pose);
          if constexpr (std::is_same_v<P, SolidView>)
            return SolidView{m};
          else
            return m;
        }
      },
      part);
}

/// Whether the parts, the first moved by v, meet. The sums are exact.
bool meet_moved(const Part& a, const Vec3& v, const Part& b) {
  return std::visit(
      [&]<class P, class Q>(const P& p, const Q& q) {
        if constexpr (is_convex<P>)
          return parts_meet(displaced(p, v), q);
        else if constexpr (is_convex<Q>)
          return parts_meet(p, displaced(q, -v));
        else
          return meets_moved(surface_or_solid(p), v, surface_or_solid(q));
      },
      a, b);
}

/// Whether no piece of the parts, the first moved by v, overlaps one of the other.
bool at_most_touch(const Part& a, const Vec3& v, const Part& b) {
  const auto overlap = []<class S, class T>(const S& s, const T& t) { return penetration(Operand(s), Operand(t)).found; };
  return std::visit(
      [&]<class P, class Q>(const P& p, const Q& q) {
        const auto with_surface = [&](const MeshView& view, const auto& convex) {
          const std::vector<std::uint32_t> touching = triangles_within(view, convex);
          return std::none_of(touching.begin(), touching.end(), [&](std::uint32_t i) { return overlap(convex_triangle(view.triangle(i)), convex); });
        };
        if constexpr (is_convex<P> && is_convex<Q>)
          return !overlap(moved(p, v), q);
        else if constexpr (is_convex<P>)
          return with_surface(surface_or_solid(q).surface, moved(p, v));
        else if constexpr (is_convex<Q>)
          return with_surface(surface_or_solid(p).surface, moved(q, -v));
        else
          return !for_moved_pairs(surface_or_solid(p).surface, v, surface_or_solid(q).surface, overlap);
      },
      a, b);
}

/// Whether f(part of A, part of B) holds for all pairs of parts.
template <class F>
bool for_all_pairs(const PartList& a, const PartList& b, const F& f) {
  for (const ListedPart& p : a)
    for (const ListedPart& q : b)
      if (!f(p.part, q.part)) return false;
  return true;
}

/// Returns true if A, translated by v, has no point in common with B.
bool clears(const PartList& a, const PartList& b, const Vec3& v) {
  for (int i = 0; i < 3; ++i)
    if (!(std::fabs(v[i]) <= kLargest)) return false;
  return for_all_pairs(a, b, [&](const Part& p, const Part& q) { return !meet_moved(p, v, q); });
}

/// Greatest n . x over the part, in doubles; infinite where the part is unbounded. Used only for proposals.
double greatest_along(const Part& part, const Vec3& n) {
  return std::visit(
      [&]<class P>(const P& p) -> double {
        if constexpr (std::is_same_v<P, ConvexSet>) {
          double best = -kInfinity;
          for (std::uint32_t i = 0; i < p.points; ++i) {
            const Vec3 x = p.base(i);
            best = std::max(best, dot(n, x));
          }
          for (std::uint32_t k = 0; k < p.segments; ++k) {
            const double d = n.x * p.segment[k].x + n.y * p.segment[k].y + n.z * p.segment[k].z;
            best += std::max(d * p.lo[k], d * p.hi[k]);
          }
          for (std::uint32_t k = 0; k < p.directions; ++k) {
            const Vec3& d = p.direction[k];
            if (dot(n, d) > 1e-14 * scaled_length(d)) return kInfinity;  // 90 u: more than rounding errors
          }
          return best + p.radius;
        } else if constexpr (std::is_same_v<P, Curved>) {
          const Operand o(p);
          if (o.convex) return greatest_along(Part(*o.convex), n);
          const ConvexSet origin = convex_point(p.point());
          const LocalPair pair(o, Operand(origin), 0);
          const Vec3 x = pair.point_in_world(pair.farthest(0, V3<TwoDouble>{n.x, n.y, n.z}));
          return dot(n, x);
        } else {
          return greatest_along(surface_or_solid(p).surface, n);
        }
      },
      part);
}

double greatest_along(const PartList& parts, const Vec3& n) {
  double best = -kInfinity;
  for (const ListedPart& p : parts) best = std::max(best, greatest_along(p.part, n));
  return best;
}

/// Lengthens a proposal slightly, by 2^-44 to 2^-12 of it, until it separates the shapes; returns nothing if that does not suffice.
std::optional<Vec3> cleared(const PartList& a, const PartList& b, const Vec3& v) {
  for (double f = 0x1p-44; f < 0x1p-9; f *= 16) {
    const Vec3 w = v * (1 + f);
    if (clears(a, b, w)) return w;
  }
  return std::nullopt;
}

PenetrationResult result_of(const Vec3& v) {
  Penetration p;
  p.depth = scaled_length(v);
  p.vector = v;
  p.normal = v / p.depth;
  if (!(p.depth > 0x1p-1000)) {  // keeps the normal at unit length for the smallest doubles
    const Vec3 w = scaled(v, 1000);
    p.normal = w / scaled_length(w);
  }
  return {p, NoPenetration::none};
}

PenetrationResult of_convex(const ConvexPenetration& p) {
  using Reason = ConvexPenetration::Reason;
  if (p.found) return {Penetration{p.depth, p.normal, p.vector}, NoPenetration::none};
  return {std::nullopt, p.reason == Reason::apart ? NoPenetration::apart : p.reason == Reason::touching ? NoPenetration::touching : NoPenetration::unbounded};
}

/// A list that is one convex set: a convex part, or a solid that is the hull of its corners.
struct AsConvex {
  std::optional<Operand> operand;
  std::optional<Hull> hull;
  std::optional<ConvexSet> set;

  explicit AsConvex(const PartList& parts) {
    if (parts.size() != 1) return;
    const Part& p = parts[0].part;
    if (const ConvexSet* c = std::get_if<ConvexSet>(&p)) {
      operand.emplace(*c);
    } else if (const Curved* curved = std::get_if<Curved>(&p)) {
      operand.emplace(*curved);
    } else if (const SolidView* solid = std::get_if<SolidView>(&p)) {
      const std::vector<Vec3> corners = corners_if_convex(solid->surface);
      if (!corners.empty()) operand.emplace(set.emplace(convex_set_of(hull.emplace(corners), nullptr)));
    }
  }
  AsConvex(const AsConvex&) = delete;
};

/// The one surface or solid that the list consists of.
std::optional<SurfaceOrSolid> one_surface(const PartList& parts) {
  if (parts.size() != 1) return std::nullopt;
  if (const MeshView* view = std::get_if<MeshView>(&parts[0].part)) return surface_or_solid(*view);
  if (const SolidView* solid = std::get_if<SolidView>(&parts[0].part)) return surface_or_solid(*solid);
  return std::nullopt;
}

/// The nearest translation by multiples of 2^-40 of its length, about, which moves most models without rounding.
Vec3 in_round_numbers(const Vec3& v) {
  const double big = scaled_length(v) * 0x1p12;  // whose last place is the grid
  return Vec3((v.x + big) - big, (v.y + big) - big, (v.z + big) - big);
}

/// A translation by which one solid leaves another, or a surface.
std::optional<Vec3> clearing_of_solids(const PartList& a, const PartList& b) {
  const std::optional<SurfaceOrSolid> sa = one_surface(a), sb = one_surface(b);
  if (!sa || !sb || !(sa->solid || sb->solid)) return std::nullopt;
  const std::vector<TrianglePair> touching = triangle_pairs(sa->surface, sb->surface);
  const Clearing search(*sa, *sb, touching);
  const std::optional<Shift> shift = search.shortest();
  if (!shift) return std::nullopt;
  const Vec3 v = shift->vector();
  // Rounded vertices are verified; exact sums are promised.
  for (const Vec3& exactly : {in_round_numbers(v), v})
    if (search.moves_exactly(exactly) && search.clear(exactly)) return exactly;
  return cleared(a, b, v);
}

/// Proposals, the shortest first: to separate the convex hulls along the axes and the normals of the deepest contacts, each as a length and a direction.
std::vector<std::pair<double, Vec3>> hull_proposals(const PartList& a, const PartList& b, const std::vector<Touch>& touches) {
  std::vector<Vec3> directions{{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  std::vector<const Touch*> order;
  order.reserve(touches.size());
  for (const Touch& t : touches) order.push_back(&t);
  std::stable_sort(order.begin(), order.end(), [](const Touch* x, const Touch* y) { return x->contact.depth > y->contact.depth; });
  Vec3 sum(0, 0, 0);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Vec3& n = order[i]->contact.normal;
    sum += n * std::max(order[i]->contact.depth, 0.0);
    if (i >= 8 || scaled_length(n) == 0) continue;  // 8 is arbitrary: every direction costs a test of the whole shapes
    directions.push_back(n);
    directions.push_back(n * -1.0);
  }
  if (const double l = scaled_length(sum); l > 0) directions.push_back(sum / l);
  std::vector<std::pair<double, Vec3>> proposals;
  for (const Vec3& n : directions) {
    const double h = greatest_along(b, n) + greatest_along(a, n * -1.0);  // greatest n . b less the least n . a
    if (h < kLargest) proposals.emplace_back(std::max(h, 0.0), n);
  }
  std::stable_sort(proposals.begin(), proposals.end(), [](const auto& x, const auto& y) { return x.first < y.first; });
  return proposals;
}

PenetrationResult clearing(const ShapeRef& shape_a, const ShapeRef& shape_b, const PartList& a, const PartList& b) {
  if (for_all_pairs(a, b, [](const Part& p, const Part& q) { return !parts_meet(p, q); })) return {std::nullopt, NoPenetration::apart};
  const std::vector<Touch> first = all_touches(a, b, TouchDetail::depth);
  bool only_touching = !first.empty();
  for (const Touch& t : first) {
    if (t.unbounded) return {std::nullopt, NoPenetration::unbounded};
    only_touching = only_touching && t.contact.depth == 0;
  }
  // All pieces at most touch. If solids are involved, the sets may nevertheless overlap.
  if (only_touching && !inner_points_meet(Children(shape_a), Children(shape_b))) return {std::nullopt, NoPenetration::touching};
  const auto is_solid = [](const ListedPart& p) { return std::holds_alternative<SolidView>(p.part); };
  const bool solids = std::any_of(a.begin(), a.end(), is_solid) || std::any_of(b.begin(), b.end(), is_solid);

  std::optional<Vec3> best;
  const auto offer = [&](const std::optional<Vec3>& v) {
    if (v && (!best || scaled_length(*v) < scaled_length(*best))) best = v;
  };
  if (solids) offer(clearing_of_solids(a, b));
  for (const auto& [h, n] : hull_proposals(a, b, first)) {
    if (best && h >= scaled_length(*best)) break;
    // at least the rounding error of the positions, so that touching shapes separate
    const std::optional<Vec3> v = cleared(a, b, n * std::max(h, (std::fabs(greatest_along(a, n)) + std::fabs(greatest_along(b, n))) * 0x1p-52));
    offer(v);
    if (v) break;
  }
  // Last proposal: resolve the deepest contact repeatedly and sum the translations.
  if (!only_touching && !first.empty()) {
    Vec3 v(0, 0, 0);
    std::vector<Touch> touches = first;
    std::deque<Pose> poses;
    constexpr int kMaxSteps = 24;  // an arbitrary cap; when it is reached, only the proposals that separate the hulls remain
    for (int step = 0; step < kMaxSteps && !touches.empty(); ++step) {
      const Touch* deepest = &touches[0];
      for (const Touch& t : touches)
        if (t.contact.depth > deepest->contact.depth) deepest = &t;
      if (deepest->unbounded) break;
      if (deepest->contact.depth == 0) {
        offer(cleared(a, b, v));
        // Touching pieces that a longer translation in the same direction does not separate.
        if (!best && !solids && for_all_pairs(a, b, [&](const Part& p, const Part& q) { return at_most_touch(p, v, q); })) offer(v);
        break;
      }
      const Vec3& push = deepest->vector;
      if (dot(v, push) < 0) break;  // pushed back: no progress
      v += push * (1 + 0x1p-44);    // exceeds the roundings of the sum
      if (best && scaled_length(v) >= scaled_length(*best)) break;
      if (clears(a, b, v)) {
        offer(v);
        break;
      }
      touches.clear();
      for (const ListedPart& p : a) {
        const Part q = moved_part(p.part, v, poses);
        for (const ListedPart& o : b) add_touches(q, o.part, touches);
      }
    }
  }
  if (!best) return {std::nullopt, NoPenetration::unbounded};
  return result_of(*best);
}

template <class S>
concept HasZonotope = requires(const S& s) {
  zonotope_of(s, nullptr);
};

/// The closed form of a pair; false if it has none, or doubles do not prove it.
template <class A, class B>
struct ClosedDepthCell {
  static bool call(const ShapeRef& a, const ShapeRef& b, PenetrationResult& out) {
    if constexpr (HasZonotope<A> && HasZonotope<B>) {
      const ProvenDepth s = zonotope_depth(zonotope_of(*static_cast<const A*>(a.shape()), a.pose()), zonotope_of(*static_cast<const B*>(b.shape()), b.pose()));
      if (s.proof == Proof::none) return false;
      if (s.proof == Proof::apart)
        out.reason = NoPenetration::apart;
      else
        set_translation(s, out.value.emplace());
      ++decision_counts().filter;
      return true;
    } else {
      return false;
    }
  }
};

constexpr auto kClosedDepthTable = make_pair_table<bool (*)(const ShapeRef&, const ShapeRef&, PenetrationResult&), ClosedDepthCell, true>();

/// The result where there is no closed form.
PenetrationResult search_depth(const ShapeRef& a, const ShapeRef& b, PairHint* hint = nullptr) {
  if (has_convex_set(a) && has_convex_set(b)) {
    const ConvexSet ca = convex_set_of(a), cb = convex_set_of(b);
    return of_convex(penetration(ca, cb, false, hint));
  }
  const PartList pa(a, Polygons::whole), pb(b, Polygons::whole);
  if (const AsConvex ca(pa); ca.operand)
    if (const AsConvex cb(pb); cb.operand) return of_convex(penetration(*ca.operand, *cb.operand));
  PenetrationResult r = clearing(a, b, pa, pb);
  if (r.reason != NoPenetration::unbounded) return r;
  // Whether a finite translation separates the shapes does not depend on their order, but the search may find one only from the other side.
  const PenetrationResult other = clearing(b, a, pb, pa);
  if (!other.value) return r;
  if (clears(pa, pb, -other.value->vector)) return {Penetration{other.value->depth, -other.value->normal, -other.value->vector}, NoPenetration::none};
  const std::optional<Vec3> longer = cleared(pa, pb, -other.value->vector);  // positions of the moved shape are rounded otherwise
  return longer ? result_of(*longer) : r;
}

PenetrationResult find_penetration(const ShapeRef& a, const ShapeRef& b, PairHint* hint) {
  const DefaultFloatEnvironment guard;
  PenetrationResult r;
  if (!kClosedDepthTable[place(a.kind()) * kKinds + place(b.kind())](a, b, r)) r = search_depth(a, b, hint);
  return r;
}

}  // namespace

PenetrationResult penetration(ShapeRef a, ShapeRef b) { return find_penetration(a, b, nullptr); }
PenetrationResult penetration(ShapeRef a, ShapeRef b, PairHint& hint) { return find_penetration(a, b, &hint); }

std::vector<Contact> contacts(ShapeRef a, ShapeRef b) {
  const DefaultFloatEnvironment guard;
  std::vector<Contact> out;
  if (has_convex_set(a) && has_convex_set(b)) {
    Contact contact;
    ContactPatch patch;
    if (!find_contact(a, b, contact, patch)) return out;
    contact.point = middle_of(patch);
    out.push_back(contact);
    return out;
  }
  const PartList pa(a, Polygons::whole), pb(b, Polygons::whole);
  for (const Touch& t : all_touches(pa, pb, TouchDetail::point)) out.push_back(t.contact);
  if (out.empty()) {
    // One shape lies inside the other, a solid, without touching its surface.
    const PenetrationResult r = search_depth(a, b);
    if (r.value || r.reason == NoPenetration::unbounded) {
      Contact c;
      const Closest near = closest(a, b);
      c.point = near.on_a;
      c.normal = r.value ? r.value->normal : Vec3(0, 0, 0);
      c.depth = r.value ? r.value->depth : kInfinity;
      out.push_back(c);
    }
  }
  return out;
}

}  // namespace graze
