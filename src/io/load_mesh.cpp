// load_model, then Mesh: in its own file, so that programs that want only arrays do not link the trees.
#include <graze/io.hpp>

namespace graze {

Mesh load_mesh(const std::string& path) { return Mesh(load_model(path).data); }

}  // namespace graze
