// The inner points of a convex set are connected. So a solid whose surface they do not meet contains all of them or none, and one of whose surface they meet
// contains them only if all of that surface that they meet are walls, with the solid on both sides.
#include "mesh/arrangement/convex_relation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "bvh/traverse.hpp"
#include "convex/containment/containment.hpp"
#include "convex/containment/curved_containment.hpp"
#include "convex/decide/closest.hpp"
#include "convex/decide/decide.hpp"
#include "convex/sets/minkowski_frame.hpp"
#include "exact/double_parts.hpp"
#include "math/limits.hpp"
#include "math/vec3.hpp"
#include "mesh/arrangement/body_relation.hpp"
#include "mesh/arrangement/flat_arrangement.hpp"
#include "mesh/arrangement/flat_findings.hpp"
#include "mesh/arrangement/germs.hpp"
#include "mesh/arrangement/meeting_points.hpp"
#include "mesh/queries/convex_queries.hpp"
#include "mesh/queries/self_pairs.hpp"
#include "mesh/queries/solid_queries.hpp"
#include "mesh/queries/winding.hpp"
#include "platform/expects.hpp"
#include "shapes/message.hpp"

namespace graze {
namespace {

bool is_bounded(const ConvexSet& a) { return a.bounded(); }
bool is_bounded(const Curved&) { return true; }
bool is_smooth(const ConvexSet& a) { return a.radius > 0; }
bool is_smooth(const Curved&) { return true; }

/// S: ConvexSet or Curved, here and below.
template <class S>
bool contains_all(const S& a, const Box3& box) {
  if (!is_finite(box.lo) || !is_finite(box.hi)) return false;
  for (int k = 0; k < 8; ++k)
    if (!within(convex_point(Vec3(k & 1 ? box.hi.x : box.lo.x, k & 2 ? box.hi.y : box.lo.y, k & 4 ? box.hi.z : box.lo.z)), a)) return false;
  return true;
}

template <class S>
bool contains_all(const S& a, const MeshView& b) {
  const WideBvh& tree = b.mesh->tree;
  std::vector<TreeRef> open{kWholeTree};
  while (!open.empty()) {
    const RefView at = view_of(tree, open.back());
    open.pop_back();
    for (std::uint32_t k = at.child; k < at.child + at.count; ++k)
      for (const Vec3& p : b.triangle(tree.items()[k]).points)
        if (!within(convex_point(p), a)) return false;
    if (at.is_leaf() || contains_all(a, loose_bounds(b, at.box))) continue;
    for (std::uint32_t s = 0; s < tree.node(at.child).used; ++s) open.push_back(at.child * kWidth + s);
  }
  return true;
}

/// Whether a point of a beside the triangle, on either side of it, is not in the solid. Doubles propose the points; they count as they are.
template <class S>
bool leaves_beside(const S& a, const MeshView& solid, const Triangle& t) {
  const Vec3 n = cross(minus(t.points[1], t.points[0]), minus(t.points[2], t.points[0]));
  const double area = length(n);
  const V3<Dyadic> inner = some_inner_point(a);
  const Vec3 middle(to_double(inner.x), to_double(inner.y), to_double(inner.z)), foot = closest(convex_point(middle), convex_triangle(t)).on_b;
  for (const double share : {0x1p-6, 0x1p-16}) {  // choices, of the triangle's size
    const Vec3 step = n * (share * std::sqrt(area) / area);
    for (const Vec3& p : {foot + step, foot - step})
      if (is_finite(p) && within(convex_point(p), a) && !solid_contains(solid, p)) return true;
  }
  return false;
}

/// The core of a ball or a capsule.
ExactSegment core_of(const ConvexSet& round) {
  std::vector<V3<Dyadic>> ends;
  for_each_hull_corner(round, [&](const ConvexSet& corner) {
    V3<Dyadic> p = exact(corner.base(0));
    for (std::uint32_t k = 0; k < corner.segments; ++k) p = p + Dyadic(corner.lo[k]) * exact(corner.segment[k]);
    ends.push_back(std::move(p));
    return true;
  });
  GRAZE_EXPECTS(ends.size() <= 2);
  return {{ends.front()}, {ends.back()}};
}

/// A curved shape moved to the origin, with an error that is small against its extent wherever it lies. What is exact is seen from there.
struct AtOrigin {
  V3<Dyadic> from;  ///< where the origin was
  Curved shape;
  double size;  ///< no point of the shape is farther from the origin
  explicit AtOrigin(const Curved& a)
      : from(exact(a.point())), shape(moved(a, -a.point())), size(std::min(2 * (shape.largest_radius() + max_norm(shape.ends().b)), kLargest / 64)) {}

  /// The part of a segment near the shape; nothing if there is none.
  std::optional<ConvexSet> near_part(const ExactSegment& s) const {
    const ExactPoint foot = nearest_on(s, {from});
    const Vec3 f = rounded_difference(foot, from);
    if (!(max_norm(f) <= 2 * size)) return std::nullopt;
    const Vec3 d = direction_of(s.from.scale * s.to.at - s.to.scale * s.from.at);
    const auto place_of = [&](const ExactPoint& end) {  // in lengths of d; the shape ends before 8 times the size
      return std::clamp(dot(rounded_difference(end, from + exact(f)), d) / dot(d, d), -8 * size, 8 * size);
    };
    return convex_point(f).add_segment(d, std::min(place_of(s.from), 0.0), std::max(place_of(s.to), 0.0));
  }

  /// The point farthest along n, seen from the origin.
  Vec3 farthest(const Vec3& n) const {
    struct Frame : MinkowskiFrame {
      explicit Frame(int exponent) {
        origin_ = Vec3(0, 0, 0);
        pre_ = -exponent;
      }
    };
    const int exponent = exponent_of(size) + 2;
    const V3<double> p = shape.visit([&]<class K>(const K& kind) {
      return typename K::template Local<double>(kind, Frame(exponent)).farthest({n.x, n.y, n.z});
    });
    return {scaled(p.x, exponent), scaled(p.y, exponent), scaled(p.z, exponent)};
  }
};

/// Whether the segment has an inner point of the set.
bool enters(const ExactSegment& s, const ConvexSet& round) { return are_closer(s, core_of(round), round.radius); }
bool enters(const ExactSegment& s, const Curved& curved) {
  const AtOrigin here(curved);
  const std::optional<ConvexSet> part = here.near_part(s);
  return part && within(here.shape, *part) && share_inner_points(here.shape, *part);
}

/// Where the way from p to q crosses the plane, whose two sides they lie on at the heights hp and hq.
ExactPoint crossing_of(const V3<Dyadic>& p, const V3<Dyadic>& q, const Dyadic& hp, const Dyadic& hq) {
  if (sign_of(hp) < 0) return crossing_of(q, p, hq, hp);
  return {hp * q - hq * p, hp - hq};
}

/// A point of the triangle that is an inner point of the set. Requires that no edge has one, but the triangle does.
ExactPoint common_place(const ConvexSet& round, const Triangle& t) {
  const ExactTriangle triangle = exact(t);
  const ExactSegment core = core_of(round);
  const V3<Dyadic>&p = core.from.at, &q = core.to.at, n = cross(triangle.points[1] - triangle.points[0], triangle.points[2] - triangle.points[0]);
  const Dyadic hp = dot(p - triangle.points[0], n), hq = dot(q - triangle.points[0], n);
  if (sign_of(hp) * sign_of(hq) < 0) return crossing_of(p, q, hp, hq);
  return foot_in_plane(compare(hp * hp, hq * hq) <= 0 ? core.from : core.to, triangle);
}
ExactPoint common_place(const Curved& curved, const Triangle& t) {
  const ExactTriangle triangle = exact(t);
  const AtOrigin here(curved);
  // From an inner point towards the farthest one beyond the plane.
  const V3<Dyadic> n = cross(triangle.points[1] - triangle.points[0], triangle.points[2] - triangle.points[0]), p = some_inner_point(curved);
  const Dyadic hp = dot(p - triangle.points[0], n);
  const Vec3 beyond = here.farthest(direction_of(sign_of(hp) > 0 ? -n : n));
  const V3<Dyadic> q = here.from + exact(beyond);
  const Dyadic hq = dot(q - triangle.points[0], n);
  const ExactPoint found = sign_of(hp) * sign_of(hq) < 0 ? crossing_of(p, q, hp, hq) : foot_in_plane({sign_of(hp) == 0 ? p : q}, triangle);
  // Rounding may have put it beside the triangle; some step to the centre takes it back.
  const ExactPoint center{triangle.points[0] + triangle.points[1] + triangle.points[2], Dyadic(3.0)};
  ExactPoint place = found;
  for (double step = 0x1p-52; step < 1 && !triangle_contains(triangle, place); step *= 16) {
    const Dyadic share(step), rest(1 - step);
    place = {(rest * center.scale) * found.at + (share * found.scale) * center.at, found.scale * center.scale};
  }
  return triangle_contains(triangle, place) ? place : center;
}

/// Whether the set has inner points on a part of the triangle that has points outside the solid beside it. It must have some on the triangle. `others`: the
/// triangles that meet this one beyond common edges and corners.
template <class S>
bool leaves_through(const S& a, const MeshView& solid, const Triangle& t, std::span<const ExactTriangle> others) {
  if (is_zero(cross(exact(t.points[1]) - exact(t.points[0]), exact(t.points[2]) - exact(t.points[0])))) return false;  // without area it parts nothing
  MeshData data;
  data.vertices.assign(t.points.begin(), t.points.end());
  data.triangles.push_back({0, 1, 2});
  const Mesh alone(std::move(data));
  const Body whole(solid, true), piece(MeshView(alone), false);
  const Germs germs(whole, piece);
  if (others.empty()) return germs.borders(t.points[0]);
  bool divided = false;
  for (const ExactSegment& s : pieces_in(exact(t), others)) {
    if (!enters(s, a)) continue;
    divided = true;
    if (germs.borders(middle_of(s))) return true;
  }
  return !divided && germs.borders(common_place(a, t));
}

/// Whether the solid contains a, some of whose inner points lie on the triangles `entered`, ascending. Nothing if a is neither round nor curved and other
/// triangles meet one of these.
template <class S>
std::optional<bool> contains_beside_walls(const MeshView& solid, const S& a, const std::vector<std::uint32_t>& entered) {
  if (!is_bounded(a)) return false;
  for (const std::uint32_t i : entered)
    if (leaves_beside(a, solid, solid.triangle(i))) return false;
  const auto is_entered = [&](std::uint32_t t) { return std::binary_search(entered.begin(), entered.end(), t); };
  const std::vector<TrianglePair> self = self_pairs(solid, [&](std::uint32_t s, std::uint32_t t) { return is_entered(s) || is_entered(t); });
  bool all_decided = true;
  for (const std::uint32_t i : entered) {
    std::vector<ExactTriangle> others;
    for (const TrianglePair& p : self)
      if (p.a == i || p.b == i) others.push_back(exact(solid.triangle(p.a == i ? p.b : p.a)));
    if (!others.empty() && !is_smooth(a))
      all_decided = false;
    else if (leaves_through(a, solid, solid.triangle(i), others))
      return false;
  }
  return all_decided ? std::optional(true) : std::nullopt;
}

/// Whether one of a few triangles shows that a enters the surface and has points outside the solid.
template <class S>
bool leaves_at_once(const S& a, const SurfaceOrSolid& b) {
  constexpr std::size_t kFew = 8;  // a choice
  const std::vector<std::uint32_t> some = some_triangles_within(b.surface, a, kFew);
  return std::any_of(some.begin(), some.end(), [&](std::uint32_t i) {
    const Triangle t = b.surface.triangle(i);
    return share_inner_points(a, convex_triangle(t)) && (!b.solid || !is_bounded(a) || leaves_beside(a, b.surface, t));
  });
}

template <class S>
std::optional<Relation> relation_of_solid_set(const S& a, const SurfaceOrSolid& b) {
  if (b.surface.mesh->tree.empty()) return Relation::disjoint;
  if (leaves_at_once(a, b)) return contains_all(a, b.surface) ? Relation::b_in_a : Relation::overlapping;
  std::vector<std::uint32_t> entered = triangles_within(b.surface, a);
  bool touching = !entered.empty();
  std::erase_if(entered, [&](std::uint32_t i) { return !share_inner_points(a, convex_triangle(b.surface.triangle(i))); });
  bool leaves_by_seam = false;
  if (const auto seams = b.surface.placed_seams()) {
    for (const std::uint32_t i : triangles_within(*seams, a)) {
      const Triangle t = seams->triangle(i);
      touching = true;
      leaves_by_seam = leaves_by_seam || (share_inner_points(a, convex_triangle(t)) && (leaves_beside(a, b.surface, t) || leaves_through(a, b.surface, t, {})));
    }
  }
  bool a_in_b = false;
  if (b.solid && entered.empty()) a_in_b = !leaves_by_seam && is_bounded(a) && winds_around(b.surface, {some_inner_point(a)});
  if (b.solid && !entered.empty() && !leaves_by_seam) {
    const std::optional<bool> contained = contains_beside_walls(b.surface, a, entered);
    if (!contained) return std::nullopt;
    a_in_b = *contained;
  }
  if (!touching && !a_in_b) return Relation::disjoint;
  const bool b_in_a = contains_all(a, b.surface);
  if (a_in_b) return b_in_a ? Relation::identical : Relation::a_in_b;
  if (b_in_a) return Relation::b_in_a;
  return entered.empty() && !leaves_by_seam ? Relation::touching : Relation::overlapping;
}

/// The extents of a curved shape, ascending.
struct Extents {
  std::array<double, 3> e;
  explicit Extents(const Curved& a) : e(a.visit([](const auto& kind) { return kind.extents(); })) { std::sort(e.begin(), e.end()); }
  /// The bound of curved shapes hides on which side of a triangle a shape lies that is thinner than that of containment.
  static constexpr double kThin = 0x1p-40;
  bool is_thin() const { return e[0] <= kThin * e[2]; }
  bool is_needle() const { return e[1] <= kThin * e[2]; }
};

/// The relation of a thin shape and a solid, or a flat one and any body.
Relation relation_of_thin(const Curved& a, const SurfaceOrSolid& b) {
  if (b.surface.mesh->tree.empty()) return Relation::disjoint;
  const std::vector<std::uint32_t> met = triangles_within(b.surface, a);
  const Ends ends = a.ends();
  if (met.empty()) return b.solid && winds_around(b.surface, {Dyadic(0.5) * (exact(ends.a) + exact(ends.b))}) ? Relation::a_in_b : Relation::disjoint;
  const auto triangle = [&](std::uint32_t i) { return convex_triangle(b.surface.triangle(i)); };
  const bool b_in_a = contains_all(a, b.surface);
  if (std::any_of(met.begin(), met.end(), [&](std::uint32_t i) { return is_subset(a, triangle(i)); })) return b_in_a ? Relation::identical : Relation::a_in_b;
  if (b_in_a) return Relation::b_in_a;
  if (Extents(a).is_needle()) {
    Body axis;
    axis.parts.push_back(exact_part(a.visit([](const auto& kind) { return kind.longest(); }), {}));
    return relation_of_bodies(axis, Body(b.surface, b.solid));
  }
  const Findings found = findings_of_flat(a, b, met);
  if (!found.a_leaves_b) return Relation::a_in_b;
  return found.inner && b.solid ? Relation::overlapping : Relation::touching;
}

}  // namespace

std::optional<Relation> relation_of(const ConvexSet& a, const SurfaceOrSolid& b) { return relation_of_solid_set(a, b); }

Relation relation_of(const Curved& a, const SurfaceOrSolid& b) {
  if (b.solid ? Extents(a).is_thin() : !has_volume(a)) return relation_of_thin(a, b);
  return *relation_of_solid_set(a, b);
}

}  // namespace graze
