// Depth of two convex sets in doubles with a proof: along the gap when only their balls overlap, else by an expanding polytope that starts from GJK's simplex.
// The least direction of curved operands by the same polytope.
#pragma once

#include <graze/pair_hint.hpp>
#include <optional>

#include "convex/depth/penetration.hpp"

namespace graze {

/// The result of `penetration` for two convex sets, or nothing where doubles do not prove it. With a hint it begins there, and replaces it; the result is the
/// same.
ProvenDepth depth_in_doubles(const Operand& a, const Operand& b, PairHint* hint = nullptr);

/// What a hint may have led to where depth_in_doubles() finds nothing: another tier, which found `normal`, takes this instead, if it is a depth.
ProvenDepth depth_at_face_near(const Operand& a, const Operand& b, const Vec3& normal, PairHint* hint);

/// The direction, of unit length, along which A - B has the least height, for a pair with curved operands and a simplex that certainly contains the origin: on
/// a round surface as far as doubles tell, and no other direction has less by more than 2^-14 of the depth; elsewhere to 2^-26 of the depth or 2^-38 of the
/// extent. Nothing where doubles cannot show that.
std::optional<V3<double>> shallowest_in_doubles(const LocalPair& pair, const Nearby<double>& around);

}  // namespace graze
