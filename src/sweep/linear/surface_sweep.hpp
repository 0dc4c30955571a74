// First contact of a convex shape and a surface, one of which moves. A point is a ray. The wide traversal finds candidates for balls, capsules, boxes and what
// these enclose, and the general one for all others; where these are many, the search in the order of times. Exact tests decide them.
#pragma once
#include <cstdint>
#include <optional>

#include "convex/decide/curved_decide.hpp"
#include "mesh/queries/leaf.hpp"
#include "mesh/queries/triangle_choice.hpp"
#include "sweep/linear/curved_contact.hpp"
#include "sweep/linear/earliest_contact.hpp"
#include "sweep/linear/wide_traversal.hpp"

namespace graze {

/// A convex set or curved shape and a surface, one of which moves. Both must outlive the object.
template <class Shape>
struct SurfacePair {
  const Shape& shape;
  const MeshView& surface;
  bool surface_moves;
  SweepIds ids;
  const RayQuery* line = nullptr;  ///< the triangles that count, by their sides along it; null: all

  const TriangleChoice* choice() const { return line ? line->choice : nullptr; }
  /// Whether a ray along d counts the same triangles.
  bool same_sides_along(const Vec3& d) const { return !line || choice()->sides == Sides::both || (!line->to_point && line->direction == d); }
  bool counts(const Triangle& t, std::uint32_t triangle) const { return !line || graze::counts(*line, t, triangle, surface); }
  /// The shape's displacement relative to the surface.
  Vec3 displacement(const Motion& motion) const { return surface_moves ? -rounded(motion) : rounded(motion); }
  SweepIds with(std::uint32_t triangle) const {
    SweepIds named = ids;
    (surface_moves ? named.triangle_a : named.triangle_b) = triangle;
    return named;
  }
  void test(EarliestContact& first, const Triangle& t, const SweepIds& named, double start = 0) const {
    if (surface_moves)
      test_pair(first, convex_triangle(t), shape, named, start);
    else
      test_pair(first, shape, convex_triangle(t), named, start);
  }
};

/// Adds the first contact to `first`.
template <class Shape>
void sweep_surface(EarliestContact& first, const SurfacePair<Shape>& pair);

enum class Swept {
  unusable,    ///< doubles do not suffice; nothing was tested
  unfinished,  ///< more tests were needed: what was found counts
  done
};

/// The same by the wide traversal with at most `tests` exact tests.
template <class Shape>
Swept sweep_wide(EarliestContact& first, const SurfacePair<Shape>& pair, std::uint32_t tests = ~0u);

/// The same in the order of times, testing only the triangles that may be touched first: for shapes that are large beside the triangles. Where the shape moves,
/// also records the triangles near its path. Returns false without any test where doubles do not suffice.
template <class Shape>
bool sweep_in_order(EarliestContact& first, const SurfacePair<Shape>& pair);

extern template Swept sweep_wide(EarliestContact& first, const SurfacePair<ConvexSet>& pair, std::uint32_t tests);
extern template bool sweep_in_order(EarliestContact& first, const SurfacePair<ConvexSet>& pair);
extern template bool sweep_in_order(EarliestContact& first, const SurfacePair<Curved>& pair);
extern template void sweep_surface(EarliestContact& first, const SurfacePair<ConvexSet>& pair);
extern template void sweep_surface(EarliestContact& first, const SurfacePair<Curved>& pair);

}  // namespace graze
