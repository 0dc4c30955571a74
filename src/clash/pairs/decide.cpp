// Verdicts by relation(), depths by translations that are verified to end the overlap.
#include "clash/pairs/decide.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <graze/query.hpp>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "mesh/arrangement/body_relation.hpp"
#include "mesh/arrangement/clearing.hpp"
#include "mesh/queries/mesh_view.hpp"
#include "mesh/queries/surface_queries.hpp"
#include "parts/part_pairs.hpp"
#include "shapes/pose.hpp"

namespace graze::clash {
namespace {

// The solid of a part is referred to, and placed, for the time of a query.
struct Placed2 {
  Placed body;
  Placed2(const PlacedPart& b, bool as_solid) : body(as_solid && b.solid != nullptr ? at(*b.solid, *b.pose) : at(*b.mesh, *b.pose)) {}
};

void add(Box& box, const Vec3& p) {
  for (int i = 0; i < 3; ++i) box.min[i] = std::min(box.min[i], p[i]), box.max[i] = std::max(box.max[i], p[i]);
}

Triangle triangle_of(const PlacedPart& b, std::uint32_t i) {
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

// Around the common parts of the boxes of triangles that touch, of which there are some.
Box region_of(const PlacedPart& a, const PlacedPart& b, const std::vector<TrianglePair>& pairs) {
  Box region, x;
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    if (k == 0 || pairs[k].a != pairs[k - 1].a) x = box_of(triangle_of(a, pairs[k].a));  // the pairs are sorted
    const Box y = box_of(triangle_of(b, pairs[k].b));
    Box common;
    for (int i = 0; i < 3; ++i) common.min[i] = std::max(x.min[i], y.min[i]), common.max[i] = std::min(x.max[i], y.max[i]);
    if (k == 0) region = common;
    add(region, common.min);
    add(region, common.max);
  }
  for (int i = 0; i < 3; ++i) region.min[i] += 0.0, region.max[i] += 0.0;  // no -0, which of equal numbers would depend on the order of pairs
  return region;
}

// One inside the other, surfaces apart: the smaller part.
Box common_box(const PlacedPart& a, const PlacedPart& b) {
  return {Vec3(std::max(a.box->min.x, b.box->min.x), std::max(a.box->min.y, b.box->min.y), std::max(a.box->min.z, b.box->min.z)),
          Vec3(std::min(a.box->max.x, b.box->max.x), std::min(a.box->max.y, b.box->max.y), std::min(a.box->max.z, b.box->max.z))};
}

bool boxes_nested(const Box& outer, const Box& inner) {
  for (int i = 0; i < 3; ++i)
    if (inner.min[i] < outer.min[i] || inner.max[i] > outer.max[i]) return false;
  return true;
}

// The same triangles at the same place, whatever poses bring them there: a mesh that its file repeats was moved, and another model's was not.
bool same_surface(const PlacedPart& a, const PlacedPart& b) {
  return std::ranges::equal(a.mesh->vertices(), b.mesh->vertices(),
                            [&](const Vec3& p, const Vec3& q) { return apply_pose(*a.pose, p) == apply_pose(*b.pose, q); }) &&
         std::ranges::equal(a.mesh->triangles(), b.mesh->triangles());
}

// Two surfaces have no inner points, so relation() calls them touching where they cross. For a clash it matters whether they do.
bool any_crosses(const PlacedPart& a, const PlacedPart& b, const std::vector<TrianglePair>& pairs) {
  return std::any_of(pairs.begin(), pairs.end(), [&](const TrianglePair& p) { return crosses(triangle_of(a, p.a), triangle_of(b, p.b)); });
}
Verdict verdict_of_surfaces(const PlacedPart& a, const PlacedPart& b, bool cross) {
  if (same_surface(a, b)) return Verdict::identical;
  return cross ? Verdict::overlapping : Verdict::touching;
}

// Whether closest() takes the surfaces in this order.
bool in_order(const PlacedPart& a, const PlacedPart& b) { return order_of(MeshView(*a.mesh, a.pose), MeshView(*b.mesh, b.pose)) <= 0; }

// closest() of the surfaces, with a bound.
std::optional<NearestPoints> gap_within(const PlacedPart& a, const PlacedPart& b, double distance, const SearchStart& start) {
  const MeshView va(*a.mesh, a.pose), vb(*b.mesh, b.pose);
  const bool ordered = in_order(a, b);
  const std::optional<SurfaceClosest> found = ordered ? closest(va, vb, distance, start) : closest(vb, va, distance, {start.b, start.a});
  if (!found) return std::nullopt;
  const ConvexClosest& c = found->closest;
  if (ordered) return NearestPoints{c.distance, c.on_a, c.on_b, {found->triangle_a, found->triangle_b}};
  return NearestPoints{c.distance, c.on_b, c.on_a, {found->triangle_b, found->triangle_a}};
}

SurfaceOrSolid surface_or_solid(const PlacedPart& x, bool solid) { return {solid ? MeshView(*x.solid, x.pose) : MeshView(*x.mesh, x.pose), solid}; }

// relation(), which would search for the pairs again.
Relation relation_of_parts(const SurfaceOrSolid& a, const SurfaceOrSolid& b, const std::vector<TrianglePair>& pairs) {
  if (!a.solid && !b.solid) return pairs.empty() ? Relation::disjoint : Relation::touching;
  return relation_of_bodies({a.surface, a.solid}, {b.surface, b.solid}, pairs);
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

Clash not_evaluated(const PlacedPart& a, const PlacedPart& b, const std::string& reason) {
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
bool may_surround(const PlacedPart& a, bool solid_a, const PlacedPart& b) { return !solid_a && boxes_nested(*a.box, *b.box); }

std::optional<Clash> surrounded(const PlacedPart& a, const PlacedPart& b, bool solid_a, bool solid_b) {
  const bool by_a = may_surround(a, solid_a, b);
  if (!by_a && !may_surround(b, solid_b, a)) return std::nullopt;
  return not_evaluated(a, b, std::string(by_a ? "a" : "b") + " may surround the other part, but is not closed: " + *(by_a ? a : b).open_reason);
}

// Which of the parts count as solids.
struct Kinds {
  bool as_solids, a, b;
  Kinds(const PlacedPart& x, const PlacedPart& y, const Rule& rule)
      : as_solids(rule.solids != ClashSolids::surfaces), a(as_solids && x.solid != nullptr), b(as_solids && y.solid != nullptr) {}
  bool refused(const Rule& rule) const { return rule.solids == ClashSolids::required && (!a || !b); }
};

// How far apart surfaces may be for the verdict to depend on their distance.
double far_enough(const PlacedPart& a, const PlacedPart& b, const Rule& rule, const Kinds& solid) {
  const bool surrounds = solid.as_solids && (may_surround(a, solid.a, b) || may_surround(b, solid.b, a));
  return surrounds ? std::numeric_limits<double>::infinity() : rule.clearance;
}

// The verdict where solids are required and one is not.
Decision refuse(const PlacedPart& a, const PlacedPart& b, const Rule& rule, const Kinds& solid) {
  const Placed2 pa(a, true), pb(b, true);
  const bool near_enough = rule.clearance > 0 ? within(pa.body, pb.body, rule.clearance) : intersects(pa.body, pb.body);
  if (!near_enough && !boxes_nested(*a.box, *b.box) && !boxes_nested(*b.box, *a.box)) return {};
  return {not_evaluated(a, b, std::string(solid.a ? "b" : "a") + " is not closed: " + *(solid.a ? b : a).open_reason)};
}

Clash apart(const NearestPoints& gap) {
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

bool can_be_sliced(const PlacedPart& a, const PlacedPart& b, const Rule& rule) {
  return !Kinds(a, b, rule).refused(rule) && !rule.depth && !(rule.min_penetration > 0);
}

SurfaceContact contact_of(const PlacedPart& a, const PlacedPart& b) {
  return intersects(MeshView(*a.mesh, a.pose), MeshView(*b.mesh, b.pose)) ? SurfaceContact::touching : SurfaceContact::apart;
}

Gathered gather(const PlacedPart& a, const PlacedPart& b, const Rule& rule, const SearchStart& slice, SurfaceContact contact) {
  Gathered out;
  // One search tells surfaces that touch from those that are near and those that are neither; only the first have pairs of triangles that touch.
  const Kinds solid(a, b, rule);
  const double far = contact == SurfaceContact::touching ? 0 : far_enough(a, b, rule, solid);
  if (far > 0) out.gap = gap_within(a, b, far, slice);
  if (contact == SurfaceContact::apart) return out;
  if (out.gap ? out.gap->distance == 0 : !(far > 0)) out.pairs = triangle_pairs(MeshView(*a.mesh, a.pose), MeshView(*b.mesh, b.pose), 0, {}, slice);
  if (out.pairs.empty()) return out;
  out.gap.reset();
  out.region = region_of(a, b, out.pairs);
  out.cross = !solid.a && !solid.b && !same_surface(a, b) && any_crosses(a, b, out.pairs);
  return out;
}

Gathered join(const PlacedPart& a, const PlacedPart& b, std::vector<Gathered> slices) {
  Gathered out;
  std::size_t total = 0;
  for (const Gathered& s : slices) total += s.pairs.size();
  out.pairs.reserve(total);
  std::vector<std::size_t> ends;  // of sorted runs
  for (Gathered& s : slices) {
    if (s.pairs.empty()) continue;
    if (out.pairs.empty()) out.region = s.region;
    add(out.region, s.region.min);
    add(out.region, s.region.max);
    out.cross = out.cross || s.cross;
    out.pairs.insert(out.pairs.end(), s.pairs.begin(), s.pairs.end());
    s.pairs = {};
    ends.push_back(out.pairs.size());
  }
  while (ends.size() > 1) {
    std::vector<std::size_t> merged;
    for (std::size_t i = 0, begin = 0; i < ends.size(); begin = merged.back(), i += 2) {
      const auto at = [&](std::size_t k) { return out.pairs.begin() + static_cast<std::ptrdiff_t>(k); };
      if (i + 1 < ends.size()) std::inplace_merge(at(begin), at(ends[i]), at(ends[i + 1]));
      merged.push_back(ends[std::min(i + 1, ends.size() - 1)]);
    }
    ends = std::move(merged);
  }
  if (!out.pairs.empty()) return out;
  const bool ordered = in_order(a, b);
  const auto first = [&](const TrianglePair& p) { return ordered ? p : TrianglePair{p.b, p.a}; };
  for (const Gathered& s : slices) {  // of pairs equally near, closest() takes the lowest
    if (!s.gap) continue;
    const bool nearer = !out.gap || s.gap->distance < out.gap->distance;
    if (nearer || (s.gap->distance == out.gap->distance && first(s.gap->triangles) < first(out.gap->triangles))) out.gap = s.gap;
  }
  return out;
}

Decision conclude(const PlacedPart& a, const PlacedPart& b, const Rule& rule, const Gathered& gathered) {
  const Kinds solid(a, b, rule);
  const std::vector<TrianglePair>& pairs = gathered.pairs;
  const std::optional<NearestPoints>& gap = gathered.gap;
  const SurfaceOrSolid sa = surface_or_solid(a, solid.a), sb = surface_or_solid(b, solid.b);
  const Relation relation = relation_of_parts(sa, sb, pairs);
  if (relation == Relation::disjoint) {
    if (solid.as_solids) {
      if (std::optional<Clash> clash = surrounded(a, b, solid.a, solid.b)) {
        if (gap) clash->distance = gap->distance, clash->point = gap->on_a;
        return {std::move(clash)};
      }
    }
    if (gap && gap->distance < rule.clearance) return {apart(*gap)};
    return {};
  }
  Clash clash;
  clash.verdict = !solid.a && !solid.b ? verdict_of_surfaces(a, b, gathered.cross) : verdict_of(relation);
  if (clash.verdict == Verdict::touching && !rule.touching) {  // contact that does not count must not hide what may be inside
    if (solid.as_solids) return {surrounded(a, b, solid.a, solid.b)};
    return {};
  }
  if (share_inner_points(clash.verdict) && (rule.depth || rule.min_penetration > 0)) {
    const Clearing clearing(sa, sb, pairs);
    if (const std::optional<Shift> s = clearing.shortest()) {
      clash.depth = s->length + clearing.rounding();
      if (*clash.depth < rule.min_penetration && clash.verdict != Verdict::identical) return {{}, true};
    }
  }
  if (pairs.empty()) {
    const Placed2 pa(a, solid.as_solids), pb(b, solid.as_solids);
    clash.point = closest(pa.body, pb.body).on_a;
    clash.region = common_box(a, b);
  } else {
    clash.point = common_point(triangle_of(a, pairs[0].a), triangle_of(b, pairs[0].b));
    clash.region = gathered.region;
  }
  clash.triangle_pairs = pairs.size();
  return {clash};
}

Decision decide(const PlacedPart& a, const PlacedPart& b, const Rule& rule) {
  if (const Kinds solid(a, b, rule); solid.refused(rule)) return refuse(a, b, rule, solid);
  return conclude(a, b, rule, gather(a, b, rule));
}

}  // namespace graze::clash
