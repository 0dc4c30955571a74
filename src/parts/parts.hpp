// A shape as its parts: linear and round convex sets, curved shapes, views of meshes and solids. The parts of a polygon are the triangles of its fan; the parts
// of a compound are those of its children. Every query on two shapes folds over pairs of parts and calls the overloads of convex/, mesh/ and part_pairs.hpp.
#pragma once
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

#include "parts/convex_of_shape.hpp"
#include "parts/part_pairs.hpp"
#include "parts/table.hpp"

namespace graze {

template <class F>
void visit_shape(ShapeRef s, F&& f) {
  [&]<std::size_t... K>(std::index_sequence<K...>) {
    (void)((s.kind() == static_cast<Kind>(K) ? (f(*static_cast<const ShapeAt<K>*>(s.shape())), true) : false) || ...);
  }
  (std::make_index_sequence<kKinds>());
}

/// Calls f(index, shape, pose) for each child of a compound, and once, without an index, for any other shape, until f returns false; returns true if f never
/// did. The pose of a child exists only during the call.
template <class S, class F>
bool visit_children(const S& s, const Pose* pose, F&& f) {
  if constexpr (std::is_same_v<S, Compound>) {
    return for_each_child(s, pose, [&](std::size_t i, ShapeRef child) {
      bool go_on = true;
      visit_shape(child, [&]<class C>(const C& c) {
        if constexpr (!std::is_same_v<C, Compound>) go_on = f(std::optional(static_cast<std::uint32_t>(i)), c, child.pose());
      });
      return go_on;
    });
  } else {
    return f(std::optional<std::uint32_t>(), s, pose);
  }
}

/// Calls f(part) in order until f returns false; returns true if f never did.
template <class S, class F>
bool for_each_part(const S& s, const Pose* pose, const F& f) {
  constexpr Form form = form_of<S>();
  if constexpr (form == Form::convex) {
    return f(convex_set_of(s, pose));
  } else if constexpr (form == Form::curved) {
    return f(curved_of(s, pose));
  } else if constexpr (form == Form::fan) {
    for (std::size_t i = 0; i < fan_size(s); ++i)
      if (!f(convex_set_of(fan_triangle(s, i, pose), nullptr))) return false;
    return true;
  } else if constexpr (form == Form::mesh) {
    return f(MeshView(s, pose));
  } else if constexpr (form == Form::solid) {
    return f(SolidView{MeshView(s, pose)});
  } else {
    return visit_children(s, pose, [&](std::optional<std::uint32_t>, const auto& c, const Pose* placed) { return for_each_part(c, placed, f); });
  }
}

/// The surface of a mesh, solid or height field.
inline std::optional<MeshView> surface_of(ShapeRef s) {
  if (const Mesh* m = s.get<Mesh>()) return MeshView(*m, s.pose());
  if (const Solid* solid = s.get<Solid>()) return MeshView(solid->mesh(), s.pose());
  if (const HeightField* field = s.get<HeightField>()) return MeshView(*field, s.pose());
  return std::nullopt;
}

/// The part of higher rank is the first argument of the overloads.
template <class P>
inline constexpr int part_rank = std::is_same_v<P, ConvexSet>  ? 0
                                 : std::is_same_v<P, Curved>   ? 1
                                 : std::is_same_v<P, MeshView> ? 2
                                                               : 3;

}  // namespace graze
