// Convex sets that are planes or half-spaces.
#pragma once
#include "convex/sets/convex_set.hpp"

namespace graze {

/// The normal of a convex set that is a plane or half-space. For a plane it is determined up to sign and length; for a half-space it points outwards.
struct PlaneForm {
  Vec3 point, normal;
  bool solid;  ///< half-space
};
bool is_plane(const ConvexSet& c, PlaneForm& out);

}  // namespace graze
