// Depth of two convex sets in doubles with a proof: along the gap when only their balls overlap, else by an expanding polytope that starts from GJK's simplex.
#pragma once

#include <graze/pair_hint.hpp>

#include "convex/depth/penetration.hpp"

namespace graze {

/// The result of `penetration` for two convex sets, or nothing where doubles do not prove it. With a hint it begins there, and replaces it; the result is the
/// same.
ProvenDepth depth_in_doubles(const Operand& a, const Operand& b, PairHint* hint = nullptr);

/// What a hint may have led to where depth_in_doubles() finds nothing: another tier, which found `normal`, takes this instead, if it is a depth.
ProvenDepth depth_at_face_near(const Operand& a, const Operand& b, const Vec3& normal, PairHint* hint);

}  // namespace graze
