// load_mesh: load_model followed by Mesh, or a tree file as it is.
#include <graze/assembly.hpp>
#include <graze/io.hpp>
#include <optional>
#include <string>
#include <utility>

#include "io/tree_file.hpp"

namespace graze {
namespace {

LoadedModel facts_of_tree_file(const std::string& path) {
  Assembly file = load_assembly(path);  // mapped, too
  LoadedModel facts;
  facts.format = std::move(file.format), facts.unit = std::move(file.unit), facts.up_axis = std::move(file.up_axis);
  facts.single_precision = file.single_precision;
  facts.notes = std::move(file.notes);
  return facts;
}

}  // namespace

Mesh load_mesh(const std::string& path, const LoadOptions& options) {
  if (options.unit.empty() && options.up_axis.empty() && io::is_tree_file(path)) {
    if (std::optional<Mesh> mapped = io::map_one_mesh(path, options)) {
      if (options.facts != nullptr) *options.facts = facts_of_tree_file(path);
      return std::move(*mapped);
    }
  }
  const auto half = [&](double from) { return options.progress ? Progress([&, from](double done) { return options.progress(from + done / 2); }) : Progress(); };
  LoadOptions reading = options;
  reading.progress = half(0);
  LoadedModel model = load_model(path, reading);
  MeshData data = std::move(model.data);
  model.data = {};
  if (options.facts != nullptr) *options.facts = std::move(model);
  return Mesh(std::move(data), Build::best, half(0.5));
}

}  // namespace graze
