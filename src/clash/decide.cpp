// Verdicts by relation(), depths by translations that are verified to end the overlap.
#include "clash/decide.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <graze/query.hpp>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "clash/depth.hpp"
#include "mesh/queries/body_relation.hpp"
#include "mesh/queries/mesh_view.hpp"
#include "mesh/queries/surface_queries.hpp"
#include "parts/part_pairs.hpp"

namespace graze::clash {
namespace {

// The solid of a part is referred to, and placed, for the time of a query.
struct Placed2 {
  Placed surface, body;
  Placed2(const Body& b, bool as_solid) : surface(at(*b.mesh, *b.pose)), body(as_solid && b.solid != nullptr ? at(*b.solid, *b.pose) : at(*b.mesh, *b.pose)) {}
};

void add(Box& box, const Vec3& p) {
  for (int i = 0; i < 3; ++i) box.min[i] = std::min(box.min[i], p[i]), box.max[i] = std::max(box.max[i], p[i]);
}

Triangle triangle_of(const Body& b, std::uint32_t i) {
  const TriangleIndices& t = b.mesh->triangles()[i];
  return {{b.pose->apply(b.mesh->vertices()[t[0]]), b.pose->apply(b.mesh->vertices()[t[1]]), b.pose->apply(b.mesh->vertices()[t[2]])}};
}

Box box_of(const Triangle& t) {
  Box box{t.points[0], t.points[0]};
  add(box, t.points[1]);
  add(box, t.points[2]);
  return box;
}

// A point of both, which touch: a corner where that is one, since it needs no rounding.
Vec3 common_point(const Triangle& s, const Triangle& t) {
  for (const Vec3& p : s.points)
    if (intersects(Point{p}, t)) return p;
  for (const Vec3& p : t.points)
    if (intersects(Point{p}, s)) return p;
  return closest(s, t).on_a;
}

// Around the common parts of the boxes of triangles that touch.
void describe_contact(const Body& a, const Body& b, const std::vector<TrianglePair>& pairs, Clash& clash) {
  clash.triangle_pairs = pairs.size();
  bool first = true;
  Box x;
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    if (k == 0 || pairs[k].a != pairs[k - 1].a) x = box_of(triangle_of(a, pairs[k].a));  // the pairs are sorted
    const Box y = box_of(triangle_of(b, pairs[k].b));
    Box common;
    for (int i = 0; i < 3; ++i) common.min[i] = std::max(x.min[i], y.min[i]), common.max[i] = std::min(x.max[i], y.max[i]);
    if (first) clash.region = common;
    add(clash.region, common.min);
    add(clash.region, common.max);
    first = false;
  }
  if (!first) return;
  // One inside the other, surfaces apart: the smaller part.
  const Box common = {Vec3(std::max(a.box->min.x, b.box->min.x), std::max(a.box->min.y, b.box->min.y), std::max(a.box->min.z, b.box->min.z)),
                      Vec3(std::min(a.box->max.x, b.box->max.x), std::min(a.box->max.y, b.box->max.y), std::min(a.box->max.z, b.box->max.z))};
  clash.region = common;
}

bool boxes_nested(const Box& outer, const Box& inner) {
  for (int i = 0; i < 3; ++i)
    if (inner.min[i] < outer.min[i] || inner.max[i] > outer.max[i]) return false;
  return true;
}

bool same_surface(const Body& a, const Body& b) {
  return std::ranges::equal(a.mesh->vertices(), b.mesh->vertices()) && std::ranges::equal(a.mesh->triangles(), b.mesh->triangles()) &&
         std::equal(&a.pose->rotation[0][0], &a.pose->rotation[0][0] + 9, &b.pose->rotation[0][0]) && a.pose->translation == b.pose->translation;
}

// Two surfaces have no inner points, so relation() calls them touching where they cross. For a clash it matters whether they do.
Verdict verdict_of_surfaces(const Body& a, const Body& b, const std::vector<TrianglePair>& pairs) {
  if (same_surface(a, b)) return Verdict::identical;
  const bool any = std::any_of(pairs.begin(), pairs.end(), [&](const TrianglePair& p) { return crosses(triangle_of(a, p.a), triangle_of(b, p.b)); });
  return any ? Verdict::overlapping : Verdict::touching;
}

// closest() of the surfaces, with a bound.
struct Gap {
  double distance;
  Vec3 on_a, on_b;
};
std::optional<Gap> gap_within(const Body& a, const Body& b, double distance) {
  const MeshView va(*a.mesh, a.pose), vb(*b.mesh, b.pose);
  const bool in_order = order_of(va, vb) <= 0;
  const std::optional<SurfaceClosest> found = in_order ? closest(va, vb, distance) : closest(vb, va, distance);
  if (!found) return std::nullopt;
  const ConvexClosest& c = found->closest;
  return in_order ? Gap{c.distance, c.on_a, c.on_b} : Gap{c.distance, c.on_b, c.on_a};
}

// relation(), which would search for the pairs again.
Relation relation_of_parts(const Body& a, const Body& b, bool solid_a, bool solid_b, const std::vector<TrianglePair>& pairs) {
  if (!solid_a && !solid_b) return pairs.empty() ? Relation::disjoint : Relation::touching;
  return relation_of_bodies({MeshView(*a.mesh, a.pose), solid_a}, {MeshView(*b.mesh, b.pose), solid_b}, pairs);
}

Verdict verdict_of(Relation r) {
  switch (r) {
    case Relation::identical:
      return Verdict::identical;
    case Relation::a_in_b:
      return Verdict::a_in_b;
    case Relation::b_in_a:
      return Verdict::b_in_a;
    case Relation::overlapping:
      return Verdict::overlapping;
    default:
      return Verdict::touching;
  }
}

Clash not_evaluated(const Body& a, const Body& b, const std::string& reason) {
  Clash clash;
  clash.verdict = Verdict::not_evaluated;
  clash.reason = reason;
  for (int i = 0; i < 3; ++i) {
    clash.region.min[i] = std::max(a.box->min[i], b.box->min[i]);
    clash.region.max[i] = std::min(a.box->max[i], b.box->max[i]);
    if (clash.region.min[i] > clash.region.max[i]) std::swap(clash.region.min[i], clash.region.max[i]);
    clash.point[i] = clash.region.min[i] / 2 + clash.region.max[i] / 2;
  }
  return clash;
}

// A surface that is not closed may surround the other part; nobody can tell.
std::optional<Clash> surrounded(const Body& a, const Body& b, bool solid_a, bool solid_b) {
  const bool by_a = !solid_a && boxes_nested(*a.box, *b.box), by_b = !solid_b && boxes_nested(*b.box, *a.box);
  if (!by_a && !by_b) return std::nullopt;
  return not_evaluated(a, b, std::string(by_a ? "a" : "b") + " may surround the other part, but is not closed: " + *(by_a ? a : b).open_reason);
}

Clash apart(const Gap& gap) {
  Clash clash;
  clash.verdict = Verdict::near;
  clash.distance = gap.distance;
  clash.point = gap.on_a;
  clash.region = {gap.on_a, gap.on_a};
  add(clash.region, gap.on_b);
  return clash;
}

bool share_inner_points(Verdict v) { return v == Verdict::identical || v == Verdict::a_in_b || v == Verdict::b_in_a || v == Verdict::overlapping; }

}  // namespace

Decision decide(const Body& a, const Body& b, const Rule& rule) {
  const bool as_solids = rule.solids != ClashSolids::surfaces;
  const Placed2 pa(a, as_solids), pb(b, as_solids);
  const bool solid_a = as_solids && a.solid != nullptr, solid_b = as_solids && b.solid != nullptr;
  if (rule.solids == ClashSolids::required && (!solid_a || !solid_b)) {
    const bool near_enough = rule.clearance > 0 ? within(pa.body, pb.body, rule.clearance) : intersects(pa.body, pb.body);
    if (!near_enough && !boxes_nested(*a.box, *b.box) && !boxes_nested(*b.box, *a.box)) return {};
    return {not_evaluated(a, b, std::string(solid_a ? "b" : "a") + " is not closed: " + *(solid_a ? b : a).open_reason)};
  }
  // One search tells surfaces that touch from those that are near and those that are neither; only the first have pairs of triangles that touch.
  std::optional<Gap> gap;
  if (rule.clearance > 0) gap = gap_within(a, b, rule.clearance);
  std::vector<TrianglePair> pairs;
  if (gap ? gap->distance == 0 : !(rule.clearance > 0)) pairs = intersecting_triangles(pa.surface, pb.surface);
  const Relation relation = relation_of_parts(a, b, solid_a, solid_b, pairs);
  if (relation == Relation::disjoint) {
    if (as_solids) {
      if (std::optional<Clash> clash = surrounded(a, b, solid_a, solid_b)) {
        if (!gap) gap = gap_within(a, b, std::numeric_limits<double>::infinity());
        if (gap) clash->distance = gap->distance, clash->point = gap->on_a;
        return {std::move(clash)};
      }
    }
    if (gap && gap->distance < rule.clearance) return {apart(*gap)};
    return {};
  }
  Clash clash;
  clash.verdict = !solid_a && !solid_b ? verdict_of_surfaces(a, b, pairs) : verdict_of(relation);
  if (clash.verdict == Verdict::touching && !rule.touching) {  // contact that does not count must not hide what may be inside
    if (as_solids) return {surrounded(a, b, solid_a, solid_b)};
    return {};
  }
  if (share_inner_points(clash.verdict)) {
    if (rule.min_penetration > 0 && clash.verdict != Verdict::identical && clears(a, b, solid_a, solid_b, pairs, rule.min_penetration)) return {{}, true};
    if (rule.depth || rule.min_penetration > 0) clash.depth = clearing_depth(a, b, solid_a, solid_b, pairs);
  }
  clash.point = pairs.empty() ? closest(pa.body, pb.body).on_a : common_point(triangle_of(a, pairs[0].a), triangle_of(b, pairs[0].b));
  describe_contact(a, b, pairs, clash);
  return {clash};
}

}  // namespace graze::clash
