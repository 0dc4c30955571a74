// Decides whether touching sets share inner points, by examining the corners and edge crossings at which they touch.
//
// Proof that these suffice: let no triangle of A overlap one of B (some plane separates each pair weakly), and let K be a component of the common interior of A
// and B. An extreme point v of K's hull lies on A's surface or on B's; say on A's. If v is inside B, off its surface, then so is all of A's surface around v,
// up to where it meets B's surface or, if it never does, a whole component of it. Else v lies on both surfaces. Near v the surfaces are cones over polygons on
// a small sphere, constant along an edge and over a face. K's cone is pointed at v, so v is a corner of A or of B, or a point where two edges cross: if two
// triangles meet at v in any other way, v is a corner of one of them. The surfaces' germs at v are sectors of triangles. If the rays of all edges from v cut
// the sectors into pieces, each piece has a single region on either side; both sides are classified for A and B by the winding number of a point infinitely
// near. K's cone has one of these pieces on its boundary, so both A and B are inside on one of its sides. The same holds with "inside both" replaced by "a
// surface inside a solid", and with edges that cross within one surface that touches itself. A surface that pierces itself has more corners than are examined.
#include "mesh/queries/overlap.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "convex/containment.hpp"
#include "exact/predicates.hpp"
#include "math/limits.hpp"
#include "math/vec3.hpp"
#include "mesh/edges.hpp"
#include "mesh/polygon_rules.hpp"
#include "mesh/queries/convex_queries.hpp"
#include "mesh/queries/leaf.hpp"
#include "mesh/queries/meeting_points.hpp"
#include "mesh/queries/ray_queries.hpp"
#include "mesh/queries/self_pairs.hpp"
#include "mesh/queries/solid_queries.hpp"
#include "mesh/queries/surface_queries.hpp"
#include "mesh/queries/winding.hpp"
#include "pairs/triangle_triangle.hpp"

namespace graze {

using namespace leaf;

namespace {

/// A triangle with area. `of_b`: a triangle of B, not of A.
struct ExactTriangle {
  V3<Dyadic> corner[3];
  V3<Dyadic> normal;
  Box3 box;
  bool of_b = false;
};

struct Sector {
  V3<Dyadic> from, to;  ///< less than half a turn apart
  bool of_b;
};

/// Which of the two sets contain the points on one side of a piece of surface.
struct Inside {
  bool a, b;
};

/// The touching triangles of two sets, and the local test at their common points.
class TouchPoints {
 public:
  /// The solids of the two sets; null for a set without volume.
  TouchPoints(const MeshView* solid_a, const MeshView* solid_b) : solid_a_(solid_a), solid_b_(solid_b) {}

  void add(const Triangle& t, bool of_b) { add({exact(t.points[0]), exact(t.points[1]), exact(t.points[2])}, box_of(t), of_b); }
  void add(const V3<Dyadic> (&t)[3], bool of_b) {
    Box3 box;
    for (const V3<Dyadic>& p : t) box.add(box_of(ExactPoint{p}));
    add({t[0], t[1], t[2]}, box, of_b);
  }
  /// Adds to A the plane through `point` spanned by `e` and `f`.
  void add_plane(const V3<Dyadic>& point, const V3<Dyadic>& e, const V3<Dyadic>& f) {
    plane_point_ = point;
    plane_normal_ = cross(e, f);
    plane_ = {e, f, -(e + f)};
    has_plane_ = true;
  }
  /// Returns false if triangles without area were left out, or the work limits were exceeded.
  bool complete() const { return complete_; }

  /// Tests whether there is a point inside both sets near v.
  bool overlap_at(const ExactPoint& v) {
    sectors_.clear();
    boxes_ += triangles_.size();
    if (points_ >= kMostPoints || boxes_ >= kMostBoxes) {
      complete_ = false;
      return false;
    }
    const Box3 at = box_of(v);
    bool on_a = false, on_b = false;
    for (const ExactTriangle& t : triangles_)
      if (t.box.overlaps(at) && add_sectors(v, t)) (t.of_b ? on_b : on_a) = true;
    if (has_plane_ && sign_of(dot(from_to(v, plane_point_), plane_normal_)) == 0) {
      for (std::size_t k = 0; k < 3; ++k) sectors_.push_back({plane_[k], plane_[(k + 1) % 3], false});
      on_a = true;
    }
    if (!on_a || !on_b) return false;
    ++points_;
    if (apart_at(v)) return false;
    for (const Sector& s : sectors_)
      if (overlap_beside(v, s)) return true;
    return false;
  }
  /// Tests whether v, a point of B's surface, is in the interior of B as a point set, between parts of B.
  bool surrounded_by_b(const ExactPoint& v) {
    sectors_.clear();
    const Box3 at = box_of(v);
    for (const ExactTriangle& t : triangles_)
      if (t.box.overlaps(at)) add_sectors(v, t);
    for (const Sector& s : sectors_) {
      const V3<Dyadic> n = cross(s.from, s.to);
      for (const V3<Dyadic>& m : pieces(s))
        if (!inside(v, m, n).b || !inside(v, m, -n).b) return false;
    }
    return !sectors_.empty();
  }

 private:
  /// About half a millisecond per point and a nanosecond per box: beyond these limits the test would take longer than listing the contacts did.
  static constexpr std::size_t kMostPoints = 4000, kMostBoxes = std::size_t{1} << 30;

  void add(std::array<V3<Dyadic>, 3> t, const Box3& box, bool of_b) {
    V3<Dyadic> normal = cross(t[1] - t[0], t[2] - t[0]);
    if (is_zero(normal)) {
      complete_ = false;
      return;
    }
    triangles_.push_back({{t[0], t[1], t[2]}, std::move(normal), box, of_b});
  }

  /// Adds the sectors of a triangle at v. Returns whether the triangle contains v.
  bool add_sectors(const ExactPoint& v, const ExactTriangle& t) {
    V3<Dyadic> q[3];
    for (std::size_t k = 0; k < 3; ++k) q[k] = from_to(v, t.corner[k]);
    if (sign_of(dot(q[0], t.normal)) != 0) return false;
    int turn[3];
    for (std::size_t k = 0; k < 3; ++k) {
      turn[k] = sign_of(dot(cross(q[k], q[(k + 1) % 3]), t.normal));
      if (turn[k] < 0) return false;
    }
    for (std::size_t k = 0; k < 3; ++k)
      if (turn[k] > 0) sectors_.push_back({q[k], q[(k + 1) % 3], t.of_b});
    return true;
  }

  Inside inside(const ExactPoint& v, const V3<Dyadic>& m, const V3<Dyadic>& n) const {
    return {solid_a_ && winding_number(*solid_a_, v, m, n) != 0, solid_b_ && winding_number(*solid_b_, v, m, n) != 0};
  }

  /// Quick rejection. Tests whether, near v, the plane of some face has A's surface and interior on one side and B's on the other.
  bool apart_at(const ExactPoint& v) const {
    for (std::size_t i = 0; i < sectors_.size(); ++i) {
      V3<Dyadic> n = cross(sectors_[i].from, sectors_[i].to);
      for (int side = 0; side < 2; ++side, n = -n) {
        const bool apart = std::all_of(sectors_.begin(), sectors_.end(), [&](const Sector& s) {
          const int from = sign_of(dot(s.from, n)), to = sign_of(dot(s.to, n));
          return s.of_b ? from >= 0 && to >= 0 : from <= 0 && to <= 0;
        });
        if (!apart) continue;
        if (!(solid_a_ && winding_number(*solid_a_, v, n) != 0) && !(solid_b_ && winding_number(*solid_b_, v, -n) != 0)) return true;
      }
    }
    return false;
  }

  /// Cuts this sector into pieces by the rays of all sectors. Returns a direction within each piece.
  std::vector<V3<Dyadic>> pieces(const Sector& s) const {
    const V3<Dyadic> n = cross(s.from, s.to);
    const auto before = [&](const V3<Dyadic>& x, const V3<Dyadic>& y) { return sign_of(dot(cross(x, y), n)) > 0; };
    std::vector<V3<Dyadic>> rays{s.from, s.to};
    for (const Sector& o : sectors_)
      for (const V3<Dyadic>* r : {&o.from, &o.to})
        if (sign_of(dot(*r, n)) == 0 && before(s.from, *r) && before(*r, s.to)) rays.push_back(*r);
    std::sort(rays.begin(), rays.end(), before);
    std::vector<V3<Dyadic>> middles;
    for (std::size_t k = 0; k + 1 < rays.size(); ++k)
      if (before(rays[k], rays[k + 1])) middles.push_back(rays[k] + rays[k + 1]);
    return middles;
  }

  bool overlap_beside(const ExactPoint& v, const Sector& s) const {
    const V3<Dyadic> n = cross(s.from, s.to);
    for (const V3<Dyadic>& m : pieces(s)) {
      const Inside front = inside(v, m, n), back = inside(v, m, -n);
      if ((front.a && front.b) || (back.a && back.b)) return true;
      if (s.of_b ? front.a && back.a : front.b && back.b) return true;  // this piece of surface runs inside the other solid
    }
    return false;
  }

  const MeshView *solid_a_, *solid_b_;
  std::vector<ExactTriangle> triangles_;
  std::vector<Sector> sectors_;
  std::size_t points_ = 0, boxes_ = 0;
  bool complete_ = true, has_plane_ = false;
  V3<Dyadic> plane_point_, plane_normal_;
  std::array<V3<Dyadic>, 3> plane_;
};

std::vector<std::uint32_t> one_side(std::span<const TrianglePair> pairs, std::uint32_t TrianglePair::*side) {
  std::vector<std::uint32_t> list;
  for (const TrianglePair& p : pairs) list.push_back(p.*side);
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
  return list;
}

/// Tests whether a component of `surface` that does not touch the solid's surface lies inside the solid.
bool encloses_component(const MeshView& solid, const MeshView& surface, const std::vector<std::uint32_t>& touching) {
  for (const std::uint32_t t : surface.mesh->component_triangles())
    if (!std::binary_search(touching.begin(), touching.end(), t) && solid_contains(solid, surface.triangle(t).points[0])) return true;
  return false;
}

/// Tests whether every directed edge is used as often as its opposite.
bool balanced(const MeshImpl& mesh) {
  bool all = true;
  for_each_edge(sorted_edge_uses(mesh), [&](const EdgeUse&, std::size_t forward, std::size_t backward) { return all = forward == backward; });
  return all;
}

Overlap at_touch_points(TouchPoints& touch, const std::vector<Triangle>& a, const std::vector<Triangle>& b, std::span<const TrianglePair> pairs) {
  std::vector<Vec3> corners;
  for (const std::vector<Triangle>* list : {&a, &b})
    for (const Triangle& t : *list) corners.insert(corners.end(), t.points.begin(), t.points.end());
  std::sort(corners.begin(), corners.end(), [](const Vec3& a, const Vec3& b) { return less(a, b); });
  corners.erase(std::unique(corners.begin(), corners.end()), corners.end());
  for (const Vec3& p : corners)
    if (touch.overlap_at({exact(p)})) return Overlap::proven;
  bool pierced = false, found = false;
  const auto cross_edges = [&](const Triangle& s, const Triangle& t) {
    for (std::size_t i = 0; i < 3 && !found; ++i)
      for (std::size_t j = 0; j < 3 && !found; ++j)
        if (const auto v = edge_crossing(s.points[i], s.points[(i + 1) % 3], t.points[j], t.points[(j + 1) % 3])) found = touch.overlap_at(*v);
  };
  for (const TrianglePair& p : pairs) cross_edges(a[p.a], b[p.b]);
  for (const std::vector<Triangle>* list : {&a, &b}) {
    if (found || !touch.complete()) break;
    MeshData data;
    for (const Triangle& t : *list) {
      const auto n = static_cast<std::uint32_t>(data.vertices.size());
      data.vertices.insert(data.vertices.end(), t.points.begin(), t.points.end());
      data.triangles.push_back({n, n + 1, n + 2});
    }
    const Mesh mesh(std::move(data));
    for (const TrianglePair& p : self_pairs(MeshView(mesh))) {
      const Triangle &s = (*list)[p.a], &t = (*list)[p.b];
      pierced = pierced || triangles_cross(s, t);
      cross_edges(s, t);
    }
  }
  return found ? Overlap::proven : touch.complete() && !pierced ? Overlap::none : Overlap::undecided;
}

// ---- planes --------------------------------------------------------------------------------------------------------------------------------

/// The sides of a plane on which a set has points.
struct PlaneSides {
  bool below = false, above = false;
  void add(int sign) {
    below = below || sign < 0;
    above = above || sign > 0;
  }
  bool both() const { return below && above; }
};
bool separated(const PlaneSides& a, const PlaneSides& b) { return !a.both() && !b.both() && !(a.below && b.below) && !(a.above && b.above); }

/// Number of touching triangles that are tried as separating planes; the limit is arbitrary. Where none of them separates, the overlap stays undecided.
constexpr std::size_t kMostPlanes = 64;

PlaneSides sides_of(const MeshView& view, const Triangle& plane) {
  PlaneSides s;
  for (std::uint32_t i = 0; i < view.mesh->triangles.size() && !s.both(); ++i)
    for (const Vec3& p : view.triangle(i).points) s.add(orient3d(plane.points[0], plane.points[1], plane.points[2], p));
  return s;
}

/// Tests whether a plane perpendicular to a coordinate axis has a on one side and b on the other.
bool boxes_apart(const Box3& a, const Box3& b) {
  for (int i = 0; i < 3; ++i)
    if (a.hi[i] <= b.lo[i] || b.hi[i] <= a.lo[i]) return true;
  return false;
}

/// Tests whether the plane of one of the triangles separates a and b.
bool plane_between(const MeshView& a, const MeshView& b, const std::vector<Triangle>& of_a, const std::vector<Triangle>& of_b) {
  for (const std::vector<Triangle>* list : {&of_a, &of_b})
    for (std::size_t k = 0; k < std::min(list->size(), kMostPlanes); ++k)
      if (const Triangle& t = (*list)[k]; !all_collinear(t.points) && separated(sides_of(a, t), sides_of(b, t))) return true;
  return false;
}

/// Returns the generators of a convex set's hull: differences from its first point, segments of nonzero length, directions.
std::vector<V3<Dyadic>> generators(const ConvexSet& c) {
  std::vector<V3<Dyadic>> list;
  const V3<Dyadic> first = exact(c.base(0));
  for (std::uint32_t i = 1; i < c.points; ++i) list.push_back(exact(c.base(i)) - first);
  for (std::uint32_t k = 0; k < c.segments; ++k)
    if (c.lo[k] < c.hi[k]) list.push_back((Dyadic(c.hi[k]) - Dyadic(c.lo[k])) * exact(c.segment[k]));
  for (std::uint32_t k = 0; k < c.directions; ++k) list.push_back(exact(c.direction[k]));
  std::erase_if(list, [](const V3<Dyadic>& g) { return is_zero(g); });
  return list;
}

/// Tests whether a plane at right angles to n has a convex set without radius on one side and the surface on the other.
bool plane_between(const ConvexSet& convex, const MeshView& view, const V3<Dyadic>& n) {
  Dyadic low = dot(exact(convex.base(0)), n), high = low;
  for (std::uint32_t i = 1; i < convex.points; ++i) {
    const Dyadic h = dot(exact(convex.base(i)), n);
    if (compare(h, low) < 0) low = h;
    if (compare(h, high) > 0) high = h;
  }
  for (std::uint32_t k = 0; k < convex.segments; ++k) {
    const Dyadic h = dot(exact(convex.segment[k]), n), x = Dyadic(convex.lo[k]) * h, y = Dyadic(convex.hi[k]) * h;
    low = low + (sign_of(h) < 0 ? y : x);
    high = high + (sign_of(h) < 0 ? x : y);
  }
  bool above = true, below = true;  // whether the surface may still lie above (below) all of the convex set
  for (std::uint32_t k = 0; k < convex.directions; ++k) {
    const int s = sign_of(dot(exact(convex.direction[k]), n));
    above = above && s <= 0;
    below = below && s >= 0;
  }
  for (std::uint32_t i = 0; i < view.mesh->triangles.size() && (above || below); ++i)
    for (const Vec3& p : view.triangle(i).points) {
      const Dyadic h = dot(exact(p), n);
      above = above && compare(h, high) >= 0;
      below = below && compare(h, low) <= 0;
    }
  return above || below;
}

bool plane_between(const ConvexSet& convex, const MeshView& view, const std::vector<V3<Dyadic>>& basis, const std::vector<Triangle>& touching) {
  if (basis.size() == 2 && plane_between(convex, view, cross(basis[0], basis[1]))) return true;
  for (std::size_t t = 0; t < std::min(touching.size(), kMostPlanes); ++t) {
    V3<Dyadic> edge[3];
    for (std::size_t k = 0; k < 3; ++k) edge[k] = exact(touching[t].points[(k + 1) % 3]) - exact(touching[t].points[k]);
    std::vector<V3<Dyadic>> normals{cross(edge[0], edge[1])};
    for (const V3<Dyadic>& g : basis)
      for (const V3<Dyadic>& e : edge) normals.push_back(cross(g, e));
    for (const V3<Dyadic>& n : normals)
      if (!is_zero(n) && plane_between(convex, view, n)) return true;
  }
  return false;
}

// ---- convex shapes without volume ----------------------------------------------------------------------------------------------------------

/// Returns a bounded flat convex set as triangles whose corners are doubles, if such triangles exist; otherwise none.
std::vector<Triangle> flat_triangles(const ConvexSet& c, const std::vector<V3<Dyadic>>& generators) {
  if (c.directions != 0) return {};
  if (c.points == 3 && c.segments == 0) return {{{c.base(0), c.base(1), c.base(2)}}};
  if (c.points > 3 && c.segments == 0) {  // a polygon
    std::vector<Vec3> corners;
    for (std::uint32_t i = 0; i < c.points; ++i) corners.push_back(c.base(i));
    if (!is_fan(corners)) return {};
    std::vector<Triangle> fan;
    for (std::size_t i = 1; i + 1 < corners.size(); ++i) {
      const Triangle t{{corners[0], corners[i], corners[i + 1]}};
      if (!all_collinear(t.points)) fan.push_back(t);
    }
    return fan;
  }
  if (c.points != 1 || generators.size() != 2) return {};
  const V3<Dyadic> p = first_corner(c);
  Vec3 corner[4];
  for (int k = 0; k < 4; ++k) {
    const V3<Dyadic> x = k == 0 ? p : k == 1 ? p + generators[0] : k == 2 ? p + generators[0] + generators[1] : p + generators[1];
    const Box3 at = box_of(ExactPoint{x});
    for (int i = 0; i < 3; ++i) {
      if (at.lo[i] != at.hi[i]) return {};
      corner[k][i] = at.lo[i];
    }
  }
  return {{{corner[0], corner[1], corner[2]}}, {{corner[0], corner[2], corner[3]}}};
}

bool strictly_inside(const MeshView& solid, const ExactPoint& p) {
  for (std::uint32_t i = 0; i < solid.mesh->triangles.size(); ++i)
    if (const Triangle t = solid.triangle(i); box_of(t).overlaps(box_of(p)) && triangle_contains(t, p)) return false;
  return winding_number(solid, p) != 0;
}

/// Tests whether a segment, ray or line has a point inside the solid. It tests one point between any two neighbouring contacts with the surface or ends.
bool line_enters(const ConvexSet& c, const V3<Dyadic>& along, const MeshView& solid) {
  if (c.segments != 0 || c.points > 2 || (c.points == 2 && c.directions != 0)) return false;
  RayQuery ray{c.base(0), c.points == 2 ? c.base(1) : c.direction[0], c.points == 2, c.directions == 2 ? -kInfinity : 0};
  if (c.points == 2) ray.t_max = 1;
  std::vector<double> times;
  if (c.points == 2) times = {0, 1};
  if (c.points == 1 && c.directions == 1) times = {0};
  for (const RayHit& h : ray_all(solid, ray)) times.push_back(h.time.lo);
  std::sort(times.begin(), times.end());
  for (std::size_t k = 0; k + 1 < times.size(); ++k) {
    const double middle = times[k] * 0.5 + times[k + 1] * 0.5;
    if (middle - middle == 0 && strictly_inside(solid, {exact(c.base(0)) + Dyadic(middle) * along})) return true;
  }
  return false;
}

std::vector<Triangle> triangles_of(const MeshView& view, const std::vector<std::uint32_t>& numbers) {
  std::vector<Triangle> list;
  list.reserve(numbers.size());
  for (const std::uint32_t i : numbers) list.push_back(view.triangle(i));
  return list;
}

/// Returns all pairs of two lists, by their positions.
std::vector<TrianglePair> all_pairs(std::size_t a, std::size_t b) {
  std::vector<TrianglePair> pairs;
  for (std::uint32_t i = 0; i < a; ++i)
    for (std::uint32_t j = 0; j < b; ++j) pairs.push_back({i, j});
  return pairs;
}

Overlap flat_overlap(const ConvexSet& a, const MeshView& solid, const std::vector<Triangle>& touching) {
  const std::vector<V3<Dyadic>> all = generators(a), basis = basis_of(a);
  TouchPoints touch(nullptr, &solid);
  for (const Triangle& t : touching) touch.add(t, true);
  if (basis.empty()) return touch.surrounded_by_b({first_corner(a)}) ? Overlap::proven : touch.complete() ? Overlap::none : Overlap::undecided;
  if (basis.size() == 1) return line_enters(a, basis[0], solid) ? Overlap::proven : Overlap::undecided;
  if (a.directions == 4 && a.points == 1 && a.segments == 0) {
    touch.add_plane(first_corner(a), basis[0], basis[1]);
    return at_touch_points(touch, {}, touching, {});
  }
  const std::vector<Triangle> own = flat_triangles(a, all);
  if (own.empty()) return Overlap::undecided;
  for (const Triangle& t : own) touch.add(t, false);
  return at_touch_points(touch, own, touching, all_pairs(own.size(), touching.size()));
}

}  // namespace

Overlap overlap_of_touching(const SurfaceOrSolid& a, const SurfaceOrSolid& b) {
  if (boxes_apart(tight_bounds(a.surface), tight_bounds(b.surface))) return Overlap::none;
  const bool solid_a = a.solid || balanced(*a.surface.mesh), solid_b = b.solid || balanced(*b.surface.mesh);
  std::vector<TrianglePair> pairs = triangle_pairs(a.surface, b.surface);
  if (pairs.empty()) return Overlap::proven;  // the sets meet although their surfaces do not
  const std::vector<std::uint32_t> of_a = one_side(pairs, &TrianglePair::a), of_b = one_side(pairs, &TrianglePair::b);
  const std::vector<Triangle> touching_a = triangles_of(a.surface, of_a), touching_b = triangles_of(b.surface, of_b);
  Overlap found = Overlap::undecided;
  if (solid_a || solid_b) {
    // A closed surface is treated as the solid that it bounds. If that solid merely touches, so does the surface. The converse holds only for solids.
    if ((solid_a && encloses_component(a.surface, b.surface, of_b)) || (solid_b && encloses_component(b.surface, a.surface, of_a))) {
      found = Overlap::proven;
    } else {
      TouchPoints touch(solid_a ? &a.surface : nullptr, solid_b ? &b.surface : nullptr);
      for (const Triangle& t : touching_a) touch.add(t, false);
      for (const Triangle& t : touching_b) touch.add(t, true);
      const auto place = [](const std::vector<std::uint32_t>& list, std::uint32_t i) {
        return static_cast<std::uint32_t>(std::lower_bound(list.begin(), list.end(), i) - list.begin());
      };
      for (TrianglePair& p : pairs) p = {place(of_a, p.a), place(of_b, p.b)};
      found = at_touch_points(touch, touching_a, touching_b, pairs);
    }
    if (found == Overlap::proven && (a.solid != solid_a || b.solid != solid_b)) found = Overlap::undecided;
  }
  if (found == Overlap::undecided && plane_between(a.surface, b.surface, touching_a, touching_b)) return Overlap::none;
  return found;
}

Overlap overlap_of_touching(const ConvexSet& a, const SurfaceOrSolid& b) {
  const std::vector<V3<Dyadic>> basis = basis_of(a);
  if (a.radius > 0 || basis.size() == 3) {
    if (!b.solid) return Overlap::none;
    // The interior of a is connected and does not meet b's surface, so one point of it decides.
    return winds_around(b.surface, {some_inner_point(a)}) ? Overlap::proven : Overlap::none;
  }
  const std::vector<Triangle> touching = triangles_of(b.surface, triangles_within(b.surface, a));
  if (touching.empty()) return Overlap::proven;  // the sets meet although `a` does not touch the surface
  Overlap found = Overlap::undecided;
  if (b.solid || balanced(*b.surface.mesh)) found = flat_overlap(a, b.surface, touching);
  if (found == Overlap::proven && !b.solid) found = Overlap::undecided;
  if (found == Overlap::undecided && plane_between(a, b.surface, basis, touching)) return Overlap::none;
  return found;
}

Overlap overlap_of_touching(const Curved& a, const SurfaceOrSolid& b) {
  if (a.convex()) return overlap_of_touching(*a.convex(), b);
  if (!b.solid) return Overlap::none;
  const Ends ends = a.ends();
  const V3<Dyadic> middle = Dyadic(0.5) * (exact(ends.a) + exact(ends.b));  // inside: a point of the axis of a cylinder or cone
  const V3<Dyadic> normal = a.visit([](const auto& kind) { return kind.flat_normal(); });
  if (is_zero(normal)) return winding_number(b.surface, {middle}) != 0 ? Overlap::proven : Overlap::none;
  if (strictly_inside(b.surface, {middle})) return Overlap::proven;
  return plane_between(convex_point(ends.a), b.surface, normal) ? Overlap::none : Overlap::undecided;
}

}  // namespace graze
