// Queries of a surface and a convex shape. The pair functions at the leaves provide the exactness; trees and boxes only discard.
#pragma once
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "bvh/local_query.hpp"
#include "convex/decide/curved_decide.hpp"
#include "math/limits.hpp"
#include "mesh/kernels/convex_kernels.hpp"
#include "mesh/queries/mesh_view.hpp"

namespace graze {

/// Returns the convex set with its ball grown by `distance`, in the tree's coordinates, for SIMD filters. Returns nothing if it is not a sphere, a capsule, a
/// box or similar, or if doubles do not suffice.
std::optional<LocalConvexSet> local_convex_set(const MeshView& a, const PlacedTree& placed, const ConvexSet& convex, double distance);

bool intersects(const MeshView& a, const ConvexSet& b);
bool within(const MeshView& a, const ConvexSet& b, double distance);
bool within(const MeshView& a, const Curved& b, double distance);

/// Returns the distance, the witnesses (on_a on the first operand) and the lowest triangle that attains the minimum; nothing for an empty mesh. `bound` must
/// not be less than the distance; it limits the search from the start.
std::optional<SurfaceClosest> closest(const MeshView& a, const ConvexSet& b, double bound = kInfinity);
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
/// Returns the first triangles that touch the convex set, at most `count`, in the order in which the search finds them.
std::vector<std::uint32_t> some_triangles_within(const MeshView& a, const ConvexSet& b, std::size_t count);
std::vector<std::uint32_t> some_triangles_within(const MeshView& a, const Curved& b, std::size_t count);

}  // namespace graze
