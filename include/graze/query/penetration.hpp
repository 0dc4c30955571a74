// Penetration and contacts of shapes that intersect.
#pragma once
#include <cstdint>
#include <graze/pair_hint.hpp>
#include <graze/shapes.hpp>
#include <optional>
#include <vector>

namespace graze {

struct Penetration {
  double depth = 0;      ///< length, > 0
  Vec3 normal{0, 0, 0};  ///< unit length, from B to A
  /// Translation of A after which A and B at most touch, verified exactly. Between two convex shapes its length is at
  /// most (1 + 1e-9) times the minimum, or a few denormals.
  ///
  /// It is along `normal`, and as long as `depth` up to the stretch that makes the separation certain: its length, rounded, is at least (1 - 2^-50)
  /// and at most (1 + 2^-32) times the depth, or a few denormals longer. Mostly it is longer by some 1e-15.
  Vec3 vector{0, 0, 0};
};

/// Why there is no penetration.
/// - `apart`: the sets do not meet.
/// - `touching`, proven: the sets meet but share no inner point, and no piece of one (triangle or convex child) overlaps a piece of
///   the other. Pieces without volume overlap when no plane separates them weakly.
/// - `unbounded`: no finite translation separates them.
enum class NoPenetration { none, apart, touching, unbounded };
struct PenetrationResult {
  std::optional<Penetration> value;
  NoPenetration reason = NoPenetration::none;
};

/// Returns a translation that separates two shapes, or the reason why there is none.
///
/// Convex shapes, and solids that are their own hull (corners x triangles at most 2^20): the least translation, up to a factor of 1 + 1e-9 (1 + 1e-3 for curved
/// shapes). Other solids: the shortest along the axes, the normals and the products of edges of triangles that touch (96 directions at most, fewer where very
/// many triangles lie near), which need not be the shortest of all.
/// Meshes and compounds: one that is found from their contacts. Each is verified: on the exact sums of coordinates and vector (curved shapes: on rounded
/// sums). Solids that share planes, coincide or fill each other's cavities are decided exactly, by their inner points, as relation() does.
[[nodiscard]] PenetrationResult penetration(ShapeRef a, ShapeRef b);
/// The same result, to the bit, with a hint from the last call about the same pair (see PairHint): faster for two shapes of which one is a hull, frustum or
/// wedge.
[[nodiscard]] PenetrationResult penetration(ShapeRef a, ShapeRef b, PairHint& hint);

struct Contact {
  /// Midpoint of the deepest points of both shapes. Its distance from each of the shapes (of the triangles or children that meet) is at most
  /// depth / 2 + 2^-36 s + 4 ulp(c), s the size of the smaller shape and c the largest coordinate of it and of the point, wherever the shapes
  /// are; with curved shapes depth / 2 + 1e-7 of the larger size. Not promised for an infinite depth.
  Vec3 point{0, 0, 0};
  Vec3 normal{0, 0, 0};  ///< unit length, from B to A; zero where the depth is infinite
  /// Length, >= 0. 0 when the shapes merely touch; infinite where no translation by doubles separates them (a line through a
  /// plane).
  double depth = 0;
  std::optional<std::uint32_t> triangle_a, triangle_b;
};

/// Returns the contacts of two shapes: one for a convex pair that intersects, and with a mesh one per touching triangle with
/// the depth of that triangle alone. Ordered by triangle numbers. Empty exactly when the shapes do not intersect.
[[nodiscard]] std::vector<Contact> contacts(ShapeRef a, ShapeRef b);

}  // namespace graze
