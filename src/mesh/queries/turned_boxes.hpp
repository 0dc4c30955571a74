// Boxes turned and sheared to lie along the triangles below each node and leaf of a mesh's tree. Slivers side by side have axis-parallel boxes that all
// overlap; most of their turned boxes do not.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "bvh/traverse.hpp"
#include "mesh/queries/mesh_view.hpp"

namespace graze {

class TurnedBoxes {
 public:
  explicit TurnedBoxes(const MeshView& view);

  /// Returns true only if no triangle below one node, as the view places it, meets one below the other.
  bool apart(TreeRef a, TreeRef b) const;
  /// The same for one placed triangle of the mesh.
  bool apart(const Triangle& triangle, TreeRef b) const;

 private:
  /// The points x, relative to the middle of the mesh, with |across[k] . (x - center)| <= half[k] for each k. x equals the sum of all along[k] (across[k] . x).
  struct Turned {
    double center[3], along[3][3], across[3][3], half[3];
  };

  static void set_directions(const double* first, const double* second, const double* normal, std::span<const std::array<double, 3>> candidates, Turned& box);
  static double reach(const Turned& box, const double* direction);
  void set_ranges(const double (&lo)[3], const double (&hi)[3], Turned& box) const;
  Turned enclosing(const MeshView& view, std::uint32_t first, std::uint32_t count) const;
  Turned enclosing(const Turned* children, std::uint32_t count) const;

  double middle_[3]{}, largest_ = 0, pad_ = 0;
  std::vector<Turned> boxes_;  // by TreeRef; empty where doubles do not suffice
};

}  // namespace graze
