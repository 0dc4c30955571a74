// Counts the triangles of one surface, and takes those of the other away.
#include "mesh/arrangement/equal_surfaces.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "mesh/arrangement/numbered_keys.hpp"

namespace graze {
namespace {

/// The same for a triangle from each of its corners on.
NumberedKeys<2>::Key turning_key(const TriangleIndices& t, bool turned_over) {
  const std::uint32_t a = t[0], b = t[turned_over ? 2 : 1], c = t[turned_over ? 1 : 2];
  const TriangleIndices least = std::min({TriangleIndices{a, b, c}, TriangleIndices{b, c, a}, TriangleIndices{c, a, b}});
  return {std::uint64_t{least[0]} << 32 | least[1], least[2]};
}

}  // namespace

bool equal_surfaces(const MeshView& a, const MeshView& b) {
  if (a.mesh->triangles.size() != b.mesh->triangles.size()) return false;
  const Box3 box_a = tight_bounds(a), box_b = tight_bounds(b);
  if (box_a.lo != box_b.lo || box_a.hi != box_b.hi) return false;
  NumberedPoints points(a.mesh->vertices.size() + b.mesh->vertices.size());
  const std::vector<TriangleIndices> of_a = numbered_triangles(a, points);
  const std::uint32_t corners = points.size();
  const std::vector<TriangleIndices> of_b = numbered_triangles(b, points);
  if (points.size() != corners) return false;
  NumberedKeys<2> kinds(of_a.size());
  std::vector<std::uint32_t> count(of_a.size());
  for (const TriangleIndices& t : of_a) ++count[kinds.add(turning_key(t, false))];
  for (const bool turned_over : {false, true}) {
    std::vector<std::uint32_t> left = count;
    if (std::all_of(of_b.begin(), of_b.end(), [&](const TriangleIndices& t) {
          const std::uint32_t kind = kinds.find(turning_key(t, turned_over));
          return kind != kinds.kNone && left[kind]-- != 0;
        }))
      return true;
  }
  return false;
}

}  // namespace graze
