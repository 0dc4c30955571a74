// Random shapes of every kind and random poses, for tests that cover all kinds.
#pragma once
#include <cmath>
#include <graze/shapes.hpp>
#include <string>

#include "support/random.hpp"

namespace graze::test_scene {

inline constexpr int kShapes = 18;

/// A small mesh: a bent sheet of 2 x 2 x 2 triangles.
inline Mesh random_mesh(test::Random& r) {
  MeshData d;
  for (int y = 0; y < 3; ++y)
    for (int x = 0; x < 3; ++x) d.vertices.push_back(Vec3(.4 * x - .4, .4 * y - .4, r.real(-.3, .3)));
  for (std::uint32_t y = 0; y < 2; ++y)
    for (std::uint32_t x = 0; x < 2; ++x) {
      const std::uint32_t i = 3 * y + x;
      d.triangles.push_back({i, i + 1, i + 4});
      d.triangles.push_back({i, i + 4, i + 3});
    }
  return Mesh(d);
}

inline AnyShape random_shape(test::Random& r, int kind) {
  const double s = r.real(.05, .5);
  switch (kind) {
    case 0:
      return Sphere{r.point(-.2, .2), s};
    case 1:
      return Box{-s * Vec3(1, .5, .2), s * Vec3(.7, 1, .4)};
    case 2:
      return Capsule{r.point(-s, s), r.point(-s, s), .2 * s};
    case 3:
      return Triangle{{r.point(-s, s), r.point(-s, s), r.point(-s, s)}};
    case 4:
      return random_mesh(r);
    case 5:
      return OrientedBox{r.point(-.2, .2), {r.direction(), r.direction(), r.direction()}, Vec3(s, .5 * s, .3 * s)};
    case 6:
      return Point{r.point(-.2, .2)};
    case 7:
      return Segment{r.point(-s, s), r.point(-s, s)};
    case 8: {
      std::vector<Vec3> p;
      for (int i = 0; i < 12; ++i) p.push_back(r.point(-s, s));
      return Hull(p);
    }
    case 9:
      return Cylinder{r.point(-s, 0), r.point(.1, s + .1), .4 * s};
    case 10:
      return Cone{r.point(-s, 0), r.point(.1, s + .1), .4 * s};
    case 11:
      return Ellipsoid{r.point(-.2, .2), s * Vec3(1, .5, .3)};
    case 12:
      return Polygon{Vec3(-s, -s, 0), Vec3(s, -s, 0), Vec3(s, s, 0), Vec3(-s, s, 0)};
    case 13:
      return Plane{r.point(-2, 2), r.direction()};
    case 14:
      return HalfSpace{r.direction() * 2.5, r.direction()};
    case 15:
      return Ray{r.point(-2, 2), r.direction()};
    case 16:
      return Line{r.point(-2, 2), r.direction()};
    default:
      return Compound({{Sphere{Vec3(0, 0, 0), .5 * s}, {}}, {Box{Vec3(0, 0, 0), Vec3(s, s, s)}, translation(Vec3(.5, 0, 0))}});
  }
}

template <class F>
std::string message(const F& f) {
  try {
    f();
  } catch (const std::exception& e) {
    return e.what();
  }
  return "(nothing thrown)";
}

}  // namespace graze::test_scene
