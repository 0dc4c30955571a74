// A hierarchy of bounding volumes in three levels: the object, its triangles, the exact test. Library graze::heritage: for comparison and teaching; the mesh
// queries of <graze/query.hpp> are faster.
#pragma once
#include <graze/query.hpp>

namespace graze {

/// One object's bounding volumes: the box and sphere of the whole, and of every triangle. A box is the smallest that contains its triangle (exact: coordinates
/// are only compared). A sphere has the middle of its box's diagonal as centre (rounded) and the greatest distance of a vertex as radius, rounded outward: it
/// contains every vertex exactly, so no contact is lost. Lengths are in the mesh's unit, in the mesh's frame. Construction is O(n).
class SphereHierarchy {
 public:
  explicit SphereHierarchy(const Mesh& mesh);
  /// Of the placed mesh: vertices are placed once each, as for `at(mesh, pose)`, so the answers are those of the placed meshes.
  SphereHierarchy(const Mesh& mesh, const Pose& pose);
  const Sphere& object_sphere() const { return object_; }
  const Box& object_box() const { return box_; }
  /// One for each triangle, in the mesh's order.
  std::span<const Sphere> triangle_spheres() const { return spheres_; }
  std::span<const Box> triangle_boxes() const { return boxes_; }
  /// The mesh in which all of this is stated, placed if a pose was given.
  const Mesh& mesh() const { return mesh_; }

 private:
  Mesh mesh_;
  Box box_;
  Sphere object_;
  std::vector<Box> boxes_;
  std::vector<Sphere> spheres_;
};

/// What each level did; a level that is not needed has no tests.
struct HierarchyCounts {
  std::uint64_t possible = 0;       ///< triangle pairs in all
  std::uint64_t after_objects = 0;  ///< left after the object spheres (0 or all)
  std::uint64_t sphere_tests = 0;   ///< pairs of triangle spheres compared; sorting along x spares the others
  std::uint64_t after_spheres = 0;  ///< left after the triangle spheres: exact triangle tests made
  std::uint64_t hits = 0;           ///< of these, pairs that intersect
};

/// The pairs of triangles that the sphere levels leave to the exact test, ascending: a superset of the intersecting pairs. O((n + m) log m + pairs) for
/// triangles of like size.
std::vector<TrianglePair> candidate_pairs(const SphereHierarchy& a, const SphereHierarchy& b, HierarchyCounts* counts = nullptr);
/// All intersecting triangle pairs of two objects, ascending: the same as intersecting_triangles(a, b).
std::vector<TrianglePair> intersecting_triangles(const SphereHierarchy& a, const SphereHierarchy& b, HierarchyCounts* counts = nullptr);
/// Do they touch? Stops at the first hit; the counts are those up to there.
bool intersects(const SphereHierarchy& a, const SphereHierarchy& b, HierarchyCounts* counts = nullptr);

}  // namespace graze
