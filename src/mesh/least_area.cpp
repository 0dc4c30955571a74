// Ears first where there are many corners; then every apex of every chord is tried.
#include "mesh/least_area.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "mesh/ear_clipping.hpp"

namespace graze {
namespace {

using Index = FlatOutline::Index;

double area_of(const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 u = b - a, v = c - a;
  const double x = u.y * v.z - u.z * v.y, y = u.z * v.x - u.x * v.z, z = u.x * v.y - u.y * v.x;
  return std::sqrt(x * x + y * y + z * z);
}

constexpr std::size_t kTogether = 1000;  // a choice: corners that take a second or two

/// Appends the triangles of a ring, of least area.
void cut_least(std::span<const Vec3> points, std::span<const Index> ring, std::vector<TriangleIndices>& triangles) {
  const std::size_t n = ring.size();
  std::vector<double> least(n * n, 0.0);
  std::vector<std::uint32_t> apex(n * n, 0);
  for (std::size_t length = 2; length < n; ++length) {
    for (std::size_t i = 0; i + length < n; ++i) {
      const std::size_t j = i + length;
      double best = std::numeric_limits<double>::infinity();
      std::size_t at = i + 1;
      for (std::size_t k = i + 1; k < j; ++k) {
        const double sum = least[i * n + k] + least[k * n + j] + area_of(points[ring[i]], points[ring[k]], points[ring[j]]);
        if (sum < best) best = sum, at = k;
      }
      least[i * n + j] = best;
      apex[i * n + j] = static_cast<std::uint32_t>(at);
    }
  }
  std::vector<std::pair<std::size_t, std::size_t>> open{{0, n - 1}};
  while (!open.empty()) {
    const auto [i, j] = open.back();
    open.pop_back();
    if (j - i < 2) continue;
    const std::size_t k = apex[i * n + j];
    triangles.push_back({ring[i], ring[k], ring[j]});
    open.push_back({k, j});
    open.push_back({i, k});
  }
}

}  // namespace

std::vector<TriangleIndices> least_area_triangles(std::span<const Vec3> points, std::uint64_t& work, std::size_t piece) {
  std::vector<TriangleIndices> triangles;
  triangles.reserve(points.size() - 2);
  OutlineRing left(static_cast<Index>(points.size()));
  if (points.size() > piece) {
    const FlatOutline outline(points, area_axis(points));
    clip_free_ears(outline, left, triangles, static_cast<Index>(piece));
  }
  std::vector<Index> ring = left.corners();
  const std::uint64_t n = ring.size(), cost = n <= kTogether ? n * n * n : work + 1;
  const bool together = n <= piece || cost <= work;
  if (n > piece && together) work -= cost;
  while (!together && ring.size() > piece) {  // pieces of neighbours, whose ends remain
    std::vector<Index> rest;
    for (std::size_t first = 0; first < ring.size(); first += piece - 1) {
      const std::size_t last = std::min(first + piece, ring.size());
      cut_least(points, std::span(ring).subspan(first, last - first), triangles);
      rest.push_back(ring[first]);
      if (last == ring.size()) {
        rest.push_back(ring[last - 1]);
        break;
      }
    }
    ring = std::move(rest);
  }
  cut_least(points, ring, triangles);
  return triangles;
}

}  // namespace graze
