// Nine tests of primitives, each at the last double at which both touch and at the next double.
// These are rows P1 to P10 of docs/heritage.md.
#include <cmath>
#include <cstdio>
#include <graze/graze.hpp>
using namespace graze;

template <class Test>
void show(const char* name, double touching, Test test) {
  std::printf("%-34s x = %g: %-5s an ulp farther: %s\n", name, touching, test(touching) ? "yes," : "no,", test(std::nextafter(touching, 1e9)) ? "yes" : "no");
}

int main() {
  const Box cube = Box::from_center({0, 0, 0}, 1.0);           // centre, half size
  const Box box = Box::from_center({0, 0, 0}, Vec3(1, 2, 3));  // centre, half size per axis
  const Box corners{{-1, -1, -1}, {1, 1, 1}};                  // lowest and highest corner
  const Sphere ball{{0, 0, 0}, 1};

  show("cube, point", 1, [&](double x) { return contains(cube, {x, 0.5, 0}); });
  show("box, point", 1, [&](double x) { return contains(box, {x, 2, 3}); });
  show("box by its corners, point", 1, [&](double x) { return contains(corners, {x, 1, 1}); });
  show("box, box by corner and size", 1, [&](double x) { return intersects(cube, Box::from_corner({x, -1, 0}, {2, 2, 2})); });
  show("box, sphere", 2, [&](double x) { return intersects(cube, Sphere{{x, 0, 0}, 1}); });
  show("cube, segment", 1, [&](double x) { return intersects(cube, Segment{{x, -2, 0}, {x, 2, 0}}); });
  show("sphere, point", 1, [&](double x) { return contains(ball, {x, 0, 0}); });
  show("sphere, sphere", 3, [&](double x) { return intersects(ball, Sphere{{x, 0, 0}, 2}); });
  show("sphere, segment", 1, [&](double x) { return intersects(ball, Segment{{x, -2, 0}, {x, 2, 0}}); });

  // Distance, closest points and penetration of a pair.
  const Closest gap = closest(cube, Sphere{{4, 0, 0}, 1});
  std::printf("cube and sphere: %g apart, nearest (%g, %g, %g) and (%g, %g, %g)\n", gap.distance, gap.on_a.x, gap.on_a.y, gap.on_a.z, gap.on_b.x, gap.on_b.y,
              gap.on_b.z);
  const auto depth = penetration(Sphere{{1.5, 0, 0}, 1}, cube).value;
  std::printf("overlapping by %g; moved by %g along x the sphere is free\n", depth->depth, depth->vector.x);
}
