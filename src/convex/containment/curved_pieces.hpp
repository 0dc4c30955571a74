// Circles, balls and ellipsoids whose hull is a shape, and whether they lie in a ball, a capsule or a curved shape, in pairs of doubles within a bound. Bounds:
// docs/derivations/relation.md.
#pragma once
#include <algorithm>
#include <vector>

#include "convex/curved/piece.hpp"
#include "convex/minkowski/local_pair.hpp"

namespace graze {

/// Pieces whose hull is the operand: a curved shape, a ball or a capsule.
std::vector<Piece> pieces_of(const Operand& shape, const LocalPair& pair);

/// Whether the pieces lie in the target: true only if no point of them is farther than 5 * delta from it, false only if one is outside; delta =
/// growth_of(pair). `side`: of the target among the operands of the pair. The target is a curved shape, a ball or a capsule.
bool are_inside(const std::vector<Piece>& pieces, const LocalPair& pair, const Operand& target, int side);

/// The length by which targets are grown, in the local frame.
inline double growth_of(const LocalPair& pair) { return std::max(pair.extent() * 0x1p-43, 0x1p-84); }

}  // namespace graze
