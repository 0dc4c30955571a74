// A solid of a mesh that is known to be closed.
#pragma once
#include <graze/mesh/solid.hpp>
#include <utility>

namespace graze {

struct ClosedMesh {
  /// What Solid(mesh) is, without the search for an open edge, which takes most of the time of opening large meshes. The caller knows that there is none.
  static Solid solid(Mesh mesh) { return {std::move(mesh), Solid::Checked()}; }
};

}  // namespace graze
