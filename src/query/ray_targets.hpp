// Rays against the parts of shapes: the first hit and all hits, in the public types.
#pragma once
#include <cstdint>
#include <graze/query.hpp>
#include <graze/query/brief_hits.hpp>
#include <optional>
#include <span>
#include <vector>

#include "mesh/queries/ray_queries.hpp"
#include "pairs/ray_triangle.hpp"
#include "parts/part_pairs.hpp"

namespace graze {

/// A plane with its normal. The plane's convex set does not distinguish its front from its back.
struct PlaneTarget {
  ConvexSet convex;
  Vec3 normal;
};

std::optional<Hit> first_hit(const RayQuery& ray, const ConvexSet& target);
std::optional<Hit> first_hit(const RayQuery& ray, const PlaneTarget& target);
std::optional<Hit> first_hit(const RayQuery& ray, const Curved& target);
std::optional<Hit> first_hit(const RayQuery& ray, const MeshView& target);
/// The same as first_hit for up to kRayBatch rays.
void first_hits(std::span<const RayQuery> rays, const MeshView& target, std::span<std::optional<Hit>> out);
void first_hits(std::span<const RayQuery> rays, const MeshView& target, std::span<BriefHit> out);
std::optional<Hit> first_hit(const RayQuery& ray, const SolidView& target);
BriefHit brief_hit(const RayQuery& ray, const MeshView& target);
inline BriefHit brief(const Hit& hit) { return {hit.t, hit.triangle.value_or(BriefHit::kNone), hit.child.value_or(BriefHit::kNone)}; }
/// For the fan of a polygon: `triangles` in order; of several triangles hit first, the lowest index is reported.
std::optional<Hit> first_hit(const RayQuery& ray, std::span<const Triangle> triangles);

void add_all_hits(const RayQuery& ray, const ConvexSet& target, std::vector<Hit>& out);
void add_all_hits(const RayQuery& ray, const PlaneTarget& target, std::vector<Hit>& out);
void add_all_hits(const RayQuery& ray, const Curved& target, std::vector<Hit>& out);
void add_all_hits(const RayQuery& ray, const MeshView& target, std::vector<Hit>& out);
void add_all_hits(const RayQuery& ray, const SolidView& target, std::vector<Hit>& out);
void add_all_hits(const RayQuery& ray, std::span<const Triangle> triangles, std::vector<Hit>& out);

/// Describes hits[i], which ray_all has found of `rays`, in out[i].
void describe(std::span<const RayQuery> rays, const MeshView& target, std::span<const HitPlace> hits, std::span<Hit> out);
void describe(std::span<const RayQuery> rays, const MeshView& target, std::span<const HitPlace> hits, std::span<BriefHit> out);

bool any_hit(const RayQuery& ray, const ConvexSet& target);
bool any_hit(const RayQuery& ray, const PlaneTarget& target);
bool any_hit(const RayQuery& ray, const Curved& target);
bool any_hit(const RayQuery& ray, const MeshView& target);
void any_hits(std::span<const RayQuery> rays, const MeshView& target, std::span<std::uint8_t> out);
bool any_hit(const RayQuery& ray, const SolidView& target);
bool any_hit(const RayQuery& ray, std::span<const Triangle> triangles);

}  // namespace graze
