// First contact of shapes that move along a straight line.
#pragma once
#include <cstdint>
#include <graze/query/triangle_filter.hpp>
#include <graze/shapes.hpp>
#include <optional>
#include <span>
#include <vector>

namespace graze {

/// The first contact of a moving shape A with a shape B. If both move, `point`, `normal` and `safe` are in the frame in which B rests at its start.
struct SweepHit {
  /// Fraction 0..1 of the motion. Linear: the largest double not above the true first time; with a curved shape never above it, and early by at
  /// most the bound of docs/accuracy.md. Rotation: never above it, see RigidSweepOptions.
  double t = 0;
  Vec3 point{0, 0, 0};         ///< a common point at the first time, rounded
  std::optional<Vec3> normal;  ///< unit length, from B to A, against the motion; absent when the start lies deeper than touching
  /// Of meshes, height fields and polygon fans: the triangles that touch first. An exact tie goes to the lowest triangle of the
  /// target, then to the lowest of the mover.
  std::optional<std::uint32_t> triangle_a, triangle_b;
  std::optional<std::uint32_t> child_a, child_b;  ///< of compounds
  std::uint32_t user_a = 0, user_b = 0;           ///< of meshes: MeshData::user of those triangles; 0 where the mesh has none
  bool started_inside = false;                    ///< the closed sets intersect at t = 0
  bool departing = false;                         ///< contact at the start that the motion leaves at once: just after t = 0 the sets are apart
  bool budget_ended = false;                      ///< rotation only: the work limit was reached before the tolerance; t is still not above the true time

  /// A placement of the mover at or a little before the contact, certified after rounding. It replaces the pose given with the
  /// shape (identity for a shape that was not placed).
  ///
  /// For a Point or Sphere in linear motion, the path along the closed segment from the old to the new centre meets nothing, except for a departing contact at
  /// its start. Otherwise intersects(at(shape, safe), target) is false. Where `sides` or `accept` leave
  /// triangles out, both hold for the triangles that count.
  Pose safe;
  Vec3 safe_point{0, 0, 0};  ///< position of a Point at `safe`; for other shapes, of the origin
  /// False, with the placement unchanged, when no certified placement in doubles exists: the motion enters a contact at the
  /// start, or the gap is narrower than the spacing of the doubles.
  bool moved = false;
};

struct SweepOptions {
  bool skip_departing = false;  ///< ignores contacts at the start that the motion leaves, and continues to the next contact
  bool place = true;            ///< finds `safe` and `safe_point`; otherwise `moved` is false, and a hit takes less time
  /// The triangles of the target that count, by the sign of their normals times the displacement; of two motions, times their
  /// difference. The rule also holds for contact at the start, so a motion of 0 meets only triangles that count from both sides.
  /// The triangles of the mover all count.
  Sides sides = Sides::both;
  TriangleFilter accept = {};  ///< the triangles of the target that may be met
};

/// Returns the first contact of `a`, which moves by start + t * motion for t in [0, 1], with `b` at rest, or nothing.
///
/// `motion` is a displacement (length), taken as an exact real vector. Hit or miss is exact, and the first of many contacts is
/// truly the first. Contact at the start is a hit at t = 0. A zero motion tests the start only. With a curved shape
/// the decision is bounded, see docs/accuracy.md. `point` and `normal` are rounded.
///
/// Throws Error when `motion` has NaN or infinity.
///
/// Method: for linear and round shapes, doubles prove that there is no contact, or propose the face that is met first, whose
/// time pairs of doubles certify. Where they are not certain, the time is computed exactly, in integers. For curved shapes see
/// docs/derivations/curved.md.
[[nodiscard]] std::optional<SweepHit> sweep(ShapeRef a, const Vec3& motion, ShapeRef b, const SweepOptions& options = {});

/// The same with both shapes in motion. The relative motion motion_a - motion_b is exact (rounded for a curved
/// shape). `safe` and `point` are in the frame in which b rests at its start.
[[nodiscard]] std::optional<SweepHit> sweep(ShapeRef a, const Vec3& motion_a, ShapeRef b, const Vec3& motion_b, const SweepOptions& options = {});

/// Sweeps a[i] by motions[i] for every i, bit for bit as single sweeps would. Runs on all cores; the number of threads does not
/// change the result. Throws Error when the numbers of shapes and motions differ, and for a motion with NaN or infinity, which
/// the message names.
[[nodiscard]] std::vector<std::optional<SweepHit>> sweep(std::span<const ShapeRef> a, std::span<const Vec3> motions, ShapeRef b,
                                                         const SweepOptions& options = {});

/// The same into memory of the caller, which is faster when that memory is used again. Throws Error when the size of `out`
/// differs, too.
void sweep(std::span<const ShapeRef> a, std::span<const Vec3> motions, ShapeRef b, std::span<std::optional<SweepHit>> out, const SweepOptions& options = {});

}  // namespace graze
