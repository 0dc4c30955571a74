// intersects, within, contains: the table of all pairs.
#include <graze/error.hpp>
#include <graze/query.hpp>

#include "core/fp_environment.hpp"
#include "pairs/all.hpp"
#include "query/parts.hpp"

namespace graze {
namespace {

template <class A, class B>
concept HasIntersectsPair = requires(const A& a, const B& b) {
  { intersects_pair(a, b) } -> std::same_as<bool>;
};

template <class A, class B>
struct WithinCell {
  static bool call(ShapeRef a, ShapeRef b, double distance) {
    const A& sa = *static_cast<const A*>(a.shape());
    const B& sb = *static_cast<const B*>(b.shape());
    if constexpr (HasIntersectsPair<A, B>) {
      if (distance == 0 && !a.pose() && !b.pose()) return intersects_pair(sa, sb);
    } else if constexpr (HasIntersectsPair<B, A>) {
      if (distance == 0 && !a.pose() && !b.pose()) return intersects_pair(sb, sa);
    }
    return !for_each_part(sa, a.pose(), [&]<class P>(const P& pa) {
      return for_each_part(sb, b.pose(), [&]<class Q>(const Q& pb) {
        if constexpr (part_rank<P> >= part_rank<Q>) return !within(pa, pb, distance);
        else return !within(pb, pa, distance);
      });
    });
  }
};

constexpr auto kTable = make_pair_table<bool (*)(ShapeRef, ShapeRef, double), WithinCell>();

bool look_up(ShapeRef a, ShapeRef b, double distance) {
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
