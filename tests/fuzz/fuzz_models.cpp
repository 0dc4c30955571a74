// Fuzzes the readers with arbitrary bytes as an OBJ, STL, PLY, OFF, glTF or 3MF file: the result is a model or an Error, and a model's triangles use its
// vertices.
#include <cstddef>
#include <cstdint>
#include <graze/io.hpp>
#include <iterator>
#include <span>

#include "fuzz_input.hpp"

using namespace graze;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  static const char* const names[] = {"fuzz.obj", "fuzz.stl", "fuzz.ply", "fuzz.off", "fuzz.gltf", "fuzz.3mf"};
  const std::size_t name = static_cast<std::uint8_t>(data[0] - '0') % std::size(names);  // seeds begin with a digit, which stays valid when names are added
  const std::span<const std::byte> bytes(reinterpret_cast<const std::byte*>(data + 1), size - 1);
  try {
    const LoadedModel model = load_model(bytes, names[name], {.max_bytes = std::size_t{1} << 24});
    for (const auto& t : model.data.triangles)
      for (std::uint32_t v : t) FUZZ_CHECK(v < model.data.vertices.size());
    for (const Vec3& v : model.data.vertices) FUZZ_CHECK(std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z));
    if (!model.format.starts_with("gl") && model.format != "3mf") FUZZ_CHECK(model.data.triangles.size() <= 16 * size);  // they may place a mesh often
  } catch (const Error&) {
  }
  return 0;
}
