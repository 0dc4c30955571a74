// The solid that a closed mesh bounds.
#pragma once
#include <graze/mesh/mesh.hpp>
#include <utility>

namespace graze {

/// The solid that a closed mesh bounds: the surface and all points of non-zero winding number. Overlapping shells add up, inward
/// shells are cavities. Requires that every directed edge is used as often as its opposite, with vertices identified by equal
/// coordinates (-0 equals 0).
class Solid {
 public:
  /// Throws Error that names an edge if the mesh is not balanced.
  explicit Solid(Mesh mesh);
  [[nodiscard]] const Mesh& mesh() const { return mesh_; }
  static constexpr const char* type_name = "solid";

 private:
  friend struct ClosedMesh;
  struct Checked {};
  Solid(Mesh mesh, Checked) : mesh_(std::move(mesh)) {}
  Mesh mesh_;
};

[[nodiscard]] inline Solid solid(Mesh mesh) { return Solid(std::move(mesh)); }

}  // namespace graze
