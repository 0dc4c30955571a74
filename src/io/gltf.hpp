// Reads glTF 2.0: nodes as parts, without change to a number of the file.
#pragma once
#include <cstddef>
#include <string>

#include "io/bytes.hpp"
#include "io/part_data.hpp"

namespace graze::io {

/// Whether the content is a GLB file, or JSON with the member "asset".
bool is_gltf(const Source& source);

/// Reads a GLB or glTF file. `folder` is where files that it refers to lie; null where there is no folder (bytes in memory). Decoded meshes may take
/// `max_bytes`.
AssemblyData read_gltf(const Source& source, const std::string* folder, std::size_t max_bytes);

}  // namespace graze::io
