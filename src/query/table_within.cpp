// intersects(), within() and contains(): dispatch table over all pairs of shapes.
#include <graze/error.hpp>
#include <graze/query.hpp>

#include "mesh/queries/convex_queries.hpp"
#include "mesh/queries/solid_queries.hpp"
#include "mesh/queries/surface_queries.hpp"
#include "parts/parts.hpp"
#include "platform/fp_environment.hpp"
#include "query/all_pairs.hpp"

namespace graze {
namespace {

template <class A, class B>
concept HasIntersectsPair = requires(const A& a, const B& b) {
  intersects_pair(a, b);
};

/// Shapes that a pose turns into another shape of the same kind under the contract: points are transformed once, directions are rotated once. A placed Box is
/// neither a Box nor an OrientedBox.
template <class S>
concept Placeable = std::is_same_v<S, Point> || std::is_same_v<S, Segment> || std::is_same_v<S, Triangle> || std::is_same_v<S, Sphere> ||
    std::is_same_v<S, Capsule> || std::is_same_v<S, OrientedBox>;

Point placed(const Point& s, const Pose* p) { return {placed_point(s.point, p)}; }
Segment placed(const Segment& s, const Pose* p) { return {placed_point(s.a, p), placed_point(s.b, p)}; }
Triangle placed(const Triangle& s, const Pose* p) { return {{placed_point(s.points[0], p), placed_point(s.points[1], p), placed_point(s.points[2], p)}}; }
Sphere placed(const Sphere& s, const Pose* p) { return {placed_point(s.center, p), s.radius}; }
Capsule placed(const Capsule& s, const Pose* p) { return {placed_point(s.a, p), placed_point(s.b, p), s.radius}; }
OrientedBox placed(const OrientedBox& s, const Pose* p) {
  return {placed_point(s.center, p), {placed_direction(s.axes[0], p), placed_direction(s.axes[1], p), placed_direction(s.axes[2], p)}, s.half};
}

Certain answer(bool b) { return certain(b); }
Certain answer(Certain c) { return c; }

template <class A, class B>
Certain pair_answer(const A& a, const B& b) {
  if constexpr (HasIntersectsPair<A, B>)
    return answer(intersects_pair(a, b));
  else
    return answer(intersects_pair(b, a));
}

/// Calls the function of the pair after placing the shapes.
template <class A, class B>
Certain placed_pair_answer(const A& a, const Pose* pose_a, const B& b, const Pose* pose_b) {
  if (!pose_a && !pose_b) return pair_answer(a, b);
  if constexpr (Placeable<A> && Placeable<B>) {
    return pair_answer(placed(a, pose_a), placed(b, pose_b));
  } else if constexpr (Placeable<A>) {
    if (!pose_b) return pair_answer(placed(a, pose_a), b);
  } else if constexpr (Placeable<B>) {
    if (!pose_a) return pair_answer(a, placed(b, pose_b));
  }
  return Certain::unknown;
}

template <class A, class B>
struct WithinCell {
  static bool call(const ShapeRef& a, const ShapeRef& b, double distance) {
    const A& sa = *static_cast<const A*>(a.shape());
    const B& sb = *static_cast<const B*>(b.shape());
    if constexpr (HasIntersectsPair<A, B> || HasIntersectsPair<B, A>) {
      if (distance == 0) {
        const Certain c = placed_pair_answer(sa, a.pose(), sb, b.pose());
        if (c != Certain::unknown) return c == Certain::yes;
      }
    }
    return !for_each_part(sa, a.pose(), [&]<class P>(const P& pa) {
      return for_each_part(sb, b.pose(), [&]<class Q>(const Q& pb) {
        if constexpr (part_rank<P> >= part_rank<Q>)
          return !within(pa, pb, distance);
        else
          return !within(pb, pa, distance);
      });
    });
  }
};

// By reference: copying a just-written ShapeRef defeats store-to-load forwarding.
constexpr auto kTable = make_pair_table<bool (*)(const ShapeRef&, const ShapeRef&, double), WithinCell>();

bool look_up(const ShapeRef& a, const ShapeRef& b, double distance) {
  const std::size_t i = place(a.kind()), j = place(b.kind());
  return i <= j ? kTable[i * kKinds + j](a, b, distance) : kTable[j * kKinds + i](b, a, distance);
}

}  // namespace

bool intersects(ShapeRef a, ShapeRef b) {
  const DefaultFloatEnvironment guard;
  return look_up(a, b, 0);
}

bool within(ShapeRef a, ShapeRef b, double distance) {
  const DefaultFloatEnvironment guard;
  if (!(distance >= 0)) throw Error("within: the distance must be >= 0");
  if (distance == std::numeric_limits<double>::infinity()) throw Error("within: the distance must be finite");
  return look_up(a, b, distance);
}

bool contains(ShapeRef solid, const Vec3& point) {
  const DefaultFloatEnvironment guard;
  const Point p{point};
  return look_up(p, solid, 0);
}

}  // namespace graze
