// Rays against the parts of shapes: first hit and all hits in the public form.
#pragma once
#include <graze/query.hpp>

#include "pairs/ray_triangle.hpp"
#include "parts/part_pairs.hpp"

namespace graze {

/// A plane's convex set does not know which of its sides is the front.
struct PlaneTarget {
  ConvexSet convex;
  Vec3 normal;
};

std::optional<Hit> first_hit(const RayQuery& ray, const ConvexSet& target);
std::optional<Hit> first_hit(const RayQuery& ray, const PlaneTarget& target);
std::optional<Hit> first_hit(const RayQuery& ray, const Curved& target);
std::optional<Hit> first_hit(const RayQuery& ray, const MeshView& target);
/// The same for up to kRayBatch rays.
void first_hits(std::span<const RayQuery> rays, const MeshView& target, std::span<std::optional<Hit>> out);
std::optional<Hit> first_hit(const RayQuery& ray, const SolidView& target);
/// The fan of a polygon: `triangles` in order, the lowest of those hit first.
std::optional<Hit> first_hit(const RayQuery& ray, std::span<const Triangle> triangles);

void add_all_hits(const RayQuery& ray, const ConvexSet& target, std::vector<Hit>& out);
void add_all_hits(const RayQuery& ray, const PlaneTarget& target, std::vector<Hit>& out);
void add_all_hits(const RayQuery& ray, const Curved& target, std::vector<Hit>& out);
void add_all_hits(const RayQuery& ray, const MeshView& target, std::vector<Hit>& out);
void add_all_hits(const RayQuery& ray, const SolidView& target, std::vector<Hit>& out);
void add_all_hits(const RayQuery& ray, std::span<const Triangle> triangles, std::vector<Hit>& out);

bool any_hit(const RayQuery& ray, const ConvexSet& target);
bool any_hit(const RayQuery& ray, const PlaneTarget& target);
bool any_hit(const RayQuery& ray, const Curved& target);
bool any_hit(const RayQuery& ray, const MeshView& target);
void any_hits(std::span<const RayQuery> rays, const MeshView& target, std::span<std::uint8_t> out);
bool any_hit(const RayQuery& ray, const SolidView& target);
bool any_hit(const RayQuery& ray, std::span<const Triangle> triangles);

}  // namespace graze
