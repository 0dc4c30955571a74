// Which triangles of a target rays and sweeps may hit: one side only, or those that a function of the caller accepts.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>

namespace graze {

/// The side from which a triangle is hit: that of its normal (b - a) x (c - a), the front, or the other. The exact sign of the normal
/// times the direction of the ray or motion decides: negative from the front, positive from the back. Where it is 0, the direction is
/// parallel to the triangle or the triangle has no area; only `both` admits those.
///
/// Applies to the triangles of a Triangle, Polygon (of its fan), Mesh and HeightField, also in a Compound or a Scene. For a placed
/// shape these are the triangles of its placed, rounded corners, as in every query. All other shapes ignore it: the boundary of a
/// solid or of a convex body always faces outwards, and a ray or motion that starts inside hits at t = 0.
enum class Sides : std::uint8_t { both, front, back };

/// A triangle that a ray or sweep is about to hit.
struct TargetTriangle {
  std::uint32_t triangle = 0;           ///< its number, as in the hit: of the mesh, height field or polygon fan
  std::uint32_t user = 0;               ///< its MeshData::user; 0 where the mesh has none
  std::optional<std::uint32_t> child;   ///< the child of a compound
  std::optional<std::uint32_t> member;  ///< the MemberId, in queries of a Scene
};

/// Whether the triangle may be hit. A refused triangle is as if it were not there, and hides nothing. Must return the same for the
/// same triangle; called in any order, any number of times, also for triangles that are not hit first. Batches call it from several
/// threads. Exceptions reach the caller of the query. Empty: all triangles. The shapes that ignore `Sides` ignore it, too.
using TriangleFilter = std::function<bool(const TargetTriangle&)>;

}  // namespace graze
