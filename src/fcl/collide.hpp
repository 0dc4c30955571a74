// fcl::collide: whether two geometries share a point, and their contacts.
#pragma once
#include <cstddef>
#include <optional>

#include "fcl/fcl_types.hpp"

namespace graze::for_fcl {

/// Adds the contacts of two geometries to the result, up to the number requested, and returns how many it has then. Nothing for a call that is left to FCL:
/// with costs, without contacts, and of geometry that Graze does not answer (PlacedShape::of) or that is not occupied.
[[nodiscard]] std::optional<std::size_t> collide(const Geometry& o1, const Transform& tf1, const Geometry& o2, const Transform& tf2,
                                                 const CollisionRequest& request, CollisionResult& result);

}  // namespace graze::for_fcl
