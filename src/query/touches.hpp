// The touching pairs of convex pieces of two shapes, with their depths: what contacts and manifolds list, and penetration of meshes sums.
#pragma once
#include <graze/query/penetration.hpp>
#include <optional>
#include <type_traits>
#include <vector>

#include "convex/contact_patch.hpp"
#include "parts/part_list.hpp"

namespace graze {

template <class P>
inline constexpr bool is_convex = std::is_same_v<P, ConvexSet> || std::is_same_v<P, Curved>;

struct Touch {
  Contact contact;
  Vec3 vector{0, 0, 0};           ///< translation of A that separates
  std::vector<PatchPoint> patch;  ///< only with TouchDetail::patch
  bool unbounded = false;
};

/// How much is computed: the point of a contact is the middle of the deepest points of its patch.
enum class TouchDetail { depth, point, patch };

/// Of two convex sets; nothing when they are apart.
std::optional<Touch> touch_of(const Operand& a, const Operand& b, TouchDetail detail);

/// Adds the touching pairs of pieces of two parts, without points.
void add_touches(const Part& a, const Part& b, std::vector<Touch>& out);

/// In the order of parts, then of triangles.
std::vector<Touch> all_touches(const PartList& a, const PartList& b, TouchDetail detail);

}  // namespace graze
