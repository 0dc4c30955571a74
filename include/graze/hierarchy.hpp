// The hierarchy of K. Kaiser, "3D collision detection" (Game Programming Gems 1, ch. 4.5): object spheres, polygon spheres, exact triangle test.
#pragma once
#include <graze/query.hpp>

namespace graze {

/// One object's spheres: around the whole, and around every triangle; radii rounded outward, so that no contact is ever lost.
class SphereHierarchy {
 public:
  explicit SphereHierarchy(const Mesh& mesh);
  const Sphere& object_sphere() const { return object_; }
  const Box& object_box() const { return box_; }
  std::span<const Sphere> triangle_spheres() const { return spheres_; }
  const Mesh& mesh() const { return mesh_; }

 private:
  Mesh mesh_;
  Box box_;
  Sphere object_;
  std::vector<Sphere> spheres_;
};

/// What each level did.
struct HierarchyCounts {
  std::uint64_t possible = 0;          ///< triangle pairs in all
  std::uint64_t after_objects = 0;     ///< left after the object spheres (0 or all)
  std::uint64_t after_spheres = 0;     ///< left after the polygon spheres: exact triangle tests made
  std::uint64_t hits = 0;
};

/// All intersecting triangle pairs of two objects, ascending: the same as intersecting_triangles(a, b).
std::vector<TrianglePair> intersecting_triangles(const SphereHierarchy& a, const SphereHierarchy& b, HierarchyCounts* counts = nullptr);
/// Do they touch? Stops at the first hit.
bool intersects(const SphereHierarchy& a, const SphereHierarchy& b, HierarchyCounts* counts = nullptr);

}  // namespace graze
