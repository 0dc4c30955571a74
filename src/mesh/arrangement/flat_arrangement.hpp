// The lines along which triangles cut a flat one: the edges of the arrangement in it. Exact, for the few triangles of a case that nothing simpler decides.
#pragma once
#include <span>
#include <vector>

#include "mesh/queries/winding.hpp"

namespace graze {

/// A segment between rational points.
struct ExactSegment {
  ExactPoint from, to;
};

ExactPoint middle_of(const ExactSegment& s);
/// The point of the segment nearest to p.
ExactPoint nearest_on(const ExactSegment& s, const ExactPoint& p);

/// The triangle's edges and what it shares with the others, cut wherever these meet each other in it; a piece may be listed more than once. The faces
/// between the pieces are crossed by none of the others. Takes time with the square of the number of others, and more where many meet at one place.
std::vector<ExactSegment> pieces_in(const ExactTriangle& triangle, std::span<const ExactTriangle> others);

/// Whether the distance of the segments is less than r.
bool are_closer(const ExactSegment& s, const ExactSegment& t, double r);

/// A vector of about the same direction, whose largest coordinate is between 1/2 and 1; 0 for 0.
Vec3 direction_of(const V3<Dyadic>& v);

/// p - from, each coordinate rounded towards 0.
Vec3 rounded_difference(const ExactPoint& p, const V3<Dyadic>& from);

/// The point's foot on the plane of the triangle, which has an area.
ExactPoint foot_in_plane(const ExactPoint& p, const ExactTriangle& triangle);

}  // namespace graze
