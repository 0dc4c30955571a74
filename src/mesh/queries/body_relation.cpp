// Decides by the germs at the corners of the arrangement of both surfaces, in the order in which they are likely to decide.
#include "mesh/queries/body_relation.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <mutex>
#include <vector>

#include "math/vec3.hpp"
#include "mesh/queries/convex_queries.hpp"
#include "mesh/queries/germs.hpp"
#include "mesh/queries/leaf.hpp"
#include "mesh/queries/meeting_points.hpp"
#include "mesh/queries/self_pairs.hpp"
#include "mesh/queries/shared_facets.hpp"
#include "mesh/queries/solid_queries.hpp"
#include "mesh/queries/surface_queries.hpp"
#include "platform/fp_environment.hpp"
#include "platform/parallel.hpp"
#include "shapes/message.hpp"

namespace graze {

using namespace leaf;

namespace {

class BodyRelation {
 public:
  BodyRelation(const SurfaceOrSolid& a, const SurfaceOrSolid& b) : body_{&a, &b}, germs_(a, b) {}

  Relation operator()() {
    const MeshView &a = body_[0]->surface, &b = body_[1]->surface;
    if (a.mesh->tree.empty() || b.mesh->tree.empty() || !loose_bounds(a).overlaps(loose_bounds(b))) return Relation::disjoint;
    if (!intersects(a, b)) return of_separate_surfaces();
    const SurfaceClosest touch = *closest(a, b, 0);
    if (overlap_beside(touch)) return Relation::overlapping;
    places_.add_meeting(a.triangle(touch.triangle_a), b.triangle(touch.triangle_b));
    if (!examine()) examine_contacts();
    return relation();
  }

 private:
  static constexpr std::size_t kMany = 2048;  // a choice: places that are examined together, on all threads

  Relation relation() const {
    if (!found_.a_leaves_b) return found_.b_leaves_a ? Relation::a_in_b : Relation::identical;
    if (!found_.b_leaves_a) return Relation::b_in_a;
    return found_.inner ? Relation::overlapping : Relation::touching;
  }

  /// Whether points near one where the surfaces touch show that the solids overlap and neither contains the other. Most solids that overlap cross there.
  bool overlap_beside(const SurfaceClosest& touch) const {
    if (!body_[0]->solid || !body_[1]->solid) return false;
    const MeshView &a = body_[0]->surface, &b = body_[1]->surface;
    const Triangle s = a.triangle(touch.triangle_a), t = b.triangle(touch.triangle_b);
    const auto normal = [](const Triangle& x) { return cross(minus(x.points[1], x.points[0]), minus(x.points[2], x.points[0])); };
    const Vec3 m = normal(s), n = normal(t);
    const double area_s = length(m), area_t = length(n);
    Findings found;
    for (const double share : {0x1p-6, 0x1p-12}) {  // choices, of the smaller triangle's size
      const double step = share * std::sqrt(std::min(area_s, area_t));
      for (int k = 0; k < 4 && !found.all(); ++k) {
        const Vec3 p = touch.closest.on_a + m * ((k & 1 ? step : -step) / area_s) + n * ((k & 2 ? step : -step) / area_t);
        if (!is_finite(p)) return false;
        const bool in_a = solid_contains(a, p), in_b = solid_contains(b, p);
        found.a_leaves_b |= in_a && !in_b;
        found.b_leaves_a |= in_b && !in_a;
        found.inner |= in_a && in_b && !found.inner && !intersects(a, convex_point(p));
      }
    }
    return found.all();
  }

  /// Examines the places added, until all is known; returns whether it is. What is found does not depend on the order.
  bool examine() {
    std::mutex mutex;
    std::atomic<bool> done = false;
    const std::size_t first = places_.vertices.size();
    parallel_for(places_.size(), 16, [&](std::size_t begin, std::size_t end) {
      const DefaultFloatEnvironment guard;
      Findings own;
      for (std::size_t i = begin; i < end && !done && !own.all(); ++i) {
        if (i < first)
          germs_.examine(places_.vertices[i], own);
        else
          germs_.examine(places_.points[i - first], own);
      }
      const std::scoped_lock lock(mutex);
      found_.a_leaves_b |= own.a_leaves_b;
      found_.b_leaves_a |= own.b_leaves_a;
      found_.inner |= own.inner;
      done = found_.all();
    });
    places_.clear();
    return found_.all();
  }
  bool examine_if_many() { return places_.size() >= kMany && examine(); }

  /// The surfaces do not meet, so that each component of one lies inside the other body or outside.
  Relation of_separate_surfaces() {
    bool inside[2] = {false, false};
    for (int k = 0; k < 2; ++k)
      for (const std::uint32_t t : body_[k]->surface.mesh->component_triangles()) {
        const SurfaceOrSolid& other = *body_[1 - k];
        const bool in = other.solid && solid_contains(other.surface, body_[k]->surface.triangle(t).points[0]);
        inside[k] = inside[k] || in;
        if (!in) (k == 0 ? found_.a_leaves_b : found_.b_leaves_a) = true;
      }
    if (!inside[0] && !inside[1]) return Relation::disjoint;
    found_.inner = true;
    // A part of B's surface inside A may show that A leaves B, by a corner or, where it crosses itself, in between; nothing else can.
    const auto unknown = [&] { return (inside[1] && !found_.a_leaves_b) || (inside[0] && !found_.b_leaves_a); };
    if (unknown()) {
      add_components();
      if (!examine() && unknown()) examine_crossings({});
    }
    return relation();
  }

  void add_components() {
    for (const SurfaceOrSolid* body : body_)
      for (const std::uint32_t t : body->surface.mesh->component_triangles()) places_.add(body->surface.triangle(t).points[0]);
  }

  void examine_contacts() {
    const MeshView &a = body_[0]->surface, &b = body_[1]->surface;
    find_self_pairs();
    const SharedFacets shared = shared_facets(a, b, self_[0], self_[1]);
    const auto of_none = [](std::uint32_t region) { return region == SharedFacets::kNone; };
    const std::vector<TrianglePair> pairs =
        triangle_pairs(a, b, 0, [&](std::uint32_t s, std::uint32_t t) { return of_none(shared.region[0][s]) || of_none(shared.region[1][t]); });
    for (const TrianglePair& p : pairs) {
      places_.add_meeting(a.triangle(p.a), b.triangle(p.b));
      if (examine_if_many()) return;
    }
    std::vector<bool> touching[2] = {std::vector<bool>(a.mesh->triangles.size()), std::vector<bool>(b.mesh->triangles.size())};
    for (const TrianglePair& p : pairs) touching[0][p.a] = touching[1][p.b] = true;
    std::vector<bool> seen(shared.regions);
    for (int k = 0; k < 2; ++k) add_corners(body_[k]->surface, shared.region[k], touching[k], seen);
    add_components();
    if (!examine()) examine_crossings(pairs);
  }

  /// Adds a corner of each region not seen before, and the vertices of triangles that touch. A vertex whose triangles all lie in one region tells nothing new.
  void add_corners(const MeshView& view, const std::vector<std::uint32_t>& region, const std::vector<bool>& touching, std::vector<bool>& seen) {
    const std::vector<std::uint32_t>& canonical = view.mesh->canonical();
    constexpr std::uint32_t kSeveral = SharedFacets::kNone, kNothing = kSeveral - 1;
    std::vector<std::uint32_t> around(canonical.size(), kNothing);
    for (std::uint32_t t = 0; t < touching.size(); ++t) {
      for (const std::uint32_t v : view.mesh->triangles[t]) {
        std::uint32_t& at = around[canonical[v]];
        if (region[t] == SharedFacets::kNone)
          at = touching[t] ? kSeveral : at;
        else
          at = at == kNothing || at == region[t] ? region[t] : kSeveral;
      }
      if (region[t] == SharedFacets::kNone || seen[region[t]]) continue;
      seen[region[t]] = true;
      places_.add(view.triangle(t).points[0]);
    }
    for (std::uint32_t v = 0; v < around.size(); ++v)
      if (around[v] == kSeveral) places_.add(view.pose ? apply_pose(*view.pose, view.mesh->vertices[v]) : view.mesh->vertices[v]);
  }

  void find_self_pairs() {
    if (self_known_) return;
    self_known_ = true;
    for (int k = 0; k < 2; ++k) self_[k] = self_pairs(body_[k]->surface);
  }

  /// Examines the points where a surface crosses itself, and where three triangles of both meet.
  void examine_crossings(const std::vector<TrianglePair>& pairs) {
    find_self_pairs();
    struct Partner {
      std::uint32_t of, other;  ///< triangles of B count on from those of A
      bool operator<(const Partner& p) const { return of != p.of ? of < p.of : other < p.other; }
    };
    const auto first_of_b = static_cast<std::uint32_t>(body_[0]->surface.mesh->triangles.size());
    const auto triangle = [&](std::uint32_t i) { return i < first_of_b ? body_[0]->surface.triangle(i) : body_[1]->surface.triangle(i - first_of_b); };
    std::vector<Partner> partners;
    const auto add = [&](std::uint32_t s, std::uint32_t t) {
      partners.push_back({s, t});
      partners.push_back({t, s});
    };
    for (int k = 0; k < 2; ++k) {
      const Box3 near = loose_bounds(body_[1 - k]->surface);
      const std::uint32_t first = k == 0 ? 0 : first_of_b;
      for (const TrianglePair& p : self_[k]) {
        const Triangle s = triangle(first + p.a), t = triangle(first + p.b);
        if (!box_of(s).overlaps(near) || !box_of(t).overlaps(near)) continue;
        places_.add_meeting(s, t);
        if (examine_if_many()) return;
        add(first + p.a, first + p.b);
      }
    }
    if (partners.empty()) return;
    for (const TrianglePair& p : pairs) add(p.a, first_of_b + p.b);
    std::sort(partners.begin(), partners.end());
    for (std::size_t i = 0; i < partners.size(); ++i)
      for (std::size_t j = i + 1; j < partners.size() && partners[j].of == partners[i].of; ++j) {
        places_.add_common(triangle(partners[i].of), triangle(partners[i].other), triangle(partners[j].other));
        if (examine_if_many()) return;
      }
    examine();
  }

  const SurfaceOrSolid* body_[2];
  Germs germs_;
  Findings found_;
  MeetingPoints places_;
  std::vector<TrianglePair> self_[2];
  bool self_known_ = false;
};

}  // namespace

Relation relation_of_bodies(const SurfaceOrSolid& a, const SurfaceOrSolid& b) { return BodyRelation(a, b)(); }

}  // namespace graze
