// Many triangles: pairs that share a point, between two meshes and within one; those within a distance of a shape; the nearest ones.
#include <graze/error.hpp>
#include <graze/query.hpp>

#include "core/fp_environment.hpp"
#include "core/parallel.hpp"
#include "pairs/triangle_triangle.hpp"
#include "query/parts.hpp"

namespace graze {
namespace {

MeshView triangles_of(ShapeRef s, const char* query) {
  if (const std::optional<MeshView> surface = surface_of(s)) return *surface;
  throw Error(std::string(query) + ": a " + type_name(s.kind()) + " has no triangles; use a mesh, solid or heightfield");
}

std::vector<TrianglePair> reported(const std::vector<IndexPair>& pairs, const PairOptions& options) {
  std::vector<TrianglePair> out;
  out.reserve(std::min(pairs.size(), options.limit));
  for (const IndexPair& p : pairs) {
    if (out.size() == options.limit) break;
    out.push_back({p.a, p.b});
    if (options.visit && !options.visit(out.back())) break;
  }
  return out;
}

}  // namespace

std::vector<TrianglePair> intersecting_triangles(ShapeRef a, ShapeRef b, const PairOptions& options) {
  const DefaultFloatEnvironment guard;
  return reported(triangle_pairs(triangles_of(a, "intersecting_triangles"), triangles_of(b, "intersecting_triangles"), 0, options.filter), options);
}

bool crosses(const Triangle& a, const Triangle& b) {
  const DefaultFloatEnvironment guard;
  return triangles_cross(a, b);
}

std::vector<TrianglePair> self_intersections(ShapeRef mesh, const PairOptions& options) {
  const DefaultFloatEnvironment guard;
  return reported(self_pairs(triangles_of(mesh, "self_intersections"), options.filter), options);
}

std::vector<std::uint32_t> triangles_within(ShapeRef shape, ShapeRef mesh, double distance) {
  const DefaultFloatEnvironment guard;
  if (!(distance >= 0)) throw Error("triangles_within: the distance is " + std::to_string(distance) + ", must be 0 or more");
  const MeshView surface = triangles_of(mesh, "triangles_within");
  std::vector<std::uint32_t> found;
  const auto add = [&](const std::vector<std::uint32_t>& more) { found.insert(found.end(), more.begin(), more.end()); };
  const auto of_surface = [&](const MeshView& other) {
    for (const IndexPair& p : triangle_pairs(surface, other, distance)) found.push_back(p.a);
  };
  visit_shape(shape, [&](const auto& s) {
    for_each_part(s, shape.pose(), [&]<class P>(const P& part) {
      if constexpr (std::is_same_v<P, MeshView>) {
        of_surface(part);
      } else if constexpr (std::is_same_v<P, SolidView>) {
        of_surface(part.surface);
        for (std::uint32_t i = 0; i < surface.mesh->triangles.size(); ++i)
          if (solid_encloses(part.surface, triangle_core(surface.triangle(i)))) found.push_back(i);
      } else {
        add(triangles_within(surface, part, distance));
      }
      return true;
    });
  });
  parallel_sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

std::vector<Closest> closest_triangles(ShapeRef shape, ShapeRef mesh, std::size_t count, double distance) {
  const DefaultFloatEnvironment guard;
  if (!(distance >= 0)) throw Error("closest_triangles: the distance is " + std::to_string(distance) + ", must be 0 or more");
  const MeshView surface = triangles_of(mesh, "closest_triangles");
  std::vector<Closest> found;
  visit_shape(shape, [&](const auto& s) {
    for_each_part(s, shape.pose(), [&]<class P>(const P& part) {
      if constexpr (std::is_same_v<P, Core> || std::is_same_v<P, Curved>) {
        for (const SurfaceClosest& c : closest_triangles(surface, part, count, distance)) found.push_back(flipped(public_form(c)));
      } else {
        throw Error("closest_triangles: the shape has triangles of its own; use convex shapes, polygons or compounds of these");
      }
      return true;
    });
  });
  const auto nearer = [](const Closest& a, const Closest& b) { return a.distance != b.distance ? a.distance < b.distance : *a.triangle_b < *b.triangle_b; };
  std::sort(found.begin(), found.end(), [](const Closest& a, const Closest& b) { return *a.triangle_b != *b.triangle_b ? *a.triangle_b < *b.triangle_b : a.distance < b.distance; });
  found.erase(std::unique(found.begin(), found.end(), [](const Closest& a, const Closest& b) { return a.triangle_b == b.triangle_b; }), found.end());  // of several parts the nearest
  std::sort(found.begin(), found.end(), nearer);
  if (found.size() > count) found.resize(count);
  return found;
}

}  // namespace graze
