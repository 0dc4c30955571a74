// intersects(), within() and contains(): a dispatch table over all pairs of shapes, and one over the frequent pairs, with their batches.
#include <algorithm>
#include <array>
#include <graze/error.hpp>
#include <graze/query/intersects.hpp>
#include <optional>
#include <string>
#include <type_traits>

#include "math/limits.hpp"
#include "mesh/queries/convex_queries.hpp"
#include "mesh/queries/solid_queries.hpp"
#include "mesh/queries/surface_queries.hpp"
#include "pairs/detail/batch_kernels.hpp"
#include "parts/parts.hpp"
#include "platform/fp_environment.hpp"
#include "platform/parallel.hpp"
#include "query/all_pairs.hpp"
#include "query/placed.hpp"

namespace graze {
namespace {

template <class A, class B>
concept HasIntersectsPair = requires(const A& a, const B& b) {
  intersects_pair(a, b);
}
|| requires(const A& a, const B& b) { intersects_pair(b, a); };

Certain answer(bool b) { return certain(b); }
Certain answer(Certain c) { return c; }

template <class A, class B>
Certain pair_answer(const A& a, const B& b) {
  if constexpr (requires { intersects_pair(a, b); })
    return answer(intersects_pair(a, b));
  else
    return answer(intersects_pair(b, a));
}

/// The function of the pair after placing the shapes; unknown where there is none.
template <class A, class B>
Certain placed_pair_answer(const A& a, const Pose* pose_a, const B& b, const Pose* pose_b) {
  if constexpr (std::is_same_v<A, Box>) {
    if (pose_a) {
      const std::optional<OrientedBox> turned = oriented(a, *pose_a);
      return turned ? placed_pair_answer(*turned, nullptr, b, pose_b) : placed_pair_answer(rounded_box(a, *pose_a), nullptr, b, pose_b);
    }
  }
  if constexpr (std::is_same_v<B, Box>) {
    if (pose_b) {
      const std::optional<OrientedBox> turned = oriented(b, *pose_b);
      return turned ? placed_pair_answer(a, pose_a, *turned, nullptr) : placed_pair_answer(a, pose_a, rounded_box(b, *pose_b), nullptr);
    }
  }
  if constexpr (HasIntersectsPair<A, B>)
    return with_placed(a, pose_a, b, pose_b, Certain::unknown, [](const auto& p, const auto& q) { return pair_answer(p, q); });
  return Certain::unknown;
}

template <class A, class B>
struct WithinCell {
  static bool call(const ShapeRef& a, const ShapeRef& b, double distance) {
    const A& sa = *static_cast<const A*>(a.shape());
    const B& sb = *static_cast<const B*>(b.shape());
    if (distance == 0) {
      const Certain c = placed_pair_answer(sa, a.pose(), sb, b.pose());
      if (c != Certain::unknown) return c == Certain::yes;
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
constexpr auto kWithinTable = make_pair_table<bool (*)(const ShapeRef&, const ShapeRef&, double), WithinCell>();

bool dispatch(const ShapeRef& a, const ShapeRef& b, double distance) {
  const std::size_t i = place(a.kind()), j = place(b.kind());
  return i <= j ? kWithinTable[i * kKinds + j](a, b, distance) : kWithinTable[j * kKinds + i](b, a, distance);
}

// ---- frequent pairs ----------------------------------------------------------------------------------------------------------------------

/// The filter of a frequent pair.
template <class A, class B>
constexpr PairBatch BatchKernels::*kFilter = nullptr;
template <>
constexpr PairBatch BatchKernels::*kFilter<Sphere, Sphere> = &BatchKernels::sphere_sphere;
template <>
constexpr PairBatch BatchKernels::*kFilter<Sphere, Capsule> = &BatchKernels::sphere_capsule;
template <>
constexpr PairBatch BatchKernels::*kFilter<Capsule, Capsule> = &BatchKernels::capsule_capsule;
template <>
constexpr PairBatch BatchKernels::*kFilter<Sphere, Triangle> = &BatchKernels::sphere_triangle;
template <>
constexpr PairBatch BatchKernels::*kFilter<Triangle, Triangle> = &BatchKernels::triangle_triangle;
template <>
constexpr PairBatch BatchKernels::*kFilter<Sphere, Box> = &BatchKernels::sphere_box;
template <>
constexpr PairBatch BatchKernels::*kFilter<Box, Box> = &BatchKernels::box_box;
template <>
constexpr PairBatch BatchKernels::*kFilter<Segment, Box> = &BatchKernels::segment_box;
template <>
constexpr PairBatch BatchKernels::*kFilter<Sphere, OrientedBox> = &BatchKernels::sphere_oriented_box;
template <>
constexpr PairBatch BatchKernels::*kFilter<OrientedBox, OrientedBox> = &BatchKernels::oriented_boxes;
template <>
constexpr PairBatch BatchKernels::*kFilter<OrientedBox, Capsule> = &BatchKernels::oriented_box_capsule;

void require_equal(std::size_t a, std::size_t b) {
  if (a != b) throw Error(ErrorCode::invalid_argument, "intersects: " + std::to_string(a) + " shapes on one side, " + std::to_string(b) + " on the other");
}

template <class A, class B>
struct FrequentPairOf {
  static_assert(kFilter<A, B> != nullptr);
  static_assert(sizeof(A) % sizeof(double) == 0 && sizeof(B) % sizeof(double) == 0);

  static bool decide(const A& a, const B& b) {
    const Certain c = pair_answer(a, b);
    return c == Certain::unknown ? dispatch(ShapeRef(a), ShapeRef(b), 0) : c == Certain::yes;
  }

  static bool one(const void* a, const void* b) {
    const DefaultFloatEnvironment guard;
    return decide(*static_cast<const A*>(a), *static_cast<const B*>(b));
  }

  /// Runs the SIMD filter; the function of one pair decides what the filter leaves undecided.
  static void batch(const void* first_a, std::size_t count_a, const void* first_b, std::size_t count_b, std::span<std::uint8_t> out) {
    require_equal(count_a, count_b);
    if (out.size() != count_a)
      throw Error(ErrorCode::invalid_argument, "intersects: " + std::to_string(count_a) + " pairs, room for " + std::to_string(out.size()) + " answers");
    const A* a = static_cast<const A*>(first_a);
    const B* b = static_cast<const B*>(first_b);
    const PairBatch filter = batch_kernels().*kFilter<A, B>;
    parallel_for(count_a, 8192, [&](std::size_t begin, std::size_t end) {
      const DefaultFloatEnvironment guard;
      constexpr std::size_t kBlock = 512;
      std::uint32_t undecided[kBlock + 8];
      for (std::size_t i = begin; i < end; i += kBlock) {
        const std::size_t n = std::min(kBlock, end - i);
        if (n < kLeastBatch) {
          for (std::size_t k = i; k < end; ++k) out[k] = decide(a[k], b[k]);
          continue;
        }
        const std::size_t count = filter(reinterpret_cast<const double*>(a + i), reinterpret_cast<const double*>(b + i), n, &out[i], undecided);
        for (std::size_t k = 0; k < count; ++k) out[i + undecided[k]] = decide(a[i + undecided[k]], b[i + undecided[k]]);
      }
    });
  }
};

}  // namespace

bool intersects(ShapeRef a, ShapeRef b) {
  const DefaultFloatEnvironment guard;
  return dispatch(a, b, 0);
}

bool within(ShapeRef a, ShapeRef b, double distance) {
  const DefaultFloatEnvironment guard;
  if (!(distance >= 0)) throw Error(ErrorCode::invalid_argument, "within: the distance must be >= 0");
  if (distance == kInfinity) throw Error(ErrorCode::invalid_argument, "within: the distance must be finite");
  return dispatch(a, b, distance);
}

bool contains(ShapeRef solid, const Vec3& point) {
  const DefaultFloatEnvironment guard;
  const Point p{point};
  return dispatch(p, solid, 0);
}

std::vector<std::uint8_t> intersects(std::span<const ShapeRef> a, std::span<const ShapeRef> b) {
  require_equal(a.size(), b.size());
  std::vector<std::uint8_t> out(a.size());
  parallel_for(a.size(), 64, [&](std::size_t begin, std::size_t end) {
    const DefaultFloatEnvironment guard;
    for (std::size_t i = begin; i < end; ++i) out[i] = dispatch(a[i], b[i], 0);
  });
  return out;
}

namespace detail {
namespace {
template <class... P>
constexpr std::array<FrequentPairFunctions, sizeof...(P)> functions(TypeList<P...>) {
  return {{{FrequentPairOf<typename P::first_type, typename P::second_type>::one, FrequentPairOf<typename P::first_type, typename P::second_type>::batch}...}};
}
}  // namespace
constinit const std::array<FrequentPairFunctions, FrequentPairs::size> frequent_pair_functions = functions(FrequentPairs{});
}  // namespace detail

}  // namespace graze
