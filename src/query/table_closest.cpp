// closest: the table of all pairs.
#include <graze/query.hpp>

#include "core/fp_environment.hpp"
#include "query/parts.hpp"

namespace graze {
namespace {

template <class A, class B>
struct ClosestCell {
  static Closest call(ShapeRef a, ShapeRef b) {
    const A& sa = *static_cast<const A*>(a.shape());
    const B& sb = *static_cast<const B*>(b.shape());
    Closest best;
    best.distance = std::numeric_limits<double>::infinity();
    for_each_part(sa, a.pose(), [&]<class P>(const P& pa) {
      return for_each_part(sb, b.pose(), [&]<class Q>(const Q& pb) {
        Closest c;
        if constexpr (part_rank<P> >= part_rank<Q>) c = closest_of(pa, pb);
        else c = flipped(closest_of(pb, pa));
        if (c.distance < best.distance) best = c;
        return best.distance > 0;
      });
    });
    return best;
  }
};

constexpr auto kTable = make_pair_table<Closest (*)(ShapeRef, ShapeRef), ClosestCell>();

}  // namespace

Closest closest(ShapeRef a, ShapeRef b) {
  const DefaultFloatEnvironment guard;
  const std::size_t i = place(a.kind()), j = place(b.kind());
  if (i <= j) return kTable[i * kKinds + j](a, b);
  return flipped(kTable[j * kKinds + i](b, a));
}

}  // namespace graze
