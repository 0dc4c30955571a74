// Reading tree files: the container with its checksums, then meshes with their trees, or their arrays alone.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <graze/assembly.hpp>
#include <graze/io.hpp>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "io/bytes.hpp"
#include "io/mapped_file.hpp"
#include "io/part_data.hpp"
#include "io/reading_limits.hpp"
#include "io/tree_file_layout.hpp"

namespace graze::io {

bool is_tree_file(const Source& source);
bool is_tree_file(const std::string& path);

/// The sections of one mesh. Each span lies in the file.
struct MeshSections {
  std::span<const Vec3> vertices;
  std::span<const TriangleIndices> triangles;
  std::span<const std::uint32_t> user, items;
  std::span<const WideNode> nodes;
  std::span<const TriangleBlock> blocks;
  std::vector<MeshPart> parts;
};

/// A file whose table, checksums, texts, instances and properties have been checked; what meshes hold has not.
struct TreeFile {
  std::shared_ptr<const void> owner;
  std::vector<MeshSections> meshes;
  bool has_instances = false;
  std::vector<AssemblyPart> parts;
  std::string unit, up_axis;
  bool single_precision = false;
  std::vector<std::string> notes;
};

/// `source` names the file in messages.
TreeFile open_tree_file(const MappedFile& file, const Source& source);

/// The meshes, used in place and checked; the meter counts triangles.
std::vector<Mesh> meshes_of(const TreeFile& file, const Source& source, ProgressMeter& meter);

/// The arrays of all meshes, copied and checked, for readers that build the trees anew.
LoadedModel read_tree_file(const Source& source, const ReadingLimits& limits);
AssemblyData read_tree_file_parts(const Source& source);

/// Maps an assembly, without building anything; `options` must not scale. False if the parts have to be found in the runs of a mesh.
bool map_assembly(const std::string& path, const AssemblyOptions& options, ProgressMeter& meter, Assembly& out);

/// Maps the mesh of a file that has one mesh, in its own coordinates.
std::optional<Mesh> map_one_mesh(const std::string& path, const LoadOptions& options);

}  // namespace graze::io
