// Pairs of triangles that share a point: between two meshes, and within one.
#include <graze/error.hpp>
#include <graze/query.hpp>

#include "core/fp_environment.hpp"
#include "query/forms.hpp"
#include "query/leaves.hpp"

namespace graze {
namespace {

MeshView surface_of(ShapeRef s, const char* query) {
  if (const Mesh* m = s.get<Mesh>()) return MeshView(*m, s.pose());
  if (const Solid* solid = s.get<Solid>()) return MeshView(solid->mesh(), s.pose());
  if (const HeightField* field = s.get<HeightField>()) return MeshView(field->mesh(), s.pose());
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
  return reported(triangle_pairs(surface_of(a, "intersecting_triangles"), surface_of(b, "intersecting_triangles"), 0, options.filter), options);
}

std::vector<TrianglePair> self_intersections(ShapeRef mesh, const PairOptions& options) {
  const DefaultFloatEnvironment guard;
  return reported(self_pairs(surface_of(mesh, "self_intersections"), options.filter), options);
}

}  // namespace graze
