// The solid that a closed mesh bounds.
#pragma once
#include <cstddef>
#include <graze/mesh/mesh.hpp>
#include <optional>
#include <utility>

namespace graze {

/// The solid that a closed mesh bounds: the surface and all points of non-zero winding number. Overlapping shells add up, inward
/// shells are cavities. Requires that every directed edge is used as often as its opposite, with vertices identified by equal
/// coordinates (-0 equals 0), or that it lies in junctions that fit exactly (see MeshReport).
///
/// A pose rounds each vertex, so that the corner of a junction may leave the edge that it was on. So the solid has seams: triangles without area whose edges
/// cancel those that do not meet a whole edge. Without a pose they change nothing, and with one they keep the surface closed. They are no triangles of the
/// mesh, and no answer names them: where one is met, the triangle is named along whose edge it lies.
class Solid {
 public:
  /// Throws Error that names an edge if the mesh is not closed, and, where a corner misses an edge by a rounding, that corner and how far it is off.
  /// O(n log n).
  explicit Solid(Mesh mesh);
  [[nodiscard]] const Mesh& mesh() const { return mesh_; }
  /// The number of seams: 0 without junctions.
  [[nodiscard]] std::size_t seams() const { return seams_ ? seams_->size() : 0; }
  static constexpr const char* type_name = "solid";

 private:
  friend struct ClosedMesh;
  struct Checked {};
  Solid(Mesh mesh, Checked) : mesh_(std::move(mesh)) {}
  Mesh mesh_;
  std::optional<Mesh> seams_;  // their user numbers are the triangles along whose edges they lie
};

[[nodiscard]] inline Solid solid(Mesh mesh) { return Solid(std::move(mesh)); }

}  // namespace graze
