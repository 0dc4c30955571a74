// Closed meshes for the leak test: a rock, and a building with thin walls and needle-like angles.
#pragma once
#include <cmath>
#include <graze/mesh.hpp>
#include <map>

#include "support/random.hpp"

namespace graze::test_sim {

/// A closed, bumpy sphere of subdivided octahedron faces: a hash of its position moves each vertex inwards or outwards.
inline MeshData rock(int subdivisions, double roughness) {
  MeshData d;
  d.vertices = {Vec3(1, 0, 0), Vec3(-1, 0, 0), Vec3(0, 1, 0), Vec3(0, -1, 0), Vec3(0, 0, 1), Vec3(0, 0, -1)};
  d.triangles = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
  test::Random random(77);
  for (int level = 0; level < subdivisions; ++level) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> middles;
    const auto middle = [&](std::uint32_t a, std::uint32_t b) {
      const auto key = std::minmax(a, b);
      const auto found = middles.find(key);
      if (found != middles.end()) return found->second;
      Vec3 m = 0.5 * (d.vertices[a] + d.vertices[b]);
      const double n = std::sqrt(m.x * m.x + m.y * m.y + m.z * m.z);
      m *= (1 + random.real(-roughness, roughness) / (1 << level)) * (0.5 + 0.5 / n);
      d.vertices.push_back(m);
      return middles[key] = static_cast<std::uint32_t>(d.vertices.size() - 1);
    };
    std::vector<TriangleIndices> next;
    for (const auto& t : d.triangles) {
      const std::uint32_t a = middle(t[0], t[1]), b = middle(t[1], t[2]), c = middle(t[2], t[0]);
      next.push_back({t[0], a, c});
      next.push_back({a, t[1], b});
      next.push_back({c, b, t[2]});
      next.push_back({a, b, c});
    }
    d.triangles = next;
  }
  return d;
}

/// A prism over a convex polygon that is counter-clockwise from above.
inline void add_prism(MeshData& d, std::span<const Vec3> floor, double height, bool inward) {
  const auto base = static_cast<std::uint32_t>(d.vertices.size()), n = static_cast<std::uint32_t>(floor.size());
  for (const Vec3& p : floor) d.vertices.push_back(p);
  for (const Vec3& p : floor) d.vertices.push_back(p + Vec3(0, 0, height));
  const auto put = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    if (inward) std::swap(b, c);
    d.triangles.push_back({base + a, base + b, base + c});
  };
  for (std::uint32_t i = 1; i + 1 < n; ++i) {
    put(0, i + 1, i);
    put(n, n + i, n + i + 1);
  }
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t j = (i + 1) % n;
    put(i, j, n + j);
    put(i, n + j, n + i);
  }
}

/// A closed hall whose outer wall is 1e-3 thick. It contains a needle of a fiftieth of a degree, a standing blade, and a slab 1e-3 above the floor.
inline MeshData building() {
  MeshData d;
  const Vec3 outer[] = {Vec3(-1, -1, 0), Vec3(1, -1, 0), Vec3(1, 1, 0), Vec3(-1, 1, 0)};
  const Vec3 inner[] = {Vec3(-.999, -.999, .001), Vec3(.999, -.999, .001), Vec3(.999, .999, .001), Vec3(-.999, .999, .001)};
  add_prism(d, outer, .8, false);
  add_prism(d, inner, .798, true);
  const Vec3 blade[] = {Vec3(-.9, .30, .001), Vec3(.95, .3003, .001), Vec3(-.9, .3006, .001)};
  add_prism(d, blade, .7, false);
  const Vec3 wedge[] = {Vec3(-.5, -.8, .002), Vec3(.6, -.4, .002), Vec3(.6, -.3998, .002)};
  add_prism(d, wedge, .5, false);
  const Vec3 slab[] = {Vec3(-.6, -.2, .002), Vec3(.6, -.2, .002), Vec3(.6, .2, .002), Vec3(-.6, .2, .002)};
  add_prism(d, slab, .0005, false);
  return d;
}

/// Closes each hole by a fan from the mean of its border.
inline MeshData capped(MeshData d) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> sides;
  for (const auto& t : d.triangles)
    for (std::size_t k = 0; k < 3; ++k) ++sides[{t[k], t[(k + 1) % 3]}];
  std::multimap<std::uint32_t, std::uint32_t> next;  // along the borders, in the direction of the caps
  for (const auto& [side, times] : sides)
    if (!sides.contains({side.second, side.first})) next.emplace(side.second, side.first);
  while (!next.empty()) {
    std::vector<std::uint32_t> loop;
    const std::uint32_t start = next.begin()->first;
    for (std::uint32_t v = start; loop.empty() || v != start;) {
      loop.push_back(v);
      const auto found = next.find(v);
      v = found->second;
      next.erase(found);
    }
    Vec3 middle(0, 0, 0);
    for (const auto v : loop) middle += d.vertices[v] / static_cast<double>(loop.size());
    d.vertices.push_back(middle);
    for (std::size_t i = 0; i < loop.size(); ++i)
      d.triangles.push_back({loop[i], loop[(i + 1) % loop.size()], static_cast<std::uint32_t>(d.vertices.size() - 1)});
  }
  return d;
}

inline MeshData moved(MeshData d, const Vec3& by) {
  for (Vec3& v : d.vertices) v += by;
  return d;
}

}  // namespace graze::test_sim
