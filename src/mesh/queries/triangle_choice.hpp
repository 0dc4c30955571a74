// The triangles that a ray or sweep may hit, where not all of them count. Queries carry a choice in their RayQuery; sweeps carry a line of their direction.
#pragma once
#include <cstdint>
#include <graze/query/triangle_filter.hpp>
#include <optional>

#include "math/ray.hpp"
#include "mesh/queries/mesh_view.hpp"

namespace graze {

/// Refers to the caller's function.
struct TriangleChoice {
  Sides sides = Sides::both;
  const TriangleFilter* filter = nullptr;  ///< null: none
  std::optional<std::uint32_t> child, member;

  /// Of RayOptions, RaySpan or SweepOptions.
  template <class Options>
  explicit TriangleChoice(const Options& options) : sides(options.sides), filter(options.accept ? &options.accept : nullptr) {}

  /// The choice as RayQuery holds it: null where all triangles count, so that such queries pay nothing.
  const TriangleChoice* or_null() const { return sides == Sides::both && !filter ? nullptr : this; }

  bool accepts(std::uint32_t triangle, std::uint32_t user) const { return !filter || (*filter)({triangle, user, child, member}); }
};

/// Calls f with the line; its choice names the child of a compound, or the member of a scene.
template <class F>
auto for_child(const RayQuery& line, std::optional<std::uint32_t> child, const F& f) {
  if (!line.choice || !child) return f(line);
  TriangleChoice choice = *line.choice;
  choice.child = child;
  return f(line.with(&choice));
}
template <class F>
auto for_member(const RayQuery& line, std::uint32_t member, const F& f) {
  if (!line.choice) return f(line);
  TriangleChoice choice = *line.choice;
  choice.member = member;
  return f(line.with(&choice));
}

/// Whether a triangle (placed) counts for a ray or motion along `line`.
bool counts(const RayQuery& line, const Triangle& t, std::uint32_t triangle, std::uint32_t user);
/// The same for a triangle of a surface.
inline bool counts(const RayQuery& line, const Triangle& t, std::uint32_t triangle, const MeshView& view) {
  return !line.choice || counts(line, t, triangle, view.mesh->user_of(triangle));
}

}  // namespace graze
