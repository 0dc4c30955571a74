// Whether and where two objects touch: bounding volumes, the hierarchy of spheres, all pairs of triangles, many objects at once.
// These are rows K1 to K14 of docs/heritage.md.
#include <cstdio>
#include <graze/graze.hpp>
#include <graze/heritage/hierarchy.hpp>
#include <vector>
using namespace graze;

// A cube about the origin: two triangles per side, counter-clockwise seen from outside.
Mesh cube(double half) {
  MeshData data;
  for (int i = 0; i < 8; ++i) data.vertices.push_back(Vec3(i & 1 ? half : -half, i & 2 ? half : -half, i & 4 ? half : -half));
  data.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4}, {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  return Mesh(data);
}

void print(const char* name, const Vec3& p) { std::printf("%s (%g, %g, %g)\n", name, p.x, p.y, p.z); }

int main() {
  const Mesh a = cube(1), b = cube(0.5);

  // Bounds. The radius of the sphere is rounded outward, so that it contains every vertex exactly.
  const Box box = bounding_box(a);
  print("corner A", box.corner(Corner::A));
  print("corner G", box.corner(Corner::G));
  print("centre", box.center());
  std::printf("the sphere contains corner G: %d\n", contains(bounding_sphere(a), box.corner(Corner::G)));

  // The same two meshes at three poses. A mesh is a surface, so a cube inside a cube does not touch it. A solid does touch it.
  for (const double x : {2.0, 1.5, 0.25}) {
    const Pose place = translation({x, 0, 0});
    const std::vector<TrianglePair> pairs = intersecting_triangles(a, at(b, place));
    std::printf("moved by %g: surfaces touch: %d, pairs of triangles: %zu, distance: %g, inside: %d\n", x, intersects(a, at(b, place)), pairs.size(),
                closest(a, at(b, place)).distance, intersects(solid(a), at(b, place)) && pairs.empty());
  }

  // The hierarchy of the textbook gives the same pairs, and counts the pairs that remain at each level.
  HierarchyCounts levels;
  const auto pairs = intersecting_triangles(SphereHierarchy(a), SphereHierarchy(b, translation({1.5, 0, 0})), &levels);
  std::printf("%llu pairs, %llu after the object spheres, %llu after the triangle spheres, %zu touch\n", static_cast<unsigned long long>(levels.possible),
              static_cast<unsigned long long>(levels.after_objects), static_cast<unsigned long long>(levels.after_spheres), pairs.size());

  // Many objects: find the pairs that touch, and the objects in the view.
  Scene scene;
  for (int i = 0; i < 5; ++i) scene.add(b, translation({i * (i + 1) / 2.0, 0, -10}));  // x = 0, 1, 3, 6, 10
  for (const ScenePair& p : scene.pairs()) std::printf("objects %u and %u touch\n", p.a, p.b);
  const Frustum view = Frustum::perspective({0, 0, 0}, {0, 0, -1}, {0, 1, 0}, 0.5, 1, 1, 100);
  for (const MemberId id : scene.visible(view)) std::printf("object %u is in the view\n", id);
}
