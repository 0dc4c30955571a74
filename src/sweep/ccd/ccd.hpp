// First contact of a vertex with a face, or of two edges, all vertices moving linearly: the tiers behind ccd_vertex_face and ccd_edge_edge. Derivation:
// docs/derivations/ccd.md.
#pragma once
#include <array>
#include <cstdint>
#include <graze/vec.hpp>
#include <optional>
#include <span>

#include "exact/certain.hpp"

namespace graze::moving {

enum class Kind : std::uint8_t { vertex_face, edge_edge };

/// Number of decisions per tier, per thread; read by tests and the benchmark.
struct Counts {
  std::uint64_t filter = 0;  ///< doubles with a proven bound alone
  std::uint64_t fixed = 0;   ///< integers of at most about 2,048 bits, without allocation
  std::uint64_t big = 0;     ///< unlimited integers
};
extern constinit thread_local Counts counts_of_thread;
inline Counts& counts() { return counts_of_thread; }

/// The differences that decide. Vertex-face: the face's corners relative to the vertex; edge-edge: b_j - a_i at index 2 i + j. The index pairs (p, q) whose
/// cross products are the weights W_i and whose dot products are G_i: with (d0 x d1) . d2 = 0, there is contact exactly when in the first component in which
/// not all weights vanish they have one weak sign; if all vanish, when some G_i <= 0.
struct Pairing {
  int differences, weights;
  std::uint8_t p[4], q[4];
  std::uint8_t from[4], to[4];  ///< difference i is point to[i] - point from[i]
};
inline constexpr Pairing kVertexFace{3, 3, {0, 1, 2, 0}, {1, 2, 0, 0}, {0, 0, 0, 0}, {1, 2, 3, 0}};
inline constexpr Pairing kEdgeEdge{4, 4, {0, 3, 2, 1}, {1, 2, 0, 3}, {0, 0, 1, 1}, {2, 3, 2, 3}};
inline const Pairing& pairing(Kind kind) { return kind == Kind::vertex_face ? kVertexFace : kEdgeEdge; }

using Points = std::span<const Vec3, 4>;

/// The exact result of all tiers together.
std::optional<double> first_contact(Kind kind, Points t0, Points t1);

/// Result of tier 1. If there certainly is contact, the coplanarity has exactly one root in [lo, hi] with contact there, and there is no contact before; `sign`
/// is the sign of the coplanarity at lo; `guess` is near the root.
struct Filtered {
  Certain contact = Certain::unknown;
  int sign = 0;
  double lo = 0, hi = 1, guess = 0;
};
Filtered filtered(Kind kind, Points t0, Points t1);

/// Tier 2, for a hit of the filter: the rounded time by exact signs in fixed-width integers. Returns nothing where the coordinates of an axis span more than
/// 126 bits, or t is small.
std::optional<double> fixed_time(Kind kind, Points t0, Points t1, const Filtered& hit);

/// Tier 3, for any finite coordinates.
std::optional<double> exact_first_contact(Kind kind, Points t0, Points t1);

}  // namespace graze::moving
