// Queries of meshes through their trees. A surface is a MeshView: a mesh and where it is placed; the other side is a ConvexSet, a ray, a point or another view.
// Exactness rests on the pair functions at the leaves; trees and boxes only discard. Solids: the same views, for functions whose names say solid.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "bvh/local_query.hpp"
#include "convex/curved.hpp"
#include "convex/decide.hpp"
#include "mesh/kernels/convex_kernels.hpp"
#include "mesh/mesh_impl.hpp"
#include "pairs/ray_triangle.hpp"

namespace graze {

/// A mesh at a pose (null: where it is). Triangle i is that of its placed vertices.
struct MeshView {
  const MeshImpl* mesh;
  const Pose* pose = nullptr;

  MeshView(const MeshImpl& m, const Pose* p = nullptr) : mesh(&m), pose(p) {}
  MeshView(const Mesh& m, const Pose* p = nullptr) : mesh(&m.impl()), pose(p) {}
  Triangle triangle(std::uint32_t i) const;
};

/// The convex set of a triangle.
ConvexSet convex_triangle(const Triangle& triangle);

/// A box that contains all placed vertices, infinite where it would overflow; empty for an empty mesh. Not the smallest for placed meshes, but cheap.
Box3 loose_bounds(const MeshView& view);
/// The smallest box of all placed vertices that triangles use.
Box3 tight_bounds(const MeshView& view);

// ---- surface and convex shape ------------------------------------------------------------------------------------------------------------

/// The convex set with its ball grown by `distance` in the tree's coordinates, for wide filters; nothing where it is no sphere, capsule, box or the like, or
/// doubles do not reach.
std::optional<LocalConvexSet> local_convex_set(const MeshView& a, const PlacedTree& placed, const ConvexSet& convex, double distance);

bool intersects(const MeshView& a, const ConvexSet& b);
bool within(const MeshView& a, const ConvexSet& b, double distance);
bool within(const MeshView& a, const Curved& b, double distance);

struct SurfaceClosest {
  ConvexClosest closest;
  std::uint32_t triangle_a = 0, triangle_b = 0;  ///< triangle_b only between meshes
};
/// Distance, witnesses (on_a on the first operand) and the lowest triangle that reaches the minimum; nothing for an empty mesh. `bound` is known not to be less
/// than the distance: a start for the search.
std::optional<SurfaceClosest> closest(const MeshView& a, const ConvexSet& b, double bound = std::numeric_limits<double>::infinity());
std::optional<SurfaceClosest> closest(const MeshView& a, const Curved& b);
/// The same for many points of a mesh that is not empty: faster when each is near the one before.
void closest(const MeshView& a, std::span<const Vec3> points, std::span<SurfaceClosest> out);

/// The nearest triangles, at most `count`, none farther than `distance`, by distance, then index.
std::vector<SurfaceClosest> closest_triangles(const MeshView& a, const ConvexSet& b, std::size_t count, double distance);
std::vector<SurfaceClosest> closest_triangles(const MeshView& a, const Curved& b, std::size_t count, double distance);

/// All triangles within the distance of the convex set (0: touching), ascending; at most `limit`, the lowest.
std::vector<std::uint32_t> triangles_within(const MeshView& a, const ConvexSet& b, double distance = 0,
                                            std::size_t limit = std::numeric_limits<std::size_t>::max());
std::vector<std::uint32_t> triangles_within(const MeshView& a, const Curved& b, double distance = 0,
                                            std::size_t limit = std::numeric_limits<std::size_t>::max());

// ---- surface and surface -----------------------------------------------------------------------------------------------------------------

bool intersects(const MeshView& a, const MeshView& b);
bool within(const MeshView& a, const MeshView& b, double distance);
/// Of pairs that reach the minimum the one with the lowest triangle of a, then of b; nothing when a mesh is empty.
std::optional<SurfaceClosest> closest(const MeshView& a, const MeshView& b);

struct IndexPair {
  std::uint32_t a, b;
  bool operator==(const IndexPair&) const = default;
  auto operator<=>(const IndexPair&) const = default;
};
/// Pairs for which it is false do not count; called from several threads. May be empty.
using PairFilter = std::function<bool(std::uint32_t, std::uint32_t)>;

/// All pairs of triangles within the distance (0: sharing a point), ascending; on all threads.
std::vector<IndexPair> triangle_pairs(const MeshView& a, const MeshView& b, double distance = 0, const PairFilter& filter = {});

/// All pairs (a < b) of triangles of one mesh whose intersection is more than the corners and edges that both share by equal placed coordinates, ascending; on
/// all threads.
std::vector<IndexPair> self_pairs(const MeshView& view, const PairFilter& filter = {});
/// The decision for one pair.
bool intersect_beyond_shared(const Triangle& a, const Triangle& b);

// ---- rays --------------------------------------------------------------------------------------------------------------------------------

struct RayHit {
  std::uint32_t triangle;
  TimeBounds time;
};
struct FirstTriangle {
  std::uint32_t triangle;
  Triangle corners;  ///< placed
};
/// The triangle hit first, the lowest of those hit at the same true parameter.
std::optional<FirstTriangle> ray_first(const MeshView& view, const RayQuery& ray);
bool ray_any(const MeshView& view, const RayQuery& ray);

inline constexpr std::size_t kRayBatch = 64;
struct FirstPlace {
  std::uint32_t ray;
  BlockPlace place;
};
/// The same for up to kRayBatch rays: those that hit, in order, with the place of the triangle; returns how many.
std::size_t ray_first(const MeshView& view, std::span<const RayQuery> rays, std::span<FirstPlace> hits);
FirstTriangle first_triangle(const MeshView& view, BlockPlace at);
/// Bit k: ray k hits.
std::uint64_t ray_any(const MeshView& view, std::span<const RayQuery> rays);
/// One entry per triangle hit, in exact order of its first parameter, then index.
std::vector<RayHit> ray_all(const MeshView& view, const RayQuery& ray);

// ---- solids ------------------------------------------------------------------------------------------------------------------------------

/// Is the point on the surface, or is its winding number not zero?
bool solid_contains(const MeshView& solid, const Vec3& point);
bool solid_intersects(const MeshView& solid, const ConvexSet& convex);
bool solid_intersects_surface(const MeshView& solid, const MeshView& surface);
bool solid_intersects_solid(const MeshView& a, const MeshView& b);

/// Only when convex set and surface do not meet: does the convex set lie inside?
bool solid_encloses(const MeshView& solid, const ConvexSet& convex);
/// Only when the surfaces do not meet: a vertex of a component of `surface` that lies inside the solid, the first found in the order of components.
std::optional<Vec3> enclosed_vertex(const MeshView& solid, const MeshView& surface);

}  // namespace graze
