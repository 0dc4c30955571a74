// load_mesh: load_model followed by Mesh. In a file of its own, so that programs that only need arrays do not link the trees.
#include <graze/io.hpp>
#include <string>
#include <utility>

namespace graze {

Mesh load_mesh(const std::string& path, const LoadOptions& options) {
  const auto half = [&](double from) { return options.progress ? Progress([&, from](double done) { return options.progress(from + done / 2); }) : Progress(); };
  LoadOptions reading = options;
  reading.progress = half(0);
  MeshData data = load_model(path, reading).data;
  return Mesh(std::move(data), Build::best, half(0.5));
}

}  // namespace graze
