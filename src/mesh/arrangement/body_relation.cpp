// Decides by the germs at the corners of the arrangement of both surfaces, in the order in which they are likely to decide.
#include "mesh/arrangement/body_relation.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "math/disjoint_sets.hpp"
#include "math/limits.hpp"
#include "math/vec3.hpp"
#include "mesh/arrangement/crossing_table.hpp"
#include "mesh/arrangement/drawn_triangles.hpp"
#include "mesh/arrangement/equal_surfaces.hpp"
#include "mesh/arrangement/germs.hpp"
#include "mesh/arrangement/meeting_points.hpp"
#include "mesh/arrangement/numbered_keys.hpp"
#include "mesh/arrangement/touching_certificate.hpp"
#include "mesh/arrangement/united_triangles.hpp"
#include "mesh/polygon_rules.hpp"
#include "mesh/queries/bodies.hpp"
#include "mesh/queries/convex_queries.hpp"
#include "mesh/queries/leaf.hpp"
#include "mesh/queries/self_pairs.hpp"
#include "mesh/queries/surface_queries.hpp"
#include "platform/expects.hpp"
#include "platform/fp_environment.hpp"
#include "platform/parallel.hpp"
#include "shapes/message.hpp"

namespace graze {

using namespace leaf;

namespace {

class BodyRelation {
 public:
  BodyRelation(const Body& a, const Body& b, ProgressMeter& meter, const std::vector<TrianglePair>* touching, bool only_inner = false)
      : germs_(a, b), meter_(meter), touching_(touching), only_inner_(only_inner), bounded_(!a.unbounded && !b.unbounded) {
    found_.a_leaves_b = a.unbounded;
    found_.b_leaves_a = b.unbounded;
    for (const Body* body : {&a, &b}) {
      for (const BodyPart& part : body->parts) {
        if (part.size() == 0) continue;
        add_part(part, body == &b ? 1 : 0);
        if (!part.mesh) continue;
        if (const auto seams = part.mesh->placed_seams(); seams && has_area(*seams)) add_part(seams_.emplace_back(*seams, false), body == &b ? 1 : 0);
      }
    }
  }

  /// `met` tells whether the sets have a common point.
  Findings operator()() {
    Box3 of_body[2];
    for (const PlacedPart& p : parts_) of_body[p.body].add(p.bounds);
    if (of_body[0].empty() || of_body[1].empty() || !of_body[0].overlaps(of_body[1])) return {};
    common_ = of_body[0];
    for (int i = 0; i < 3; ++i) {
      common_.lo[i] = std::max(common_.lo[i], of_body[1].lo[i]);
      common_.hi[i] = std::min(common_.hi[i], of_body[1].hi[i]);
    }
    bool maybe = false;  // whether surfaces may meet that are not known to
    for (const PlacedPart& p : parts_)
      for (const PlacedPart& q : parts_) {
        if (p.body != 0 || q.body != 1 || !p.bounds.overlaps(q.bounds)) continue;
        if (!p.part->mesh || !q.part->mesh) {
          maybe = true;
          continue;
        }
        const MeshView &a = *p.part->mesh, &b = *q.part->mesh;
        const bool given = touching_ != nullptr && !is_of_seams(p) && !is_of_seams(q);
        if (given ? touching_->empty() : !intersects(a, b)) continue;
        found_.met = true;
        const bool two_solids = parts_.size() == 2 && p.part->solid && q.part->solid;
        if (two_solids && separated_along_axis(a, b)) return only_touching();
        if (two_solids && !only_inner_ && equal_surfaces(a, b)) return found_;
        const SurfaceClosest touch = *closest(a, b, 0);
        if (overlap_beside(touch, a.triangle(touch.triangle_a), b.triangle(touch.triangle_b))) return found_;
        Pairs own;
        if (two_solids) {
          if (!list_pairs(few_pairs(a, b), a, b, own)) {
            if (overlap_beside_some(a, b)) return found_;
            if (!list_pairs(many_pairs(a, b), a, b, own)) break;
          }
        }
        const Pairs& pairs = given ? *touching_ : own;
        if (two_solids && only_touch(a, b, pairs)) return only_touching();
        places_.add_meeting(a.triangle(touch.triangle_a), b.triangle(touch.triangle_b));
        if (examine() || examine_some_crossings(a, b, pairs)) return found_;
      }
    if ((found_.met || maybe) && examine_contacts()) return found_;
    if (!found_.met) examine_separate_surfaces();
    return found_;
  }

 private:
  static constexpr double kSelfPairs = 0.9;   // the share of the search for self-intersections in the time of bodies that touch, about
  static constexpr std::size_t kMany = 2048;  // a choice: places that are examined together, on all threads

  struct PlacedPart {
    const BodyPart* part;
    int body;
    std::uint32_t first;  ///< of its triangles in the order of all
    Box3 bounds;
  };
  /// Triangles by their numbers in the order of all.
  using Pairs = std::vector<TrianglePair>;

  void add_part(const BodyPart& part, int body) {
    parts_.push_back({&part, body, triangles_, part.bounds()});
    triangles_ += part.size();
  }
  /// Whether the part is the seams of another, of which Germs takes them: here they only have places that may decide.
  bool is_of_seams(const PlacedPart& p) const {
    return std::any_of(seams_.begin(), seams_.end(), [&](const BodyPart& s) { return &s == p.part; });
  }
  static bool has_area(const MeshView& view) {
    for (std::uint32_t i = 0; i < view.mesh->triangles.size(); ++i)
      if (!all_collinear(view.triangle(i).points)) return true;
    return false;
  }

  const PlacedPart& part_of(std::uint32_t triangle) const {
    return *(std::upper_bound(parts_.begin(), parts_.end(), triangle, [](std::uint32_t t, const PlacedPart& p) { return t < p.first; }) - 1);
  }
  Triangle double_triangle(std::uint32_t i) const {
    const PlacedPart& p = part_of(i);
    return p.part->mesh->triangle(i - p.first);
  }
  bool is_exact(std::uint32_t i) const { return !part_of(i).part->mesh; }
  ExactTriangle exact_triangle(std::uint32_t i) const {
    const PlacedPart& p = part_of(i);
    return p.part->mesh ? exact(p.part->mesh->triangle(i - p.first)) : p.part->exact[i - p.first];
  }
  Box3 box_of_triangle(std::uint32_t i) const {
    const PlacedPart& p = part_of(i);
    return p.part->mesh ? box_of(p.part->mesh->triangle(i - p.first)) : p.part->exact[i - p.first].box;
  }
  /// Whether each triangle crosses the plane of the other. Only where three of them do so, their common point is on no edge.
  bool add_meeting(std::uint32_t s, std::uint32_t t) {
    const bool straddle = is_exact(s) || is_exact(t) ? places_.add_meeting(exact_triangle(s), exact_triangle(t)).straddle
                                                     : places_.add_meeting(double_triangle(s), double_triangle(t)).straddle;
    if (straddle) crossings_.add(s, t);
    return straddle;
  }

  bool known(const Findings& f) const { return only_inner_ ? f.inner : f.all(); }

  Findings only_touching() {
    found_.a_leaves_b = found_.b_leaves_a = true;
    found_.inner = false;
    return found_;
  }

  /// Whether a plane at right angles to an axis has each solid on one side, and neither within it: most parts that stand on one another.
  static bool separated_along_axis(const MeshView& a, const MeshView& b) {
    const Box3 loose_a = loose_bounds(a), loose_b = loose_bounds(b);
    for (int i = 0; i < 3; ++i) {
      const double overlap = std::min(loose_a.hi[i], loose_b.hi[i]) - std::max(loose_a.lo[i], loose_b.lo[i]);
      // A choice: only where the bounds nearly prove it are the exact ones worth a look at every vertex.
      if (!(overlap <= 1e-9 * std::max(loose_a.hi[i] - loose_a.lo[i], loose_b.hi[i] - loose_b.lo[i]))) continue;
      const Box3 x = tight_bounds(a), y = tight_bounds(b);
      const auto below = [i](const Box3& lower, const Box3& upper) {
        return lower.hi[i] <= upper.lo[i] && lower.lo[i] < upper.lo[i] && upper.hi[i] > lower.hi[i];
      };
      if (below(x, y) || below(y, x)) return true;
    }
    return false;
  }

  /// Whether points near one where the surfaces touch show that the bodies overlap and neither contains the other. Most solids that overlap cross there.
  bool overlap_beside(const SurfaceClosest& touch, const Triangle& s, const Triangle& t) {
    const Vec3 m = normal(s), n = normal(t);
    const double area_s = length(m), area_t = length(n);
    for (const double share : {0x1p-6, 0x1p-12}) {  // choices, of the smaller triangle's size
      const double step = share * std::sqrt(std::min(area_s, area_t));
      for (int k = 0; k < 4 && !known(found_); ++k)
        examine_point(touch.closest.on_a + m * ((k & 1 ? step : -step) / area_s) + n * ((k & 2 ? step : -step) / area_t));
    }
    return known(found_);
  }
  static Vec3 normal(const Triangle& x) { return cross(minus(x.points[1], x.points[0]), minus(x.points[2], x.points[0])); }

  // Choices: below the first, the pairs cost less than anything else does; from the second on, the surfaces have most of their triangles in common.
  static std::size_t few_pairs(const MeshView& a, const MeshView& b) { return 256 + (a.mesh->triangles.size() + b.mesh->triangles.size()) / 64; }
  static std::size_t many_pairs(const MeshView& a, const MeshView& b) { return 1024 + a.mesh->triangles.size() + b.mesh->triangles.size(); }
  /// Lists the pairs of triangles that touch, unless the caller has them, if there are at most so many. Returns whether it is so.
  bool list_pairs(std::size_t most, const MeshView& a, const MeshView& b, Pairs& pairs) const {
    if (touching_ != nullptr) return touching_->size() <= most;
    ProgressMeter none;
    return list_triangle_pairs(a, b, 0, {}, {}, most, none, pairs);
  }

  /// Whether points on both sides of some triangles show that the bodies overlap and neither contains the other: they do so soon unless what both have in
  /// common is thin or small, and the surfaces may have any number of faces in common.
  bool overlap_beside_some(const MeshView& a, const MeshView& b) {
    constexpr std::size_t kShare = 256, kMost = 512;  // choices: of the triangles, and of each surface
    DrawnTriangles drawn[] = {{a, common_}, {b, common_}};
    for (std::size_t k = 0; k < std::min(kMost, (a.mesh->triangles.size() + b.mesh->triangles.size()) / kShare); ++k)
      for (DrawnTriangles& of : drawn) {
        const std::optional<Triangle> t = of.next();
        if (!t) continue;
        const Vec3 n = normal(*t), middle = (t->points[0] + t->points[1] + t->points[2]) / 3.0;
        const double area = length(n), step = 0x1p-6 * std::sqrt(area) / area;  // a choice
        examine_point(middle + n * step);
        examine_point(middle - n * step);
        if (known(found_)) return true;
      }
    return false;
  }

  /// Adds what the point shows, wherever it is.
  void examine_point(const Vec3& p) {
    if (!is_finite(p)) return;
    const bool in_a = is_in(0, p), in_b = is_in(1, p);
    found_.a_leaves_b |= in_a && !in_b;
    found_.b_leaves_a |= in_b && !in_a;
    if (in_a && in_b && !found_.inner) found_.inner = is_inside(0, p) || is_inside(1, p);
  }
  template <class P>
  bool is_in(int body, const P& p) const {
    return std::any_of(parts_.begin(), parts_.end(), [&](const PlacedPart& q) { return q.body == body && contains(*q.part, p); });
  }
  /// Whether a solid of the body has the point inside, off its surface.
  bool is_inside(int body, const Vec3& p) const {
    return std::any_of(parts_.begin(), parts_.end(), [&](const PlacedPart& q) {
      return q.body == body && q.part->solid && q.part->mesh && contains(*q.part, p) && !intersects(*q.part->mesh, convex_point(p));
    });
  }

  /// Examines the places added, until all is known; returns whether it is. What is found does not depend on the order.
  bool examine() {
    std::mutex mutex;
    std::atomic<bool> done = known(found_);
    const std::size_t first = places_.vertices.size();
    parallel_for(places_.size(), 16, [&](std::size_t begin, std::size_t end) {
      const DefaultFloatEnvironment guard;
      Findings own;
      for (std::size_t i = begin; i < end && !done && !known(own); ++i) {
        if (i < first)
          germs_.examine(places_.vertices[i], own);
        else
          germs_.examine(places_.points[i - first], own);
      }
      const std::scoped_lock lock(mutex);
      found_.a_leaves_b |= own.a_leaves_b;
      found_.b_leaves_a |= own.b_leaves_a;
      found_.inner |= own.inner;
      found_.met |= own.met;
      done = known(found_);
    });
    places_.clear();
    return known(found_);
  }
  bool examine_if_many() { return places_.size() >= kMany && examine(); }

  /// Examines where some triangles cross, which mostly decides however thin the overlap is: faces that would lie in each other but for rounding.
  bool examine_some_crossings(const MeshView& a, const MeshView& b, const Pairs& touching) {
    constexpr std::size_t kMostTests = 4096, kMostCrossings = 8;  // choices
    std::size_t crossings = 0;
    for (std::size_t k = 0; k < std::min(touching.size(), kMostTests) && crossings < kMostCrossings; ++k) {
      const Triangle s = a.triangle(touching[k].a), t = b.triangle(touching[k].b);
      if (!places_.add_meeting(s, t, Points::on_edges_if_straddling).straddle) continue;
      ++crossings;
      if (examine()) return true;
    }
    return false;
  }

  /// The surfaces do not meet, so that each component of one lies inside the other body or outside.
  void examine_separate_surfaces() {
    bool inside[2] = {false, false};
    for_each_component([&](int body, const auto& corner) {
      const bool in = is_in(1 - body, corner);
      inside[body] = inside[body] || in;
      if (!in) (body == 0 ? found_.a_leaves_b : found_.b_leaves_a) = true;
    });
    if (!inside[0] && !inside[1]) return;
    found_.met = found_.inner = true;
    // A part of B's surface inside A may show that A leaves B, by a corner or, where it crosses itself, in between; nothing else can.
    if (only_inner_) return;
    const auto unknown = [&] { return (inside[1] && !found_.a_leaves_b) || (inside[0] && !found_.b_leaves_a); };
    if (unknown()) {
      add_components();
      if (!examine() && unknown()) examine_crossings();
    }
  }

  /// Calls f(body, corner) with a corner of each component of each surface.
  template <class F>
  void for_each_component(const F& f) const {
    for (const PlacedPart& p : parts_) {
      if (p.part->mesh) {
        for (const std::uint32_t t : p.part->mesh->mesh->component_triangles()) f(p.body, p.part->mesh->triangle(t).points[0]);
      } else {
        f(p.body, ExactPoint{p.part->exact[0].points[0]});
      }
    }
  }
  void add_components() {
    for_each_component([&](int, const auto& corner) { places_.add(corner); });
  }

  bool examine_contacts() {
    if (parts_.size() == 2 && parts_[0].part->mesh && parts_[1].part->mesh && bounded_) return examine_united(*parts_[0].part->mesh, *parts_[1].part->mesh);
    Pairs pairs;
    for (const PlacedPart& p : parts_)
      for (const PlacedPart& q : parts_)
        if (p.body == 0 && q.body == 1) add_pairs(p, q, pairs);
    for (const TrianglePair& p : pairs) {
      add_meeting(p.a, p.b);
      if (examine_if_many()) return true;
    }
    std::vector<bool> touching(triangles_);
    for (const TrianglePair& p : pairs) touching[p.a] = touching[p.b] = true;
    for (std::uint32_t t = 0; t < triangles_; ++t)
      if (touching[t]) add_vertices(t);
    add_components();
    return examine() || examine_crossings();
  }

  /// The same for two meshes. Of triangles that meet all others in common corners and edges alone, those joined by edges of no third one have the same to say,
  /// as far as they belong to the same surfaces: one corner tells it. Of the others, all corners and crossings tell (docs/derivations/relation.md).
  bool examine_united(const MeshView& a, const MeshView& b) {
    const UnitedTriangles united = united_triangles(a, b);
    const Mesh mesh(std::span<const Vec3>(united.vertices), united.triangles, Build::fast);
    const MeshView view(mesh);
    Pairs pairs;
    meter_.stage(0, kSelfPairs);
    list_self_pairs(view, {}, {}, kAnyNumber, meter_, pairs);
    const auto n = static_cast<std::uint32_t>(united.triangles.size());
    std::vector<bool> cut(n), near(n);
    Box3 of_body[2];
    for (std::uint32_t t = 0; t < n; ++t) {
      const Triangle triangle = view.triangle(t);
      const Box3 box = box_of(triangle);
      cut[t] = all_collinear(triangle.points);
      near[t] = box.overlaps(common_);
      for (int k = 0; k < 2; ++k)
        if (united.of[t] >> k & 1) of_body[k].add(box);
    }
    found_.a_leaves_b |= !encloses(of_body[1], of_body[0]);  // by a corner
    found_.b_leaves_a |= !encloses(of_body[0], of_body[1]);
    for (const TrianglePair& p : pairs) cut[p.a] = cut[p.b] = true;
    DisjointSets regions = joined(united, cut);
    std::vector<bool> seen(n);
    for (std::uint32_t t = 0; t < n; ++t) {
      if (!near[t]) continue;
      const std::uint32_t region = regions.leader(t);
      for (std::size_t k = 0; k < 3 && (cut[t] || !seen[region]); ++k) {
        places_.add(united.vertices[united.triangles[t][k]]);
        seen[region] = true;
      }
    }
    if (examine()) return true;
    bool crosses_itself = false;
    for (const TrianglePair& p : pairs) {
      if (!near[p.a] || !near[p.b]) continue;
      const bool straddle = places_.add_meeting(view.triangle(p.a), view.triangle(p.b)).straddle;
      if (straddle) crossings_.add(p.a, p.b);
      crosses_itself |= straddle && (united.of[p.a] & united.of[p.b]) != 0;
      if (examine_if_many()) return true;
    }
    if (!crosses_itself) return examine();
    return crossings_.any_triple([&](std::uint32_t r, std::uint32_t s, std::uint32_t t) {
      places_.add_common(view.triangle(r), view.triangle(s), view.triangle(t));
      return examine_if_many();
    }) || examine();
  }
  static bool encloses(const Box3& outer, const Box3& inner) {
    for (int i = 0; i < 3; ++i)
      if (!(outer.lo[i] <= inner.lo[i] && inner.hi[i] <= outer.hi[i])) return false;
    return true;
  }
  /// Joins triangles that are not cut and belong to the same surfaces, across edges of which no third triangle is a side.
  static DisjointSets joined(const UnitedTriangles& united, const std::vector<bool>& cut) {
    struct Use {
      std::uint32_t count = 0, first = 0, second = 0;
    };
    NumberedKeys<1> edges(3 * united.triangles.size());
    std::vector<Use> uses;
    for (std::uint32_t t = 0; t < united.triangles.size(); ++t)
      for (std::size_t k = 0; k < 3; ++k) {
        const auto [low, high] = std::minmax(united.triangles[t][k], united.triangles[t][(k + 1) % 3]);
        const std::uint32_t e = edges.add({std::uint64_t{low} << 32 | high});
        if (e == uses.size()) uses.emplace_back();
        if (uses[e].count < 2) (uses[e].count == 0 ? uses[e].first : uses[e].second) = t;
        ++uses[e].count;
      }
    DisjointSets sets(united.triangles.size());
    for (const Use& u : uses)
      if (u.count == 2 && !cut[u.first] && !cut[u.second] && united.of[u.first] == united.of[u.second]) sets.join(u.first, u.second);
    return sets;
  }

  /// Adds all pairs of triangles of two parts that touch; where corners are no doubles, also some that almost do.
  void add_pairs(const PlacedPart& p, const PlacedPart& q, Pairs& pairs) const {
    if (!p.bounds.overlaps(q.bounds)) return;
    if (p.part->mesh && q.part->mesh) {
      for (const TrianglePair& x : triangle_pairs(*p.part->mesh, *q.part->mesh)) pairs.push_back({p.first + x.a, q.first + x.b});
    } else if (!p.part->mesh && !q.part->mesh) {
      for (std::uint32_t s = 0; s < p.part->size(); ++s)
        for (std::uint32_t t = 0; t < q.part->size(); ++t)
          if (p.part->exact[s].box.overlaps(q.part->exact[t].box)) pairs.push_back({p.first + s, q.first + t});
    } else {
      const bool p_exact = !p.part->mesh;
      const PlacedPart &few = p_exact ? p : q, &many = p_exact ? q : p;
      for (std::uint32_t s = 0; s < few.part->size(); ++s)
        for (const std::uint32_t t : triangles_near(*many.part->mesh, few.part->exact[s])) {
          const std::uint32_t x = few.first + s, y = many.first + t;
          pairs.push_back(p_exact ? TrianglePair{x, y} : TrianglePair{y, x});
        }
    }
  }

  /// All triangles of the mesh that touch the exact one, and some more.
  static std::vector<std::uint32_t> triangles_near(const MeshView& view, const ExactTriangle& t) {
    Triangle rounded;
    double error = 0;  // of each coordinate, and of the distance at most twice that
    for (std::size_t k = 0; k < 3; ++k) {
      const Box3 at = box_of(ExactPoint{t.points[k]});
      rounded.points[k] = at.lo;
      for (int i = 0; i < 3; ++i) error = std::max(error, at.hi[i] - at.lo[i]);
    }
    if (is_finite(rounded.points[0]) && is_finite(rounded.points[1]) && is_finite(rounded.points[2]) && error <= kLargest / 4)
      return triangles_within(view, convex_triangle(rounded), 2 * error);
    std::vector<std::uint32_t> all(view.mesh->triangles.size());
    for (std::uint32_t i = 0; i < all.size(); ++i) all[i] = i;
    return all;
  }

  /// Finds the pairs of triangles of each part that meet beyond shared corners and edges. An exact solid is convex and has none.
  void find_self_pairs() {
    if (!self_.empty()) return;
    self_.resize(parts_.size());
    for (std::size_t k = 0; k < parts_.size(); ++k) {
      const BodyPart& part = *parts_[k].part;
      if (part.mesh) {
        const double parts = static_cast<double>(parts_.size()), done = static_cast<double>(k);
        meter_.stage(kSelfPairs * done / parts, kSelfPairs * (done + 1) / parts);
        list_self_pairs(*part.mesh, {}, {}, kAnyNumber, meter_, self_[k]);
      } else if (!part.solid) {
        for (std::uint32_t s = 0; s < part.size(); ++s)
          for (std::uint32_t t = s + 1; t < part.size(); ++t) self_[k].push_back({s, t});
      }
    }
  }

  /// Examines the points where surfaces of one body cross each other or themselves, and where three triangles of both meet; returns whether all is known.
  bool examine_crossings() {
    find_self_pairs();
    Pairs own;
    for (std::size_t k = 0; k < parts_.size(); ++k) {
      for (const TrianglePair& p : self_[k]) own.push_back({parts_[k].first + p.a, parts_[k].first + p.b});
      for (std::size_t l = k + 1; l < parts_.size(); ++l)
        if (parts_[k].body == parts_[l].body) add_pairs(parts_[k], parts_[l], own);
    }
    bool crosses_itself = false;
    for (const TrianglePair& p : own) {
      if (!box_of_triangle(p.a).overlaps(common_) || !box_of_triangle(p.b).overlaps(common_)) continue;
      crosses_itself |= add_meeting(p.a, p.b);
      add_vertices(p.a);
      add_vertices(p.b);
      if (examine_if_many()) return true;
    }
    if (!crosses_itself) return false;
    const auto add_common = [&](std::uint32_t r, std::uint32_t s, std::uint32_t t) {
      if (is_exact(r) || is_exact(s) || is_exact(t))
        places_.add_common(exact_triangle(r), exact_triangle(s), exact_triangle(t));
      else
        places_.add_common(double_triangle(r), double_triangle(s), double_triangle(t));
      return examine_if_many();
    };
    return crossings_.any_triple(add_common) || examine();
  }
  void add_vertices(std::uint32_t i) {
    if (is_exact(i))
      for (const V3<Dyadic>& p : exact_triangle(i).points) places_.add(ExactPoint{p});
    else
      for (const Vec3& p : double_triangle(i).points) places_.add(p);
  }

  std::deque<BodyPart> seams_;  ///< those of solids whose poses gave them area
  std::vector<PlacedPart> parts_;
  std::uint32_t triangles_ = 0;
  Box3 common_;  ///< of the boxes of both bodies
  Germs germs_;
  Findings found_;
  MeetingPoints places_;
  CrossingTable crossings_;
  ProgressMeter& meter_;
  std::vector<Pairs> self_;                    ///< by part, in its numbers
  const std::vector<TrianglePair>* touching_;  ///< all of them, if the caller has them
  bool only_inner_;                            ///< whether other findings are of no interest
  bool bounded_;
};

Findings findings(const Body& a, const Body& b, ProgressMeter& meter, const std::vector<TrianglePair>* touching = nullptr) {
  Findings found = BodyRelation(a, b, meter, touching)();
  found.met |= found.inner;  // by a point of one surface inside the other body
  return found;
}

Relation relation_of(const Findings& found) {
  if (!found.met) return Relation::disjoint;
  if (!found.a_leaves_b) return found.b_leaves_a ? Relation::a_in_b : Relation::identical;
  if (!found.b_leaves_a) return Relation::b_in_a;
  return found.inner ? Relation::overlapping : Relation::touching;
}

}  // namespace

Findings findings_of_bodies(const Body& a, const Body& b) {
  ProgressMeter none;
  return findings(a, b, none);
}

bool share_inner_points(const Body& a, const Body& b) {
  ProgressMeter none;
  return BodyRelation(a, b, none, nullptr, true)().inner;
}

Relation relation_of_bodies(const Body& a, const Body& b, ProgressMeter& meter) { return relation_of(findings(a, b, meter)); }

Relation relation_of_bodies(const Body& a, const Body& b, const std::vector<TrianglePair>& touching) {
  GRAZE_EXPECTS(a.parts.size() == 1 && b.parts.size() == 1);
  ProgressMeter none;
  return relation_of(findings(a, b, none, &touching));
}

}  // namespace graze
