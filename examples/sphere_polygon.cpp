// A sphere moves up through a triangle in steps of 0.01 until it no longer touches: first plane, projection, interior and edges one
// by one, then the whole test in one call. These are rows S1 to S9 of docs/heritage.md.
#include <cstdio>
#include <graze/graze.hpp>
#include <vector>
using namespace graze;

int main() {
  const Polygon polygon{{-1, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  const Plane plane = *plane_of(Triangle{{polygon.points()[0], polygon.points()[1], polygon.points()[2]}});

  // Step by step, as in a lesson.
  const Sphere sphere{{0.25, 0.5, 0.05}, 0.1};
  const Classification side = classify(sphere, plane);
  std::printf("side %d (behind 0, intersects 1, front 2), distance %g\n", static_cast<int>(side.side), side.distance);
  const Vec3 foot = closest(Point{sphere.center}, plane).on_b;
  std::printf("projected to (%.2f, %.2f, %.2f), inside the polygon: %d\n", foot.x, foot.y, foot.z, intersects(Point{foot}, polygon));
  for (std::size_t i = 0; i < 3; ++i) {
    const Segment edge{polygon.points()[i], polygon.points()[(i + 1) % 3]};
    std::printf("edge %zu: distance %g, touches: %d\n", i, closest(Point{sphere.center}, edge).distance, intersects(sphere, edge));
  }

  // The whole test in one call. Positions are summed in single precision, as in the original program; each answer is exact for the
  // position reached.
  float y = 0.5f;
  for (int presses = 0; presses <= 62; ++presses, y += 0.01f)
    if (presses % 20 == 0 || presses > 58) std::printf("up %2d times: %s\n", presses, intersects(Sphere{{0, y, 0}, 0.1f}, polygon) ? "green" : "violet");

  // A concave polygon is cut into triangles exactly and becomes a mesh.
  const std::vector<Vec3> arrow{{0, 0, 0}, {4, 0, 0}, {1, 1, 0}, {0, 4, 0}};
  const Mesh concave(MeshData{arrow, triangulate(arrow), {}});
  for (const double radius : {1.0, 1.5})
    std::printf("radius %g in the notch touches the concave polygon: %d\n", radius, intersects(Sphere{{2, 2, 0}, radius}, concave));

  // A camera in a room slides along the walls and never touches them.
  Scene room;
  for (const double wall : {-2.0, 2.0}) {
    room.add(Polygon{{wall, -2, 0}, {wall, 2, 0}, {wall, 2, 3}, {wall, -2, 3}});
    room.add(Polygon{{-2, wall, 0}, {2, wall, 0}, {2, wall, 3}, {-2, wall, 3}});
  }
  const Sphere eye{{0, 0, 0}, 0.25};
  Mover camera(room, eye, {0, 0, 1.5});
  for (int i = 0; i < 10; ++i) camera.move({0.5, 0.25, 0});
  const Vec3 p = camera.pose().translation;
  std::printf("the camera is at (%.3f, %.3f, %.3f), touches a wall: %d\n", p.x, p.y, p.z, room.intersects(at(eye, camera.pose())));
}
