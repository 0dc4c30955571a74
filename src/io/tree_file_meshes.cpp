// From the sections of a tree file to meshes, assemblies and models.
#include <algorithm>
#include <cstdint>
#include <graze/error.hpp>
#include <graze/tree_file.hpp>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "io/part_path.hpp"
#include "io/place_parts.hpp"
#include "io/tree_file.hpp"
#include "mesh/stored_mesh.hpp"
#include "platform/fp_environment.hpp"
#include "platform/parallel.hpp"
#include "platform/progress_meter.hpp"
#include "shapes/pose.hpp"

namespace graze::io {
namespace {

constexpr const char* kFormatName = "graze";

template <class T>
LargeArray<T> in_place(std::span<const T> section, const TreeFile& file) {
  return array_in(section.data(), section.size(), file.owner);
}

Mesh mesh_in_place(const TreeFile& file, std::size_t i, const Source& source) {
  const MeshSections& s = file.meshes[i];
  StoredMesh stored;
  stored.vertices = in_place(s.vertices, file);
  stored.triangles = in_place(s.triangles, file);
  stored.items = in_place(s.items, file);
  stored.nodes = in_place(s.nodes, file);
  stored.blocks = in_place(s.blocks, file);
  stored.parts = s.parts;
  stored.user.assign(s.user.begin(), s.user.end());
  try {
    return StoredMesh::take(std::move(stored));
  } catch (const Error& error) {
    if (error.code() != ErrorCode::malformed_file) throw;
    fail(source, "mesh " + std::to_string(i) + ": " + error.what());
  }
}

/// The arrays of a mesh without its tree.
MeshData copied(const MeshSections& s) {
  MeshData out;
  out.vertices.assign(s.vertices.begin(), s.vertices.end());
  out.triangles.assign(s.triangles.begin(), s.triangles.end());
  out.user.assign(s.user.begin(), s.user.end());
  out.parts = s.parts;
  return out;
}

std::vector<MeshData> copy_meshes(const TreeFile& file, const Source& source) {
  std::vector<MeshData> out;
  out.reserve(file.meshes.size());
  for (std::size_t i = 0; i < file.meshes.size(); ++i) {
    const Mesh checked = mesh_in_place(file, i, source);
    out.push_back(copied(file.meshes[i]));
  }
  return out;
}

/// The parts of a file: its instances, or each mesh.
std::vector<AssemblyPart> parts_in(const TreeFile& file, const Source& source) {
  if (file.has_instances) return file.parts;
  std::vector<AssemblyPart> parts;
  UniquePaths names;
  for (std::uint32_t i = 0; i < file.meshes.size(); ++i) {
    if (file.meshes[i].triangles.empty()) continue;
    const std::string name = names.add(PartPath(stem_of(source.name))).text();
    parts.push_back({name, name, i, {}});
  }
  return parts;
}

/// Whether the file has one mesh whose parts are its runs of triangles.
bool is_divided_mesh(const TreeFile& file) { return !file.has_instances && file.meshes.size() == 1 && !file.meshes[0].parts.empty(); }

template <class Model>
void set_properties(const TreeFile& file, Model& out) {
  out.format = kFormatName;
  out.unit = file.unit;
  out.up_axis = file.up_axis;
  out.single_precision = file.single_precision;
  out.notes = file.notes;
}

AssemblyData data_of(const TreeFile& file, const Source& source) {
  AssemblyData out;
  out.is_placed = true;
  set_properties(file, out);
  out.meshes = copy_meshes(file, source);
  for (AssemblyPart& part : parts_in(file, source)) {
    PartData data;
    data.name = std::move(part.name);
    data.id = std::move(part.path);
    data.mesh = part.mesh;
    data.transform = transform_of(part.pose);
    out.parts.push_back(std::move(data));
  }
  return out;
}

LoadedModel whole_mesh(const TreeFile& file, const Source& source) {
  LoadedModel out;
  set_properties(file, out);
  out.data = std::move(copy_meshes(file, source)[0]);
  return out;
}

/// Whether the file is one mesh in its own coordinates, so that the model is that mesh.
bool is_one_mesh(const TreeFile& file) {
  return file.meshes.size() == 1 && (!file.has_instances || (file.parts.size() == 1 && is_identity(file.parts[0].pose)));
}

}  // namespace

std::vector<Mesh> meshes_of(const TreeFile& file, const Source& source, ProgressMeter& meter) {
  std::uint64_t triangles = 0;
  for (const MeshSections& mesh : file.meshes) triangles += mesh.triangles.size();
  meter.begin(triangles);
  std::vector<std::vector<Mesh>> checked(file.meshes.size());  // a Mesh has no empty state
  parallel_for(checked.size(), 1, [&](std::size_t b, std::size_t e) {
    for (std::size_t i = b; i < e; ++i) {
      checked[i].push_back(mesh_in_place(file, i, source));
      meter.add(file.meshes[i].triangles.size());
    }
  });
  std::vector<Mesh> out;
  out.reserve(checked.size());
  for (std::vector<Mesh>& one : checked) out.push_back(std::move(one[0]));
  return out;
}

LoadedModel read_tree_file(const Source& source, const ReadingLimits& limits) {
  const TreeFile file = open_tree_file(copy_bytes(source.bytes), source);
  if (is_one_mesh(file)) return whole_mesh(file, source);
  return join_parts(data_of(file, source), source, limits);
}

AssemblyData read_tree_file_parts(const Source& source) {
  const TreeFile file = open_tree_file(copy_bytes(source.bytes), source);
  if (is_divided_mesh(file)) return split_parts(whole_mesh(file, source), source);
  return data_of(file, source);
}

bool map_assembly(const std::string& path, const AssemblyOptions& options, ProgressMeter& meter, Assembly& out) {
  const Source source{path, {}};
  const TreeFile file = open_tree_file(map_file(path, options.max_bytes), source);
  if (is_divided_mesh(file)) return false;
  set_properties(file, out);
  out.meshes = meshes_of(file, source, meter);
  out.parts = parts_in(file, source);
  if (is_identity(options.pose)) return true;
  for (AssemblyPart& part : out.parts) {
    const std::optional<Pose> placed = rotation_of(compose(transform_of(options.pose), transform_of(part.pose)));
    if (!placed || !is_finite(placed->translation.x) || !is_finite(placed->translation.y) || !is_finite(placed->translation.z))
      fail(source, "part " + quote(part.name) + ": the pose of the model takes its own beyond the largest double");
    part.pose = *placed;
  }
  return true;
}

std::optional<Mesh> map_one_mesh(const std::string& path, const LoadOptions& options) {
  const DefaultFloatEnvironment guard;
  ProgressMeter meter(options.progress);
  const Source source{path, {}};
  const TreeFile file = open_tree_file(map_file(path, options.max_bytes), source);
  if (!is_one_mesh(file)) return std::nullopt;
  return std::move(meshes_of(file, source, meter)[0]);
}

}  // namespace graze::io

namespace graze {

std::vector<Mesh> map_meshes(const std::string& path) {
  const DefaultFloatEnvironment guard;
  const io::Source source{path, {}};
  ProgressMeter none;
  return io::meshes_of(io::open_tree_file(io::map_file(path, ~std::size_t{0}), source), source, none);
}

Mesh map_mesh(const std::string& path) {
  std::vector<Mesh> meshes = map_meshes(path);
  if (meshes.size() != 1) io::fail({path, {}}, "has " + io::counted(meshes.size(), "mesh", "meshes") + ", expected one", ErrorCode::malformed_file);
  return std::move(meshes[0]);
}

}  // namespace graze
