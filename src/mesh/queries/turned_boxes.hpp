// Boxes turned and sheared to lie along the triangles below each place of a mesh's tree. Slivers that lie side by side have boxes along the coordinate axes
// that all overlap; most of these do not.
#pragma once
#include <array>
#include <span>
#include <vector>

#include "bvh/traverse.hpp"
#include "mesh/queries/mesh_queries.hpp"

namespace graze {

class TurnedBoxes {
 public:
  explicit TurnedBoxes(const MeshView& view);

  /// True only if no triangle below one place, as the view places it, meets one below the other.
  bool apart(TreeRef a, TreeRef b) const;
  /// The same of one triangle of the mesh, placed.
  bool apart(const Triangle& triangle, TreeRef b) const;

 private:
  /// The points x, relative to the middle of the mesh, with |across[k] . (x - center)| <= half[k] for each k. x is the sum of all along[k] (across[k] . x).
  struct Turned {
    double center[3], along[3][3], across[3][3], half[3];
  };

  static void set_directions(const double* first, const double* second, const double* normal, std::span<const std::array<double, 3>> candidates, Turned& box);
  static double reach(const Turned& box, const double* direction);
  void set_ranges(const double (&lo)[3], const double (&hi)[3], Turned& box) const;
  Turned around(const MeshView& view, std::uint32_t first, std::uint32_t count) const;
  Turned around(const Turned* children, std::uint32_t count) const;

  double middle_[3]{}, largest_ = 0, pad_ = 0;
  std::vector<Turned> boxes_;  // by place; none where doubles do not reach
};

}  // namespace graze
