// Translations that end the overlap of two surfaces or solids: lengths along many directions, the shortest that the relation of both verifies.
#pragma once
#include <graze/query/mesh_triangles.hpp>
#include <optional>
#include <vector>

#include "math/box3.hpp"
#include "math/limits.hpp"
#include "mesh/queries/mesh_view.hpp"

namespace graze {

struct Shift {
  Vec3 direction{0, 0, 0};  ///< unit length
  double length = 0;
  Vec3 vector() const { return direction * length; }
};

/// Refers to both, to their poses and to the list. The directions: axes, centre to centre, normals and products of edges of triangles that touch; these are all
/// that is tried, and fewer where very many triangles lie near.
class Clearing {
 public:
  Clearing(const SurfaceOrSolid& a, const SurfaceOrSolid& b, const std::vector<TrianglePair>& touching);

  /// A translation of A, at most `most` long, verified to leave no common inner point (share_inner_points()). The shortest along the directions up to rounding;
  /// the roundest number so near, where that clears. Where the gaps between crossing surfaces are many, those after the first hundred are not tried, but for
  /// the last of each direction.
  std::optional<Shift> shortest(double most = kInfinity) const;

  /// Whether A's vertices, moved by v and rounded, share no inner point with B; of two surfaces, no point.
  bool clear(const Vec3& v) const;
  /// Whether no vertex is rounded on that way.
  bool moves_exactly(const Vec3& v) const;
  /// How much farther than by v a vertex may be moved.
  double rounding() const { return rounding_; }

 private:
  struct Gap;
  Pose moved_pose(const Vec3& v) const;
  std::vector<Gap> gaps(double most) const;
  std::optional<double> clear_near(const Vec3& u, double length, double most) const;
  SurfaceOrSolid a_, b_;
  const std::vector<TrianglePair>& touching_;
  Pose pose_;  ///< of A
  Box3 box_a_, box_b_;
  double rounding_;
};

}  // namespace graze
