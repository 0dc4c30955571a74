// Translations that end the overlap of two surfaces or solids: lengths along many directions, the shortest that the relation of both verifies.
#pragma once
#include <graze/query/mesh_triangles.hpp>
#include <optional>
#include <vector>

#include "math/limits.hpp"
#include "mesh/queries/mesh_view.hpp"

namespace graze {

struct Shift {
  Vec3 direction;  ///< unit length
  double length;
  Vec3 vector() const { return direction * length; }
};

/// Refers to both and to their poses. The directions: axes, centre to centre, normals and products of edges of triangles that touch; these are all that is
/// tried.
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
  Pose moved_pose(const Vec3& v) const;
  std::optional<double> clear_near(const Vec3& u, double length) const;
  SurfaceOrSolid a_, b_;
  Pose pose_;  ///< of A
  std::vector<Triangle> triangles_a_, triangles_b_;
  std::vector<Vec3> directions_;
  double rounding_;
};

}  // namespace graze
