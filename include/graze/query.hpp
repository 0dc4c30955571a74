// Queries about shapes at rest: intersection, distance, rays, sides of planes, penetration, bounds, and batches of these.
//
// Every function takes shapes or `at(shape, pose)` and may run concurrently on shared shapes. On valid shapes a query throws
// nothing but Error for the arguments that its comment names, and std::bad_alloc. Lengths are in the unit of the coordinates;
// results are in world coordinates. docs/accuracy.md states the guarantees in full.
#pragma once
#include <cstddef>
#include <functional>
#include <graze/shapes.hpp>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace graze {

// ---- intersection ----------------------------------------------------------------------------------------------------------------------

/// Returns whether the closed sets share a point. Touching counts. Symmetric.
/// Exact; with a Cylinder, Cone or Ellipsoid within the bound of docs/accuracy.md.
bool intersects(ShapeRef a, ShapeRef b);

// Overloads for the most frequent pairs: the same answers without the dispatch table.
bool intersects(const Sphere& a, const Sphere& b);
bool intersects(const Sphere& a, const Capsule& b);
bool intersects(const Capsule& a, const Capsule& b);
bool intersects(const Sphere& a, const Triangle& b);
bool intersects(const Triangle& a, const Triangle& b);
bool intersects(const Sphere& a, const Box& b);
bool intersects(const Box& a, const Box& b);
bool intersects(const Segment& a, const Box& b);
bool intersects(const Sphere& a, const OrientedBox& b);
bool intersects(const OrientedBox& a, const OrientedBox& b);
bool intersects(const OrientedBox& a, const Capsule& b);

/// Returns whether the distance between the shapes is at most `distance` (length, >= 0), with the guarantee of intersects().
/// The true distance is compared, not a rounded one. Throws Error for a negative, infinite or NaN distance.
bool within(ShapeRef a, ShapeRef b, double distance);

/// Returns whether the shape contains the point: the same as intersects() with a Point.
bool contains(ShapeRef solid, const Vec3& point);

// ---- distance --------------------------------------------------------------------------------------------------------------------------

/// A distance and a pair of closest points.
struct Closest {
  /// Length, >= 0; 0 exactly when the sets intersect. Saturates at the largest double; infinite only when a set is empty.
  double distance = 0;
  Vec3 on_a{0, 0, 0};  ///< witness on A; equal to on_b when the sets intersect
  Vec3 on_b{0, 0, 0};
  /// Of meshes: the triangle that holds the witness, the lowest one at the minimum. For two meshes see closest().
  std::optional<std::uint32_t> triangle_a, triangle_b;
};

/// Returns the distance of two shapes and a pair of closest points.
///
/// The distance is within 1e-15 relative of the truth, or within one denormal; see docs/accuracy.md for the witnesses and for
/// Cylinder, Cone and Ellipsoid. Exchanging the operands exchanges the result.
///
/// Between two meshes, of all pairs of triangles at the least distance the result names the one with the lowest triangle of the
/// leading mesh, then the lowest of the other. A Solid leads before a Mesh or HeightField, a Mesh before a HeightField. Of two
/// of one kind the one with fewer triangles leads, else the one whose placed corners, triangle by triangle, are the lower
/// numbers. The triangle named on the other mesh need not be the lowest that reaches the minimum.
Closest closest(ShapeRef a, ShapeRef b);

/// Returns the distance of a point from the boundary of a solid: negative inside, 0 on the boundary. The sign is exact.
/// Shapes that are not solid have no inside; for a Plane the distance is positive in front and negative behind.
/// Inside a Compound it is minus the greatest depth in one of the children, which is at most the true depth.
/// For Cylinder, Cone and Ellipsoid see docs/accuracy.md.
double signed_distance(const Vec3& point, ShapeRef solid);

// ---- rays ------------------------------------------------------------------------------------------------------------------------------

/// Where a ray meets a shape.
struct Hit {
  /// The largest double not above the true parameter, in lengths of the direction (Segment: a fraction 0..1).
  /// -infinity for a Line without a first point.
  double t = 0;
  Vec3 point{0, 0, 0};                    ///< rounded
  std::optional<Vec3> normal;             ///< unit length, against the ray; absent when the ray started inside
  std::optional<std::uint32_t> triangle;  ///< of a mesh, height field or polygon fan: the lowest triangle that is hit first
  std::optional<std::uint32_t> part;      ///< of a mesh: the MeshPart of that triangle; of a compound: the child
  /// Weights of the triangle's corners, >= 0, within 2^-39 of those of the true point. A triangle without area counts as its
  /// longest edge.
  std::optional<Vec3> barycentric;
  /// Of a triangle, polygon, mesh or plane: the direction is against the normal. Of other shapes: the ray came from outside.
  bool front = false;
  bool started_inside = false;  ///< the closed sets intersect at t = 0; never set for a Line
};

struct RayOptions {
  double t_max = std::numeric_limits<double>::infinity();  ///< inclusive, compared with the true t; a Segment ends at 1 anyway
};

/// Returns the first hit of a Ray, Segment or Line (placed or not) with any shape, or nothing.
///
/// Hit or miss is exact, and the hit is truly the first; exact ties go to the lowest index. On a Line t runs over all reals, and
/// the first hit is the one of smallest t. Cylinder, Cone and Ellipsoid: see docs/accuracy.md. `point` and `normal` are rounded.
/// Throws Error if `ray` is of another kind or t_max is NaN.
std::optional<Hit> raycast(ShapeRef ray, ShapeRef target, const RayOptions& options = {});

/// Returns whether raycast() would find a hit. Faster: any hit ends the search.
bool raycast_any(ShapeRef ray, ShapeRef target, const RayOptions& options = {});

/// Returns all hits in exact order of t, then index: one per triangle (at its first t), one per shape of another kind.
/// For a Solid that contains the start, the start comes first, then the hits of the surface. The hits of a Compound's children
/// are merged; exact ties go to the lowest child, and for curved children the returned t is compared.
std::vector<Hit> raycast_all(ShapeRef ray, ShapeRef target, const RayOptions& options = {});

// ---- sides -----------------------------------------------------------------------------------------------------------------------------

/// The side of a plane; the normal points to the front.
enum class Side { behind = 0, intersects = 1, front = 2 };
struct Classification {
  Side side = Side::intersects;
  /// Signed length, positive on the side of the normal. Of a Sphere: the distance of its centre. Of any other shape: the
  /// distance of its nearest point, 0 when the shape meets the plane.
  double distance = 0;
};
/// Returns the side of the plane on which the shape lies. Exact; with a Cylinder, Cone or Ellipsoid within the bound of
/// docs/accuracy.md.
/// A set of several pieces with some on either side counts as intersecting, even when none touches the plane.
Classification classify(ShapeRef shape, const Plane& plane);

enum class Visibility { outside, crossing, inside };
/// Returns whether the shape lies outside, across the boundary of or wholly inside a frustum. Exact in the same sense.
Visibility classify(ShapeRef shape, const Frustum& frustum);

// ---- penetration -----------------------------------------------------------------------------------------------------------------------

struct Penetration {
  double depth = 0;      ///< length, > 0
  Vec3 normal{0, 0, 0};  ///< unit length, from B to A
  /// Translation of A that separates A and B to touching or beyond, verified exactly. Between two convex shapes its length is at
  /// most (1 + 1e-9) times the minimum.
  Vec3 vector{0, 0, 0};
};

/// Why there is no penetration.
/// - `apart`: the sets do not meet.
/// - `touching`, proven: the sets meet but share no inner point. (For convex shapes without volume: a plane separates them
///   weakly.)
/// - `unbounded`: no finite translation separates them.
/// - `undecided`: the pieces of a mesh, solid or compound at most touch those of the other shape, and neither an overlap nor its
///   absence was proven.
enum class NoPenetration { none, apart, touching, unbounded, undecided };
struct PenetrationResult {
  std::optional<Penetration> value;
  NoPenetration reason = NoPenetration::none;
};

/// Returns a translation that separates two shapes, or the reason why there is none.
///
/// Convex shapes: the least translation, up to a factor of 1 + 1e-9 (1 + 1e-3 for Cylinder, Cone and Ellipsoid). Meshes, solids
/// and compounds: a verified translation that need not be the shortest. Solids that share planes, coincide or fill each other's
/// cavities are decided exactly, by their inner points.
///
/// These cases may stay undecided: solids whose own surface crosses itself or has triangles without area where they touch;
/// solids that touch at more than 4,000 corners; some flat hulls, turned flat boxes and lines against solids; surfaces that
/// bound no solid and that no plane separates.
PenetrationResult penetration(ShapeRef a, ShapeRef b);

struct Contact {
  Vec3 point{0, 0, 0};   ///< midpoint of the deepest points of both shapes
  Vec3 normal{0, 0, 0};  ///< unit length, from B to A; zero where the depth is infinite
  /// Length, >= 0. 0 when the shapes merely touch; infinite where no translation by doubles separates them (a line through a
  /// plane).
  double depth = 0;
  std::optional<std::uint32_t> triangle_a, triangle_b;
};

/// Returns the contacts of two shapes: one for a convex pair that intersects, and with a mesh one per touching triangle with
/// the depth of that triangle alone. Ordered by triangle numbers. Empty exactly when the shapes do not intersect.
std::vector<Contact> contacts(ShapeRef a, ShapeRef b);

// ---- bounds ----------------------------------------------------------------------------------------------------------------------------

/// Returns the smallest box of doubles that contains the shape, rounded outward; for curved shapes it is at most a few ulp
/// larger. The box is infinite for unbounded shapes, and has min > max for an empty mesh.
Box bounding_box(ShapeRef shape);

/// Returns a sphere that contains the shape. The centre is the middle of the bounding box, the radius is the greatest distance
/// of a vertex, rounded outward. A Sphere and an Ellipsoid keep their own centre, because the middle of the rounded box may be
/// an ulp off. Throws Error for an empty or unbounded shape, and for a radius beyond the largest double.
Sphere bounding_sphere(ShapeRef shape);

/// Returns the minimal enclosing sphere of the points, its radius rounded outward, so that it contains all of them.
/// The radius is at most (1 + 1e-12) times the least, plus 2^-52 of the largest coordinate of the centre, which is rounded to
/// doubles. Throws Error for no points, and for a radius beyond the largest double.
Sphere minimal_sphere(std::span<const Vec3> points);

// ---- planes and normals of triangles -----------------------------------------------------------------------------------------------------

/// Returns the plane of a triangle: its first point and the normal (b - a) x (c - a), rounded. The equation
/// Ax + By + Cz + D = 0 follows. Returns nothing for a triangle without area, which is decided exactly.
std::optional<Plane> plane_of(const Triangle& triangle);

/// Returns the unit normal of a triangle on the side of the viewpoint; on either side if the viewpoint lies in its plane.
/// Returns nothing for a triangle without area.
std::optional<Vec3> unit_normal(const Triangle& triangle, const Vec3& viewpoint);

/// Returns v mirrored at a plane with that normal (any non-zero length, either orientation). The result is never longer than v.
Vec3 reflect(const Vec3& v, const Vec3& normal);

// ---- triangles of meshes -----------------------------------------------------------------------------------------------------------------

/// The numbers of a triangle of A and a triangle of B.
struct TrianglePair {
  std::uint32_t a, b;
  bool operator==(const TrianglePair&) const = default;
  auto operator<=>(const TrianglePair&) const = default;
};
struct PairOptions {
  std::size_t limit = std::numeric_limits<std::size_t>::max();   ///< only so many, the first ones in order
  std::function<bool(std::uint32_t a, std::uint32_t b)> filter;  ///< drops pairs for which it returns false; may run on several threads
  std::function<bool(const TrianglePair&)> visit;                ///< called in order; returning false ends the query
};

/// Returns all pairs of triangles of A and B that share a point, ascending. Exact. A and B are each a Mesh, HeightField or the
/// surface of a Solid, placed or not. Throws Error for other kinds.
std::vector<TrianglePair> intersecting_triangles(ShapeRef a, ShapeRef b, const PairOptions& options = {});

/// Returns whether two triangles pierce each other: they lie in different planes and share a point inside both, on no edge and
/// no corner. Exact. False where they only touch, overlap in one plane or have no area.
bool crosses(const Triangle& a, const Triangle& b);

/// Returns all pairs (a < b) of triangles of one mesh that intersect in more than the corners or the edge that both share by
/// equal coordinates, ascending. Exact. Throws Error for other kinds than intersecting_triangles().
std::vector<TrianglePair> self_intersections(ShapeRef mesh, const PairOptions& options = {});

/// Returns the triangles of a mesh within `distance` (length, >= 0, compared exactly) of a shape, ascending. Distance 0 selects
/// those that intersect the shape. `mesh` is a Mesh, HeightField or the surface of a Solid, placed or not. Throws Error for a
/// mesh of another kind, and for a negative or NaN distance.
std::vector<std::uint32_t> triangles_within(ShapeRef shape, ShapeRef mesh, double distance = 0);

/// Returns the `count` triangles of a mesh nearest to a shape, none farther than `distance`, ordered by distance; ties go to the
/// lowest triangle. Each entry has its own closest points: on_a on the shape, triangle_b the number of the triangle.
///
/// Distances are those of closest(). The shape is a convex shape, a Polygon or a Compound of these. Throws Error for other
/// shapes, and for a negative or NaN distance.
std::vector<Closest> closest_triangles(ShapeRef shape, ShapeRef mesh, std::size_t count, double distance = std::numeric_limits<double>::infinity());

// ---- batches -----------------------------------------------------------------------------------------------------------------------------
//
// Element i of the result answers element i of the spans, bit for bit as a single query would. Batches run on all cores; the
// number of threads does not change the result. Functions with `out` write to memory of the caller, which is faster when that
// memory is used again. Throws Error when the sizes of the spans differ.

/// Rays with a common t_max (inclusive, as in RayOptions).
struct RaySpan {
  std::span<const Ray> rays;
  double t_max = std::numeric_limits<double>::infinity();
};

/// Pairs of any shapes.
std::vector<std::uint8_t> intersects(std::span<const ShapeRef> a, std::span<const ShapeRef> b);

// Arrays of shapes of one kind: SIMD lanes test many pairs at once.
std::vector<std::uint8_t> intersects(std::span<const Sphere> a, std::span<const Sphere> b);
std::vector<std::uint8_t> intersects(std::span<const Sphere> a, std::span<const Capsule> b);
std::vector<std::uint8_t> intersects(std::span<const Capsule> a, std::span<const Capsule> b);
std::vector<std::uint8_t> intersects(std::span<const Sphere> a, std::span<const Triangle> b);
std::vector<std::uint8_t> intersects(std::span<const Triangle> a, std::span<const Triangle> b);
std::vector<std::uint8_t> intersects(std::span<const Sphere> a, std::span<const Box> b);
std::vector<std::uint8_t> intersects(std::span<const Box> a, std::span<const Box> b);
std::vector<std::uint8_t> intersects(std::span<const Segment> a, std::span<const Box> b);
std::vector<std::uint8_t> intersects(std::span<const Sphere> a, std::span<const OrientedBox> b);
std::vector<std::uint8_t> intersects(std::span<const OrientedBox> a, std::span<const OrientedBox> b);
std::vector<std::uint8_t> intersects(std::span<const OrientedBox> a, std::span<const Capsule> b);

// The same into memory of the caller. With one thread these allocate nothing.
void intersects(std::span<const Sphere> a, std::span<const Sphere> b, std::span<std::uint8_t> out);
void intersects(std::span<const Sphere> a, std::span<const Capsule> b, std::span<std::uint8_t> out);
void intersects(std::span<const Capsule> a, std::span<const Capsule> b, std::span<std::uint8_t> out);
void intersects(std::span<const Sphere> a, std::span<const Triangle> b, std::span<std::uint8_t> out);
void intersects(std::span<const Triangle> a, std::span<const Triangle> b, std::span<std::uint8_t> out);
void intersects(std::span<const Sphere> a, std::span<const Box> b, std::span<std::uint8_t> out);
void intersects(std::span<const Box> a, std::span<const Box> b, std::span<std::uint8_t> out);
void intersects(std::span<const Segment> a, std::span<const Box> b, std::span<std::uint8_t> out);
void intersects(std::span<const Sphere> a, std::span<const OrientedBox> b, std::span<std::uint8_t> out);
void intersects(std::span<const OrientedBox> a, std::span<const OrientedBox> b, std::span<std::uint8_t> out);
void intersects(std::span<const OrientedBox> a, std::span<const Capsule> b, std::span<std::uint8_t> out);

// Many points or rays against one shape.
std::vector<Closest> closest(std::span<const Vec3> points, ShapeRef target);
std::vector<std::uint8_t> contains(ShapeRef solid, std::span<const Vec3> points);
std::vector<std::optional<Hit>> raycast(const RaySpan& rays, ShapeRef target);
std::vector<std::uint8_t> raycast_any(const RaySpan& rays, ShapeRef target);

// The same into memory of the caller.
void closest(std::span<const Vec3> points, ShapeRef target, std::span<Closest> out);
void contains(ShapeRef solid, std::span<const Vec3> points, std::span<std::uint8_t> out);
void raycast(const RaySpan& rays, ShapeRef target, std::span<std::optional<Hit>> out);
void raycast_any(const RaySpan& rays, ShapeRef target, std::span<std::uint8_t> out);

// ---- threads -----------------------------------------------------------------------------------------------------------------------------

/// Sets how many threads the library uses from now on; 0 means all cores. Results never depend on the number.
void set_threads(int n);

}  // namespace graze
