// Queries of meshes through their trees. A surface is a MeshView: a mesh and its pose. The other operand is a ConvexSet, a ray, a point or another view.
// Exactness rests on the pair functions at the leaves; trees and boxes only discard. Solids use the same views, with functions whose names say solid.
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

/// A mesh at a pose (null: none). Triangle i is the triangle of its placed vertices.
struct MeshView {
  const MeshImpl* mesh;
  const Pose* pose = nullptr;

  MeshView(const MeshImpl& m, const Pose* p = nullptr) : mesh(&m), pose(p) {}
  MeshView(const Mesh& m, const Pose* p = nullptr) : mesh(&m.impl()), pose(p) {}
  Triangle triangle(std::uint32_t i) const;
};

/// Returns the convex set of a triangle.
ConvexSet convex_triangle(const Triangle& triangle);

/// Returns a box that contains all placed vertices, infinite where it would overflow, empty for an empty mesh. Cheap, but not the smallest box for a placed
/// mesh.
Box3 loose_bounds(const MeshView& view);
/// Returns the smallest box of all placed vertices that triangles use.
Box3 tight_bounds(const MeshView& view);

// ---- surface and convex shape ------------------------------------------------------------------------------------------------------------

/// Returns the convex set with its ball grown by `distance`, in the tree's coordinates, for SIMD filters. Returns nothing if it is not a sphere, capsule, box
/// or the like, or if doubles do not suffice.
std::optional<LocalConvexSet> local_convex_set(const MeshView& a, const PlacedTree& placed, const ConvexSet& convex, double distance);

bool intersects(const MeshView& a, const ConvexSet& b);
bool within(const MeshView& a, const ConvexSet& b, double distance);
bool within(const MeshView& a, const Curved& b, double distance);

struct SurfaceClosest {
  ConvexClosest closest;
  std::uint32_t triangle_a = 0, triangle_b = 0;  ///< triangle_b only between meshes
};
/// Returns the distance, the witnesses (on_a on the first operand) and the lowest triangle that attains the minimum; nothing for an empty mesh. `bound` must
/// not be less than the distance; it limits the search from the start.
std::optional<SurfaceClosest> closest(const MeshView& a, const ConvexSet& b, double bound = std::numeric_limits<double>::infinity());
std::optional<SurfaceClosest> closest(const MeshView& a, const Curved& b);
/// The same for many points; the mesh must not be empty. Faster if each point is near the one before.
void closest(const MeshView& a, std::span<const Vec3> points, std::span<SurfaceClosest> out);

/// Returns the nearest triangles, at most `count`, none farther than `distance`, ordered by distance, then index.
std::vector<SurfaceClosest> closest_triangles(const MeshView& a, const ConvexSet& b, std::size_t count, double distance);
std::vector<SurfaceClosest> closest_triangles(const MeshView& a, const Curved& b, std::size_t count, double distance);

/// Returns all triangles within the distance of the convex set (0: touching), ascending; the lowest `limit` of them.
std::vector<std::uint32_t> triangles_within(const MeshView& a, const ConvexSet& b, double distance = 0,
                                            std::size_t limit = std::numeric_limits<std::size_t>::max());
std::vector<std::uint32_t> triangles_within(const MeshView& a, const Curved& b, double distance = 0,
                                            std::size_t limit = std::numeric_limits<std::size_t>::max());

// ---- surface and surface -----------------------------------------------------------------------------------------------------------------

bool intersects(const MeshView& a, const MeshView& b);
bool within(const MeshView& a, const MeshView& b, double distance);
/// Of the pairs that attain the minimum, returns the one with the lowest triangle of a, then of b. Returns nothing if a mesh is empty.
std::optional<SurfaceClosest> closest(const MeshView& a, const MeshView& b);

struct IndexPair {
  std::uint32_t a, b;
  bool operator==(const IndexPair&) const = default;
  auto operator<=>(const IndexPair&) const = default;
};
/// Pairs for which the filter returns false do not count. Called from several threads. May be empty.
using PairFilter = std::function<bool(std::uint32_t, std::uint32_t)>;

/// Returns all pairs of triangles within the distance (0: sharing a point), ascending. Runs on all threads.
std::vector<IndexPair> triangle_pairs(const MeshView& a, const MeshView& b, double distance = 0, const PairFilter& filter = {});

/// Returns all pairs (a < b) of triangles of one mesh whose intersection is more than the corners and edges that both share by equal placed coordinates,
/// ascending. Runs on all threads.
std::vector<IndexPair> self_pairs(const MeshView& view, const PairFilter& filter = {});
/// Decides one pair.
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
/// Returns the triangle hit first, the lowest of those hit at the same true parameter.
std::optional<FirstTriangle> ray_first(const MeshView& view, const RayQuery& ray);
bool ray_any(const MeshView& view, const RayQuery& ray);

inline constexpr std::size_t kRayBatch = 64;
struct FirstPlace {
  std::uint32_t ray;
  BlockPlace place;
};
/// The same for up to kRayBatch rays. Writes the rays that hit, in order, with their triangles, and returns their number.
std::size_t ray_first(const MeshView& view, std::span<const RayQuery> rays, std::span<FirstPlace> hits);
FirstTriangle first_triangle(const MeshView& view, BlockPlace at);
/// Bit k: ray k hits.
std::uint64_t ray_any(const MeshView& view, std::span<const RayQuery> rays);
/// Returns one entry per triangle that is hit, in the exact order of its first parameter, then index.
std::vector<RayHit> ray_all(const MeshView& view, const RayQuery& ray);

// ---- solids ------------------------------------------------------------------------------------------------------------------------------

/// Tests whether the point is on the surface or has a winding number other than zero.
bool solid_contains(const MeshView& solid, const Vec3& point);
bool solid_intersects(const MeshView& solid, const ConvexSet& convex);
bool solid_intersects_surface(const MeshView& solid, const MeshView& surface);
bool solid_intersects_solid(const MeshView& a, const MeshView& b);

/// Tests whether the convex set lies inside the solid. Requires that it does not meet the surface.
bool solid_encloses(const MeshView& solid, const ConvexSet& convex);
/// Returns a vertex of a component of `surface` that lies inside the solid, the first found in the order of components. Requires that the surfaces do not meet.
std::optional<Vec3> enclosed_vertex(const MeshView& solid, const MeshView& surface);

}  // namespace graze
