// The parts of a model as its reader finds them: meshes as arrays, and transforms that need not be rigid.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <graze/mesh/mesh.hpp>
#include <memory>
#include <string>
#include <vector>

#include "io/quarter_turns.hpp"

namespace graze::io {

/// x -> linear x + translation; rows first.
struct Transform {
  std::array<double, 9> linear{1, 0, 0, 0, 1, 0, 0, 0, 1};
  Vec3 translation{0, 0, 0};
  std::shared_ptr<const LinearPath> path;  ///< what `linear` is the rounded product of; null: `linear` is as in the file

  bool turns() const { return linear != std::array<double, 9>{1, 0, 0, 0, 1, 0, 0, 0, 1}; }
  /// The path of a transform that is not the identity.
  std::shared_ptr<const LinearPath> as_path() const { return path ? path : below(nullptr, linear, false); }
};

/// Returns the transform that applies `inner` and then `outer`. The product of the linear parts is rounded, and its path grows.
Transform compose(const Transform& outer, const Transform& inner);

struct PartData {
  std::string name, id;  ///< `id` is empty where the file gives none
  std::uint32_t mesh = 0;
  Transform transform;
};

struct AssemblyData {
  std::vector<MeshData> meshes;
  std::vector<PartData> parts;
  std::string format, unit, up_axis;
  bool single_precision = false;
  bool is_placed = false;  ///< the transforms are poses of parts that were placed before: their quarter turns are decided
  std::vector<std::string> notes;
  std::size_t shortened = 0;  ///< paths of parts of which the middle is left out (PartPath)
};

}  // namespace graze::io
