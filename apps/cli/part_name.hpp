// What a file calls the part of a model that a triangle belongs to.
#pragma once
#include <cstdint>
#include <graze/mesh.hpp>
#include <string>

namespace graze::cli {

/// Null when it belongs to no part.
inline const std::string* part_name(const Mesh& mesh, std::uint32_t triangle) {
  for (const MeshPart& p : mesh.parts())
    if (triangle >= p.first && triangle - p.first < p.count) return &p.name;
  return nullptr;
}

/// For people: "17 of flap".
inline std::string triangle_text(const Mesh& mesh, std::uint32_t triangle) {
  const std::string* name = part_name(mesh, triangle);
  return std::to_string(triangle) + (name && !name->empty() ? " of " + *name : "");
}

}  // namespace graze::cli
