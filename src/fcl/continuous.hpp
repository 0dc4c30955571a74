// fcl::continuousCollide: the first contact of two geometries in motion.
#pragma once
#include <optional>

#include "fcl/fcl_types.hpp"

namespace graze::for_fcl {

/// Where a geometry is at the start and at the end.
struct Path {
  const Transform &begin, &end;
};

/// Fills the result and returns the time of the first contact, 1 where there is none. Nothing for a call that is left to FCL: a motion that turns a geometry,
/// or along a spline, and geometry that Graze does not answer.
[[nodiscard]] std::optional<double> continuous_collide(const Geometry& o1, const Path& path1, const Geometry& o2, const Path& path2,
                                                       const ContinuousRequest& request, ContinuousResult& result);

}  // namespace graze::for_fcl
