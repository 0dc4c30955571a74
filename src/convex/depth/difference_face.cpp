// Names of faces of A - B, and hints.
#include "convex/depth/difference_face.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "convex/sets/generators.hpp"
#include "convex/sets/hint_kind.hpp"
#include "shapes/hull_data.hpp"

namespace graze {
namespace {

bool is_box(const ConvexSet& c) {
  if (c.points != 1 || c.segments != 3 || c.directions != 0) return false;
  return c.lo[0] < c.hi[0] && c.lo[1] < c.hi[1] && c.lo[2] < c.hi[2];
}
bool is_solid_hull(const ConvexSet& c) { return c.hull && c.segments == 0 && c.hull->dimension == 3; }
bool is_triangle(const ConvexSet& c) { return c.points == 3 && !c.outside && c.segments == 0 && c.directions == 0; }

/// Below these are the numbers of corners.
CornerName end_of_corners(const ConvexSet& c) {
  if (is_box(c)) return {1, 8};
  return {is_solid_hull(c) ? static_cast<std::uint32_t>(c.hull->corners.size()) : is_triangle(c) ? 3u : 0u, 1};
}

/// The facet of a hull with these three corners.
bool facet_with(const HullData& hull, const CornerName (&name)[3], FewCorners& out) {
  std::uint32_t wanted[3] = {hull.corners[name[0].corner], hull.corners[name[1].corner], hull.corners[name[2].corner]};
  std::sort(wanted, wanted + 3);
  const auto& triangles = hull.triangles;
  const auto end_of = [&](std::size_t begin) {
    std::size_t end = begin + 1;
    while (end < triangles.size() && hull.facet[end] == hull.facet[begin]) ++end;
    return end;
  };
  const auto point = [&](std::size_t begin, std::size_t k) { return k < 2 ? triangles[begin][k] : triangles[begin + k - 2][2]; };
  const auto has_all = [&](std::size_t begin, std::size_t corners) {
    int found = 0;
    for (std::size_t k = 0; k < corners; ++k) {
      const std::uint32_t p = point(begin, k);
      found += (p == wanted[0]) + (p == wanted[1]) + (p == wanted[2]);
    }
    return found == 3;
  };
  // A facet is the fan from its lowest corner, and facets come in the order of these.
  for (std::size_t begin = 0, end; begin < triangles.size() && triangles[begin][0] <= wanted[0]; begin = end) {
    end = end_of(begin);
    const std::size_t corners = end - begin + 2;
    if ((corners == 3 && triangles[begin][0] != wanted[0]) || !has_all(begin, corners)) continue;
    if (corners > FewCorners::kMost) return false;
    for (std::size_t k = 0; k < corners; ++k) {
      const auto corner = std::lower_bound(hull.corners.begin(), hull.corners.end(), point(begin, k)) - hull.corners.begin();
      out.name[out.count++] = {static_cast<std::uint32_t>(corner), 0};
    }
    return true;
  }
  return false;
}

/// The face of a set with these three different corners, in an order that does not depend on which they are. Where all facets are triangles they name one if
/// any does.
bool face_with(const ConvexSet& c, const CornerName (&name)[3], FewCorners& out) {
  if (is_box(c)) {
    const unsigned same = ~((name[0].ends ^ name[1].ends) | (name[0].ends ^ name[2].ends)) & 7u;
    if (same != 1 && same != 2 && same != 4) return false;
    const unsigned first = same == 1 ? 2 : 1, second = same == 4 ? 2 : 4, fixed = name[0].ends & same;
    for (const unsigned bits : {0u, first, first | second, second}) out.name[out.count++] = {0, static_cast<std::uint8_t>(fixed | bits)};
    return true;
  }
  if (is_solid_hull(c) && c.hull->facet.back() + 1 != c.hull->triangles.size()) return facet_with(*c.hull, name, out);
  for (const CornerName& n : name) out.name[out.count++] = n;
  std::sort(out.name, out.name + 3);
  return true;
}

CornerName name_of(const CornerNames& v, int side) { return side == 0 ? CornerName{v.a, v.ends_a} : CornerName{v.b, v.ends_b}; }

}  // namespace

std::optional<DifferenceFace> DifferenceFace::of(const ConvexSet& a, const ConvexSet& b, const CornerNames (&vertex)[3]) {
  DifferenceFace face;
  const ConvexSet* const set[2] = {&a, &b};
  int different[2];
  for (int side = 0; side < 2; ++side) {
    FewCorners& found = face.side_[side];
    const CornerName end = end_of_corners(*set[side]);
    for (const CornerNames& v : vertex) {
      const CornerName n = name_of(v, side);
      if (n.corner >= end.corner || n.ends >= end.ends) return std::nullopt;
      if (!found.contains(n)) found.name[found.count++] = n;
    }
    different[side] = found.count;
  }
  if (different[0] == 2 && different[1] == 2) {
    for (FewCorners& c : face.side_)
      if (c.name[1] < c.name[0]) std::swap(c.name[0], c.name[1]);
    return face;
  }
  if (different[0] + different[1] != 4) return std::nullopt;
  const int side = different[0] == 3 ? 0 : 1;
  const CornerName three[3] = {face.side_[side].name[0], face.side_[side].name[1], face.side_[side].name[2]};
  face.side_[side].count = 0;
  if (!face_with(*set[side], three, face.side_[side])) return std::nullopt;
  return face;
}

CornerNames DifferenceFace::vertex(int k) const {
  const CornerName &a = side_[0].name[place(0, k)], &b = side_[1].name[place(1, k)];
  return {a.corner, b.corner, a.ends, b.ends};
}

PairHint hint_of(const DifferenceFace& face) {
  PairHint h;
  h.kind = kDepthHint;
  for (int k = 0; k < 3; ++k) {
    const CornerNames v = face.vertex(k);
    const auto i = static_cast<std::size_t>(k);
    h.corner_a[i] = v.a, h.corner_b[i] = v.b, h.ends_a[i] = v.ends_a, h.ends_b[i] = v.ends_b;
  }
  return h;
}

PairHint hint_of_plane(const V3<double>& direction) {
  PairHint h;
  h.kind = kPlaneHint;
  h.direction = Vec3(direction.x, direction.y, direction.z);
  return h;
}

std::optional<DifferenceFace> face_of(const PairHint& hint, const ConvexSet& a, const ConvexSet& b) {
  if (hint.kind != kDepthHint) return std::nullopt;
  CornerNames vertex[3];
  for (std::size_t k = 0; k < 3; ++k) vertex[k] = {hint.corner_a[k], hint.corner_b[k], hint.ends_a[k], hint.ends_b[k]};
  return DifferenceFace::of(a, b, vertex);
}

std::optional<V3<double>> plane_of(const PairHint& hint) {
  if (hint.kind != kPlaneHint) return std::nullopt;
  const V3<double> d = v3(hint.direction);
  const double squared = dot(d, d);
  if (!(squared > 0x1p-400 && squared < 0x1p400)) return std::nullopt;
  const double back = 1 / std::sqrt(squared);
  return V3<double>{d.x * back, d.y * back, d.z * back};
}

}  // namespace graze
