// The least translation that separates two convex operands, verified before it is returned. Bounds: docs/derivations/penetration.md.
#pragma once
#include <cstdint>
#include <graze/pair_hint.hpp>

#include "convex/minkowski/local_pair.hpp"
#include "math/limits.hpp"
#include "math/v3.hpp"

namespace graze {

struct ConvexPenetration {
  enum class Reason : std::uint8_t { none, apart, touching, unbounded };
  bool found = false;
  Reason reason = Reason::none;  ///< why there is no result
  double depth = 0;              ///< > 0
  Vec3 normal{0, 0, 0};          ///< unit length, from B to A; also set for touching pairs
  Vec3 vector{0, 0, 0};          ///< translation of A that separates: some plane has all of A + vector on one side and all of B on the other (balls included)
};

/// Up to this number of base points per side, the facets of A - B are found among all pairs of edges. A choice: 28 differences a side give 1540 pairs.
inline constexpr std::uint32_t kFewCorners = 8;

/// Gap of the bounds from both sides that results in doubles leave, relative to the depth: below the 1e-9 that are promised, with room for the roundings.
inline constexpr double kDepthGap = 0x1p-32;

/// For convex sets, the result is minimal up to 1 + 1e-9, and exact about apart, touching and unbounded, for any exponents. Each component of the vector may be
/// the smallest denormal longer. The result is also `unbounded` where the least translation exceeds the largest double. With a curved operand, apart and
/// touching are decided within the bound of `within`, and the result is minimal as far as the search refines (1e-9 unless directions tie along a curve).
/// Exchanging A and B negates normal and vector exactly unless both are equal. `meet`: the caller knows that two convex sets intersect, and the test is
/// skipped. With a hint the search begins there, where it has a use for it, and replaces it; the result is the same.
ConvexPenetration penetration(const Operand& a, const Operand& b, bool meet = false, PairHint* hint = nullptr);

/// With A and B exchanged.
inline ConvexPenetration exchanged(ConvexPenetration p) {
  p.normal = Vec3(0 - p.normal.x, 0 - p.normal.y, 0 - p.normal.z);
  p.vector = Vec3(0 - p.vector.x, 0 - p.vector.y, 0 - p.vector.z);
  return p;
}

/// What doubles prove: nothing, that A and B are apart, or that moving A by `value` + `error` along `direction`, times `back` of unit length, separates them.
enum class Proof : std::uint8_t { none, apart, depth };
struct ProvenDepth {
  Proof proof = Proof::none;
  double back = 1, value = 0, error = 0;
  V3<double> direction{0, 0, 0};
};
inline ProvenDepth exchanged(ProvenDepth s) {
  s.back = -s.back;
  return s;
}
/// Writes depth, normal and vector of a result. 16 u: the roundings of the vector, of the sum and of the length.
template <class Result>
void set_translation(const ProvenDepth& s, Result& r) {
  const double far = (s.value + s.error) * (1 + 16 * kUnitRoundoff);
  const double x = s.direction.x * s.back + 0.0, y = s.direction.y * s.back + 0.0, z = s.direction.z * s.back + 0.0;  // + 0: no negative zeros
  r.depth = s.value;
  r.normal = Vec3(x, y, z);
  r.vector = Vec3(x * far, y * far, z * far);
}

/// Whether A comes first in the order in which pairs are computed, by kind and numbers.
bool in_order(const Operand& a, const Operand& b);

}  // namespace graze
