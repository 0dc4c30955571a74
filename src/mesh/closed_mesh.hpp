// Parts of solids that are not public: the solid of a mesh that is known to be closed, and the seams.
#pragma once
#include <graze/mesh/solid.hpp>
#include <optional>
#include <utility>

namespace graze {

struct ClosedMesh {
  /// What Solid(mesh) is, without the search for an open edge, which takes most of the time of opening large meshes. The caller knows that there is none,
  /// and no junction.
  static Solid solid(Mesh mesh) { return {std::move(mesh), Solid::Checked()}; }
  /// The seams of a solid, as a mesh whose user numbers are the triangles along whose edges they lie; nothing without seams.
  static const std::optional<Mesh>& seams(const Solid& solid) { return solid.seams_; }
};

}  // namespace graze
