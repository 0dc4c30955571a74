// fcl::distance: how far two geometries are apart, or how deep they overlap.
#pragma once
#include <optional>

#include "fcl/fcl_types.hpp"

namespace graze::for_fcl {

/// Puts the distance of two geometries into the result where it is less than the one there, and returns the one there then. Geometries that intersect have the
/// distance -1, or minus the depth of their penetration if the request asks for signed distances. Nothing for geometry that is left to FCL.
[[nodiscard]] std::optional<double> distance(const Geometry& o1, const Transform& tf1, const Geometry& o2, const Transform& tf2, const DistanceRequest& request,
                                             DistanceResult& result);

}  // namespace graze::for_fcl
