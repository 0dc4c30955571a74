// Random and adversarial pairs of shapes for the benchmarks.
#include "bench/pair_inputs.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace bench {
namespace {

double dot(const Vec3& a, const Vec3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

std::array<Vec3, 3> random_axes(Random& random) {
  const Vec3 z = random.direction();
  const Vec3 helper = random.direction();
  Vec3 x = cross(helper, z);
  x = x / std::sqrt(dot(x, x));
  return {x, cross(z, x), z};
}

const Vec3 far_away{1000, -700, 300};

}  // namespace

Sphere random_sphere(Random& random) { return {random.in_cube(1), random.uniform(.1, .6)}; }

OrientedBox random_oriented_box(Random& random) {
  OrientedBox box{random.in_cube(1), random_axes(random), {}};
  for (int i = 0; i < 3; ++i) box.half[i] = random.uniform(.1, .6);
  return box;
}

Capsule random_capsule(Random& random) {
  const Vec3 middle = random.in_cube(1), half = random.direction() * random.uniform(.1, .6);
  return {middle - half, middle + half, random.uniform(.05, .3)};
}

Triangle random_triangle(Random& random) {
  const Vec3 middle = random.in_cube(.4);
  return {{middle + random.in_cube(1), middle + random.in_cube(1), middle + random.in_cube(1)}};
}

Segment random_segment(Random& random) {
  const Vec3 middle = random.in_cube(1), half = random.direction() * random.uniform(.2, 1);
  return {middle - half, middle + half};
}

Box random_box(Random& random) {
  const Vec3 middle = random.in_cube(1);
  Vec3 half;
  for (int i = 0; i < 3; ++i) half[i] = random.uniform(.1, .6);
  return {middle - half, middle + half};
}

std::pair<Sphere, Sphere> touching_spheres(Random& random) {
  static constexpr int quadruples[][4] = {{1, 2, 2, 3},   {2, 3, 6, 7}, {1, 4, 8, 9},  {4, 4, 7, 9}, {0, 3, 4, 5},
                                          {0, 5, 12, 13}, {0, 0, 1, 1}, {2, 6, 9, 11}, {6, 6, 7, 11}};
  const auto& q = quadruples[random.integer(0, 8)];
  const int scale = random.integer(1, 40), turn = random.integer(0, 2);
  Vec3 center, step;
  for (int i = 0; i < 3; ++i) {
    center[i] = random.integer(-640, 640);
    step[i] = scale * q[(i + turn) % 3] * (random.coin() ? 1 : -1);
  }
  const int distance = scale * q[3];
  const double radius = distance * random.integer(1, 15) / 16.0;
  double other = distance - radius;
  if (random.coin()) other = std::nextafter(other, 0);
  return {{center / 64.0, radius / 64}, {(center + step) / 64.0, other / 64}};
}

std::pair<OrientedBox, OrientedBox> touching_boxes(Random& random) {
  const auto quarter_turned = [&] {
    OrientedBox box;
    int order[3] = {0, 1, 2};
    std::swap(order[0], order[random.integer(0, 2)]);
    std::swap(order[1], order[random.integer(1, 2)]);
    for (int i = 0; i < 3; ++i) {
      box.axes[static_cast<std::size_t>(i)] = Vec3(0, 0, 0);
      box.axes[static_cast<std::size_t>(i)][order[i]] = random.coin() ? 1 : -1;
      box.half[i] = random.integer(4, 40) / 64.0;
    }
    if (dot(cross(box.axes[0], box.axes[1]), box.axes[2]) < 0) box.axes[2] = -box.axes[2];
    return box;
  };
  const auto extent = [](const OrientedBox& box, int k) {
    return std::abs(box.axes[0][k]) * box.half[0] + std::abs(box.axes[1][k]) * box.half[1] + std::abs(box.axes[2][k]) * box.half[2];
  };
  OrientedBox a = quarter_turned(), b = quarter_turned();
  const int axis = random.integer(0, 2);
  for (int k = 0; k < 3; ++k) {
    a.center[k] = random.integer(-64, 64) / 64.0;
    const int reach = static_cast<int>(64 * (extent(a, k) + extent(b, k)));
    b.center[k] = a.center[k] + random.integer(-reach, reach) / 64.0;
  }
  const bool above = random.coin();
  const double step = extent(a, axis) + extent(b, axis);
  b.center[axis] = a.center[axis] + (above ? step : -step);
  if (random.coin()) b.center[axis] = std::nextafter(b.center[axis], above ? 100 : -100);
  return {a, b};
}

std::pair<Triangle, Triangle> touching_triangles(Random& random) {
  const auto on_grid = [&] {
    for (;;) {
      Triangle t;
      for (Vec3& p : t.points)
        for (int i = 0; i < 3; ++i) p[i] = random.integer(0, 3) / 8.0;
      if (plane_of(t)) return t;
    }
  };
  const Triangle a = on_grid();
  return {a, on_grid()};
}

std::pair<Segment, Box> touching_segments(Random& random) {
  Box box;
  Vec3 on_box, step;
  for (int i = 0; i < 3; ++i) {
    const int low = random.integer(0, 12), high = low + random.integer(1, 4);
    box.min[i] = low / 16.0, box.max[i] = high / 16.0;
    on_box[i] = (random.coin() ? low : high) / 16.0;
    step[i] = random.integer(-4, 4) / 16.0;
  }
  return {Segment{on_box - step, on_box + step * 2.0}, box};
}

std::pair<Sphere, Sphere> hostile_spheres(Random& random) {
  Sphere a = random_sphere(random), b = random_sphere(random);
  a.center += far_away;
  b.center = a.center + random.direction() * (a.radius + b.radius);
  return {a, b};
}

std::pair<OrientedBox, OrientedBox> hostile_boxes(Random& random) {
  OrientedBox a = random_oriented_box(random), b = random_oriented_box(random);
  a.center += far_away;
  const int face = random.integer(0, 2);
  const double side = random.coin() ? 1 : -1;
  Vec3 point = a.center;
  for (int i = 0; i < 3; ++i) point += a.axes[static_cast<std::size_t>(i)] * (a.half[i] * (i == face ? side : random.uniform(-.9, .9)));
  b.center = point;
  for (int i = 0; i < 3; ++i) {
    const Vec3 reach = b.axes[static_cast<std::size_t>(i)] * b.half[i];
    b.center += dot(reach, a.axes[static_cast<std::size_t>(face)]) * side > 0 ? reach : -reach;
  }
  return {a, b};
}

std::pair<Triangle, Triangle> hostile_triangles(Random& random) {
  Triangle a = random_triangle(random), b = random_triangle(random);
  for (Vec3& p : a.points) p += far_away;
  const auto& p = a.points;
  const double u = random.uniform(.05, .45), v = random.uniform(.05, .45);
  b.points[0] = p[0] + (p[1] - p[0]) * u + (p[2] - p[0]) * v;
  const Vec3 normal = cross(p[1] - p[0], p[2] - p[0]);
  for (int i = 1; i < 3; ++i) {
    const Vec3 step = random.in_cube(1);
    b.points[static_cast<std::size_t>(i)] = b.points[0] + (dot(step, normal) > 0 ? step : -step);
  }
  const auto turn = static_cast<std::ptrdiff_t>(random.integer(0, 2));
  std::rotate(b.points.begin(), b.points.begin() + turn, b.points.end());
  return {a, b};
}

}  // namespace bench
