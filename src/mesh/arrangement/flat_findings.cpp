// The triangles cut the plane into faces, each with the body on either side or not. The disc or ellipse is convex, so all faces that it meets lie beside the
// pieces of lines that pass through it, or it lies in one face.
#include "mesh/arrangement/flat_findings.hpp"

#include <optional>
#include <vector>

#include "math/vec3.hpp"
#include "mesh/arrangement/flat_arrangement.hpp"
#include "mesh/arrangement/meeting_points.hpp"
#include "mesh/queries/solid_queries.hpp"
#include "shapes/message.hpp"

namespace graze {
namespace {

/// The point of the segment that is deepest within the disc, if one is within.
std::optional<ExactPoint> deepest_of(const FlatDisc& disc, const ExactSegment& s) {
  const ExactPoint foot = nearest_on(s, {disc.center});
  const V3<Dyadic> from_center = foot.at - foot.scale * disc.center;
  if (disc.is_round) {
    const Dyadic reach = Dyadic(disc.radius[0]) * foot.scale;
    return compare(dot(from_center, from_center), reach * reach) < 0 ? std::optional(foot) : std::nullopt;
  }
  // The ellipse becomes a unit disc where each coordinate along an axis is divided by its radius.
  const Vec3 d = direction_of(s.from.scale * s.to.at - s.to.scale * s.from.at), f = rounded_difference(foot, disc.center);
  double along = 0, square = 0;
  for (std::size_t i = 0; i < 2; ++i) {
    const double w = dot(d, disc.axis[i]) / disc.radius[i];
    along -= w * (dot(f, disc.axis[i]) / disc.radius[i]);
    square += w * w;
  }
  const ExactPoint place = square > 0 && is_finite(f + d * (along / square)) ? nearest_on(s, {disc.center + exact(f + d * (along / square))}) : foot;
  const Vec3 p = rounded_difference(place, disc.center);
  double depth = 0;
  for (std::size_t i = 0; i < 2; ++i) depth += (dot(p, disc.axis[i]) / disc.radius[i]) * (dot(p, disc.axis[i]) / disc.radius[i]);
  return depth < 1 - 0x1p-42 ? std::optional(place) : std::nullopt;
}

}  // namespace

Findings findings_of_flat(const Curved& a, const SurfaceOrSolid& b, std::span<const std::uint32_t> met) {
  const FlatDisc disc = a.visit([](const auto& kind) { return kind.flat_disc(); });
  Box3 around = loose_bounds(b.surface);
  around.add(box_of({disc.center}));
  Body plane;
  plane.parts.push_back(exact_plane(disc.center, disc.normal, around));
  const Body body(b.surface, b.solid);
  const Germs germs(plane, body);
  std::vector<ExactTriangle> triangles;
  for (const std::uint32_t i : met) triangles.push_back(exact(b.surface.triangle(i)));
  Findings found;
  bool divided = false;
  for (const ExactTriangle& t : plane.parts[0].exact)
    for (const ExactSegment& s : pieces_in(t, triangles)) {
      const std::optional<ExactPoint> place = deepest_of(disc, s);
      if (!place) continue;
      divided = true;
      germs.examine(*place, found);
      if (found.a_leaves_b && found.inner) return found;
    }
  if (!divided) germs.examine(ExactPoint{disc.center}, found);
  return found;
}

}  // namespace graze
