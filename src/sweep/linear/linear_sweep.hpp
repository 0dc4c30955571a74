// First contact of a moving part with a part at rest, computed over their triangles by tree traversal, and of whole shapes.
#pragma once
#include <cstdint>
#include <graze/sweep/linear.hpp>
#include <optional>

#include "mesh/queries/triangle_choice.hpp"
#include "parts/part_list.hpp"
#include "sweep/linear/earliest_contact.hpp"

namespace graze {

/// The triangles of the target that count in a sweep.
class SweepChoice {
 public:
  SweepChoice(const SweepOptions& options, const Motion& motion, std::optional<std::uint32_t> member = {})
      : choice_(options), line_{motion.from ? *motion.from : Vec3(0, 0, 0), motion.to, motion.from != nullptr, 0, 1, choice_.or_null()} {
    choice_.member = member;
  }
  SweepChoice(const SweepChoice&) = delete;
  /// A line along the displacement with the choice, or null where all triangles count.
  const RayQuery* line() const { return line_.choice ? &line_ : nullptr; }

 private:
  TriangleChoice choice_;
  RayQuery line_;
};

/// Adds to `first` every candidate for the first contact of one part of the mover and one of the target, named by the numbers of both parts and of the
/// triangles of surfaces. `line`: of SweepChoice; solids ignore it.
void sweep_parts(EarliestContact& first, const ListedPart& a, const ListedPart& b, const RayQuery* line = nullptr);

/// The first contact of two shapes' parts, including shapes that lie inside solids.
void sweep_all(EarliestContact& first, const PartList& a, const PartList& b, const RayQuery* line = nullptr);

/// Two shapes, of which A moves, and their parts.
struct SweptPair {
  ShapeRef a;
  const PartList& parts_a;
  ShapeRef b;
  const PartList& parts_b;
};

/// The answer of a sweep that found `first` among all parts of both shapes, or nothing. The search may have ignored contacts after some time, if no part is
/// curved.
std::optional<SweepHit> hit_of(EarliestContact& first, const SweptPair& pair, const SweepOptions& options, const RayQuery* line = nullptr);

/// sweep() of a motion whose components are finite, with a target that may be a member of a scene.
std::optional<SweepHit> sweep_motion(ShapeRef a, const Motion& motion, ShapeRef b, const SweepOptions& options, std::optional<std::uint32_t> member = {});

}  // namespace graze
