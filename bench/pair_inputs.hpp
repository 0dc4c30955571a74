// Inputs of the pair benchmarks: random single shapes, and pairs by class (plain, touching, hostile), about half of them overlapping.
#pragma once
#include <cstdint>
#include <graze/graze.hpp>
#include <utility>
#include <vector>

#include "bench/random.hpp"

namespace bench {

using namespace graze;

inline Vec3 cross(const Vec3& a, const Vec3& b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }

template <class A, class B>
struct Pairs {
  std::vector<A> a;
  std::vector<B> b;
  std::vector<std::uint8_t> truth;  ///< Graze's answers, which are exact
};

Sphere random_sphere(Random& random);
OrientedBox random_oriented_box(Random& random);
Capsule random_capsule(Random& random);
Triangle random_triangle(Random& random);
Segment random_segment(Random& random);
Box random_box(Random& random);

// Touching: exactly representable contact, or one rounding step apart, as is common in models made by people.
std::pair<Sphere, Sphere> touching_spheres(Random& random);
std::pair<OrientedBox, OrientedBox> touching_boxes(Random& random);  // on a grid, in quarter turns
std::pair<Triangle, Triangle> touching_triangles(Random& random);    // with area, corners on a 4 x 4 x 4 grid

std::pair<Segment, Box> touching_segments(Random& random);  // ends and corners on a grid of 16 steps: through edges and corners

// Hostile: in general position far from the origin, touching up to rounding.
std::pair<Sphere, Sphere> hostile_spheres(Random& random);
std::pair<OrientedBox, OrientedBox> hostile_boxes(Random& random);  // a corner of one on a face of the other
std::pair<Triangle, Triangle> hostile_triangles(Random& random);    // a corner of one on the other, the rest on one side

/// `count` pairs from `make(random)`; a random bit per pair decides whether it overlaps.
template <class Make>
auto collect(std::size_t count, std::uint64_t seed, const Make& make) {
  Random random(seed);
  auto first = make(random);
  Pairs<decltype(first.first), decltype(first.second)> out;
  while (out.a.size() < count) {
    const bool wanted = random.coin();
    for (int attempt = 0; attempt < 1000; ++attempt) {
      const auto [a, b] = make(random);
      if (intersects(a, b) != wanted && attempt < 999) continue;
      out.a.push_back(a);
      out.b.push_back(b);
      out.truth.push_back(intersects(a, b));
      break;
    }
  }
  return out;
}

}  // namespace bench
