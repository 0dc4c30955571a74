// The touching pairs of convex pieces of two shapes, with their depths: what contacts and manifolds list, and penetration of meshes sums.
#pragma once
#include <graze/query/penetration.hpp>
#include <type_traits>
#include <vector>

#include "convex/depth/contact_patch.hpp"
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

/// The contact of two linear or round convex shapes without its point, and its patch; false when they are apart. With a hint the search begins there; the
/// result is the same.
bool find_contact(const ShapeRef& a, const ShapeRef& b, Contact& contact, ContactPatch& patch, PairHint* hint = nullptr);

/// Adds the touching pairs of pieces of two parts, without points.
void add_touches(const Part& a, const Part& b, std::vector<Touch>& out);

/// In the order of parts, then of triangles.
std::vector<Touch> all_touches(const PartList& a, const PartList& b, TouchDetail detail);

}  // namespace graze
