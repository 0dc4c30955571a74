// The name in the file of the part that contains a triangle.
#pragma once
#include <algorithm>
#include <cstdint>
#include <graze/mesh.hpp>
#include <string>

namespace graze::cli {

/// Null when it belongs to no part.
inline const std::string* part_name(const Mesh& mesh, std::uint32_t triangle) {
  const auto parts = mesh.parts();  // ascending, disjoint
  const auto after = std::upper_bound(parts.begin(), parts.end(), triangle, [](std::uint32_t t, const MeshPart& p) { return t < p.first; });
  if (after == parts.begin()) return nullptr;
  const MeshPart& p = *(after - 1);
  return triangle - p.first < p.count ? &p.name : nullptr;
}

/// Text for people: "17 of flap".
inline std::string triangle_text(const Mesh& mesh, std::uint32_t triangle) {
  const std::string* name = part_name(mesh, triangle);
  return std::to_string(triangle) + (name && !name->empty() ? " of " + *name : "");
}

}  // namespace graze::cli
