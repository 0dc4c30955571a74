// closest(): dispatch table over all pairs of shapes, and one over the frequent pairs.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <graze/error.hpp>
#include <graze/pair_hint.hpp>
#include <graze/query/closest.hpp>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "convex/sets/hint_kind.hpp"
#include "math/box_gap.hpp"
#include "math/limits.hpp"
#include "math/vec3.hpp"
#include "mesh/queries/convex_queries.hpp"
#include "mesh/queries/solid_queries.hpp"
#include "mesh/queries/surface_queries.hpp"
#include "pairs/detail/gap_kernels.hpp"
#include "pairs/detail/gaps.hpp"
#include "parts/children.hpp"
#include "parts/parts.hpp"
#include "platform/fp_environment.hpp"
#include "platform/parallel.hpp"
#include "query/loose_bounds.hpp"
#include "query/placed.hpp"

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

/// The closed form of a pair, with the shapes in the order of the call; not sure where there is none.
template <class A, class B>
concept HasPairGap = requires(const A& a, const B& b) {
  pair_gap(a, b);
};
template <class A, class B>
PairGap gap_of_pair(const A& a, const B& b) {
  if constexpr (HasPairGap<A, B>)
    return pair_gap(a, b);
  else if constexpr (HasPairGap<B, A>)
    return filter::exchanged(pair_gap(b, a));
  else
    return {};
}

Vec3 point_of(const filter::Triple& p) { return {p.x, p.y, p.z}; }
Closest closest_of(const PairGap& gap) { return {gap.distance, point_of(gap.on_a), point_of(gap.on_b), {}, {}}; }

template <class A, class B>
Closest closest_of_parts(const A& sa, const Pose* pose_a, const B& sb, const Pose* pose_b) {
  Closest best;
  best.distance = kInfinity;
  for_each_part(sa, pose_a, [&]<class P>(const P& pa) {
    return for_each_part(sb, pose_b, [&]<class Q>(const Q& pb) {
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

/// Contains the box. Each length is off by a few u.
Sphere ball_around(const Box3& box) {
  const Vec3 c = .5 * box.lo + .5 * box.hi, d = box.hi - box.lo;
  return {c, (.5 + 0x1p-40) * std::sqrt(d.x * d.x + d.y * d.y + d.z * d.z) + 0x1p-48 * max_norm(c) + 0x1p-500};
}

/// A compound on the second side. The nearest boxes come first, and children that cannot be nearer than the best are left out. The result is that of all
/// children in their order: the first of those at the least distance.
template <class A>
Closest closest_of_children(const A& sa, const Pose* pose_a, const Compound& compound, const Pose* pose_b) {
  const Children children((ShapeRef(kind_of<Compound>, &compound, pose_b)));
  const ShapeRef a(kind_of<A>, &sa, pose_a);
  const Box3 bounds = loose_bounds(a);
  struct Ordered {
    double gap;
    std::size_t child;
    Box3 box;
  };
  std::vector<Ordered> order;
  for (std::size_t i = 0; i < children.size(); ++i) {
    const Box3 own = loose_bounds(children[i]);
    order.push_back({bounds.empty() || own.empty() ? 0 : least_gap(bounds, own), i, own});
  }
  std::sort(order.begin(), order.end(), [](const Ordered& x, const Ordered& y) { return x.gap != y.gap ? x.gap < y.gap : x.child < y.child; });
  Closest best;
  best.distance = kInfinity;
  std::size_t from = children.size();
  for (const Ordered& o : order) {
    const std::size_t i = o.child;
    const bool later = i > from;
    // Reported distances are off by 1e-15 or a denormal.
    const double limit = std::min(best.distance * (1 + 0x1p-40) + 0x1p-1070, kLargest);
    if (o.gap > limit || (best.distance == 0 && later)) continue;
    visit_shape(children[i], [&]<class C>(const C& child) {
      if constexpr (!std::is_same_v<C, Compound>) {
        // With a curved shape, within() may differ from the reported distance by its bound.
        if constexpr (form_of<A>() != Form::curved && form_of<C>() != Form::curved)
          if (const Sphere ball = ball_around(o.box); from < children.size() && ball.radius <= kLargest && !within(a, ball, limit)) return;
        const Closest c = closest_of_parts(sa, pose_a, child, children[i].pose());
        if (c.distance > best.distance || (c.distance == best.distance && (later || c.distance == kInfinity))) return;
        best = c;
        from = i;
      }
    });
  }
  return best;
}

template <class A, class B>
struct ClosestCell {
  static Closest call(const ShapeRef& a, const ShapeRef& b, PairHint* hint) {
    const A& sa = *static_cast<const A*>(a.shape());
    const B& sb = *static_cast<const B*>(b.shape());
    if constexpr (HasPairGap<A, B> || HasPairGap<B, A>) {
      const PairGap gap = with_placed(sa, a.pose(), sb, b.pose(), PairGap{}, [](const auto& p, const auto& q) { return gap_of_pair(p, q); });
      if (gap.sure) return closest_of(gap);
    }
    if constexpr (form_of<A>() == Form::convex && form_of<B>() == Form::convex)
      return closest_of(convex_set_of(sa, a.pose()), convex_set_of(sb, b.pose()), hint);
    if constexpr (std::is_same_v<A, B>)
      if (order_of(a, b) > 0) return flipped(closest_of_parts(sb, b.pose(), sa, a.pose()));
    if constexpr (form_of<B>() == Form::compound && form_of<A>() != Form::compound)
      return closest_of_children(sa, a.pose(), sb, b.pose());
    else
      return closest_of_parts(sa, a.pose(), sb, b.pose());
  }
};

constexpr auto kClosestTable = make_pair_table<Closest (*)(const ShapeRef&, const ShapeRef&, PairHint*), ClosestCell>();

Closest dispatch_closest(const ShapeRef& a, const ShapeRef& b, PairHint* hint = nullptr) {
  const std::size_t i = place(a.kind()), j = place(b.kind());
  if (i <= j) return kClosestTable[i * kKinds + j](a, b, hint);
  if (hint) *hint = exchanged(*hint);
  const Closest c = flipped(kClosestTable[j * kKinds + i](b, a, hint));
  if (hint) *hint = exchanged(*hint);
  return c;
}

void require_equal_counts(std::size_t a, std::size_t b) {
  if (a != b) throw Error(ErrorCode::invalid_argument, "closest: " + std::to_string(a) + " shapes on one side, " + std::to_string(b) + " on the other");
}

void require_room(std::size_t pairs, std::size_t answers) {
  if (answers != pairs)
    throw Error(ErrorCode::invalid_argument, "closest: " + std::to_string(pairs) + " pairs, room for " + std::to_string(answers) + " answers");
}

/// The filter of a frequent pair in SIMD lanes, if it has one.
template <class A, class B>
constexpr GapFunctions GapKernels::*kGapFilter = nullptr;
template <>
constexpr GapFunctions GapKernels::*kGapFilter<Sphere, Sphere> = &GapKernels::sphere_sphere;
template <>
constexpr GapFunctions GapKernels::*kGapFilter<Sphere, Capsule> = &GapKernels::sphere_capsule;
template <>
constexpr GapFunctions GapKernels::*kGapFilter<Capsule, Capsule> = &GapKernels::capsule_capsule;
template <>
constexpr GapFunctions GapKernels::*kGapFilter<Sphere, Triangle> = &GapKernels::sphere_triangle;
template <>
constexpr GapFunctions GapKernels::*kGapFilter<Triangle, Triangle> = &GapKernels::triangle_triangle;
template <>
constexpr GapFunctions GapKernels::*kGapFilter<Sphere, Box> = &GapKernels::sphere_box;
template <>
constexpr GapFunctions GapKernels::*kGapFilter<Box, Box> = &GapKernels::box_box;
template <>
constexpr GapFunctions GapKernels::*kGapFilter<Sphere, OrientedBox> = &GapKernels::sphere_oriented_box;

template <class A, class B>
struct FrequentClosestOf {
  static Closest find(const A& a, const B& b) {
    if constexpr (kGapFilter<A, B> != nullptr) {
      double v[7];
      if ((gap_kernels().*kGapFilter<A, B>).one(reinterpret_cast<const double*>(&a), reinterpret_cast<const double*>(&b), v))
        return {v[0], {v[1], v[2], v[3]}, {v[4], v[5], v[6]}, {}, {}};
    }
    return closest_of_parts(a, nullptr, b, nullptr);
  }

  /// Runs the SIMD filter; the function of one pair finds what the filter leaves undecided.
  static void find_block(const A* a, const B* b, std::span<Closest> out) {
    const std::size_t n = out.size();
    if (n < kLeastBatch) {
      for (std::size_t i = 0; i < n; ++i) out[i] = find(a[i], b[i]);
      return;
    }
    GapBlock block;
    std::uint32_t undecided[kGapBlock + 8];
    const std::size_t count =
        (gap_kernels().*kGapFilter<A, B>).batch(reinterpret_cast<const double*>(a), reinterpret_cast<const double*>(b), n, block, undecided);
    const auto& v = block.value;
    for (std::size_t i = 0; i < n; ++i) out[i] = {v[0][i], {v[1][i], v[2][i], v[3][i]}, {v[4][i], v[5][i], v[6][i]}, {}, {}};
    for (std::size_t k = 0; k < count; ++k) out[undecided[k]] = find(a[undecided[k]], b[undecided[k]]);
  }

  static Closest one(const void* a, const void* b) {
    const DefaultFloatEnvironment guard;
    return find(*static_cast<const A*>(a), *static_cast<const B*>(b));
  }

  static void batch(const void* first_a, std::size_t count_a, const void* first_b, std::size_t count_b, std::span<Closest> out) {
    require_equal_counts(count_a, count_b);
    require_room(count_a, out.size());
    const A* a = static_cast<const A*>(first_a);
    const B* b = static_cast<const B*>(first_b);
    parallel_for(count_a, 1024, [&](std::size_t begin, std::size_t end) {
      const DefaultFloatEnvironment guard;
      if constexpr (kGapFilter<A, B> == nullptr) {
        for (std::size_t i = begin; i < end; ++i) out[i] = find(a[i], b[i]);
      } else {
        for (std::size_t i = begin; i < end; i += kGapBlock) find_block(a + i, b + i, out.subspan(i, std::min(kGapBlock, end - i)));
      }
    });
  }
};

}  // namespace

Closest closest(ShapeRef a, ShapeRef b) {
  const DefaultFloatEnvironment guard;
  return dispatch_closest(a, b);
}

Closest closest(ShapeRef a, ShapeRef b, PairHint& hint) {
  const DefaultFloatEnvironment guard;
  return dispatch_closest(a, b, &hint);
}

void closest(std::span<const ShapeRef> a, std::span<const ShapeRef> b, std::span<Closest> out, std::span<PairHint> hints) {
  require_equal_counts(a.size(), b.size());
  require_room(a.size(), out.size());
  if (!hints.empty() && hints.size() != a.size())
    throw Error(ErrorCode::invalid_argument, "closest: " + std::to_string(a.size()) + " pairs, " + std::to_string(hints.size()) + " hints");
  parallel_for(a.size(), 64, [&](std::size_t begin, std::size_t end) {
    const DefaultFloatEnvironment guard;
    for (std::size_t i = begin; i < end; ++i) out[i] = dispatch_closest(a[i], b[i], hints.empty() ? nullptr : &hints[i]);
  });
}

std::vector<Closest> closest(std::span<const ShapeRef> a, std::span<const ShapeRef> b) {
  require_equal_counts(a.size(), b.size());
  std::vector<Closest> out(a.size());
  closest(a, b, std::span<Closest>(out));
  return out;
}

namespace detail {
namespace {
template <class... P>
constexpr std::array<FrequentClosestFunctions, sizeof...(P)> closest_functions(TypeList<P...>) {
  return {{{FrequentClosestOf<typename P::first_type, typename P::second_type>::one,
            FrequentClosestOf<typename P::first_type, typename P::second_type>::batch}...}};
}
}  // namespace
constinit const std::array<FrequentClosestFunctions, FrequentPairs::size> frequent_closest_functions = closest_functions(FrequentPairs{});
}  // namespace detail

}  // namespace graze
