// Fuzzes the glTF reader directly, without detection of the format: any bytes give valid parts or an Error.
#include <cstddef>
#include <cstdint>
#include <graze/error.hpp>

#include "fuzz_input.hpp"
#include "io/gltf.hpp"

using namespace graze;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const io::Source source{"input", {reinterpret_cast<const std::byte*>(data), size}};
  try {
    const io::AssemblyData parts = io::read_gltf(source, nullptr, std::size_t{1} << 24);
    std::size_t vertices = 0, triangles = 0;
    for (const MeshData& mesh : parts.meshes) {
      for (const TriangleIndices& t : mesh.triangles)
        for (const std::uint32_t v : t) FUZZ_CHECK(v < mesh.vertices.size());
      for (const Vec3& v : mesh.vertices) FUZZ_CHECK(io::is_finite(v.x) && io::is_finite(v.y) && io::is_finite(v.z));
      vertices += mesh.vertices.size(), triangles += mesh.triangles.size();
    }
    for (const io::PartData& part : parts.parts) FUZZ_CHECK(part.mesh < parts.meshes.size());
    FUZZ_CHECK(vertices * sizeof(Vec3) + triangles * 4 <= std::size_t{1} << 26);
  } catch (const Error& error) {
    FUZZ_CHECK(error.what()[0] != '\0');
  }
  return 0;
}
