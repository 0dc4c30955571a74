// Contact manifolds of any two shapes: the patches of their touching convex pieces, as vectors or into memory of the caller.
#include <graze/query/manifold.hpp>

#include <algorithm>
#include <cstddef>
#include <graze/error.hpp>
#include <graze/query/penetration.hpp>
#include <string>
#include <utility>

#include "parts/convex_of_shape.hpp"
#include "platform/fp_environment.hpp"
#include "platform/parallel.hpp"
#include "platform/threads.hpp"
#include "platform/watch.hpp"
#include "query/touches.hpp"

namespace graze {
namespace {

/// Calls take(contact, patch) for each manifold in order.
template <class F>
void for_each_manifold(const ShapeRef& a, const ShapeRef& b, PairHint* hint, const F& take) {
  ContactPatch patch;
  if (has_convex_set(a) && has_convex_set(b)) {
    Contact contact;
    if (find_contact(a, b, contact, patch, hint)) take(contact, patch);
    return;
  }
  const PartList pa(a, Polygons::whole), pb(b, Polygons::whole);
  const std::vector<Touch> touches = all_touches(pa, pb, TouchDetail::patch);
  for (const Touch& t : touches) {
    patch.count = 0;
    for (const PatchPoint& p : t.patch) patch.add(p);
    take(t.contact, patch);
  }
  if (!touches.empty()) return;
  for (const Contact& c : contacts(a, b)) {  // one shape lies inside the other, a solid, without touching its surface
    patch.count = 0;
    patch.add({c.point, c.depth, true});
    take(c, patch);
  }
}

/// Manifolds in places of the caller, from the first on.
struct Places {
  std::span<FixedManifold> out;
  std::vector<FixedManifold>* rest = nullptr;  ///< what has no place; null: left out
  std::size_t count = 0;

  void add(const Contact& contact, ContactPatch& patch) {
    const bool has_place = count < out.size();
    ++count;
    if (!has_place && !rest) return;
    FixedManifold& m = has_place ? out[count - 1] : rest->emplace_back();
    reduce_patch(patch);
    m.normal = contact.normal;
    m.triangle_a = contact.triangle_a;
    m.triangle_b = contact.triangle_b;
    m.count = 0;
    for (const PatchPoint& p : patch) m.place[m.count++] = {p.point, p.depth};
  }
  /// Adds those of a pair; returns how many.
  std::size_t add_pair(const ShapeRef& a, const ShapeRef& b, PairHint* hint) {
    const std::size_t before = count;
    for_each_manifold(a, b, hint, [&](const Contact& contact, ContactPatch& patch) { add(contact, patch); });
    return count - before;
  }
};

std::vector<Manifold> manifolds(const ShapeRef& a, const ShapeRef& b, PairHint* hint, ManifoldPoints points) {
  const DefaultFloatEnvironment guard;
  std::vector<Manifold> out;
  for_each_manifold(a, b, hint, [&](const Contact& contact, ContactPatch& patch) {
    if (points == ManifoldPoints::four) reduce_patch(patch);
    Manifold& m = out.emplace_back();
    m.normal = contact.normal;
    m.triangle_a = contact.triangle_a;
    m.triangle_b = contact.triangle_b;
    m.points.reserve(static_cast<std::size_t>(patch.count));
    for (const PatchPoint& p : patch) m.points.push_back({p.point, p.depth});
  });
  return out;
}

}  // namespace

std::vector<Manifold> manifold(ShapeRef a, ShapeRef b, ManifoldPoints points) { return manifolds(a, b, nullptr, points); }
std::vector<Manifold> manifold(ShapeRef a, ShapeRef b, PairHint& hint, ManifoldPoints points) { return manifolds(a, b, &hint, points); }

std::size_t manifold(ShapeRef a, ShapeRef b, std::span<FixedManifold> out) {
  const DefaultFloatEnvironment guard;
  return Places{out}.add_pair(a, b, nullptr);
}
std::size_t manifold(ShapeRef a, ShapeRef b, PairHint& hint, std::span<FixedManifold> out) {
  const DefaultFloatEnvironment guard;
  return Places{out}.add_pair(a, b, &hint);
}

std::size_t manifold(std::span<const ShapeRef> a, std::span<const ShapeRef> b, std::span<std::size_t> offsets, std::span<FixedManifold> out,
                     std::span<PairHint> hints) {
  const std::size_t n = a.size();
  if (b.size() != n || offsets.size() != n + 1 || (!hints.empty() && hints.size() != n))
    throw Error(ErrorCode::invalid_argument, "manifold: " + std::to_string(n) + " and " + std::to_string(b.size()) + " shapes, " +
                                                 std::to_string(offsets.size()) + " offsets (one more than pairs), " + std::to_string(hints.size()) +
                                                 " hints (none or one for each pair)");
  const auto hint_of = [&](std::size_t i) { return hints.empty() ? nullptr : &hints[i]; };
  constexpr std::size_t kPiece = 64;
  offsets[0] = 0;
  if (n <= kPiece || threads() == 1) {
    const DefaultFloatEnvironment guard;
    Places places{out};
    for (std::size_t i = 0; i < n; ++i) {
      if (i % kPiece == 0) checkpoint();
      offsets[i + 1] = offsets[i] + places.add_pair(a[i], b[i], hint_of(i));
    }
    return offsets[n];
  }
  // Each piece has the places of its own pairs first; what it leaves empty is closed afterwards.
  std::vector<std::vector<FixedManifold>> rest((n - 1) / kPiece + 1);
  const auto own = [&](std::size_t begin, std::size_t end) {
    return out.subspan(std::min(begin, out.size()), std::min(end, out.size()) - std::min(begin, out.size()));
  };
  parallel_for(n, kPiece, [&](std::size_t begin, std::size_t end) {
    const DefaultFloatEnvironment guard;
    Places places{own(begin, end), &rest[begin / kPiece]};
    for (std::size_t i = begin; i < end; ++i) offsets[i + 1] = places.add_pair(a[i], b[i], hint_of(i));
  });
  for (std::size_t i = 0; i < n; ++i) offsets[i + 1] += offsets[i];
  const bool all_placed = std::all_of(rest.begin(), rest.end(), [](const auto& r) { return r.empty(); });
  std::vector<FixedManifold> moved;  // where a piece has more than its places, later ones may not be moved to their own
  for (std::size_t begin = 0; begin < n; begin += kPiece) {
    const std::size_t end = std::min(n, begin + kPiece), first = offsets[begin];
    const std::span<FixedManifold> placed = own(begin, end).first(offsets[end] - first - rest[begin / kPiece].size());
    if (!all_placed) {
      moved.insert(moved.end(), placed.begin(), placed.end());
      moved.insert(moved.end(), rest[begin / kPiece].begin(), rest[begin / kPiece].end());
    } else if (first < begin) {
      std::copy(placed.begin(), placed.end(), out.begin() + static_cast<std::ptrdiff_t>(first));
    }
  }
  if (!all_placed) std::copy_n(moved.begin(), std::min(moved.size(), out.size()), out.begin());
  return offsets[n];
}

}  // namespace graze
