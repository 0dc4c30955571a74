// Where two convex operands that penetrate or touch meet: the common part of their features, seen along the normal of the least translation.
#pragma once
#include "convex/depth/features.hpp"
#include "convex/depth/penetration.hpp"
#include "platform/expects.hpp"

namespace graze {

struct PatchPoint {
  Vec3 point;    ///< halfway between the surfaces of both operands, which are `depth` apart along the normal
  double depth;  ///< >= 0
  bool deepest;  ///< as deep as any, up to rounding
};

/// Points in storage of its own: queries of one pair allocate their result only.
struct ContactPatch {
  static constexpr int kMost = 2 * kMostCorners;
  int count = 0;
  PatchPoint at[kMost];
  ContactPatch() {}  // leaves the points uninitialised
  void add(const PatchPoint& p) {
    GRAZE_EXPECTS(count < kMost);
    at[count++] = p;
  }
  PatchPoint& back() { return at[count - 1]; }
  const PatchPoint* begin() const { return at; }
  const PatchPoint* end() const { return at + count; }
};

/// The corners of the common part of the features (features.hpp) along p.normal, in order around it: what of it lies within both operands. `p` is a penetration
/// that was found, or has the reason `touching`. Coordinates are rounded; one point at least. Exchanging the operands changes no bit.
void contact_patch(const Operand& a, const Operand& b, const ConvexPenetration& p, ContactPatch& out);

/// Reduces a patch to four points: the deepest, the one farthest from it, the one that makes the largest triangle with both, and the one that adds most to its
/// area. Keeps their order. The first of equal ones counts.
void reduce_patch(ContactPatch& patch);

/// The middle of the deepest points of a patch.
Vec3 middle_of(const ContactPatch& patch);

}  // namespace graze
