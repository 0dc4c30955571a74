// Points fall on a rock, bounce off and start again: one hit, one reflection, one step with several, then a world with many points.
// These are rows U1 to U10 of docs/heritage.md.
#include <cstdio>
#include <graze/graze.hpp>
using namespace graze;

int main() {
  MeshData data;
  data.vertices = {{1.5, 0, 0}, {-1.25, 0, 0.25}, {0, 1.25, 0}, {0.25, -1.5, 0}, {0, 0.25, 1}, {0, 0, -1}};
  data.triangles = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
  const Mesh rock(data);  // from a file: load_mesh("rock.obj"), <graze/io.hpp>

  // Find where the point hits the rock on its path.
  const Vec3 start(0.5, 0.25, 3), path(0, 0, -4);
  if (const auto hit = sweep(Point{start}, path, rock)) {
    std::printf("hit at t = %g: (%g, %g, %g), triangle %u\n", hit->t, hit->point.x, hit->point.y, hit->point.z, *hit->triangle_b);
    const Vec3 away = reflect(path, *hit->normal);
    std::printf("reflected: (%.3f, %.3f, %.3f)\n", away.x, away.y, away.z);
  }

  // A whole step: move to the hit and on along the rest of the path, with at most ten reflections.
  const BounceStep step = bounce(Point{start}, path, 1, rock, {.restitution = 1, .friction = 0, .speed_kept = 0.75});
  std::printf("after 1 s: %zu hits, at (%.3f, %.3f, %.3f)\n", step.hits.size(), step.position.x, step.position.y, step.position.z);

  // Many bodies, each with its own origin. A body that becomes slow, or falls below -4, starts again at its origin.
  World world;
  world.add_fixed(rock, {}, {.restitution = 0.5, .friction = 0.25});
  BodyOptions stone;
  stone.material.restitution = 0.5;
  Emitter emitter;
  emitter.origin = {0, 0, 3};
  emitter.spread = {0.75, 0.5, 0};
  emitter.slow = 0.05;
  emitter.floor = -4;
  emitter.own_origin = true;
  world.add_emitter(Point{}, 12, emitter, stone);
  std::size_t impacts = 0, restarts = 0, inside = 0;
  const Solid body_of_rock = solid(rock);
  for (int i = 0; i < 500; ++i) {
    world.step(0.01);
    impacts += world.impacts().size();
    restarts += world.respawns().size();
    for (BodyId id = 0; id < world.bodies(); ++id) inside += contains(body_of_rock, world.position(id));
  }
  std::printf("5 s: %s impacts, %s restarts, %zu places inside the rock\n", impacts > 12 ? "many" : "few", restarts > 12 ? "many" : "few", inside);

  // A shot: find what it hits first.
  const auto shot = world.shoot(Ray{{5, 0, 0.25}, {-1, 0, 0}});
  std::printf("a shot at the rock: %s\n", !shot ? "nothing" : shot->body ? "a body" : "the rock");
}
