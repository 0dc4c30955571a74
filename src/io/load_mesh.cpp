// load_mesh: load_model followed by Mesh. In a file of its own, so that programs that only need arrays do not link the trees.
#include <graze/io.hpp>

namespace graze {

Mesh load_mesh(const std::string& path) { return Mesh(load_model(path).data); }

}  // namespace graze
