// The triangles cut the plane into faces, each with the body on either side or not. The outline is convex, so all faces that it meets lie beside the pieces of
// lines that pass through it, or it lies in one face.
#include "mesh/queries/flat_findings.hpp"

#include <optional>
#include <type_traits>
#include <vector>

#include "math/vec3.hpp"
#include "mesh/queries/flat_arrangement.hpp"
#include "mesh/queries/meeting_points.hpp"
#include "mesh/queries/solid_queries.hpp"
#include "shapes/message.hpp"

namespace graze {
namespace {

/// A disc or an ellipse in a plane.
class FlatOutline {
 public:
  explicit FlatOutline(const Curved& a) {
    a.visit([&]<class K>(const K& kind) {
      if constexpr (std::is_same_v<K, CurvedEllipsoid>) {
        std::size_t least = 0;
        for (std::size_t i = 1; i < 3; ++i)
          if (kind.radii[i] < kind.radii[least]) least = i;
        center = exact(kind.center);
        for (std::size_t i = 0; i < 2; ++i) {
          axis_[i] = kind.axis[(least + 1 + i) % 3];
          radius_[i] = kind.radii[(least + 1 + i) % 3];
        }
        normal = cross(exact(axis_[0]), exact(axis_[1]));
        is_disc_ = false;
      } else {
        const Ends ends = kind.ends();
        center = exact(ends.a);
        normal = ends.a == ends.b ? kind.flat_normal() : exact(ends.b) - exact(ends.a);
        radius_[0] = kind.largest_radius();
      }
    });
  }

  /// The point of the segment that is deepest within the outline, if one is within.
  std::optional<ExactPoint> deepest_of(const ExactSegment& s) const {
    const ExactPoint foot = nearest_on(s, {center});
    const V3<Dyadic> from_center = foot.at - foot.scale * center;
    if (is_disc_) {
      const Dyadic reach = Dyadic(radius_[0]) * foot.scale;
      return compare(dot(from_center, from_center), reach * reach) < 0 ? std::optional(foot) : std::nullopt;
    }
    // The ellipse becomes a unit disc where each coordinate along an axis is divided by its radius.
    const Vec3 d = direction_of(s.from.scale * s.to.at - s.to.scale * s.from.at), f = rounded_difference(foot, center);
    double along = 0, square = 0;
    for (std::size_t i = 0; i < 2; ++i) {
      const double w = dot(d, axis_[i]) / radius_[i];
      along -= w * (dot(f, axis_[i]) / radius_[i]);
      square += w * w;
    }
    const ExactPoint place = square > 0 && is_finite(f + d * (along / square)) ? nearest_on(s, {center + exact(f + d * (along / square))}) : foot;
    const Vec3 p = rounded_difference(place, center);
    double depth = 0;
    for (std::size_t i = 0; i < 2; ++i) depth += (dot(p, axis_[i]) / radius_[i]) * (dot(p, axis_[i]) / radius_[i]);
    return depth < 1 - 0x1p-42 ? std::optional(place) : std::nullopt;
  }

  V3<Dyadic> center, normal;

 private:
  bool is_disc_ = true;
  Vec3 axis_[2];
  double radius_[2];
};

}  // namespace

Findings findings_of_flat(const Curved& a, const SurfaceOrSolid& b, std::span<const std::uint32_t> met) {
  const FlatOutline outline(a);
  Box3 around = loose_bounds(b.surface);
  around.add(box_of({outline.center}));
  Body plane;
  plane.parts.push_back(exact_plane(outline.center, outline.normal, around));
  const Body body(b.surface, b.solid);
  const Germs germs(plane, body);
  std::vector<ExactTriangle> triangles;
  for (const std::uint32_t i : met) triangles.push_back(exact(b.surface.triangle(i)));
  Findings found;
  bool divided = false;
  for (const ExactTriangle& t : plane.parts[0].exact)
    for (const ExactSegment& s : pieces_in(t, triangles)) {
      const std::optional<ExactPoint> place = outline.deepest_of(s);
      if (!place) continue;
      divided = true;
      germs.examine(*place, found);
      if (found.a_leaves_b && found.inner) return found;
    }
  if (!divided) germs.examine(ExactPoint{outline.center}, found);
  return found;
}

}  // namespace graze
