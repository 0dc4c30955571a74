// The verdict of one pair of parts under the rule of a test.
#pragma once
#include <graze/clash.hpp>
#include <optional>
#include <string>

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
struct Body {
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

Decision decide(const Body& a, const Body& b, const Rule& rule);

}  // namespace graze::clash
