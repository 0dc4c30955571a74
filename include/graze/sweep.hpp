// First contact of shapes in motion: linear sweeps of any shape against any other, rigid motions with rotation, vertices that each move on their own line.
#pragma once
#include <cstdint>
#include <functional>
#include <graze/query.hpp>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace graze {

// ---- linear motion ----------------------------------------------------------------------------------------------------------------------

struct SweepHit {
  double t = 0;  ///< fraction 0..1 of the motion: the largest double not above the true first time (Cylinder, Cone, Ellipsoid: never late, early by a bound of
                 ///< docs/accuracy.md)
  Vec3 point{0, 0, 0};                                  ///< a common point at the first time, rounded; length
  std::optional<Vec3> normal;                           ///< unit length, from B to A, against the motion; absent when the start lies deeper than touching
  std::optional<std::uint32_t> triangle_a, triangle_b;  ///< of meshes, height fields and polygon fans: the triangles that touch first; the lowest of the
                                                        ///< target's on an exact tie, then the lowest of the mover's
  std::optional<std::uint32_t> child_a, child_b;        ///< of compounds
  bool started_inside = false;                          ///< the closed sets intersect at t = 0
  bool departing = false;                               ///< contact at the start that the motion leaves at once: just after t = 0 the sets are apart
  bool budget_ended = false;                            ///< rotating motion only: the work limit came before the tolerance; t is still never late

  /// Where the mover may be put, certified after rounding, at or a little before the contact: for a Point the closed segment from start to `safe_point` meets
  /// nothing but a departing start; for any other shape intersects(at(shape, safe), target) is false. `moved` is false, and the placement unchanged, when no
  /// such double exists (contact at the start that the motion enters; a gap below the doubles).
  Pose safe;                 ///< replaces the pose given with the shape (identity for one that was not placed)
  Vec3 safe_point{0, 0, 0};  ///< for a Point: where `safe` puts it; else the same for the shape's origin
  bool moved = false;
};

struct SweepOptions {
  bool skip_departing = false;  ///< a contact at the start that the motion leaves is not a hit: goes on to the next contact that is entered
};

/// First contact of `a`, moving by start + t * motion for t in [0, 1] (the displacement literal, as a real vector; length), with `b` at rest. Hit or miss
/// exact; the first of many is truly the first. Contact at the start is a hit at t = 0. A motion of zero asks about the start only. Throws Error when `motion`
/// has NaN or infinity. Method: any root finder proposes t; two exact static decisions on the swept set certify it (no contact up to t, contact by the next
/// double).
std::optional<SweepHit> sweep(ShapeRef a, const Vec3& motion, ShapeRef b, const SweepOptions& options = {});

/// Both move: the relative motion motion_a - motion_b is taken exactly; `safe` and `point` are in the frame in which b rests at its start.
std::optional<SweepHit> sweep(ShapeRef a, const Vec3& motion_a, ShapeRef b, const Vec3& motion_b, const SweepOptions& options = {});

/// Element i answers a[i] moving by motions[i], as sweep alone would, to the last bit; on all cores, same bits for any number. Throws Error when there are not
/// as many motions as shapes, and names the motion that has NaN or infinity.
std::vector<std::optional<SweepHit>> sweep(std::span<const ShapeRef> a, std::span<const Vec3> motions, ShapeRef b, const SweepOptions& options = {});
/// The same into memory of the caller, which is faster when it is used again. Throws Error when there is not as much room as there are elements.
void sweep(std::span<const ShapeRef> a, std::span<const Vec3> motions, ShapeRef b, std::span<std::optional<SweepHit>> out, const SweepOptions& options = {});

// ---- motion with rotation ----------------------------------------------------------------------------------------------------------------

/// A screw motion: rotation by `angle` (radians, any size) about the line through `center` along `axis` (any non-zero length), together with a translation by
/// `displacement` (length), both uniform in t of [0, 1].
struct Screw {
  Vec3 center{0, 0, 0};
  Vec3 axis{0, 0, 1};
  double angle = 0;
  Vec3 displacement{0, 0, 0};

  /// The screw about `center` (a world point fixed to the body) whose start is `from` and whose end is `to` up to rounding, by the shorter way round.
  static Screw between(const Pose& from, const Pose& to, const Vec3& center);
  /// The motion's pose at fraction t, rounded: to be applied after the start's.
  Pose at(double t) const;
};

struct RigidSweepOptions {
  double tolerance = 1e-6;     ///< length, > 0: at the reported t the bodies are no further apart than this (unless budget_ended)
  std::size_t budget = 10000;  ///< at most so many steps of advancement per pair of parts, a tenth where one is curved; and a hundredth as many decisions that
                               ///< only unlimited integers can make, of all pairs together
};

/// First contact of a rigid motion with rotation. Never misses a contact and t is never late; how early it is, is bounded by the tolerance: at t the distance
/// is at most `tolerance` (so a pass within it may be a hit). `t` is not certified as the largest double; `departing` is not said. Throws Error for NaN,
/// infinity, a zero axis, a tolerance that is not positive, and when both shapes are without end and do not touch at the start. Method: conservative
/// advancement with proven bounds of the motion; docs/derivations/rigid_motion.md.
std::optional<SweepHit> sweep(ShapeRef a, const Screw& motion, ShapeRef b, const RigidSweepOptions& options = {});

// ---- vertices that move one by one -----------------------------------------------------------------------------------------------------------

/// Do a vertex and a face (v, f0, f1, f2), each corner linear in time from t0[i] to t1[i], share a point at some t of [0, 1]? The largest double not above the
/// true first time; exact in all cases: touching, coplanar throughout, collapsing triangles, static. Nothing when they never meet.
std::optional<double> ccd_vertex_face(std::span<const Vec3, 4> t0, std::span<const Vec3, 4> t1);
/// The same for two edges (a0, a1, b0, b1).
std::optional<double> ccd_edge_edge(std::span<const Vec3, 4> t0, std::span<const Vec3, 4> t1);

struct DeformingContact {
  enum class Kind : std::uint8_t { vertex_face, face_vertex, edge_edge };
  double t = 0;                                  ///< as ccd_vertex_face
  Kind kind = Kind::vertex_face;                 ///< which of A, then of B
  std::uint32_t triangle_a = 0, triangle_b = 0;  ///< the lowest triangles that hold the features
  std::array<std::uint32_t, 4> vertices{};       ///< vertex_face: v of A, face of B; face_vertex: face of A, v of B; edge_edge: edge of A, edge of B
};

struct DeformingOptions {
  bool first_only = false;  ///< only the first contact in time (ties: the order of the result)
  std::size_t limit = std::numeric_limits<std::size_t>::max();
  std::function<bool(const DeformingContact&)> filter;  ///< contacts for which it is false do not count; may be called from several threads
};

/// All pairs of features of A and B that meet while the vertices move linearly from those of the mesh to `a1` (`b1`), each with its own first time, ordered by
/// t, then kind, then vertices. On all cores. Throws Error for another vertex count, NaN or infinity.
std::vector<DeformingContact> ccd(const Mesh& a, VertexView a1, const Mesh& b, VertexView b1, const DeformingOptions& options = {});
/// The mesh against itself: features that share a vertex (by number) do not count.
std::vector<DeformingContact> ccd(const Mesh& mesh, VertexView end, const DeformingOptions& options = {});

}  // namespace graze
