// What a hint may hold.
#pragma once
#include <cstdint>
#include <graze/pair_hint.hpp>
#include <utility>

namespace graze {

/// PairHint::kind: nothing, a plane that separates, the face of A - B with the least depth, the nearest face.
enum HintKind : std::uint8_t { kNoHint, kPlaneHint, kDepthHint, kNearestHint };

/// Of the shapes in the other order.
inline PairHint exchanged(const PairHint& hint) {
  PairHint h = hint;
  std::swap(h.ends_a, h.ends_b);
  std::swap(h.corner_a, h.corner_b);
  h.direction = Vec3(-h.direction.x, -h.direction.y, -h.direction.z);
  return h;
}

}  // namespace graze
