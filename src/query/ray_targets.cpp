// Rays against the parts of shapes: convex sets, curved shapes, triangles, surfaces and solids.
#include "query/ray_targets.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "convex/gjk/nearest-inl.hpp"
#include "convex/sets/convex_set_bounds.hpp"
#include "convex/time/raycast.hpp"
#include "exact/exact_vectors.hpp"
#include "exact/predicates.hpp"
#include "math/limits.hpp"
#include "math/vec3.hpp"
#include "mesh/queries/bodies.hpp"
#include "mesh/queries/ray_queries.hpp"
#include "mesh/queries/solid_queries.hpp"
#include "mesh/queries/triangle_choice.hpp"
#include "pairs/detail/ray_hit_kernels.hpp"
#include "pairs/point_triangle.hpp"
#include "query/barycentric.hpp"
#include "shapes/normal.hpp"

namespace graze {
namespace {

Vec3 point_at(const RayQuery& ray, double t) {
  Vec3 p;
  if (t == 0) return ray.origin;
  for (int i = 0; i < 3; ++i) {
    const double o = ray.origin[i], d = ray.to_point ? ray.direction[i] - o : ray.direction[i];
    if (ray.to_point && t == 1)
      p[i] = ray.direction[i];
    else if (!(std::fabs(d) <= kLargest))
      p[i] = (1 - t) * o + t * ray.direction[i];  // the distance between the ends of the segment exceeds the largest double
    else
      p[i] = d == 0 ? o : o + t * d;
    p[i] = std::clamp(p[i], -kLargest, kLargest);
  }
  return p;
}

/// Sets the geometric normal facing against the ray. If the ray lies in the plane, the normal does, too: it leads from the triangle to where the ray is just
/// before. For a triangle without area, the normal is perpendicular to the segment or point that remains and nearest to the reversed ray.
void set_normal(const RayQuery& ray, const Triangle& t, Hit& hit) {
  const Vec3& a = t.points[0];
  const Vec3 d = ray.displacement();
  if (const auto n = triangle_normal(a, t.points[1], t.points[2])) {
    const int s = crossing_side(ray, t);
    hit.front = s < 0;
    if (hit.started_inside) return;
    const Vec3 unit = normalized(s != 0 ? *n : entry_normal(t.points, ray.origin, ray.to_point ? ray.origin : Vec3(0, 0, 0), ray.direction));
    hit.normal = s > 0 ? -unit : unit;
    return;
  }
  if (hit.started_inside) return;
  const Vec3 back = normalized(-d);
  const Vec3& b = t.points[1] != a ? t.points[1] : t.points[2];
  const std::optional<Vec3> across = a != b ? perpendicular_against(a, b, ray.to_point ? ray.origin : Vec3(0, 0, 0), ray.direction) : std::nullopt;
  hit.normal = across ? normalized(*across) : back;  // back: the ray runs along the segment, or the triangle is a point
}

template <std::size_t N>
void set_lane(HitLanesOf<N>& lanes, std::size_t k, const RayQuery& ray, const Triangle& t) {
  for (std::size_t i = 0; i < 3; ++i) {
    const int c = static_cast<int>(i);
    for (std::size_t p = 0; p < 3; ++p) lanes.corner[3 * p + i][k] = t.points[p][c];
    const TwoDouble direction = ray.to_point ? two_sum(ray.direction[c], -ray.origin[c]) : TwoDouble(ray.direction[c]);
    lanes.origin[i][k] = ray.origin[c];
    lanes.direction[i][k] = direction.hi;
    lanes.direction_rest[i][k] = direction.lo;
  }
}
/// Stores a hit that the SIMD lanes have decided.
template <std::size_t N>
void take_lane(const HitLanesOf<N>& lanes, std::size_t k, const RayQuery& ray, std::uint32_t triangle, Hit& hit) {
  hit.t = lanes.t[k];
  hit.point = point_at(ray, hit.t);
  hit.front = (lanes.front >> k & 1) != 0;
  const Vec3 normal(lanes.normal[0][k], lanes.normal[1][k], lanes.normal[2][k]);
  hit.normal = hit.front ? normal : -normal;
  hit.triangle = triangle;
  hit.barycentric = Vec3(lanes.weight[0][k], lanes.weight[1][k], lanes.weight[2][k]);
}

/// Decides a hit that the SIMD lanes leave undecided.
[[gnu::noinline, gnu::cold]] Hit difficult_hit(const RayQuery& ray, const Triangle& t, std::uint32_t index, bool unaccepted) {
  Hit hit;
  hit.triangle = index;
  if (const auto plain = unaccepted ? hit_in_doubles(ray, t) : std::nullopt; plain && plain->t != ray.t_min) {
    hit.t = plain->t;
    hit.point = point_at(ray, hit.t);
    hit.barycentric = plain->weights;
    hit.front = plain->front;
    hit.normal = hit.front ? plain->normal : -plain->normal;
    return hit;
  }
  const auto corner = corner_met(ray, t);
  hit.t = corner ? corner->t : hit_time(ray, t);
  hit.started_inside = hit.t == ray.t_min && begins_on(ray, t);
  hit.point = point_at(ray, hit.t);
  if (corner) {
    hit.barycentric = Vec3(0, 0, 0);
    (*hit.barycentric)[corner->corner] = 1;
  } else {
    hit.barycentric = barycentric_at_hit(ray, t);
  }
  set_normal(ray, t, hit);
  return hit;
}

Hit triangle_hit(const RayQuery& ray, const Triangle& t, std::uint32_t index) {
  HitLane lane;
  set_lane(lane, 0, ray, t);
  hit_kernels().decide_lane(lane);
  if (lane.decided == 0 || lane.t[0] == ray.t_min) return difficult_hit(ray, t, index, lane.unaccepted != 0);
  Hit hit;
  take_lane(lane, 0, ray, index, hit);
  return hit;
}

BriefHit brief_hit_of(const RayQuery& ray, const FirstTriangle& first) {
  HitLane lane;
  set_lane(lane, 0, ray, first.corners);
  hit_kernels().decide_time(lane);
  return {lane.decided != 0 ? lane.t[0] : hit_time(ray, first.corners), first.triangle};
}

std::optional<std::uint32_t> part_of(const MeshImpl& mesh, std::uint32_t triangle) {
  const auto after = std::upper_bound(mesh.parts.begin(), mesh.parts.end(), triangle, [](std::uint32_t t, const MeshPart& p) { return t < p.first; });
  if (after == mesh.parts.begin()) return std::nullopt;
  const auto at = after - 1;
  if (triangle - at->first >= at->count) return std::nullopt;
  return static_cast<std::uint32_t>(at - mesh.parts.begin());
}

Hit surface_hit(const RayQuery& ray, const MeshView& view, const FirstTriangle& first) {
  Hit hit = triangle_hit(ray, first.corners, first.triangle);
  if (!view.mesh->parts.empty()) hit.part = part_of(*view.mesh, first.triangle);
  hit.user = view.mesh->user_of(first.triangle);
  return hit;
}

bool hits_fan_triangle(const RayQuery& ray, std::span<const Triangle> fan, std::uint32_t i) { return ray_hits(ray, fan[i]) && counts(ray, fan[i], i, 0u); }

Hit inside_hit(const RayQuery& ray) {
  Hit hit;
  hit.t = ray.t_min;
  hit.point = point_at(ray, hit.t);
  hit.started_inside = true;
  return hit;
}

/// Where the ray begins, exactly. Requires that it does.
ConvexSet start_of(const RayQuery& ray) {
  ConvexSet c = convex_point(ray.origin);
  if (ray.t_min == 0) return c;
  c.add_segment(ray.direction, ray.t_min, ray.t_min);
  if (ray.to_point) c.add_segment(ray.origin, -ray.t_min, -ray.t_min);
  return c;
}
template <class Target>
bool begins_in(const RayQuery& ray, const Target& target) {
  return ray.has_start() && !ray.is_empty() && within(target, start_of(ray));
}
bool begins_in_solid(const RayQuery& ray, const MeshView& solid) {
  if (!ray.has_start() || ray.is_empty()) return false;
  if (ray.t_min == 0) return solid_contains(solid, ray.origin);
  V3<Dyadic> d = exact(ray.direction);
  if (ray.to_point) d = d - exact(ray.origin);
  return contains(BodyPart(solid, true), ExactPoint{exact(ray.origin) + Dyadic(ray.t_min) * d});
}

/// The points of the ray with parameter at most s, as a convex set.
ConvexSet ray_until(const RayQuery& ray, double s) {
  ConvexSet c = convex_point(ray.origin);
  const Vec3 d = ray.displacement();
  if (ray.has_start()) {
    if (s == kInfinity) c.add_direction(d);
    if (s < kInfinity || ray.t_min != 0) c.add_segment(d, ray.t_min, s < kInfinity ? s : ray.t_min);
  } else {
    c.add_direction(-d);
    if (s == kInfinity)
      c.add_direction(d);
    else
      c.add_segment(d, s, s);
  }
  return c;
}

/// Maps doubles to integers in the same order.
std::int64_t order(double x) {
  const std::int64_t i = std::bit_cast<std::int64_t>(x);
  return i < 0 ? std::numeric_limits<std::int64_t>::min() - i : i;
}
double from_order(std::int64_t i) { return std::bit_cast<double>(i < 0 ? std::numeric_limits<std::int64_t>::min() - i : i); }

/// Conservative bounds of the parameters for which a line is inside the box, computed along the largest component of its direction. The interval also contains
/// every such t >= 0 of a ray.
TimeBounds box_range(const RayQuery& ray, const Box3& box) {
  const Vec3 d = ray.displacement();
  int k = 0;
  for (int i = 1; i < 3; ++i)
    if (std::fabs(d[i]) > std::fabs(d[k])) k = i;
  double a = (box.lo[k] - ray.origin[k]) / d[k], b = (box.hi[k] - ray.origin[k]) / d[k];
  if (b < a) std::swap(a, b);
  // a and b are off by 4 u; 2^-40 is far more
  const double room = (b - a) + (std::fabs(a) + std::fabs(b)) * 0x1p-40 + std::numeric_limits<double>::denorm_min();
  constexpr double largest = kLargest;
  a = std::clamp(a - room, -largest, largest);
  b = std::clamp(b + room, -largest, largest);
  return {a == a ? a : -largest, b == b ? b : largest};
}

/// The outward unit normal of a curved shape at a point on or near its surface: that of the nearest piece of the surface that faces against the ray.
Vec3 curved_normal(const Curved& c, const Vec3& p, const Vec3& ray) {
  FacingNormal normal(ray);
  c.visit([&](const auto& kind) { kind.add_normals(p, normal); });
  return normal.normal();
}

/// A ray that barely grazes the shape may be decided to hit as a whole, while a part of the ray is decided to miss or to hit too late. If the point found is
/// off the shape by 2^-36 of its size or more, the parameter up to `last` at which the ray comes closest replaces the hit, if that point is nearer.
std::optional<double> closest_approach(const RayQuery& ray, const Curved& target, const Box3& box, double last, const Vec3& found) {
  double size = 0;
  for (int i = 0; i < 3; ++i) size = std::max(size, box.hi[i] - box.lo[i]);
  const double off = closest(target, convex_point(found)).distance;
  if (!(off > size * 0x1p-36)) return std::nullopt;
  const Vec3 d = ray.displacement(), direction = closest(target, ray_until(ray, last)).on_b - ray.origin;
  const double first = std::max(ray.t_min, -kLargest);
  const double t = std::max(first, std::min(last, dot(direction, d) / dot(d, d)));
  if (!(closest(target, convex_point(point_at(ray, t))).distance < off)) return std::nullopt;
  return t;
}

void sort_hits(std::vector<Hit>& hits, std::size_t from) {
  std::stable_sort(hits.begin() + static_cast<std::ptrdiff_t>(from), hits.end(), [](const Hit& a, const Hit& b) { return a.t < b.t; });
}

}  // namespace

std::optional<Hit> first_hit(const RayQuery& ray, const ConvexSet& target) {
  if (ray.t_min != 0 && ray.has_start()) {
    // A convex set that does not have the start lies behind it or before it, and before it the ray or line from farther back meets it first at the same point.
    if (begins_in(ray, target)) return inside_hit(ray);
    RayQuery whole = ray;
    whole.t_min = ray.t_min > 0 ? 0 : -kInfinity;
    std::optional<Hit> hit = first_hit(whole, target);
    return hit && hit->t >= ray.t_min && !hit->started_inside ? hit : std::nullopt;
  }
  const auto c = raycast(ray, target);
  if (!c) return std::nullopt;
  if (c->started_inside) return inside_hit(ray);
  Hit hit;
  hit.t = c->t;
  hit.point = point_at(ray, c->t);
  if (c->normal != Vec3(0, 0, 0)) hit.normal = c->normal;
  hit.front = c->t != -kInfinity;  // a line that has no first point comes from inside
  return hit;
}

std::optional<Hit> first_hit(const RayQuery& ray, const PlaneTarget& target) {
  std::optional<Hit> hit = first_hit(ray, target.convex);
  if (hit) hit->front = dot_sign(ray.to_point ? ray.origin : Vec3(0, 0, 0), ray.direction, Vec3(0, 0, 0), target.normal) < 0;
  return hit;
}

std::optional<Hit> first_hit(const RayQuery& ray, const Curved& target) {
  if (target.convex()) return first_hit(ray, *target.convex());
  if (begins_in(ray, target)) return inside_hit(ray);
  if (!any_hit(ray, target)) return std::nullopt;
  // The swept set grows with its end, so contact is monotone in it. Bisects to neighbouring doubles between the ray's entry into and exit from the shape's box.
  // The interval does not depend on t_max, because the time must not.
  const Box3 box = bounds(target);
  TimeBounds range = box_range(ray, box);
  range = {std::max(range.lo, ray.t_min), std::max(range.hi, ray.t_min)};
  std::int64_t low = order(range.lo), high = order(range.hi);
  if (low >= high || within(target, ray_until(ray, from_order(low)))) low = ray.has_start() ? order(ray.t_min) : low;
  if (range.hi == kLargest && !within(target, ray_until(ray, range.hi))) low = high;  // beyond the largest double: saturated
  const auto between = [&] {
    return static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
  };  // low may be negative: the difference may exceed a signed integer
  while (between() > 1) {
    const std::int64_t middle = low + static_cast<std::int64_t>(between() / 2);
    (within(target, ray_until(ray, from_order(middle))) ? high : low) = middle;
  }
  Hit hit;
  hit.t = from_order(low);
  hit.point = point_at(ray, hit.t);
  if (const auto t = closest_approach(ray, target, box, range.hi, hit.point)) {
    hit.t = *t;
    hit.point = point_at(ray, hit.t);
  }
  if (hit.t > ray.t_max) {  // exceeds t_max by less than the decision's bound
    hit.t = ray.t_max;
    hit.point = point_at(ray, hit.t);
  }
  hit.front = true;
  hit.normal = curved_normal(target, hit.point, ray.displacement());
  return hit;
}

std::optional<Hit> first_hit(const RayQuery& ray, std::span<const Triangle> triangles) {
  std::optional<std::uint32_t> best;
  for (std::uint32_t i = 0; i < triangles.size(); ++i)
    if (hits_fan_triangle(ray, triangles, i) && (!best || compare_hits(ray, triangles[i], triangles[*best]) < 0)) best = i;
  if (!best) return std::nullopt;
  return triangle_hit(ray, triangles[*best], *best);
}

std::optional<Hit> first_hit(const RayQuery& ray, const MeshView& target) {
  const auto hit = ray_first(target, ray);
  if (!hit) return std::nullopt;
  return surface_hit(ray, target, *hit);
}
BriefHit brief_hit(const RayQuery& ray, const MeshView& target) {
  const auto hit = ray_first(target, ray);
  return hit ? brief_hit_of(ray, *hit) : BriefHit{};
}

namespace {

/// Runs `decide` for several hits at once, and calls take(lanes, k, i, triangle) for each hit i, with its triangle in lane k.
template <class Take>
void decide_hits(std::span<const RayQuery> rays, const MeshView& target, std::span<const HitPlace> hits, void (*decide)(HitLanes&), const Take& take) {
  HitLanes lanes{};
  for (std::size_t begin = 0; begin < hits.size(); begin += HitLanes::kLanes) {
    const std::size_t n = std::min(HitLanes::kLanes, hits.size() - begin);
    FirstTriangle triangle[HitLanes::kLanes];
    for (std::size_t k = 0; k < n; ++k) {
      triangle[k] = first_triangle(target, hits[begin + k].place);
      set_lane(lanes, k, rays[hits[begin + k].ray], triangle[k].corners);
    }
    decide(lanes);
    for (std::size_t k = 0; k < n; ++k) take(lanes, k, begin + k, triangle[k]);
  }
}

/// Describes the hits; at(i) returns where hit i goes.
template <class At>
void describe_at(std::span<const RayQuery> rays, const MeshView& target, std::span<const HitPlace> hits, const At& at) {
  decide_hits(rays, target, hits, hit_kernels().decide, [&](const HitLanes& lanes, std::size_t k, std::size_t i, const FirstTriangle& triangle) {
    const RayQuery& ray = rays[hits[i].ray];
    Hit& hit = at(i);
    if ((lanes.decided >> k & 1) != 0 && lanes.t[k] != ray.t_min)
      take_lane(lanes, k, ray, triangle.triangle, hit);
    else
      hit = difficult_hit(ray, triangle.corners, triangle.triangle, (lanes.unaccepted >> k & 1) != 0);
    if (!target.mesh->parts.empty()) hit.part = part_of(*target.mesh, triangle.triangle);
    hit.user = target.mesh->user_of(triangle.triangle);
  });
}
template <class At>
void describe_briefly(std::span<const RayQuery> rays, const MeshView& target, std::span<const HitPlace> hits, const At& at) {
  decide_hits(rays, target, hits, hit_kernels().decide_times, [&](const HitLanes& lanes, std::size_t k, std::size_t i, const FirstTriangle& triangle) {
    at(i) = {(lanes.decided >> k & 1) != 0 ? lanes.t[k] : hit_time(rays[hits[i].ray], triangle.corners), triangle.triangle};
  });
}

}  // namespace

void first_hits(std::span<const RayQuery> rays, const MeshView& target, std::span<std::optional<Hit>> out) {
  for (const std::optional<Hit>& o : out)
    __builtin_prefetch(reinterpret_cast<const char*>(&o + 1) - 1, 1);  // the last byte holds the has-value flag: it is in the cache when the traversals end
  HitPlace first[kRayBatch];
  const std::span<const HitPlace> hits(first, ray_first(target, rays, first));
  for (const HitPlace& hit : hits) {
    for (std::size_t at = 0; at < sizeof(out[0]); at += 64) __builtin_prefetch(reinterpret_cast<const char*>(&out[hit.ray]) + at, 1);
  }
  for (std::optional<Hit>& o : out) o.reset();
  describe_at(rays, target, hits, [&](std::size_t i) -> Hit& { return out[hits[i].ray].emplace(); });
}
void first_hits(std::span<const RayQuery> rays, const MeshView& target, std::span<BriefHit> out) {
  HitPlace first[kRayBatch];
  const std::span<const HitPlace> hits(first, ray_first(target, rays, first));
  std::fill(out.begin(), out.end(), BriefHit{});
  describe_briefly(rays, target, hits, [&](std::size_t i) -> BriefHit& { return out[hits[i].ray]; });
}
void describe(std::span<const RayQuery> rays, const MeshView& target, std::span<const HitPlace> hits, std::span<Hit> out) {
  describe_at(rays, target, hits, [&](std::size_t i) -> Hit& { return out[i] = Hit(); });
}
void describe(std::span<const RayQuery> rays, const MeshView& target, std::span<const HitPlace> hits, std::span<BriefHit> out) {
  describe_briefly(rays, target, hits, [&](std::size_t i) -> BriefHit& { return out[i]; });
}

/// The hit with a seam, as one of the triangle along whose edge it lies: a pose has moved that edge away from the ray by a rounding.
Hit seam_hit(const RayQuery& ray, const MeshView& surface, const MeshView& seams, std::uint32_t seam) {
  const std::uint32_t owner = seams.mesh->user_of(seam);
  const Triangle t = surface.triangle(owner);
  Hit hit = surface_hit(ray, surface, {owner, seams.triangle(seam)});
  hit.started_inside = false;
  if (crossing_side(ray, t) != 0)
    set_normal(ray, t, hit);
  else
    hit.normal = normalized(-ray.displacement());
  double nearest = kInfinity;
  for (int k = 0; k < 3; ++k) {  // the weights of the nearest point of its edges
    const int to = (k + 1) % 3;
    const Vec3 edge = t.points[to] - t.points[k], from = hit.point - t.points[k];
    const double square = dot(edge, edge), share = square > 0 ? std::clamp(dot(from, edge) / square, 0.0, 1.0) : 0.0, gap = length(from - edge * share);
    if (!(gap < nearest)) continue;
    nearest = gap;
    hit.barycentric = Vec3(0, 0, 0);
    (*hit.barycentric)[k] = 1 - share;
    (*hit.barycentric)[to] = share;
  }
  return hit;
}

std::optional<Hit> first_hit(const RayQuery& ray, const SolidView& target) {
  if (begins_in_solid(ray, target.surface)) return inside_hit(ray);
  std::optional<Hit> hit = first_hit(ray, target.surface);
  if (const auto seams = target.surface.placed_seams()) {
    if (const auto first = ray_first(*seams, ray)) {
      const Hit of_seam = seam_hit(ray, target.surface, *seams, first->triangle);
      if (!hit || of_seam.t < hit->t) hit = of_seam;
    }
  }
  return hit;
}

void add_all_hits(const RayQuery& ray, const ConvexSet& target, std::vector<Hit>& out) {
  if (const auto hit = first_hit(ray, target)) out.push_back(*hit);
}
void add_all_hits(const RayQuery& ray, const PlaneTarget& target, std::vector<Hit>& out) {
  if (const auto hit = first_hit(ray, target)) out.push_back(*hit);
}
void add_all_hits(const RayQuery& ray, const Curved& target, std::vector<Hit>& out) {
  if (const auto hit = first_hit(ray, target)) out.push_back(*hit);
}
void add_all_hits(const RayQuery& ray, std::span<const Triangle> triangles, std::vector<Hit>& out) {
  std::vector<std::uint32_t> hit;
  for (std::uint32_t i = 0; i < triangles.size(); ++i)
    if (hits_fan_triangle(ray, triangles, i)) hit.push_back(i);
  std::stable_sort(hit.begin(), hit.end(), [&](std::uint32_t a, std::uint32_t b) { return compare_hits(ray, triangles[a], triangles[b]) < 0; });
  for (const std::uint32_t i : hit) out.push_back(triangle_hit(ray, triangles[i], i));
}
void add_all_hits(const RayQuery& ray, const MeshView& target, std::vector<Hit>& out) {
  std::vector<HitPlace> hits;
  ray_all(target, {&ray, 1}, hits);
  for (const HitPlace& hit : hits) out.push_back(surface_hit(ray, target, first_triangle(target, hit.place)));
}
void add_all_hits(const RayQuery& ray, const SolidView& target, std::vector<Hit>& out) {
  const std::size_t from = out.size();
  if (begins_in_solid(ray, target.surface)) out.push_back(inside_hit(ray));
  add_all_hits(ray, target.surface, out);
  if (const auto seams = target.surface.placed_seams()) {
    std::vector<HitPlace> hits;
    ray_all(*seams, {&ray, 1}, hits);
    for (const HitPlace& at : hits) {
      const std::uint32_t seam = seams->mesh->index_at(at.place), owner = seams->mesh->user_of(seam);
      const bool hit = std::any_of(out.begin() + static_cast<std::ptrdiff_t>(from), out.end(), [&](const Hit& x) { return x.triangle == owner; });
      if (!hit) out.push_back(seam_hit(ray, target.surface, *seams, seam));
    }
  }
  sort_hits(out, from);
}

bool any_hit(const RayQuery& ray, const ConvexSet& target) {
  if (ray.is_empty()) return false;
  if (!ray.to_point) return within(ray_until(ray, ray.t_max), target);
  return first_hit(ray, target).has_value();
}
bool any_hit(const RayQuery& ray, const PlaneTarget& target) { return any_hit(ray, target.convex); }
bool any_hit(const RayQuery& ray, const Curved& target) {
  if (ray.is_empty()) return false;
  return within(target, ray_until(ray, ray.t_max));
}
bool any_hit(const RayQuery& ray, std::span<const Triangle> triangles) {
  for (std::uint32_t i = 0; i < triangles.size(); ++i)
    if (hits_fan_triangle(ray, triangles, i)) return true;
  return false;
}
bool any_hit(const RayQuery& ray, const MeshView& target) { return ray_any(target, ray); }
void any_hits(std::span<const RayQuery> rays, const MeshView& target, std::span<std::uint8_t> out) {
  const std::uint64_t hit = ray_any(target, rays);
  for (std::size_t k = 0; k < out.size(); ++k) out[k] = hit >> k & 1;
}
bool any_hit(const RayQuery& ray, const SolidView& target) {
  const auto seams = target.surface.placed_seams();
  return ray_any(target.surface, ray) || (seams && ray_any(*seams, ray)) || begins_in_solid(ray, target.surface);
}

}  // namespace graze
