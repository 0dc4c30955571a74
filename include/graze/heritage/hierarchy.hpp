// Collision of two meshes by bounding volumes in three levels: the object, its triangles, the exact test.
// Part of the library graze::heritage, for comparison and teaching; the mesh queries of <graze/query.hpp> are faster.
#pragma once
#include <cstdint>
#include <graze/query.hpp>
#include <span>
#include <vector>

namespace graze {

/// The bounding volumes of an object: box and sphere of the whole mesh and of every triangle, in the frame of the mesh.
///
/// A box is the smallest that contains its triangle, exactly, because coordinates are only compared. The centre of a sphere is the
/// middle of its box, rounded. Its radius is the greatest distance of a vertex, rounded outward, so that the sphere contains every
/// vertex exactly and no contact is lost. Construction is O(n).
class SphereHierarchy {
 public:
  explicit SphereHierarchy(const Mesh& mesh);
  /// The hierarchy of the placed mesh. Every vertex is placed once, as for `at(mesh, pose)`, so the answers are those of the placed
  /// meshes.
  SphereHierarchy(const Mesh& mesh, const Pose& pose);
  [[nodiscard]] const Sphere& object_sphere() const { return object_; }
  [[nodiscard]] const Box& object_box() const { return box_; }
  /// One for each triangle, in the order of the mesh.
  [[nodiscard]] std::span<const Sphere> triangle_spheres() const { return spheres_; }
  [[nodiscard]] std::span<const Box> triangle_boxes() const { return boxes_; }
  /// The mesh that the volumes bound; the placed one if a pose was given.
  [[nodiscard]] const Mesh& mesh() const { return mesh_; }

 private:
  Mesh mesh_;
  Box box_;
  Sphere object_;
  std::vector<Box> boxes_;
  std::vector<Sphere> spheres_;
};

/// How many pairs each level tested and left. The counts of a level that was not reached are 0.
struct HierarchyCounts {
  std::uint64_t possible = 0;       ///< all pairs of triangles
  std::uint64_t after_objects = 0;  ///< pairs left by the object spheres: 0 or all
  std::uint64_t sphere_tests = 0;   ///< pairs of triangle spheres compared; sorting along x skips the others
  std::uint64_t after_spheres = 0;  ///< pairs left by the triangle spheres, for the exact test
  std::uint64_t hits = 0;           ///< pairs that intersect
};

/// Returns the pairs of triangles that the sphere levels leave to the exact test, ascending: a superset of the intersecting pairs.
/// O((n + m) log m + pairs) for triangles of similar size.
[[nodiscard]] std::vector<TrianglePair> candidate_pairs(const SphereHierarchy& a, const SphereHierarchy& b, HierarchyCounts* counts = nullptr);
/// Returns all intersecting pairs of triangles, ascending: the same as intersecting_triangles() of the two meshes.
[[nodiscard]] std::vector<TrianglePair> intersecting_triangles(const SphereHierarchy& a, const SphereHierarchy& b, HierarchyCounts* counts = nullptr);
/// Returns whether the two surfaces touch. Stops at the first hit; the counts are those up to that point.
[[nodiscard]] bool intersects(const SphereHierarchy& a, const SphereHierarchy& b, HierarchyCounts* counts = nullptr);

}  // namespace graze
