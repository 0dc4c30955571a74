// closest(): dispatch table over all pairs of shapes.
#include <graze/query/closest.hpp>
#include <type_traits>

#include "math/limits.hpp"
#include "mesh/queries/convex_queries.hpp"
#include "mesh/queries/solid_queries.hpp"
#include "mesh/queries/surface_queries.hpp"
#include "parts/parts.hpp"
#include "platform/fp_environment.hpp"

namespace graze {
namespace {

/// Orders two shapes by kind and then by the coordinates of their parts.
int order_of(ShapeRef a, ShapeRef b) {
  if (a.kind() != b.kind()) return a.kind() < b.kind() ? -1 : 1;
  int order = 0;
  visit_shape(a, [&]<class S>(const S& sa) {
    const S& sb = *static_cast<const S*>(b.shape());
    if constexpr (form_of<S>() == Form::convex) order = order_of(convex_set_of(sa, a.pose()), convex_set_of(sb, b.pose()));
    if constexpr (form_of<S>() == Form::curved) order = order_of(curved_of(sa, a.pose()), curved_of(sb, b.pose()));
    if constexpr (form_of<S>() == Form::mesh || std::is_same_v<S, Solid>)
      for_each_part(sa, a.pose(), [&](const auto& pa) {
        return for_each_part(sb, b.pose(), [&](const auto& pb) {
          if constexpr (std::is_same_v<S, Solid>)
            order = order_of(pa.surface, pb.surface);
          else
            order = order_of(pa, pb);
          return false;
        });
      });
    if constexpr (form_of<S>() == Form::fan) {
      order = sa.points().size() < sb.points().size() ? -1 : sa.points().size() > sb.points().size();
      for (std::size_t i = 0; i < fan_size(sa) && order == 0; ++i)
        order = order_of(convex_set_of(fan_triangle(sa, i, a.pose()), nullptr), convex_set_of(fan_triangle(sb, i, b.pose()), nullptr));
    }
    if constexpr (form_of<S>() == Form::compound) {
      const std::size_t n = sa.children().size();
      order = n < sb.children().size() ? -1 : n > sb.children().size();
      if (order == 0)
        for_each_child(sa, a.pose(), [&](std::size_t i, ShapeRef ca) {
          return for_each_child(sb, b.pose(), [&](std::size_t j, ShapeRef cb) {
            if (i == j) order = order_of(ca, cb);
            return order == 0;
          });
        });
    }
  });
  return order;
}

template <class A, class B>
struct ClosestCell {
  static Closest call(ShapeRef a, ShapeRef b) {
    const A& sa = *static_cast<const A*>(a.shape());
    const B& sb = *static_cast<const B*>(b.shape());
    Closest best;
    best.distance = kInfinity;
    for_each_part(sa, a.pose(), [&]<class P>(const P& pa) {
      return for_each_part(sb, b.pose(), [&]<class Q>(const Q& pb) {
        Closest c;
        if constexpr (part_rank<P> >= part_rank<Q>)
          c = closest_of(pa, pb);
        else
          c = flipped(closest_of(pb, pa));
        if (c.distance < best.distance) best = c;
        return best.distance > 0;
      });
    });
    return best;
  }
};

constexpr auto kClosestTable = make_pair_table<Closest (*)(ShapeRef, ShapeRef), ClosestCell>();

}  // namespace

Closest closest(ShapeRef a, ShapeRef b) {
  const DefaultFloatEnvironment guard;
  const std::size_t i = place(a.kind()), j = place(b.kind());
  if (i < j || (i == j && order_of(a, b) <= 0)) return kClosestTable[i * kKinds + j](a, b);
  return flipped(kClosestTable[j * kKinds + i](b, a));
}

}  // namespace graze
