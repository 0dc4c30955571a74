// Penetration and contacts of any two shapes. Convex parts use the least separating translation. Surfaces and solids use a separating translation that is
// proposed from the contacts and then verified.
#include <graze/query/penetration.hpp>

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <utility>
#include <variant>

#include "convex/convex_set_bounds.hpp"
#include "convex/penetration.hpp"
#include "mesh/polygon_rules.hpp"
#include "mesh/queries/convex_queries.hpp"
#include "mesh/queries/overlap.hpp"
#include "mesh/queries/surface_queries.hpp"
#include "parts/parts.hpp"
#include "platform/fp_environment.hpp"

namespace graze {
namespace {

using Part = std::variant<ConvexSet, Curved, MeshView, SolidView>;

template <class P>
inline constexpr bool is_convex = std::is_same_v<P, ConvexSet> || std::is_same_v<P, Curved>;

/// The polygon as one convex part if the placed polygon is exactly planar and convex. Placing rounds the corners.
std::optional<ConvexSet> planar_convex_set(const Polygon& p, const Pose* pose) {
  std::vector<Vec3> corners;
  for (const Vec3& c : p.points()) corners.push_back(placed_point(c, pose));
  if (!all_coplanar(corners) || (pose && !is_fan(corners))) return std::nullopt;
  ConvexSet c;
  c.outside = p.points().data();
  c.points = static_cast<std::uint32_t>(p.points().size());
  c.pose = pose;
  return c;
}

/// The convex parts, surfaces and solids of a shape; owns their poses.
struct Parts {
  std::vector<Part> list;
  std::deque<Pose> poses;
  bool fan = false;

  explicit Parts(ShapeRef s) {
    visit_shape(s, [&]<class S>(const S& shape) { add(shape, s.pose()); });
  }
  Parts(const Parts&) = delete;
  bool convex() const { return list.size() == 1 && list[0].index() < 2; }
  std::optional<std::uint32_t> triangle(std::size_t part) const {
    if (!fan) return std::nullopt;
    return static_cast<std::uint32_t>(part);
  }

 private:
  template <class S>
  void add(const S& shape, const Pose* pose) {
    if constexpr (std::is_same_v<S, Compound>) {
      for_each_child(shape, pose, [&](std::size_t, ShapeRef child) {
        visit_shape(child, [&]<class C>(const C& c) {
          if constexpr (!std::is_same_v<C, Compound>) add(c, child.pose());
        });
        return true;
      });
      fan = false;
    } else {
      if constexpr (std::is_same_v<S, Polygon>) {
        if (std::optional<ConvexSet> whole = planar_convex_set(shape, pose)) return keep(std::move(*whole));
        fan = true;
      }
      for_each_part(shape, pose, [&]<class P>(P part) {
        keep(std::move(part));
        return true;
      });
    }
  }
  template <class P>
  void keep(P part) {
    const auto own = [&](const Pose*& pose) {
      if (pose) pose = &poses.emplace_back(*pose);
    };
    if constexpr (std::is_same_v<P, SolidView>)
      own(part.surface.pose);
    else if constexpr (!std::is_same_v<P, Curved>)  // a curved shape is stored as placed
      own(part.pose);
    list.emplace_back(std::move(part));
  }
};

struct Touch {
  Contact contact;
  Vec3 vector{0, 0, 0};
  bool unbounded = false;
};

/// Collects the touching pairs of convex pieces of two parts.
class Toucher {
 public:
  Toucher(bool points, std::vector<Touch>& out) : points_(points), out_(out) {}

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
      for (const IndexPair& k : triangle_pairs(a, b)) pair(convex_triangle(a.triangle(k.a)), convex_triangle(b.triangle(k.b)), k.a, k.b, true);
    }
  }
  std::optional<std::uint32_t> ta_, tb_;  ///< triangle indices in the fans of polygons

 private:
  template <class P, class Q>
  void pair(const P& a, const Q& b, std::optional<std::uint32_t> ta, std::optional<std::uint32_t> tb, bool meet) {
    using Reason = ConvexPenetration::Reason;
    const ConvexPenetration p = graze::penetration(Operand(a), Operand(b), meet);
    if (!p.found && p.reason == Reason::apart) return;
    Touch t;
    t.unbounded = p.reason == Reason::unbounded;
    t.vector = p.vector;
    t.contact.normal = p.normal;
    t.contact.depth = t.unbounded ? std::numeric_limits<double>::infinity() : p.depth;
    t.contact.triangle_a = ta;
    t.contact.triangle_b = tb;
    if (points_) {
      const ConvexClosest c = p.found ? graze::closest(moved(a, p.vector), b) : graze::closest(a, b);
      t.contact.point = c.on_b - p.vector * 0.5;
    }
    out_.push_back(std::move(t));
  }

  bool points_;
  std::vector<Touch>& out_;
};

std::vector<Touch> all_touches(const Parts& a, const Parts& b, bool points) {
  std::vector<Touch> out;
  Toucher touch(points, out);
  for (std::size_t i = 0; i < a.list.size(); ++i)
    for (std::size_t j = 0; j < b.list.size(); ++j) {
      touch.ta_ = a.triangle(i);
      touch.tb_ = b.triangle(j);
      std::visit(touch, a.list[i], b.list[j]);
    }
  return out;
}

bool parts_meet(const Part& a, const Part& b) {
  return std::visit(
      []<class P, class Q>(const P& p, const Q& q) {
        if constexpr (part_rank<P> >= part_rank<Q>)
          return within(p, q, 0.0);
        else
          return within(q, p, 0.0);
      },
      a, b);
}

/// The part translated by v: exactly for convex sets, for others by a pose with that translation.
Part moved_part(const Part& part, const Vec3& v, std::deque<Pose>& poses) {
  return std::visit(
      [&]<class P>(const P& p) -> Part {
        if constexpr (is_convex<P>)
          return moved(p, v);
        else {
          const MeshView* view;
          if constexpr (std::is_same_v<P, SolidView>)
            view = &p.surface;
          else
            view = &p;
          Pose pose = view->pose ? *view->pose : Pose{};
          pose.translation += v;
          MeshView m = *view;
          m.pose = &poses.emplace_back(pose);
          if constexpr (std::is_same_v<P, SolidView>)
            return SolidView{m};
          else
            return m;
        }
      },
      part);
}

/// Returns true if A, translated by v, has no point in common with B.
bool clears(const Parts& a, const Parts& b, const Vec3& v) {
  for (int i = 0; i < 3; ++i)
    if (!(std::fabs(v[i]) <= std::numeric_limits<double>::max())) return false;
  std::deque<Pose> poses;
  for (const Part& p : a.list) {
    const Part q = moved_part(p, v, poses);
    for (const Part& o : b.list)
      if (parts_meet(q, o)) return false;
  }
  return true;
}

double length_of(const Vec3& v) {
  const double m = std::max({std::fabs(v.x), std::fabs(v.y), std::fabs(v.z)});
  if (!(m > 0)) return 0;
  const int e = exponent_of(m);
  const double x = scaled(v.x, -e), y = scaled(v.y, -e), z = scaled(v.z, -e);
  return scaled(std::sqrt(x * x + y * y + z * z), e);
}

/// Greatest n . x over the part, in doubles; infinite where the part is unbounded. Used only for proposals.
double greatest_along(const Part& part, const Vec3& n) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  return std::visit(
      [&]<class P>(const P& p) -> double {
        if constexpr (std::is_same_v<P, ConvexSet>) {
          double best = -inf;
          for (std::uint32_t i = 0; i < p.points; ++i) {
            const Vec3 x = p.base(i);
            best = std::max(best, n.x * x.x + n.y * x.y + n.z * x.z);
          }
          for (std::uint32_t k = 0; k < p.segments; ++k) {
            const double d = n.x * p.segment[k].x + n.y * p.segment[k].y + n.z * p.segment[k].z;
            best += std::max(d * p.lo[k], d * p.hi[k]);
          }
          for (std::uint32_t k = 0; k < p.directions; ++k) {
            const Vec3& d = p.direction[k];
            if (n.x * d.x + n.y * d.y + n.z * d.z > 1e-14 * length_of(d)) return inf;  // 90 u: more than rounding errors
          }
          return best + p.radius;
        } else if constexpr (std::is_same_v<P, Curved>) {
          const Operand o(p);
          if (o.convex) return greatest_along(Part(*o.convex), n);
          ConvexSet origin;
          origin.add_point(p.point());
          const LocalPair pair(o, Operand(origin), 0);
          const Vec3 x = pair.point_in_world(pair.farthest(0, V3<TwoDouble>{n.x, n.y, n.z}));
          return n.x * x.x + n.y * x.y + n.z * x.z;
        } else {
          const MeshView* view;
          if constexpr (std::is_same_v<P, SolidView>)
            view = &p.surface;
          else
            view = &p;
          double best = -inf;
          for (std::uint32_t i = 0; i < view->mesh->triangles.size(); ++i)
            for (const Vec3& x : view->triangle(i).points) best = std::max(best, n.x * x.x + n.y * x.y + n.z * x.z);
          return best;
        }
      },
      part);
}

double greatest_along(const Parts& parts, const Vec3& n) {
  double best = -std::numeric_limits<double>::infinity();
  for (const Part& p : parts.list) best = std::max(best, greatest_along(p, n));
  return best;
}

/// Lengthens a proposal slightly, by 2^-44 to 2^-12 of it, until it separates the shapes; returns nothing if that does not suffice.
std::optional<Vec3> cleared(const Parts& a, const Parts& b, const Vec3& v) {
  for (double f = 0x1p-44; f < 0x1p-9; f *= 16) {
    const Vec3 w = v * (1 + f);
    if (clears(a, b, w)) return w;
  }
  return std::nullopt;
}

PenetrationResult result_of(const Vec3& v) {
  Penetration p;
  p.depth = length_of(v);
  p.vector = v;
  p.normal = v / p.depth;
  if (!(p.depth > 0x1p-1000)) {  // keeps the normal at unit length for the smallest doubles
    const Vec3 w(scaled(v.x, 1000), scaled(v.y, 1000), scaled(v.z, 1000));
    p.normal = w / length_of(w);
  }
  return {p, NoPenetration::none};
}

PenetrationResult of_convex(const ConvexPenetration& p) {
  using Reason = ConvexPenetration::Reason;
  if (p.found) return {Penetration{p.depth, p.normal, p.vector}, NoPenetration::none};
  return {std::nullopt, p.reason == Reason::apart ? NoPenetration::apart : p.reason == Reason::touching ? NoPenetration::touching : NoPenetration::unbounded};
}

Operand operand(const Part& p) {
  if (const ConvexSet* c = std::get_if<ConvexSet>(&p)) return Operand(*c);
  return Operand(std::get<Curved>(p));
}

/// Overlap of two parts that meet although none of their pieces overlap.
Overlap overlap_of_touching(const Part& a, const Part& b) {
  return std::visit(
      []<class P, class Q>(const P& p, const Q& q) -> Overlap {
        const auto surface = []<class S>(const S& s) {
          if constexpr (std::is_same_v<S, SolidView>)
            return SurfaceOrSolid{s.surface, true};
          else
            return SurfaceOrSolid{s, false};
        };
        if constexpr (is_convex<P> && is_convex<Q>)
          return Overlap::none;  // convex parts that overlap have a depth
        else if constexpr (is_convex<P>)
          return overlap_of_touching(p, surface(q));
        else if constexpr (is_convex<Q>)
          return overlap_of_touching(q, surface(p));
        else
          return overlap_of_touching(surface(p), surface(q));
      },
      a, b);
}

PenetrationResult clearing(const Parts& a, const Parts& b) {
  bool meet = false;
  for (const Part& p : a.list)
    for (const Part& q : b.list) meet = meet || parts_meet(p, q);
  if (!meet) return {std::nullopt, NoPenetration::apart};
  const std::vector<Touch> first = all_touches(a, b, false);
  bool only_touching = !first.empty();
  for (const Touch& t : first) {
    if (t.unbounded) return {std::nullopt, NoPenetration::unbounded};
    only_touching = only_touching && t.contact.depth == 0;
  }
  // All pieces at most touch. If solids are involved, the sets may nevertheless overlap.
  if (only_touching) {
    Overlap most = Overlap::none;
    for (const Part& p : a.list)
      for (const Part& q : b.list)
        if (most != Overlap::proven && parts_meet(p, q))
          if (const Overlap o = overlap_of_touching(p, q); o != Overlap::none) most = o;
    if (most != Overlap::proven) return {std::nullopt, most == Overlap::none ? NoPenetration::touching : NoPenetration::undecided};
  }
  const auto is_solid = [](const Part& p) { return std::holds_alternative<SolidView>(p); };
  const bool solids = std::any_of(a.list.begin(), a.list.end(), is_solid) || std::any_of(b.list.begin(), b.list.end(), is_solid);

  std::optional<Vec3> best;
  const auto offer = [&](const std::optional<Vec3>& v) {
    if (v && (!best || length_of(*v) < length_of(*best))) best = v;
  };
  // First proposals: separate the convex hulls along the axes and the normals of the deepest contacts.
  std::vector<Vec3> directions{{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  std::vector<const Touch*> order;
  order.reserve(first.size());
  for (const Touch& t : first) order.push_back(&t);
  std::stable_sort(order.begin(), order.end(), [](const Touch* x, const Touch* y) { return x->contact.depth > y->contact.depth; });
  Vec3 sum(0, 0, 0);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Vec3& n = order[i]->contact.normal;
    sum += n * std::max(order[i]->contact.depth, 0.0);
    if (i >= 8 || length_of(n) == 0) continue;  // 8 is arbitrary: every direction costs a test of the whole shapes
    directions.push_back(n);
    directions.push_back(n * -1.0);
  }
  if (const double l = length_of(sum); l > 0) directions.push_back(sum / l);
  std::vector<std::pair<double, Vec3>> proposals;
  for (const Vec3& n : directions) {
    const double h = greatest_along(b, n) + greatest_along(a, n * -1.0);  // greatest n . b less the least n . a
    if (h < std::numeric_limits<double>::max()) proposals.emplace_back(std::max(h, 0.0), n);
  }
  std::stable_sort(proposals.begin(), proposals.end(), [](const auto& x, const auto& y) { return x.first < y.first; });
  for (const auto& [h, n] : proposals) {
    if (best && h >= length_of(*best)) break;
    // at least the rounding error of the positions, so that touching shapes separate
    const std::optional<Vec3> v = cleared(a, b, n * std::max(h, (std::fabs(greatest_along(a, n)) + std::fabs(greatest_along(b, n))) * 0x1p-52));
    offer(v);
    if (v) break;
  }
  // Second proposal: resolve the deepest contact repeatedly and sum the translations.
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
        if (!best && !solids)
          offer(v);  // touching pieces that a longer translation in the same direction does not separate; every pair is verified to touch at most
        break;
      }
      const Vec3& push = deepest->vector;
      if (v.x * push.x + v.y * push.y + v.z * push.z < 0) break;  // pushed back: no progress
      v += push * (1 + 0x1p-44);                                  // exceeds the roundings of the sum
      if (best && length_of(v) >= length_of(*best)) break;
      if (clears(a, b, v)) {
        offer(v);
        break;
      }
      touches.clear();
      Toucher touch(false, touches);
      for (const Part& p : a.list) {
        const Part q = moved_part(p, v, poses);
        for (const Part& o : b.list) std::visit(touch, q, o);
      }
    }
  }
  if (!best) return {std::nullopt, NoPenetration::unbounded};
  return result_of(*best);
}

}  // namespace

PenetrationResult penetration(ShapeRef a, ShapeRef b) {
  const DefaultFloatEnvironment guard;
  const Parts pa(a), pb(b);
  if (pa.convex() && pb.convex()) return of_convex(penetration(operand(pa.list[0]), operand(pb.list[0])));
  PenetrationResult r = clearing(pa, pb);
  if (r.reason != NoPenetration::unbounded) return r;
  // Whether a finite translation separates the shapes does not depend on their order, but the search may find one only from the other side.
  const PenetrationResult other = clearing(pb, pa);
  if (other.value && clears(pa, pb, -other.value->vector))
    return {Penetration{other.value->depth, -other.value->normal, -other.value->vector}, NoPenetration::none};
  return r;
}

std::vector<Contact> contacts(ShapeRef a, ShapeRef b) {
  const DefaultFloatEnvironment guard;
  const Parts pa(a), pb(b);
  std::vector<Contact> out;
  for (const Touch& t : all_touches(pa, pb, true)) out.push_back(t.contact);
  if (out.empty()) {
    // One shape lies inside the other, a solid, without touching its surface.
    const PenetrationResult r = clearing(pa, pb);
    if (r.value || r.reason == NoPenetration::unbounded) {
      Contact c;
      const Closest near = closest(a, b);
      c.point = near.on_a;
      c.normal = r.value ? r.value->normal : Vec3(0, 0, 0);
      c.depth = r.value ? r.value->depth : std::numeric_limits<double>::infinity();
      out.push_back(c);
    }
  }
  return out;
}

}  // namespace graze
