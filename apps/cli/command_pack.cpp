// graze pack.
#include "cli/command_pack.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <graze/assembly.hpp>
#include <graze/io.hpp>
#include <graze/tree_file.hpp>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/commands.hpp"
#include "cli/pictures.hpp"
#include "cli/progress_bar.hpp"
#include "cli/validators.hpp"
#include "input/json.hpp"

namespace graze::cli {

void add_pack_options(CLI::App* c, PackOptions& o) {
  c->add_option("MODEL", o.models, "Models or folders of models")->required();
  c->add_option("-o,--out", o.out, "The file to write, as a.graze")->required();
  c->add_flag("--whole", o.whole, "Each model as one mesh");
  c->add_option("--deflection", o.deflection,
                "STEP: how far triangles may be from a curved surface, as a fraction of the largest extent of each shape (default 0.001)")
      ->check(deflection_number());
  c->add_flag("--literal", o.literal, "Rotations of parts as they are in the files, also those that are quarter turns up to rounding");
  c->add_flag("--json", o.json, "Print what was written as JSON");
}

namespace {

namespace fs = std::filesystem;

std::string name_of_model(const std::string& path, std::set<std::string>& used) {
  fs::path p = fs::path(path).lexically_normal();
  if (!p.has_filename()) p = p.parent_path();
  const std::string stem = fs::is_directory(p) ? p.filename().string() : p.stem().string();
  std::string name = stem;
  for (int n = 2; !used.insert(name).second; ++n) name = fmt::format("{}#{}", stem, n);
  return name;
}

/// Keeps what the models declare alike; a difference becomes a note.
void join_declared(std::string& all, const std::string& one, bool first, std::string_view what, const std::string& model, std::vector<std::string>& notes) {
  if (first)
    all = one;
  else if (all != one)
    notes.push_back(fmt::format("{}: declares the {} \"{}\", an earlier model \"{}\"", model, what, one, all));
}

void append(Assembly& all, Assembly&& one, const std::string& name, const std::string& path, bool first) {
  const auto base = static_cast<std::uint32_t>(all.meshes.size());
  for (Mesh& mesh : one.meshes) all.meshes.push_back(std::move(mesh));
  for (AssemblyPart& part : one.parts) {
    part.path = name + "/" + part.path;
    part.name = name + "/" + part.name;
    part.mesh += base;
    all.parts.push_back(std::move(part));
  }
  for (const std::string& note : one.notes) all.notes.push_back(path + ": " + note);
  join_declared(all.unit, one.unit, first, "unit", path, all.notes);
  join_declared(all.up_axis, one.up_axis, first, "up axis", path, all.notes);
  all.single_precision = all.single_precision || one.single_precision;
}

/// A model as one part, or as its parts.
Assembly load_one(const PackOptions& o, const std::string& path, const Progress& progress) {
  if (!o.whole) {
    AssemblyOptions options;
    options.progress = progress;
    options.deflection = o.deflection;
    options.literal = o.literal;
    return load_assembly(path, options);
  }
  LoadedModel model = load_model(path, {.progress = progress, .deflection = o.deflection, .literal = o.literal});
  Assembly out;
  const std::string name = fs::path(path).stem().string();
  out.meshes.emplace_back(std::move(model.data));
  out.parts.push_back({name, name, 0, {}});
  out.unit = std::move(model.unit), out.up_axis = std::move(model.up_axis);
  out.single_precision = model.single_precision;
  out.notes = std::move(model.notes);
  return out;
}

}  // namespace

int run_pack(const PackOptions& o) {
  make_folder_of(o.out);
  Assembly all;
  {
    ProgressBar bar("pack");
    std::set<std::string> used;
    for (std::size_t i = 0; i < o.models.size(); ++i) {
      const auto share = [&](std::size_t k) { return static_cast<double>(k) / static_cast<double>(o.models.size()); };
      const Progress progress = bar.stage(share(i), share(i + 1));
      Assembly one = load_one(o, o.models[i], progress);
      if (o.models.size() == 1)
        all = std::move(one);
      else
        append(all, std::move(one), name_of_model(o.models[i], used), o.models[i], i == 0);
    }
  }
  save_assembly(all, o.out);
  const std::uint64_t bytes = fs::file_size(o.out), placed = all.placed_triangles();
  std::uint64_t triangles = 0;
  for (const Mesh& mesh : all.meshes) triangles += mesh.size();
  if (o.json) {
    std::string out;
    JsonObject j(out);
    j.add("path", o.out).add("bytes", bytes).add("meshes", all.meshes.size()).add("triangles", triangles).add("parts", all.parts.size());
    j.add("placed_triangles", placed).add("notes", all.notes).end();
    print(out + "\n");
    return kDone;
  }
  const auto counted = [](std::uint64_t n, const char* one, const char* many) { return fmt::format("{} {}", n, n == 1 ? one : many); };
  std::string out = fmt::format("{}: {} bytes, {} of {}, {} ({} placed)\n", o.out, bytes, counted(all.parts.size(), "part", "parts"),
                                counted(all.meshes.size(), "mesh", "meshes"), counted(triangles, "triangle", "triangles"), placed);
  for (const std::string& note : all.notes) out += "note: " + note + "\n";
  print(out);
  return kDone;
}

}  // namespace graze::cli
