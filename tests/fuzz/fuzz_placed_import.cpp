// Fuzzes the readers of the records that the helper programs send, those of STEP and IFC and that of assimp: any bytes give valid parts or an Error.
#include <cstddef>
#include <cstdint>
#include <graze/error.hpp>
#include <string_view>

#include "../support/memory_records.hpp"
#include "fuzz_input.hpp"
#include "io/other.hpp"
#include "io/placed_import.hpp"

using namespace graze;

static void check_mesh(const MeshData& mesh) {
  for (const TriangleIndices& t : mesh.triangles)
    for (const std::uint32_t v : t) FUZZ_CHECK(v < mesh.vertices.size());
  for (const Vec3& v : mesh.vertices) FUZZ_CHECK(io::is_finite(v.x) && io::is_finite(v.y) && io::is_finite(v.z));
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const io::Source source{"input", {}};
  try {
    test::MemoryRecords records(source, std::string_view(reinterpret_cast<const char*>(data), size));
    const io::AssemblyData parts = io::read_placed(records, source);
    for (const MeshData& mesh : parts.meshes) check_mesh(mesh);
    for (const io::PartData& part : parts.parts) FUZZ_CHECK(part.mesh < parts.meshes.size());
  } catch (const Error& error) {
    FUZZ_CHECK(error.what()[0] != '\0');
  }
  try {
    test::MemoryRecords records(source, std::string_view(reinterpret_cast<const char*>(data), size));
    check_mesh(io::read_flat(records, source, {std::size_t{1} << 24, 0.001, false, "millimetre", ""}).data);
  } catch (const Error& error) {
    FUZZ_CHECK(error.what()[0] != '\0');
  }
  return 0;
}
