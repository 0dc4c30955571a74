// First contact of shapes in motion: linear sweeps, rigid motion with rotation, and vertices that each move along their own line.
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

/// The first contact of a moving shape A with a shape B. Where both move, `point`, `normal` and `safe` are in the frame in which
/// B rests at its start.
struct SweepHit {
  /// Fraction 0..1 of the motion. Linear: the largest double not above the true first time; with a Cylinder, Cone or Ellipsoid
  /// never late, and early by at most the bound of docs/accuracy.md. Rotation: never late, see RigidSweepOptions.
  double t = 0;
  Vec3 point{0, 0, 0};         ///< a common point at the first time, rounded
  std::optional<Vec3> normal;  ///< unit length, from B to A, against the motion; absent when the start lies deeper than touching
  /// Of meshes, height fields and polygon fans: the triangles that touch first. An exact tie goes to the lowest triangle of the
  /// target, then to the lowest of the mover.
  std::optional<std::uint32_t> triangle_a, triangle_b;
  std::optional<std::uint32_t> child_a, child_b;  ///< of compounds
  bool started_inside = false;                    ///< the closed sets intersect at t = 0
  bool departing = false;                         ///< contact at the start that the motion leaves at once: just after t = 0 the sets are apart
  bool budget_ended = false;                      ///< rotation only: the work limit came before the tolerance; t is still never late

  /// A placement of the mover at or a little before the contact, certified after rounding. It replaces the pose given with the
  /// shape (identity for a shape that was not placed).
  ///
  /// For a Point or Sphere in linear motion the path along the closed segment from the old to the new centre meets nothing but a
  /// departing start. Otherwise intersects(at(shape, safe), target) is false.
  Pose safe;
  Vec3 safe_point{0, 0, 0};  ///< a Point placed by `safe`; for other shapes the origin placed by it
  /// False, with the placement unchanged, when no certified placement in doubles exists: the motion enters a contact at the
  /// start, or the gap is narrower than the spacing of the doubles.
  bool moved = false;
};

struct SweepOptions {
  bool skip_departing = false;  ///< ignores contacts at the start that the motion leaves, and goes on to the next contact
};

/// Returns the first contact of `a`, which moves by start + t * motion for t in [0, 1], with `b` at rest, or nothing.
///
/// `motion` is a displacement (length), taken as an exact real vector. Hit or miss is exact, and the first of many contacts is
/// truly the first. Contact at the start is a hit at t = 0. A zero motion tests the start only. With a Cylinder, Cone or
/// Ellipsoid the decision is bounded, see docs/accuracy.md. `point` and `normal` are rounded.
///
/// Throws Error when `motion` has NaN or infinity.
///
/// Method: a root finder proposes t, and two exact decisions on the swept set certify it: no contact up to t, and contact by the
/// next double.
std::optional<SweepHit> sweep(ShapeRef a, const Vec3& motion, ShapeRef b, const SweepOptions& options = {});

/// The same with both shapes in motion. The relative motion motion_a - motion_b is exact (rounded for a Cylinder, Cone or
/// Ellipsoid). `safe` and `point` are in the frame in which b rests at its start.
std::optional<SweepHit> sweep(ShapeRef a, const Vec3& motion_a, ShapeRef b, const Vec3& motion_b, const SweepOptions& options = {});

/// Sweeps a[i] by motions[i] for every i, bit for bit as single sweeps would. Runs on all cores; the number of threads does not
/// change the result. Throws Error when the numbers of shapes and motions differ, and for a motion with NaN or infinity, which
/// the message names.
std::vector<std::optional<SweepHit>> sweep(std::span<const ShapeRef> a, std::span<const Vec3> motions, ShapeRef b, const SweepOptions& options = {});

/// The same into memory of the caller, which is faster when that memory is used again. Throws Error when the size of `out`
/// differs, too.
void sweep(std::span<const ShapeRef> a, std::span<const Vec3> motions, ShapeRef b, std::span<std::optional<SweepHit>> out, const SweepOptions& options = {});

// ---- motion with rotation ----------------------------------------------------------------------------------------------------------------

/// A screw motion: a rotation about a line together with a translation, both uniform in t of [0, 1].
struct Screw {
  Vec3 center{0, 0, 0};        ///< a point of the line
  Vec3 axis{0, 0, 1};          ///< direction of the line, of any non-zero length
  double angle = 0;            ///< radians, of any size
  Vec3 displacement{0, 0, 0};  ///< length

  /// Returns the screw about `center` (a world point fixed to the body) that starts at `from` and ends at `to` up to rounding,
  /// turning the shorter way.
  static Screw between(const Pose& from, const Pose& to, const Vec3& center);

  /// Returns the pose of the motion at fraction t, rounded. It is applied after the pose of the start.
  Pose at(double t) const;
};

struct RigidSweepOptions {
  double tolerance = 1e-6;  ///< length, > 0: at the reported t the distance is at most this (unless budget_ended)
  /// Steps of advancement per pair of parts; a tenth of them where a part is curved. Over all pairs of parts, a hundredth as many
  /// decisions that need unlimited integers.
  std::size_t budget = 10000;
};

/// Returns the first contact of `a`, which moves along a screw, with `b` at rest, or nothing.
///
/// No contact is missed and t is never late. At t the distance is at most `tolerance`, or `budget_ended` is set. So a pass within
/// the tolerance may be a hit. t is not certified as the largest double, and `departing` is never set.
///
/// Throws Error for NaN, infinity, a zero axis, a tolerance that is not positive, and for two unbounded shapes that do not touch
/// at the start.
///
/// Method: conservative advancement with proven bounds of the motion; see docs/derivations/rigid_motion.md.
std::optional<SweepHit> sweep(ShapeRef a, const Screw& motion, ShapeRef b, const RigidSweepOptions& options = {});

// ---- deforming meshes --------------------------------------------------------------------------------------------------------------------

/// Returns the first time in [0, 1] at which a vertex and a face share a point, or nothing.
///
/// The corners (v, f0, f1, f2) move linearly from t0[i] to t1[i]. The result is the largest double not above the true time. Exact
/// in all cases: touching, coplanar motion, collapsing triangles, rest.
std::optional<double> ccd_vertex_face(std::span<const Vec3, 4> t0, std::span<const Vec3, 4> t1);

/// The same for two edges, with the corners (a0, a1, b0, b1).
std::optional<double> ccd_edge_edge(std::span<const Vec3, 4> t0, std::span<const Vec3, 4> t1);

/// A pair of features that meet.
struct DeformingContact {
  enum class Kind : std::uint8_t { vertex_face, face_vertex, edge_edge };
  double t = 0;                                  ///< as ccd_vertex_face() returns it
  Kind kind = Kind::vertex_face;                 ///< the feature of A, then that of B
  std::uint32_t triangle_a = 0, triangle_b = 0;  ///< the lowest triangles that hold the features
  /// vertex_face: the vertex of A, the face of B. face_vertex: the face of A, the vertex of B. edge_edge: the edge of A, the edge
  /// of B.
  std::array<std::uint32_t, 4> vertices{};
};

struct DeformingOptions {
  bool first_only = false;                                      ///< only the first contact in time; ties by the order of the result
  std::size_t limit = std::numeric_limits<std::size_t>::max();  ///< only so many contacts, the first ones in order
  std::function<bool(const DeformingContact&)> filter;          ///< drops contacts for which it returns false; may run on several threads
};

/// Returns all pairs of features of A and B that meet while the vertices move linearly from those of the mesh to `a1` (`b1`).
/// Each pair comes with its own first time; the order is by t, then kind, then vertices. Exact. Runs on all cores.
/// Throws Error when the number of vertices differs from the mesh's, and for NaN or infinity.
std::vector<DeformingContact> ccd(const Mesh& a, VertexView a1, const Mesh& b, VertexView b1, const DeformingOptions& options = {});

/// The same for a mesh against itself. Pairs of features that share a vertex (by number) do not count.
std::vector<DeformingContact> ccd(const Mesh& mesh, VertexView end, const DeformingOptions& options = {});

}  // namespace graze
