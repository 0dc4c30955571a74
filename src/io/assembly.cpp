// Assemblies: from files and folders to placed meshes with their trees.
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <graze/assembly.hpp>
#include <graze/error.hpp>
#include <graze/io.hpp>
#include <span>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "io/load.hpp"
#include "io/part_names.hpp"
#include "io/part_path.hpp"
#include "io/place_parts.hpp"
#include "io/repeated_meshes.hpp"
#include "io/tree_file.hpp"
#include "platform/file.hpp"
#include "platform/fp_environment.hpp"
#include "platform/parallel.hpp"
#include "platform/progress_meter.hpp"

namespace graze {
namespace {

namespace fs = std::filesystem;
using io::AssemblyData;
using io::PlacedParts;
using io::Source;

constexpr double kReading = 0.5;  // the share of reading in the progress

void check_options(const Source& source, const AssemblyOptions& options) {
  if (!(options.scale > 0) || !io::is_finite(options.scale))
    throw Error(ErrorCode::invalid_argument, source.name + ": scale is " + std::to_string(options.scale) + ", must be finite and > 0");
  io::check_deflection(options.deflection, source.name);
}

AssemblyData read_data(const std::string& path, const AssemblyOptions& options, ProgressMeter& meter) {
  const std::string file = read_whole(path, options.max_bytes);
  meter.begin(file.size());
  return io::load_parts({path, std::as_bytes(std::span(file)), &meter}, fs::is_regular_file(path) ? &path : nullptr,
                        {options.max_bytes, options.deflection, options.literal});
}

// The model files below a folder, relative to it, by name, without hidden ones. Links are not followed, so that there is no circle and no file counts twice.
std::vector<std::string> models_in(const Source& source) {
  std::vector<std::string> names;
  std::error_code code;
  fs::recursive_directory_iterator it(source.name, code), end;
  for (; !code && it != end; it.increment(code)) {
    const std::string path = it->path().string();
    const bool hidden = it->path().filename().string().starts_with('.');
    if (hidden && it->is_directory(code)) it.disable_recursion_pending();
    if (hidden || it->is_symlink(code) || !it->is_regular_file(code) || !has_model_extension(path)) continue;
    names.push_back(it->path().lexically_relative(source.name).generic_string());
  }
  if (code) io::fail(source, "cannot be listed: " + code.message(), ErrorCode::unreadable_file);
  std::sort(names.begin(), names.end());
  if (names.empty()) io::fail(source, "has no file with the extension of a model", ErrorCode::unreadable_file);
  return names;
}

void append(AssemblyData& all, AssemblyData&& one, const std::string& prefix) {
  const auto base = static_cast<std::uint32_t>(all.meshes.size());
  std::size_t shortened = 0;
  for (MeshData& mesh : one.meshes) all.meshes.push_back(std::move(mesh));
  for (io::PartData& part : one.parts) {
    if (!prefix.empty()) {
      const io::PartPath path = io::PartPath(prefix).below(part.name);
      shortened += path.shortened() ? 1 : 0;
      part.name = path.text();
    }
    part.mesh += base;
    all.parts.push_back(std::move(part));
  }
  all.shortened += std::max(shortened, one.shortened);
  for (std::string& note : one.notes) all.notes.push_back(prefix + ": " + note);
  all.single_precision = all.single_precision || one.single_precision;
}

// A file with one part is that part: its name is the file's, not the file's twice.
AssemblyData read_folder(const Source& source, const AssemblyOptions& options, ProgressMeter& meter) {
  AssemblyData all;
  all.format = "folder";
  const std::vector<std::string> names = models_in(source);
  for (std::size_t i = 0; i < names.size(); ++i) {
    meter.stage(kReading * static_cast<double>(i) / static_cast<double>(names.size()),
                kReading * static_cast<double>(i + 1) / static_cast<double>(names.size()));
    const fs::path file = fs::path(source.name) / names[i];
    AssemblyData one = read_data(file.string(), options, meter);
    const std::string name = (fs::path(names[i]).parent_path() / io::stem_of(names[i])).generic_string();
    if (one.parts.size() == 1 && one.parts[0].name == io::stem_of(names[i])) {
      one.parts[0].name = name;
      append(all, std::move(one), "");
    } else {
      append(all, std::move(one), name);
    }
  }
  return all;
}

// Progress from `kReading` on, by triangles; small meshes are built side by side.
std::vector<Mesh> build(std::vector<MeshData>&& data, Build how, const Source& source, const std::vector<AssemblyPart>& parts, ProgressMeter& meter) {
  std::uint64_t triangles = 0;
  for (const MeshData& mesh : data) triangles += mesh.triangles.size();
  meter.stage(kReading, 1);
  meter.begin(triangles);
  std::vector<std::vector<Mesh>> built(data.size());  // a Mesh has no empty state
  parallel_for(data.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t size = data[i].triangles.size();
      try {
        built[i].emplace_back(std::move(data[i]), how);
      } catch (const Error& error) {
        const auto user = std::find_if(parts.begin(), parts.end(), [&](const AssemblyPart& p) { return p.mesh == i; });
        throw Error(error.code(), source.name + ": part " + io::quote(user->name) + ": " + error.what());
      }
      meter.add(size);
    }
  });
  std::vector<Mesh> meshes;
  meshes.reserve(built.size());
  for (std::vector<Mesh>& one : built) meshes.push_back(std::move(one[0]));
  return meshes;
}

void make_names_utf8(AssemblyData& data) {
  std::size_t made = 0;
  for (io::PartData& part : data.parts) {
    const bool name = io::make_utf8(part.name), id = io::make_utf8(part.id);
    made += name || id;
  }
  io::note_latin1(made, data.notes);
}

Assembly finish(AssemblyData&& data, const AssemblyOptions& options, const Source& source, ProgressMeter& meter) {
  if (data.parts.empty()) {
    if (!options.may_be_empty) io::fail(source, "has no part with a triangle");
    std::erase(data.notes, "no triangles");
    data.notes.push_back("no part with a triangle");
  }
  make_names_utf8(data);
  Assembly out;
  out.format = std::move(data.format), out.unit = std::move(data.unit), out.up_axis = std::move(data.up_axis);
  out.single_precision = data.single_precision;
  io::Scale scale(options.scale);
  PlacedParts placed = io::place_parts(std::move(data), scale, options.pose, options.literal, source);
  io::share_repeated_meshes(placed);
  out.parts = std::move(placed.parts);
  out.notes = std::move(placed.notes);
  out.meshes = build(std::move(placed.meshes), options.build, source, out.parts, meter);
  return out;
}

// Uses the meshes of a tree file in place, unless its parts are yet to be found.
bool map_tree_file(const std::string& path, const AssemblyOptions& options, ProgressMeter& meter, Assembly& out) {
  meter.stage(0, 1);
  if (!io::map_assembly(path, options, meter, out)) return false;
  if (out.parts.empty() && !options.may_be_empty) io::fail({path, {}}, "has no part with a triangle");
  return true;
}

}  // namespace

std::uint64_t Assembly::placed_triangles() const {
  std::uint64_t n = 0;
  for (const AssemblyPart& part : parts) n += meshes[part.mesh].size();
  return n;
}

Assembly load_assembly(const std::string& path, const AssemblyOptions& options) {
  const DefaultFloatEnvironment guard;
  const Source source{path, {}};
  check_options(source, options);
  ProgressMeter meter(options.progress);
  if (Assembly mapped; options.scale == 1 && io::is_tree_file(path) && map_tree_file(path, options, meter, mapped)) return mapped;
  meter.stage(0, kReading);
  std::error_code code;
  AssemblyData data = fs::is_directory(path, code) ? read_folder(source, options, meter) : read_data(path, options, meter);
  return finish(std::move(data), options, source, meter);
}

Assembly load_assembly(std::span<const std::byte> bytes, const std::string& name, const AssemblyOptions& options) {
  const DefaultFloatEnvironment guard;
  ProgressMeter meter(options.progress);
  const Source source{name, bytes, &meter};
  check_options(source, options);
  if (bytes.size() > options.max_bytes) fail_too_large(name, bytes.size(), options.max_bytes);
  meter.stage(0, kReading);
  meter.begin(bytes.size());
  return finish(io::load_parts(source, nullptr, {options.max_bytes, options.deflection, options.literal}), options, source, meter);
}

}  // namespace graze
