// Solids: a mesh is accepted if every edge is used equally often in both directions.
#include <graze/error.hpp>
#include <graze/mesh/solid.hpp>
#include <string>

#include "mesh/edges.hpp"
#include "platform/fp_environment.hpp"
#include "shapes/message.hpp"

namespace graze {
namespace {

std::string times(std::size_t n) { return n == 1 ? "once" : std::to_string(n) + " times"; }

}  // namespace

Solid::Solid(Mesh mesh) : mesh_(std::move(mesh)) {
  const DefaultFloatEnvironment guard;
  const MeshImpl& m = mesh_.impl();
  std::size_t unbalanced = 0;
  std::string first;
  for_each_edge(sorted_edge_uses(m), [&](const EdgeUse& use, std::size_t forward, std::size_t backward) {
    if (forward == backward) return true;
    if (unbalanced++ == 0)
      first = "edge " + std::to_string(use.low()) + "-" + std::to_string(use.high()) + " from " + text(m.vertices[use.low()]) + " to " +
              text(m.vertices[use.high()]) + " (triangle " + std::to_string(use.triangle()) + ") is used " + times(forward) + " that way and " +
              times(backward) + " the other, must be as often";
    return true;
  });
  if (unbalanced == 0) return;
  if (unbalanced > 1) first += unbalanced == 2 ? "; so is 1 more edge" : "; so are " + std::to_string(unbalanced - 1) + " more edges";
  throw Error(ErrorCode::invalid_shape, "solid: the mesh does not bound a solid: " + first);
}

}  // namespace graze
