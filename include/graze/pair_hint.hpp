// What a query found out about a pair of shapes, for the next call about the same pair.
#pragma once
#include <array>
#include <cstdint>
#include <graze/vec.hpp>

namespace graze {

/// Keep one for each pair of shapes that is asked about again and again, as in every frame of a simulation, and give it to the same query with the shapes in
/// the same order. The query begins with what it found the last time, such as a plane between the shapes or the faces in which they met
/// or were nearest, and replaces it. `penetration` and `manifold` may share a hint; `closest` needs one of its own.
///
/// No answer depends on a hint, to the bit: what a hint says counts only where it is proven anew, and proven to be what the search without a hint finds. A hint
/// of other shapes, of a pair that jumped, or of random numbers costs some time and does no harm. What the members mean is an affair of the library.
struct PairHint {
  std::uint8_t kind = 0;
  std::array<std::uint8_t, 3> ends_a{}, ends_b{};
  std::array<std::uint32_t, 3> corner_a{}, corner_b{};
  Vec3 direction{0, 0, 0};
};

}  // namespace graze
