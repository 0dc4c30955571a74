// relation(): convex sets by their corners, bodies of triangles by the germs of their surfaces.
#include <graze/error.hpp>
#include <graze/query/intersects.hpp>
#include <graze/query/relation.hpp>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "convex/containment.hpp"
#include "convex/decide.hpp"
#include "exact/exact_vectors.hpp"
#include "mesh/queries/body_relation.hpp"
#include "mesh/queries/convex_relation.hpp"
#include "parts/parts.hpp"
#include "parts/table.hpp"
#include "platform/fp_environment.hpp"
#include "query/curved_relation.hpp"

namespace graze {

namespace {

template <class S>
constexpr bool is_surface = std::is_same_v<S, Triangle> || std::is_same_v<S, Polygon> || std::is_same_v<S, Mesh> || std::is_same_v<S, HeightField>;

template <class S>
constexpr bool is_convex_form = form_of<S>() == Form::convex;

// ---- bodies of triangles -----------------------------------------------------------------------------------------------------------------

/// A body and, where it was made for the purpose, the mesh that it refers to.
struct MadeBody {
  std::optional<Mesh> mesh;
  SurfaceOrSolid body;
  MadeBody(const Mesh& m, const Pose* pose, bool solid) : body{MeshView(m, pose), solid} {}
  MadeBody(MeshData data, bool solid) : mesh(std::move(data)), body{MeshView(*mesh), solid} {}
};

MadeBody body_of_triangles(std::vector<Triangle> triangles, bool solid) {
  MeshData data;
  for (const Triangle& t : triangles) {
    const auto n = static_cast<std::uint32_t>(data.vertices.size());
    data.vertices.insert(data.vertices.end(), t.points.begin(), t.points.end());
    data.triangles.push_back({n, n + 1, n + 2});
  }
  return {std::move(data), solid};
}

MadeBody of_hull(const Hull& hull) {
  std::vector<Triangle> faces;
  const std::span<const Vec3> p = hull.points();
  for (const auto& t : hull.triangles()) faces.push_back({{p[t[0]], p[t[1]], p[t[2]]}});
  if (hull.dimension() < 2) faces.push_back({{p[hull.corners().front()], p[hull.corners().back()], p[hull.corners().back()]}});
  return body_of_triangles(std::move(faces), hull.dimension() == 3);
}

/// The corners of a bounded convex set as doubles, if they are.
std::optional<std::vector<Vec3>> corners_of(const ConvexSet& c) {
  std::vector<Vec3> corners;
  const bool all = c.radius == 0 && c.bounded() && for_each_hull_corner(c, [&](const ConvexSet& corner) {
                     V3<Dyadic> p = exact(corner.base(0));
                     for (std::uint32_t k = 0; k < corner.segments; ++k) p = p + Dyadic(corner.lo[k]) * exact(corner.segment[k]);
                     const Vec3 rounded(to_double(p.x), to_double(p.y), to_double(p.z));
                     corners.push_back(rounded);
                     return is_zero(exact(rounded) - p);
                   });
  return all ? std::optional(std::move(corners)) : std::nullopt;
}

/// The shape as a body of triangles; nothing if it is round, curved or without bounds, or has corners that are no doubles.
template <class S>
std::optional<MadeBody> body_of(const S& s, const Pose* pose) {
  if constexpr (std::is_same_v<S, Solid>) {
    return MadeBody(s.mesh(), pose, true);
  } else if constexpr (std::is_same_v<S, Mesh>) {
    return MadeBody(s, pose, false);
  } else if constexpr (std::is_same_v<S, HeightField>) {
    return MadeBody(s.mesh(), pose, false);
  } else if constexpr (std::is_same_v<S, Polygon>) {
    std::vector<Triangle> fan;
    for (std::size_t i = 0; i < fan_size(s); ++i) fan.push_back(fan_triangle(s, i, pose));
    return body_of_triangles(std::move(fan), false);
  } else if constexpr (std::is_same_v<S, Triangle>) {
    return body_of_triangles({{{placed_point(s.points[0], pose), placed_point(s.points[1], pose), placed_point(s.points[2], pose)}}}, false);
  } else if constexpr (is_convex_form<S>) {
    const auto corners = corners_of(convex_set_of(s, pose));
    if (!corners) return std::nullopt;
    return of_hull(Hull(std::span<const Vec3>(*corners)));
  } else {
    return std::nullopt;
  }
}

// ---- the table ---------------------------------------------------------------------------------------------------------------------------

Relation relation_of_convex(const ConvexSet& a, const ConvexSet& b) {
  if (!within(a, b)) return Relation::disjoint;
  const bool a_in_b = is_subset(a, b), b_in_a = is_subset(b, a);
  if (a_in_b) return b_in_a ? Relation::identical : Relation::a_in_b;
  if (b_in_a) return Relation::b_in_a;
  return share_inner_points(a, b) ? Relation::overlapping : Relation::touching;
}

template <class A, class B>
struct RelationCell {
  static Relation call(const ShapeRef& a, const ShapeRef& b) {
    const A& sa = *static_cast<const A*>(a.shape());
    const B& sb = *static_cast<const B*>(b.shape());
    if constexpr (is_surface<A> && is_surface<B>) {
      return intersects(a, b) ? Relation::touching : Relation::disjoint;
    } else if constexpr (is_convex_form<A> && is_convex_form<B>) {
      return relation_of_convex(convex_set_of(sa, a.pose()), convex_set_of(sb, b.pose()));
    } else if constexpr (CurvedShape<A> && !std::is_same_v<B, Compound>) {
      return relation_of_curved(a, b);
    } else if constexpr (CurvedShape<B> && !std::is_same_v<A, Compound>) {
      return mirrored(relation_of_curved(b, a));
    } else {
      const std::optional<MadeBody> pa = body_of(sa, a.pose()), pb = body_of(sb, b.pose());
      if (pa && pb) return relation_of_bodies(pa->body, pb->body);
      if constexpr (is_convex_form<A>)
        if (const ConvexSet c = convex_set_of(sa, a.pose()); pb && has_volume(c)) return relation_of(c, pb->body);
      if constexpr (is_convex_form<B>)
        if (const ConvexSet c = convex_set_of(sb, b.pose()); pa && has_volume(c)) return mirrored(relation_of(c, pa->body));
      throw Error(ErrorCode::unsupported_shape, std::string("relation: a ") + A::type_name + " and a " + B::type_name +
                                                    ", must not be compounds, and a plane, line or ray must not be paired with a mesh or solid");
    }
  }
};

constexpr auto kRelationTable = make_pair_table<Relation (*)(const ShapeRef&, const ShapeRef&), RelationCell>();

}  // namespace

Relation relation(ShapeRef a, ShapeRef b) {
  const DefaultFloatEnvironment guard;
  const std::size_t i = place(a.kind()), j = place(b.kind());
  return i <= j ? kRelationTable[i * kKinds + j](a, b) : mirrored(kRelationTable[j * kKinds + i](b, a));
}

const char* name_of(Relation r) {
  constexpr const char* names[] = {"disjoint", "touching", "overlapping", "a_in_b", "b_in_a", "identical"};
  return names[static_cast<int>(r)];
}

}  // namespace graze
