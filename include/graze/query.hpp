// All questions about shapes at rest. Every function takes shapes or `at(shape, pose)`, runs concurrently on shared shapes, and never throws on valid shapes
// (except for memory).
#pragma once
#include <cstddef>
#include <functional>
#include <graze/shapes.hpp>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace graze {

// ---- yes or no -------------------------------------------------------------------------------------------------------------------------

/// Do the closed sets share a point? Exact (Cylinder, Cone, Ellipsoid: within the bound of docs/accuracy.md). Symmetric.
bool intersects(ShapeRef a, ShapeRef b);
// The same for the commonest pairs, without a table in between.
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

/// Is the distance at most `distance` (length, >= 0, compared exactly)? Throws Error for a negative, infinite or NaN distance.
bool within(ShapeRef a, ShapeRef b, double distance);

/// Does the shape contain the point? The same as intersects with that point.
bool contains(ShapeRef solid, const Vec3& point);

// ---- distance --------------------------------------------------------------------------------------------------------------------------

struct Closest {
  double distance = 0;  ///< length, >= 0; 0 exactly when the sets intersect; saturates at the largest double; infinite only when one of them is empty
  Vec3 on_a{0, 0, 0};   ///< witness on A; equal to on_b when they intersect
  Vec3 on_b{0, 0, 0};
  std::optional<std::uint32_t> triangle_a,
      triangle_b;  ///< of meshes: the triangle that holds the witness, the lowest at the minimum (of two meshes: see closest)
};

/// Distance and a pair of closest points, within 1e-15 relative or one denormal; see docs/accuracy.md.
/// Between two meshes: of all pairs of triangles at the least distance the one with the lowest triangle of the leading mesh, then the lowest of the other.
/// A solid leads before a mesh or height field, a mesh before a height field; of two of one kind leads the one with fewer triangles, else the one whose
/// placed corners, triangle by triangle, are the lower numbers. So exchanging the operands exchanges the result; the triangle named on the other mesh need not
/// be the lowest that reaches the minimum.
Closest closest(ShapeRef a, ShapeRef b);

/// Distance of a point from a solid's boundary, negative inside, 0 on it; the sign exact. Shapes that are not solid have only outsides (a Plane: positive in
/// front, negative behind). Inside a Compound: minus the greatest depth in one of its children, at most the true depth.
double signed_distance(const Vec3& point, ShapeRef solid);

// ---- rays ------------------------------------------------------------------------------------------------------------------------------

struct Hit {
  double t =
      0;  ///< the largest double not above the true parameter, in lengths of the direction (Segment: fraction 0..1); -infinity for a Line without a first point
  Vec3 point{0, 0, 0};                    ///< length, rounded
  std::optional<Vec3> normal;             ///< unit length, against the ray; absent when started inside
  std::optional<std::uint32_t> triangle;  ///< of a mesh, height field or polygon fan: the lowest triangle that is hit first
  std::optional<std::uint32_t> part;      ///< of a mesh: the part of that triangle; of a compound: the child
  std::optional<Vec3> barycentric;  ///< weights of the triangle's corners, >= 0, within 2^-39 of those of the true point; without area: of its longest edge
  bool front = false;               ///< of a triangle, polygon, mesh or plane: the direction is against its normal; of other shapes: the ray came from outside
  bool started_inside = false;      ///< the closed sets intersect at t = 0 (not said for a Line)
};

struct RayOptions {
  double t_max = std::numeric_limits<double>::infinity();  ///< closed, compared with the true t; a Segment ends at 1 anyway
};

/// First hit of a Ray, Segment or Line (placed or not) with any shape. Hit or miss exact; the first is truly the first, ties to the lowest index. Of a Line, t
/// runs over all reals and the first is the smallest. Throws Error if `ray` is of another kind or t_max is NaN.
std::optional<Hit> raycast(ShapeRef ray, ShapeRef target, const RayOptions& options = {});
/// Is there any hit? The same yes or no, sooner.
bool raycast_any(ShapeRef ray, ShapeRef target, const RayOptions& options = {});
/// All hits in exact order of t, then index: one per triangle (its first t), one per other shape; of a solid first the start, when that lies inside, then its
/// surface. Of a compound: of all children together, exact ties to the lowest (of curved children the t returned counts).
std::vector<Hit> raycast_all(ShapeRef ray, ShapeRef target, const RayOptions& options = {});

// ---- sides -----------------------------------------------------------------------------------------------------------------------------

enum class Side { behind = 0, intersects = 1, front = 2 };
struct Classification {
  Side side = Side::intersects;
  double distance = 0;  ///< signed, positive on the normal's side: of a sphere's centre; of any other shape its nearest point, 0 when it meets the plane
};
/// On which side of the plane lies the shape? Exact. A set of several pieces with some on either side intersects, even when none touches the plane.
Classification classify(ShapeRef shape, const Plane& plane);

enum class Visibility { outside, crossing, inside };
/// Outside, crossing or wholly inside a frustum? Exact.
Visibility classify(ShapeRef shape, const Frustum& frustum);

// ---- depth -----------------------------------------------------------------------------------------------------------------------------

struct Penetration {
  double depth = 0;      ///< length, > 0
  Vec3 normal{0, 0, 0};  ///< unit length, from B to A
  Vec3 vector{0, 0,
              0};  ///< moving A by it separates A and B to touching or beyond, verified exactly; length at most (1 + 1e-9) times the minimum for convex pairs
};
/// Why there is no depth. `touching`, proven: the sets meet, but share no inner point (convex shapes without volume: a plane separates them weakly).
/// `unbounded`: no finite translation separates. `undecided`: the pieces of a mesh, solid or compound at most touch those of the other shape, and neither an
/// overlap nor its absence was proven.
enum class NoPenetration { none, apart, touching, unbounded, undecided };
struct PenetrationResult {
  std::optional<Penetration> value;
  NoPenetration reason = NoPenetration::none;
};
/// Convex shapes: the least translation that separates, up to 1 + 1e-9. With meshes, solids and compounds: a verified translation, not the shortest. Solids
/// that share planes, coincide or fill each other's cavities are decided by their inner points, exactly. Undecided remain solids whose own surface crosses
/// itself or has triangles without area where they touch, or that touch at more than 4,000 corners; some flat hulls, turned flat boxes and lines against
/// solids; and surfaces that bound no solid and that no plane separates.
PenetrationResult penetration(ShapeRef a, ShapeRef b);

struct Contact {
  Vec3 point{0, 0, 0};   ///< middle between the deepest points of both
  Vec3 normal{0, 0, 0};  ///< unit length, from B to A; zero where the depth is infinite
  double depth = 0;      ///< length, >= 0; 0 when merely touching; infinite where no translation by doubles separates (a line through a plane)
  std::optional<std::uint32_t> triangle_a, triangle_b;
};
/// Contact points: one for a convex pair that intersects, one per touching triangle (with that triangle's own depth) when a mesh takes part; ordered by
/// triangle numbers. Never empty for shapes that intersect.
std::vector<Contact> contacts(ShapeRef a, ShapeRef b);

// ---- bounds and small things -----------------------------------------------------------------------------------------------------------

/// The smallest box of doubles that contains the shape (exact rounding outward; curved shapes: at most a few ulp larger); infinite for unbounded ones. min >
/// max for an empty mesh.
Box bounding_box(ShapeRef shape);
/// Centre = middle of the bounding box (of a Sphere and an Ellipsoid their own centre, which the rounded box's middle may miss by an ulp), radius = the
/// greatest distance of a vertex (rounded outward: truly contains the shape). Throws Error for an unbounded or empty shape.
Sphere bounding_sphere(ShapeRef shape);
/// The minimal enclosing sphere of points, radius rounded outward: contains all. The radius is at most (1 + 1e-12) times the least, plus what rounding the
/// centre to doubles costs: 2^-52 of the centre's largest coordinate. Throws Error for no points.
Sphere minimal_sphere(std::span<const Vec3> points);

/// The plane of a triangle: its first point and (b - a) x (c - a), rounded; Ax + By + Cz + D = 0 follows. Nothing for a triangle without area (exactly).
std::optional<Plane> plane_of(const Triangle& triangle);
/// Unit normal of a triangle turned towards the viewpoint (either way if the viewpoint lies in its plane); nothing without area.
std::optional<Vec3> unit_normal(const Triangle& triangle, const Vec3& viewpoint);
/// v mirrored at the plane of that normal (any non-zero length, either orientation); never longer than before.
Vec3 reflect(const Vec3& v, const Vec3& normal);

// ---- many results ----------------------------------------------------------------------------------------------------------------------

struct TrianglePair {
  std::uint32_t a, b;
  bool operator==(const TrianglePair&) const = default;
  auto operator<=>(const TrianglePair&) const = default;
};
struct PairOptions {
  std::size_t limit = std::numeric_limits<std::size_t>::max();   ///< at most so many, the first in order
  std::function<bool(std::uint32_t a, std::uint32_t b)> filter;  ///< pairs for which it is false do not count; may be called from several threads
  std::function<bool(const TrianglePair&)> visit;                ///< called in order; false stops
};
/// All pairs of triangles of A and B (Mesh, Solid's surface or HeightField; placed or not) that share a point, ascending. Throws Error for other kinds.
std::vector<TrianglePair> intersecting_triangles(ShapeRef a, ShapeRef b, const PairOptions& options = {});
/// Do two triangles pierce each other: they lie in different planes and share a point inside both, on no edge and no corner? Exact; false where they only
/// touch, overlap in one plane or have no area.
bool crosses(const Triangle& a, const Triangle& b);
/// All pairs (a < b) of triangles of one mesh whose intersection is more than the corners or edge that both share by equal coordinates.
std::vector<TrianglePair> self_intersections(ShapeRef mesh, const PairOptions& options = {});

/// The triangles of a mesh (Mesh, Solid's surface or HeightField; placed or not) within `distance` (length, >= 0, compared exactly) of the shape, ascending; 0:
/// those that touch it or lie in it. Throws Error for a mesh of another kind, a negative distance or NaN.
std::vector<std::uint32_t> triangles_within(ShapeRef shape, ShapeRef mesh, double distance = 0);
/// The `count` triangles of a mesh nearest to a shape, none farther than `distance`, by distance, ties to the lowest; of each its own closest points, on_a on
/// the shape, triangle_b its number. Distances as `closest` gives them. Shapes: convex ones, polygons, compounds of these. Throws Error for others, a negative
/// distance or NaN.
std::vector<Closest> closest_triangles(ShapeRef shape, ShapeRef mesh, std::size_t count, double distance = std::numeric_limits<double>::infinity());

// ---- batches: element i of the result answers element i of the spans; on all cores, same bits for any number -------------------------------

struct RaySpan {
  std::span<const Ray> rays;
  double t_max = std::numeric_limits<double>::infinity();
};
std::vector<std::uint8_t> intersects(std::span<const ShapeRef> a, std::span<const ShapeRef> b);
// Arrays of shapes of one kind: many pairs at once by the CPU's wide instructions, the same bytes as one at a time. `out` has their number, too; then nothing
// is allocated on one thread. Throws Error when the numbers differ.
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
std::vector<Closest> closest(std::span<const Vec3> points, ShapeRef target);
std::vector<std::uint8_t> contains(ShapeRef solid, std::span<const Vec3> points);
std::vector<std::optional<Hit>> raycast(const RaySpan& rays, ShapeRef target);
std::vector<std::uint8_t> raycast_any(const RaySpan& rays, ShapeRef target);
/// The same into memory of the caller, which is faster when it is used again. Throw Error when there is not as much room as there are elements.
void closest(std::span<const Vec3> points, ShapeRef target, std::span<Closest> out);
void contains(ShapeRef solid, std::span<const Vec3> points, std::span<std::uint8_t> out);
void raycast(const RaySpan& rays, ShapeRef target, std::span<std::optional<Hit>> out);
void raycast_any(const RaySpan& rays, ShapeRef target, std::span<std::uint8_t> out);

/// How many threads the library may use from now on; 0 means all cores. Results never depend on it.
void set_threads(int n);

}  // namespace graze
