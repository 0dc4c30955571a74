// load_mesh: load_model followed by Mesh, or a tree file as it is.
#include <graze/io.hpp>
#include <optional>
#include <string>
#include <utility>

#include "io/tree_file.hpp"

namespace graze {

Mesh load_mesh(const std::string& path, const LoadOptions& options) {
  if (io::is_tree_file(path)) {
    if (std::optional<Mesh> mapped = io::map_one_mesh(path, options)) return std::move(*mapped);
  }
  const auto half = [&](double from) { return options.progress ? Progress([&, from](double done) { return options.progress(from + done / 2); }) : Progress(); };
  LoadOptions reading = options;
  reading.progress = half(0);
  MeshData data = load_model(path, reading).data;
  return Mesh(std::move(data), Build::best, half(0.5));
}

}  // namespace graze
