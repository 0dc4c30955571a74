// Solids: a mesh is accepted when every edge is used as often one way as the other.
#include <graze/error.hpp>

#include "core/fp_environment.hpp"
#include "mesh/edges.hpp"
#include "shapes/message.hpp"

namespace graze {

Solid::Solid(Mesh mesh) : mesh_(std::move(mesh)) {
  const DefaultFloatEnvironment guard;
  const MeshImpl& m = mesh_.impl();
  std::size_t unbalanced = 0;
  std::string first;
  for_each_edge(sorted_edge_uses(m), [&](const EdgeUse& use, std::size_t forward, std::size_t backward) {
    if (forward == backward) return true;
    if (unbalanced++ == 0)
      first = "edge " + std::to_string(use.low()) + "-" + std::to_string(use.high()) + " from " + text(m.vertices[use.low()]) + " to " + text(m.vertices[use.high()]) + " (triangle " +
              std::to_string(use.triangle()) + ") is used " + std::to_string(forward) + " times that way and " + std::to_string(backward) + " times the other, must be as often";
    return true;
  });
  if (unbalanced == 0) return;
  if (unbalanced > 1) first += "; so are " + std::to_string(unbalanced - 1) + " more edges";
  throw Error("solid: the mesh does not bound a solid: " + first);
}

}  // namespace graze
