// The relation of two bodies of triangles: unions of solids and surfaces.
#pragma once
#include <graze/query/mesh_triangles.hpp>
#include <graze/query/relation.hpp>
#include <vector>

#include "mesh/arrangement/germs.hpp"
#include "mesh/queries/bodies.hpp"
#include "platform/progress_meter.hpp"

namespace graze {

/// The relation of two sets that triangles bound or make up. Exact for any input: coplanar faces in any triangulation, overlapping shells, cavities, surfaces
/// that cross themselves, triangles without area. The surface of a solid must be closed. At most one of the bodies may be unbounded.
Relation relation_of_bodies(const Body& a, const Body& b, ProgressMeter& meter);
inline Relation relation_of_bodies(const Body& a, const Body& b) {
  ProgressMeter none;
  return relation_of_bodies(a, b, none);
}

/// The same for a caller that has all pairs of triangles that touch. Each body is one mesh; searching for the pairs takes most of the time of bodies that meet.
Relation relation_of_bodies(const Body& a, const Body& b, const std::vector<TrianglePair>& touching);

/// What the relation follows from. `met`: the sets have a common point. Facts beyond those that the relation needs may be missing.
Findings findings_of_bodies(const Body& a, const Body& b);

/// Whether an inner point of one body is a point of the other. Ends at the first that is found.
bool share_inner_points(const Body& a, const Body& b);

}  // namespace graze
