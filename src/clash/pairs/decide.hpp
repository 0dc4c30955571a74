// The verdict of one pair of parts under the rule of a test.
#pragma once
#include <cstdint>
#include <graze/clash.hpp>
#include <graze/query/mesh_triangles.hpp>
#include <optional>
#include <string>
#include <vector>

#include "bvh/traverse.hpp"

namespace graze::clash {

/// What a test asks of its pairs.
struct Rule {
  double clearance = 0, min_penetration = 0;
  bool touching = true;
  ClashSolids solids = ClashSolids::automatic;
  bool depth = false;

  bool operator==(const Rule&) const = default;
};

/// A part, ready for queries.
struct PlacedPart {
  const Mesh* mesh;
  const Solid* solid;  ///< null: a surface
  const std::string* open_reason;
  const Pose* pose;
  const Box* box;
};

struct Decision {
  std::optional<Clash> clash;  ///< verdict, reason, distance, depth, point, region and number of triangle pairs; nothing: no finding
  bool too_shallow = false;
};

/// The nearest points of two surfaces, and their triangles.
struct NearestPoints {
  double distance;
  Vec3 on_a, on_b;
  TrianglePair triangles;
};

/// What the search of two surfaces, or of slices of them, finds.
struct Gathered {
  std::vector<TrianglePair> pairs;   ///< that touch, ascending
  std::optional<NearestPoints> gap;  ///< where none do, and as far as the verdict depends on it
  Box region{{0, 0, 0}, {0, 0, 0}};  ///< around the pairs
  bool cross = false;                ///< of two surfaces: whether a pair crosses
};

/// What is known of two surfaces before they are searched in slices: a slice alone cannot tell whether the distance will matter.
enum class SurfaceContact : std::uint8_t { unknown, touching, apart };

/// decide() is conclude() of gather(). A pair for which this is true may be gathered in slices, to the same bits. Others are refused without a search, or their
/// depth takes nearly all of the time.
bool can_be_sliced(const PlacedPart& a, const PlacedPart& b, const Rule& rule);
SurfaceContact contact_of(const PlacedPart& a, const PlacedPart& b);
Gathered gather(const PlacedPart& a, const PlacedPart& b, const Rule& rule, const SearchStart& slice = {}, SurfaceContact contact = SurfaceContact::unknown);
/// What gather() finds for the whole, from slices that together cover it.
Gathered join(const PlacedPart& a, const PlacedPart& b, std::vector<Gathered> slices);
Decision conclude(const PlacedPart& a, const PlacedPart& b, const Rule& rule, const Gathered& gathered);

Decision decide(const PlacedPart& a, const PlacedPart& b, const Rule& rule);

}  // namespace graze::clash
