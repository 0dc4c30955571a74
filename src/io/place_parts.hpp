// From the parts that a reader found to placed meshes.
#pragma once
#include <graze/assembly.hpp>
#include <graze/io.hpp>
#include <graze/pose.hpp>
#include <optional>
#include <string>
#include <vector>

#include "io/bytes.hpp"
#include "io/part_data.hpp"
#include "io/reading_limits.hpp"
#include "io/scale.hpp"

namespace graze::io {

struct PlacedParts {
  std::vector<MeshData> meshes;
  std::vector<AssemblyPart> parts;
  std::vector<std::string> notes;
};

Transform transform_of(const Pose& pose);

/// Returns the rotation that a transform is, up to single precision; none for scale, shear or mirror.
std::optional<Pose> rotation_of(const Transform& t);

/// Turns transforms into poses where they are rotations, and applies them to the vertices of their meshes where they are not; before, unless `literal`, makes
/// rounded quarter turns exact. See load_assembly().
PlacedParts place_parts(AssemblyData&& data, Scale& scale, const Pose& pose, bool literal, const Source& source);

/// Returns the parts of a model as meshes of their own, with the vertices that each uses. A model without parts is one, with the file's name.
AssemblyData split_parts(LoadedModel&& model, const Source& source);

/// Returns all placed parts as one mesh in world coordinates, in the unit of the limits.
LoadedModel join_parts(AssemblyData&& data, const Source& source, const ReadingLimits& limits);

/// The name of a file without folder and extension.
std::string stem_of(const std::string& path);

}  // namespace graze::io
